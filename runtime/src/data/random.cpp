#include "data/random.h"

#include "ops/collectives.h"
#include "state/state.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include <cstring>
#include <mutex>
#include <string>

namespace accel::detail {
namespace {

at::Generator default_generator(const torch::Device& device) {
  return at::globalContext().defaultGenerator(device);
}

// The seed, and the state as bytes.
std::string written(at::Generator generator) {
  const std::lock_guard<std::mutex> lock(generator.mutex());
  const uint64_t seed = generator.current_seed();
  const auto state = generator.get_state().contiguous();
  std::string bytes(sizeof seed + state.nbytes(), '\0');
  std::memcpy(bytes.data(), &seed, sizeof seed);
  std::memcpy(bytes.data() + sizeof seed, state.data_ptr(), state.nbytes());
  return bytes;
}

void follow(at::Generator generator, const std::string& main) {
  const std::lock_guard<std::mutex> lock(generator.mutex());
  uint64_t seed = 0;
  std::memcpy(&seed, main.data(), sizeof seed);
  if (seed == generator.current_seed()) {
    return;
  }
  const auto size = static_cast<int64_t>(main.size() - sizeof seed);
  auto state = torch::empty({size}, torch::kByte);
  std::memcpy(state.data_ptr(), main.data() + sizeof seed, static_cast<size_t>(size));
  generator.set_state(state);
}

} // namespace

void agree_on_random_numbers(State& state) {
  if (state.size() == 1) {
    return;
  }
  std::vector<torch::Device> devices{torch::kCPU};
  if (!state.device().is_cpu()) {
    devices.push_back(state.device());
  }
  for (const auto& device : devices) {
    auto generator = default_generator(device);
    follow(generator, bytes_of_main(state, Record::Action::BroadcastObject,
                                    [&] { return written(generator); }));
  }
}

} // namespace accel::detail
