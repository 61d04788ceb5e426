// Making a model the same on all processes, and keeping its buffers so.
#pragma once

#include "state/state.h"

#include <torch/nn/module.h>

#include <vector>

namespace torch::jit {
struct Module;
} // namespace torch::jit

namespace accel::detail {

/// Moves the model to the device; on several processes verifies it and takes process 0's values.
void prepare_model(State& state, torch::nn::Module& module);
void prepare_model(State& state, torch::jit::Module& module);

/// Gives tensors, the same ones on all processes, the values that they have on process 0. A
/// collective.
void take_main_values(State& state, std::vector<torch::Tensor> tensors);

/// Makes the floating-point buffers of the prepared models (a BatchNorm's running statistics) those
/// of process 0, as DistributedDataParallel does. The constructor starts it.
class BufferBroadcast {
public:
  explicit BufferBroadcast(State& state);
  void finish();

private:
  struct Chunk {
    std::vector<torch::Tensor> buffers;
    torch::Tensor flat;
    Pending pending;
  };
  State& state_;
  std::vector<Chunk> chunks_;
};

} // namespace accel::detail
