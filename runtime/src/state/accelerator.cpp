#include <accel/accelerator.h>

#include "ops/collectives.h"
#include "output/output.h"
#include "state/state.h"
#include "sync/backward.h"
#include "sync/model.h"
#include "sync/synchroniser.h"

#include <torch/nn/utils/clip_grad.h>

#include <cstdarg>
#include <cstdio>
#include <iostream>

namespace accel {

Accelerator::Accelerator(AcceleratorOptions options) : state_(detail::State::get(options)) {}

int Accelerator::process_index() const {
  return state_->rank();
}
int Accelerator::local_process_index() const {
  return state_->environment().local_rank;
}
int Accelerator::num_processes() const {
  return state_->size();
}
bool Accelerator::is_main_process() const {
  return state_->rank() == 0;
}
bool Accelerator::is_local_main_process() const {
  return local_process_index() == 0;
}
bool Accelerator::is_last_process() const {
  return state_->rank() == state_->size() - 1;
}
torch::Device Accelerator::device() const {
  return state_->device();
}
bool Accelerator::split_batches() const {
  return state_->split_batches();
}

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

torch::Tensor Accelerator::mean(const torch::Tensor& loss) const {
  return detail::mean(*state_, loss);
}

torch::Tensor Accelerator::share(const torch::Tensor& loss) const {
  return detail::share(*state_, loss);
}

bool Accelerator::repeats_rows() const {
  return state_->current_share().repeated;
}

torch::Tensor Accelerator::reduce(const torch::Tensor& tensor, Reduction reduction) const {
  return detail::reduce(*state_, tensor, reduction);
}

torch::Tensor Accelerator::gather(const torch::Tensor& tensor) const {
  return detail::gather(*state_, tensor);
}

void Accelerator::wait_for_everyone() const {
  detail::wait_for_everyone(*state_);
}

std::ostream& Accelerator::cout() const {
  return is_main_process() ? std::cout : detail::null_stream();
}

int Accelerator::printf(const char* format, ...) const {
  if (!is_main_process()) {
    return 0;
  }
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written;
}

void Accelerator::save_file(const std::string& path,
                            const std::function<void(const std::string&)>& write) const {
  detail::save_atomically(*state_, path, write);
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
