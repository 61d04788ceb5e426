//===- Layers.h - Finding layers that take the rows second ----------------===//
#ifndef ACCEL_REWRITE_DISCOVER_LAYERS_H
#define ACCEL_REWRITE_DISCOVER_LAYERS_H

#include "discover/Source.h"
#include "facts/Facts.h"

namespace accel_rewrite {

/// Adds the sequence layers that the project's part of \p Unit makes without `batch_first(true)`,
/// and the fields that hold one.
void discoverLayers(const Source& Src, clang::TranslationUnitDecl* Unit, Facts& Out);

} // namespace accel_rewrite

#endif
