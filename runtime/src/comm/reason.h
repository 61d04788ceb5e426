#pragma once

#include <c10/util/Exception.h>

#include <exception>
#include <string>

namespace accel::detail {

/// What an exception says, without where in libtorch it was made.
inline std::string reason(const std::exception& error) {
  const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
  const std::string text = of_torch != nullptr ? of_torch->what_without_backtrace() : error.what();
  return text.empty() ? "unknown error" : text;
}

} // namespace accel::detail
