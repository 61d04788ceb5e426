// What a gradient costs on its way into a bucket, for the MLP's sizes, forward and backward left
// out:
//   accumulate   zero_grad(false): the bucket is filled with zeros, autograd's fresh gradient is
//   added to it copy         zero_grad(true): autograd's fresh gradient is copied into the bucket
#include "models.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

namespace {

template <class Work> double median_ms(int rounds, Work&& work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

} // namespace

int main() {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> fresh, bucket;
  int64_t bytes = 0;
  for (const auto& parameter : bench::make_net("mlp")->parameters()) {
    fresh.push_back(torch::ones_like(parameter));
    bucket.push_back(torch::ones_like(parameter));
    bytes += parameter.numel() * static_cast<int64_t>(parameter.element_size());
  }
  auto accumulate = [&] {
    for (auto& part : bucket) {
      part.zero_();
    }
    for (size_t i = 0; i < bucket.size(); ++i) {
      bucket[i].add_(fresh[i]);
    }
  };
  auto copy = [&] {
    for (size_t i = 0; i < bucket.size(); ++i) {
      bucket[i].copy_(fresh[i]);
    }
  };
  accumulate();
  copy();
  constexpr int rounds = 31;
  const double accumulate_ms = median_ms(rounds, accumulate);
  const double copy_ms = median_ms(rounds, copy);
  std::cout << "{\"gradient_bytes\": " << bytes << ", \"accumulate_ms\": " << accumulate_ms
            << ", \"accumulate_moved\": " << 4 * bytes << ", \"copy_ms\": " << copy_ms
            << ", \"copy_moved\": " << 2 * bytes << "}" << std::endl;
}
