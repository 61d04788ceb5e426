//===- Diagnostic.h - What the tool has to say of a place -----------------===//
#ifndef ACCEL_REWRITE_REPORT_DIAGNOSTIC_H
#define ACCEL_REWRITE_REPORT_DIAGNOSTIC_H

#include "facts/Facts.h"

namespace accel_rewrite {

/// Codes below AR100 refuse a loop, from AR100 they are remarks on one that is converted.
/// docs/diagnostics.md has a paragraph on each.
struct Diagnostic {
  std::string Code;
  Span Where;
  /// What is in the way, or what to know.
  std::string Message;
  /// What a person can do about it.
  std::string Remedy;
  /// The training loop that it is about; not valid where it is about none.
  Span Loop = {};

  bool isRefusal() const { return Code < "AR100"; }
};

} // namespace accel_rewrite

#endif
