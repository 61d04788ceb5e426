// Where the C++ columns take their batches from, until the meter has enough.
#pragma once

#include "meter.h"
#include "models.h"

namespace bench {

/// Calls `step(batch)` until it returns false: with the batches of the loader that `make_loader`
/// makes of a dataset and a batch size, or with slices of one tensor.
template <class MakeLoader, class Step>
void run(const Options& options, const Meter& meter, int rank, int processes,
         MakeLoader&& make_loader, Step&& step) {
  bool more = true;
  if (options.loader) {
    auto loader = make_loader(Rows().map(torch::data::transforms::Stack<>()),
                              static_cast<size_t>(options.batch));
    while (more) {
      for (auto& batch : *loader) {
        if (!(more = step(batch))) {
          break;
        }
      }
    }
  }
  const Rows rows;
  while (more) {
    more = step(rows.batch(meter.step(), options.batch, rank, processes));
  }
}

} // namespace bench
