//===- Values.h - What a function puts into its variables -----------------===//
#ifndef ACCEL_REWRITE_DISCOVER_VALUES_H
#define ACCEL_REWRITE_DISCOVER_VALUES_H

#include "discover/FunctionBody.h"
#include "discover/Uniform.h"

#include <vector>

namespace accel_rewrite {

/// What \p D is initialised with, and what is assigned to it, by itself or in a std::tie.
std::vector<const clang::Expr*> valuesOf(const FunctionBody& Body, const std::vector<Write>& Writes,
                                         const clang::ValueDecl* D);
/// What is put into a container: `v.push_back(x)`, `v.emplace_back(x)`, `v[i] = x`; and into
/// the parts of a class: `v.data = x`; and what a tensor is combined with in place: `t.add_(x)`,
/// `t[i] = x`.
std::vector<const clang::Expr*> elementsOf(const FunctionBody& Body,
                                           const clang::ValueDecl* Container);

} // namespace accel_rewrite

#endif
