#include "report/Outcome.h"

#include <algorithm>

namespace accel_rewrite {

bool Outcome::isConverted(const Span& Loop) const {
  return std::none_of(Diagnostics.begin(), Diagnostics.end(),
                      [&](const Diagnostic& D) { return D.isRefusal() && D.Loop == Loop; });
}

size_t Outcome::convertedLoops() const {
  return std::count_if(Loops.begin(), Loops.end(),
                       [&](const Span& Loop) { return isConverted(Loop); });
}

bool Outcome::hasRefusals() const {
  return std::any_of(Diagnostics.begin(), Diagnostics.end(),
                     [](const Diagnostic& D) { return D.isRefusal(); });
}

bool Outcome::hasChanges() const {
  return std::any_of(Files.begin(), Files.end(), [](const auto& F) { return F.second.Changed; });
}

bool Outcome::any(File::State State) const {
  return std::any_of(Files.begin(), Files.end(),
                     [&](const auto& F) { return F.second.Read == State; });
}

} // namespace accel_rewrite
