#pragma once

#include <string>

namespace accel::launch {

/// NVIDIA GPUs that a program started here would see: those of the driver whose device node exists,
/// narrowed by CUDA_VISIBLE_DEVICES (null: not set). `root` is the file system's, for tests.
int visible_gpus(const char* cuda_visible_devices, const std::string& root = "/");

/// Cores that this process may run on.
int usable_cores();

} // namespace accel::launch
