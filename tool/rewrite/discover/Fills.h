//===- Fills.h - Tensors that are written row by row ----------------------===//
#ifndef ACCEL_REWRITE_DISCOVER_FILLS_H
#define ACCEL_REWRITE_DISCOVER_FILLS_H

#include "discover/FunctionBody.h"

#include <vector>

namespace accel_rewrite {

/// How a mention of a tensor writes to it in place.
enum class InPlace {
  None,     ///< it reads, or computes something new
  Changes,  ///< all entries alike: `x.mul_(2)`
  Combines, ///< each entry with that of another tensor: `x.add_(y)`
  Fills     ///< parts of it: `x[i] = row`, `x.slice(0, i, j).copy_(rows)`, `x.index_put_(…)`; or it
            ///< may, through a pointer or an accessor
};

struct InPlaceWrite {
  InPlace How;
  const clang::Expr* Where;
};

/// What in \p Scope writes to the tensor that \p Mention names, in place, in source order; also
/// the mentions of a pointer, an accessor or a view that such a write is made through. Assignments
/// to the variable itself aren't among them.
std::vector<InPlaceWrite> inPlaceWrites(const FunctionBody& Body, const clang::Expr* Mention,
                                        const clang::Stmt* Scope);

} // namespace accel_rewrite

#endif
