// Random numbers that all processes draw alike.
#pragma once

namespace accel::detail {

class State;

/// Where libtorch's generators (of the CPU and of the process's device) were seeded differently on
/// the processes, all take the main process's state. libtorch seeds them at random in each process
/// unless the program calls torch::manual_seed, and a batch made by hand, picked by
/// torch::randperm, can be divided only where all processes pick the same. Generators that the
/// program seeded alike keep their place. A collective.
void agree_on_random_numbers(State& state);

} // namespace accel::detail
