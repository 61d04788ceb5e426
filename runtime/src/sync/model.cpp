#include "sync/model.h"

#include "sync/manifest.h"

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

} // namespace

void prepare_model(State& state, torch::nn::Module& module) {
  module.to(state.device());
  if (state.size() == 1) {
    return;
  }
  torch::NoGradGuard no_grad;
  std::vector<std::string> lines;
  std::vector<torch::Tensor> tensors;
  for (const auto& entry : module.named_parameters()) {
    lines.push_back(describe(entry.key(), entry.value()));
    tensors.push_back(entry.value());
    state.name(entry.value(), entry.key());
  }
  for (const auto& entry : module.named_buffers()) {
    if (!entry.value().defined()) {
      continue;
    }
    lines.push_back(describe("buffer " + entry.key(), entry.value()));
    tensors.push_back(entry.value());
    if (entry.value().is_floating_point()) {
      state.add_buffer(entry.value());
    }
  }
  verify_same(state, "the model", lines);
  take_main_values(state, std::move(tensors));
}

void take_main_values(State& state, std::vector<torch::Tensor> tensors) {
  torch::NoGradGuard no_grad;
  for (const auto& chunk : chunks_of(nonempty(std::move(tensors)))) {
    auto flat = flatten(chunk);
    state.group().broadcast(flat, 0).wait("the broadcast of the model");
    unflatten(flat, chunk);
  }
}

BufferBroadcast::BufferBroadcast(State& state) {
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
  torch::NoGradGuard no_grad;
  for (Chunk& chunk : chunks_) {
    chunk.pending.wait("the broadcast of the models' buffers");
    unflatten(chunk.flat, chunk.buffers);
  }
}

} // namespace accel::detail
