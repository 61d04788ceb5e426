#include <accel/accelerator.h>

#include "state/state.h"
#include "sync/backward.h"
#include "sync/model.h"
#include "sync/synchroniser.h"

#include <torch/nn/utils/clip_grad.h>

namespace accel {

void Accelerator::prepare_module(torch::nn::Module& module) const {
  detail::prepare_model(*state_, module);
}

void Accelerator::backward(const torch::Tensor& loss) const {
  backward(loss, Mean);
}

void Accelerator::backward(const torch::Tensor& loss, Reduction reduction) const {
  detail::backward(*state_, loss, {}, torch::nullopt, false, reduction);
}

void Accelerator::backward(const torch::Tensor& loss, const torch::Tensor& gradient,
                           torch::optional<bool> keep_graph, bool create_graph) const {
  detail::backward(*state_, loss, gradient, keep_graph, create_graph, Mean);
}

double Accelerator::clip_grad_norm_(const std::vector<torch::Tensor>& parameters, double max_norm,
                                    double norm_type, bool error_if_nonfinite) const {
  std::vector<std::shared_ptr<detail::Synchroniser>> owners;
  for (const auto& synchroniser : state_->synchronisers()) {
    for (const auto& parameter : parameters) {
      if (state_->owner(parameter) == synchroniser.get()) {
        owners.push_back(synchroniser);
        synchroniser->settle();
        break;
      }
    }
  }
  const double norm =
      torch::nn::utils::clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite);
  for (const auto& synchroniser : owners) {
    synchroniser->accept();
  }
  return norm;
}

double Accelerator::clip_grad_norm_(const torch::Tensor& parameter, double max_norm,
                                    double norm_type, bool error_if_nonfinite) const {
  return clip_grad_norm_(std::vector<torch::Tensor>{parameter}, max_norm, norm_type,
                         error_if_nonfinite);
}

} // namespace accel
