//===- DeviceExpr.h - What an expression says of a device -----------------===//
#ifndef ACCEL_REWRITE_DISCOVER_DEVICEEXPR_H
#define ACCEL_REWRITE_DISCOVER_DEVICEEXPR_H

#include "discover/Source.h"

namespace accel_rewrite {

/// A `torch::Device` or a `torch::DeviceType`.
bool isDeviceLike(clang::QualType T);

/// The project's own variable, parameter or field that \p E is; null for `torch::kCUDA` and the
/// like, which are variables too.
const clang::ValueDecl* ownEntity(const Source& Src, const clang::Expr* E);

/// What an expression whose value is a device is made of.
struct DeviceExpr {
  /// The project's own variable, parameter or field of a device, which it is and nothing else.
  const clang::ValueDecl* Copy = nullptr;
  /// It names the host, and nothing else is in it.
  bool IsHost = false;
  /// It's `tensor.device()`.
  bool IsOfTensor = false;
  /// Where it names a GPU by its number.
  const clang::Expr* NumberAt = nullptr;
  long Number = 0;
};

DeviceExpr describeDevice(const Source& Src, const clang::Expr* E);

/// Whether \p D comes from outside of what the program works out by itself: a parameter or a field,
/// or a local variable that is read from something.
bool isOption(const Source& Src, const clang::ValueDecl* D);

} // namespace accel_rewrite

#endif
