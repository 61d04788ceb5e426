//===- Types.h - Which of libtorch's types a type is ----------------------===//
#ifndef ACCEL_REWRITE_DISCOVER_TYPES_H
#define ACCEL_REWRITE_DISCOVER_TYPES_H

#include "clang/AST/Type.h"

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
} // namespace clang

namespace accel_rewrite {

/// All look through references and cv-qualifiers.
bool isTensor(clang::QualType T);
bool isDevice(clang::QualType T);
bool isDeviceType(clang::QualType T);
/// A class derived from `torch::nn::Module`, a holder of one, or a smart or raw pointer to either.
bool isModule(clang::QualType T);
/// The class of the model itself: `NetImpl`; null for what isn't one.
const clang::CXXRecordDecl* moduleClass(clang::QualType T);
bool isOptimizer(clang::QualType T);
/// A class derived from `torch::data::DataLoaderBase`, or a smart or raw pointer to one.
bool isDataLoader(clang::QualType T);
/// The name of the sampler's class in the type of a loader, or of a pointer to one; empty where the
/// type doesn't tell.
llvm::StringRef samplerOf(clang::QualType Loader);
/// What a smart or raw pointer points to; null for other types.
clang::QualType pointee(clang::QualType T);
/// Whether \p F is named \p QualifiedName, inline namespaces left out.
bool isNamed(const clang::FunctionDecl* F, llvm::StringRef QualifiedName);
/// Whether \p F is a member named \p Name of a class that derives from, or is, \p Class.
bool isMethodOf(const clang::FunctionDecl* F, llvm::StringRef Class, llvm::StringRef Name);

} // namespace accel_rewrite

#endif
