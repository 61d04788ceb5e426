#include "sync/model.h"

#include "sync/manifest.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/nn/modules/embedding.h>

#include <algorithm>
#include <string>

namespace accel::detail {
namespace {

constexpr int64_t chunk_bytes = 25 << 20;

// Groups tensors of one dtype and device, in order, up to a size.
std::vector<std::vector<torch::Tensor>> chunks_of(const std::vector<torch::Tensor>& tensors) {
  std::vector<std::vector<torch::Tensor>> chunks;
  int64_t bytes = 0;
  for (const auto& tensor : tensors) {
    const auto size = static_cast<int64_t>(tensor.nbytes());
    const bool fits = !chunks.empty() && bytes + size <= chunk_bytes &&
                      chunks.back().front().scalar_type() == tensor.scalar_type() &&
                      chunks.back().front().device() == tensor.device();
    if (!fits) {
      chunks.emplace_back();
      bytes = 0;
    }
    chunks.back().push_back(tensor);
    bytes += size;
  }
  return chunks;
}

torch::Tensor flatten(const std::vector<torch::Tensor>& tensors) {
  std::vector<torch::Tensor> parts;
  for (const auto& tensor : tensors) {
    parts.push_back(tensor.detach().reshape({-1}));
  }
  return torch::cat(parts);
}

// Through data(), which has a version counter of its own: autograd does not take what it saved of a
// buffer for overwritten.
void unflatten(const torch::Tensor& flat, const std::vector<torch::Tensor>& tensors) {
  int64_t offset = 0;
  for (const auto& tensor : tensors) {
    tensor.data().copy_(flat.narrow(0, offset, tensor.numel()).view(tensor.sizes()));
    offset += tensor.numel();
  }
}

std::vector<torch::Tensor> nonempty(std::vector<torch::Tensor> tensors) {
  tensors.erase(
      std::remove_if(tensors.begin(), tensors.end(),
                     [](const auto& tensor) { return !tensor.defined() || tensor.numel() == 0; }),
      tensors.end());
  return tensors;
}

// What a model holds, to be made the same on all processes.
class Contents {
public:
  explicit Contents(State& state) : state_(state) {}

  void add_parameter(const std::string& name, const torch::Tensor& parameter) {
    lines_.push_back(describe(name, parameter));
    tensors_.push_back(parameter);
    state_.name(parameter, name);
  }
  void add_buffer(const std::string& name, const torch::Tensor& buffer) {
    if (!buffer.defined()) {
      return;
    }
    lines_.push_back(describe("buffer " + name, buffer));
    tensors_.push_back(buffer);
    if (buffer.is_floating_point()) {
      state_.add_buffer(buffer);
    }
  }
  void agree() {
    verify_same(state_, "the model", lines_);
    take_main_values(state_, std::move(tensors_));
  }

private:
  State& state_;
  std::vector<std::string> lines_;
  std::vector<torch::Tensor> tensors_;
};

template <class Embedding> void mark_if_sparse(State& state, torch::nn::Module& module) {
  const auto* embedding = module.as<Embedding>();
  if (embedding != nullptr && embedding->options.sparse()) {
    state.add_sparse(embedding->weight);
  }
}

void mark_sparse(State& state, torch::nn::Module& module) {
  module.apply([&state](torch::nn::Module& part) {
    mark_if_sparse<torch::nn::Embedding>(state, part);
    mark_if_sparse<torch::nn::EmbeddingBag>(state, part);
  });
}

} // namespace

void prepare_model(State& state, torch::nn::Module& module) {
  module.to(state.device());
  if (state.size() == 1) {
    return;
  }
  mark_sparse(state, module);
  Contents contents(state);
  for (const auto& entry : module.named_parameters()) {
    contents.add_parameter(entry.key(), entry.value());
  }
  for (const auto& entry : module.named_buffers()) {
    contents.add_buffer(entry.key(), entry.value());
  }
  contents.agree();
}

void prepare_model(State& state, torch::jit::Module& module) {
  module.to(state.device());
  if (state.size() == 1) {
    return;
  }
  Contents contents(state);
  for (const auto& entry : module.named_parameters()) {
    contents.add_parameter(entry.name, entry.value);
  }
  for (const auto& entry : module.named_buffers()) {
    contents.add_buffer(entry.name, entry.value);
  }
  contents.agree();
}

void take_main_values(State& state, std::vector<torch::Tensor> tensors) {
  torch::NoGradGuard no_grad;
  state.group().arrive("taking the main process's values");
  for (const auto& chunk : chunks_of(nonempty(std::move(tensors)))) {
    auto flat = flatten(chunk);
    state.group().broadcast(flat, 0).wait("the broadcast of the model");
    unflatten(flat, chunk);
  }
}

BufferBroadcast::BufferBroadcast(State& state) : state_(state) {
  torch::NoGradGuard no_grad;
  for (auto& tensors : chunks_of(nonempty(state.buffers()))) {
    Chunk chunk;
    chunk.flat = flatten(tensors);
    chunk.buffers = std::move(tensors);
    chunk.pending = state.group().broadcast(chunk.flat, 0);
    chunks_.push_back(std::move(chunk));
  }
}

void BufferBroadcast::finish() {
  if (chunks_.empty()) {
    return;
  }
  torch::NoGradGuard no_grad;
  state_.group().arrive("the broadcast of the models' buffers");
  for (Chunk& chunk : chunks_) {
    chunk.pending.wait("the broadcast of the models' buffers");
    unflatten(chunk.flat, chunk.buffers);
  }
}

} // namespace accel::detail
