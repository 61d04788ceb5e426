#include "state/device.h"

#include "state/variables.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/cuda.h>

#include <stdexcept>
#include <string>

namespace accel::detail {
namespace {

const char* const device_variable = "ACCELERATE_TORCH_DEVICE";

torch::Device parse(const Environment& environment, bool use_cpu) {
  torch::Device device(torch::kCPU);
  try {
    device = torch::Device(environment.torch_device);
  } catch (const std::exception&) {
    throw std::runtime_error("accel: " + shown(device_variable) +
                             " in the environment is not a device. Set it to cpu, cuda or cuda:N.");
  }
  if (!device.is_cpu() && !device.is_cuda()) {
    throw std::runtime_error("accel: " + shown(device_variable) +
                             " in the environment: accel computes on cpu and cuda devices.");
  }
  if (use_cpu && !device.is_cpu()) {
    throw std::runtime_error("accel: " + shown(device_variable) +
                             " in the environment, but ACCELERATE_USE_CPU or the program asks for "
                             "the CPU. Unset one of them.");
  }
  if (device.has_index() && device.is_cuda() && environment.local_size > 1) {
    throw std::runtime_error("accel: " + shown(device_variable) +
                             " in the environment names one GPU for several processes. Set it to "
                             "cuda, which gives each its own.");
  }
  return device;
}

// Of the GPUs that this process sees, the one that is its own.
int own_gpu(const Environment& environment, int visible) {
  const int local_rank = environment.local_rank;
  const std::string& source = environment.local_rank_variable;
  // A scheduler may show each of its tasks that task's GPU alone (srun --gpus-per-task).
  const bool bound =
      source != "LOCAL_RANK" && visible == 1 && variable("CUDA_VISIBLE_DEVICES") != nullptr;
  if (bound) {
    return 0;
  }
  if (local_rank >= visible) {
    const bool said = variable(source.c_str()) != nullptr;
    throw std::runtime_error(
        "accel: " + (said ? shown(source.c_str()) : "local rank " + std::to_string(local_rank)) +
        ", but this machine has " + std::to_string(visible) +
        " GPU(s). Start as many processes a machine as it has GPUs, or set "
        "ACCELERATE_USE_CPU=true.");
  }
  return local_rank;
}

} // namespace

torch::Device choose_device(const Environment& environment, bool use_cpu) {
  torch::Device device(torch::kCUDA);
  if (!environment.torch_device.empty()) {
    device = parse(environment, use_cpu);
  } else if (use_cpu || !torch::cuda::is_available()) {
    device = torch::kCPU;
  }
  if (!device.is_cuda()) {
    return torch::kCPU;
  }
  const int visible = static_cast<int>(torch::cuda::device_count());
  if (device.has_index() ? device.index() >= visible : visible == 0) {
    throw std::runtime_error("accel: " + shown(device_variable) + " in the environment, but " +
                             std::to_string(visible) + " GPU(s) can be used here.");
  }
  if (!device.has_index()) {
    device.set_index(static_cast<c10::DeviceIndex>(own_gpu(environment, visible)));
  }
  c10::impl::getDeviceGuardImpl(device.type())->setDevice(device);
  return device;
}

} // namespace accel::detail
