#pragma once

namespace accel::detail {

/// Keeps large activations in the heap instead of mapping and unmapping them at every step: raises
/// glibc's mmap and trim thresholds. Does nothing where the user set MALLOC_* or GLIBC_TUNABLES,
/// where malloc is not glibc's, or with ACCEL_MALLOC=default.
void keep_activations_mapped();

} // namespace accel::detail
