// What a program can choose when it makes its first Accelerator.
#pragma once

#include <torch/arg.h>
#include <torch/types.h>

#include <chrono>

namespace accel {

/// A smaller format for gradients on their way: None, half precision, or bfloat16 (half the bits of
/// precision, the range of float). Sums are rounded to it.
enum class Compression { None, Fp16, Bf16 };

/// Whether processes of one machine add up gradients on the CPU through memory that they share.
enum class SharedMemoryUse {
  Auto, ///< Where they can; else, with a note on stderr, through sockets (Gloo).
  On,   ///< They must; where they can't, preparing an optimizer is an error that says why.
  Off   ///< Through sockets.
};

/// Options of the process-wide state behind every Accelerator, set by chaining:
///
///     accel::Accelerator accelerator(accel::AcceleratorOptions().split_batches(true));
///
/// An option that is not set comes from the environment where one is named, else from its default.
/// The first Accelerator decides; a later one may leave options out or repeat them, and one that
/// contradicts the first is an error.
struct AcceleratorOptions {
  /// Whether the program's batch is divided over the processes (true) or every process takes a
  /// batch of that size (false). Environment: ACCEL_SPLIT_BATCHES. Default: false.
  TORCH_ARG(torch::optional<bool>, split_batches);

  /// What happens at the end of an epoch where the rows don't fill a round of batches. Unset: no
  /// row is used twice; the last shares are short, and weighed by their rows. True, as Accelerate's
  /// even_batches=True: the round is filled up with rows of the first one. False, as its
  /// even_batches=False: shares are short or missing, so the processes may run different numbers of
  /// batches, and nothing can be exchanged in such a round. When given with split_batches, the
  /// batch size must be a multiple of the number of processes. Environment: ACCEL_EVEN_BATCHES.
  TORCH_ARG(torch::optional<bool>, even_batches);

  /// Whether process 0 reads the batches and sends them to the others (true), or every process
  /// reads what it needs (false). Unset: true for streams, stateful datasets and samplers of
  /// requests that can't be divided, false for datasets that are read by row numbers. Environment:
  /// ACCEL_DISPATCH_BATCHES.
  TORCH_ARG(torch::optional<bool>, dispatch_batches);

  /// Whether batches are copied to the device without waiting, as Tensor::to(device,
  /// non_blocking=true) does. Batches in pinned memory are, anyway. Environment:
  /// ACCEL_NON_BLOCKING. Default: false.
  TORCH_ARG(torch::optional<bool>, non_blocking);

  /// Whether to stay on the CPU where a GPU is present. Environment: ACCELERATE_USE_CPU. Default:
  /// false.
  TORCH_ARG(torch::optional<bool>, cpu);

  /// How long a process waits for the others, to join and in every collective, before it fails.
  /// Default: 30 minutes, as in Accelerate.
  TORCH_ARG(torch::optional<std::chrono::milliseconds>, timeout);

  /// Micro-batches in an accumulation window; see Accelerator::accumulate. Environment:
  /// ACCELERATE_GRADIENT_ACCUMULATION_STEPS; where both are given, they must agree. Default: 1.
  TORCH_ARG(torch::optional<int64_t>, gradient_accumulation_steps);

  /// The format in which gradients travel between machines and devices. Environment: none.
  /// Default: none, they travel as they are. Where processes share memory they are never
  /// compressed.
  TORCH_ARG(torch::optional<Compression>, gradient_compression);

  /// The size of a gradient bucket in MiB: what one all-reduce carries at most, unless a single
  /// parameter is larger. Default: 25.
  TORCH_ARG(torch::optional<double>, bucket_cap_mb);

  /// The size of the first bucket in MiB: small, so that the first all-reduce starts early in
  /// backward. Default: 1.
  TORCH_ARG(torch::optional<double>, first_bucket_mb);

  /// Whether gradients on the CPU are added up through shared memory; the same on all processes.
  /// Environment: ACCEL_SHARED_MEMORY=auto, on or off. Default: auto.
  TORCH_ARG(torch::optional<SharedMemoryUse>, shared_memory);
};

} // namespace accel
