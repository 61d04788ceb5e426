#include <accel/accelerator.h>

#include "state/state.h"
#include "sync/backward.h"
#include "sync/model.h"
#include "sync/preparation.h"

#include <torch/autograd.h>
#include <torch/nn/utils/clip_grad.h>

#include <utility>

namespace accel {

static detail::Divisor divisor_of(Reduction reduction) {
  TORCH_CHECK(reduction == Mean || reduction == Sum,
              "accel: backward() takes accel::Mean or accel::Sum");
  return reduction == Sum ? detail::Divisor::Nothing : detail::Divisor::Rows;
}

void Accelerator::prepare_module(torch::nn::Module& module) const {
  detail::prepare_model(*state_, module);
}

void Accelerator::prepare(torch::jit::Module& module) const {
  detail::prepare_model(*state_, module);
}

// On one process an optimizer does by itself what a prepared one does, unless steps are skipped.
bool Accelerator::needs_preparation(const torch::optim::Optimizer& optimizer) const {
  const bool prepared = dynamic_cast<const detail::Prepared*>(&optimizer) != nullptr;
  return !prepared && (num_processes() > 1 || gradient_accumulation_steps() > 1);
}

void Accelerator::backward(const torch::Tensor& loss) const {
  backward(loss, Mean);
}

void Accelerator::backward(const torch::Tensor& loss, Reduction reduction) const {
  detail::Loss what;
  what.value = loss;
  what.divisor = divisor_of(reduction);
  detail::backward(*state_, what);
}

void Accelerator::backward_with_count(const torch::Tensor& loss_sum, double count) const {
  detail::Loss what;
  what.value = loss_sum;
  what.divisor = detail::Divisor::Count;
  what.count = count;
  detail::backward(*state_, what);
}

void Accelerator::backward(const torch::Tensor& loss, const torch::Tensor& gradient,
                           torch::optional<bool> keep_graph, bool create_graph,
                           Reduction reduction) const {
  detail::Loss what;
  what.value = loss;
  what.divisor = divisor_of(reduction);
  what.gradient = gradient;
  what.keep_graph = keep_graph;
  what.create_graph = create_graph;
  detail::backward(*state_, what);
}

void Accelerator::backward(const std::vector<torch::Tensor>& losses, Reduction reduction) const {
  TORCH_CHECK(!losses.empty(), "accel: backward() was given no loss");
  if (num_processes() == 1 && gradient_accumulation_steps() == 1) {
    torch::autograd::backward(losses);
    return;
  }
  torch::Tensor total = losses.front();
  for (size_t i = 1; i < losses.size(); ++i) {
    total = total + losses[i];
  }
  backward(total, reduction);
}

bool Accelerator::sync_gradients() const {
  return !state_->accumulates();
}

int64_t Accelerator::gradient_accumulation_steps() const {
  return state_->window().length();
}

void Accelerator::sync_next_backward() const {
  state_->sync_next = true;
}

double Accelerator::clip_grad_norm_(const std::vector<torch::Tensor>& parameters, double max_norm,
                                    double norm_type, bool error_if_nonfinite) const {
  if (!sync_gradients()) {
    return 0;
  }
  double norm = 0;
  detail::with_settled_gradients(*state_, parameters, [&] {
    norm = torch::nn::utils::clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite);
  });
  return norm;
}

double Accelerator::clip_grad_norm_(const torch::Tensor& parameter, double max_norm,
                                    double norm_type, bool error_if_nonfinite) const {
  return clip_grad_norm_(std::vector<torch::Tensor>{parameter}, max_norm, norm_type,
                         error_if_nonfinite);
}

void Accelerator::clip_grad_value_(const std::vector<torch::Tensor>& parameters,
                                   double clip_value) const {
  if (sync_gradients()) {
    detail::with_settled_gradients(
        *state_, parameters, [&] { torch::nn::utils::clip_grad_value_(parameters, clip_value); });
  }
}

void Accelerator::clip_grad_value_(const torch::Tensor& parameter, double clip_value) const {
  clip_grad_value_(std::vector<torch::Tensor>{parameter}, clip_value);
}

MicroBatch::MicroBatch(std::shared_ptr<detail::State> state) : state_(std::move(state)) {
  // Asking a loader makes it look ahead, so only where it matters.
  const bool ends = state_->window().length() > 1 && state_->passes().at_end();
  if (state_->window().begin(state_->passes().number(), ends)) {
    for (const auto& preparation : state_->preparations()) {
      preparation->drop_gradients();
    }
  }
}

MicroBatch::~MicroBatch() {
  state_->window().end();
}

NoSync::NoSync(std::shared_ptr<detail::State> state) : state_(std::move(state)) {
  ++state_->held_back;
}

NoSync::~NoSync() {
  --state_->held_back;
}

} // namespace accel
