// A step that is captured in a CUDA graph.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | %FileCheck --match-full-lines --implicit-check-not='{{.+}}' %s
#include "program.h"

namespace at::cuda {
struct CUDAGraph {
  void capture_begin();
  void capture_end();
};
} // namespace at::cuda

int main() {
  at::cuda::CUDAGraph graph;
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
// CHECK: {{.*}}cuda-graph.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: not converted: {{.*}} [AR061]
    graph.capture_begin();
    torch::nll_loss(model->forward(batch.data), batch.target).backward();
    optimizer.step();
    graph.capture_end();
  }
}
