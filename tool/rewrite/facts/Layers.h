//===- Layers.h - Layers that matter for how rows lie ---------------------===//
#ifndef ACCEL_REWRITE_FACTS_LAYERS_H
#define ACCEL_REWRITE_FACTS_LAYERS_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// A layer that takes the rows of a batch as its second dimension (`torch::nn::LSTM`), unless it is
/// told `batch_first(true)`.
struct SequenceLayer {
  /// Where it is made without that; or a field that holds one.
  Span Where;
  /// A field: the constructors of its class, one of which makes it. What they do is known where
  /// they are in view.
  std::vector<FunctionKey> Constructors;
};

} // namespace accel_rewrite

#endif
