// Dropout draws for each row; with uneven shares what is drawn after it differs between processes.
// RUN: %accel-rewrite %s -- %torch 2>&1 >%t.diff | %FileCheck --match-full-lines --implicit-check-not='{{.*}}[AR{{.*}}' %s
#include "program.h"

struct DropNetImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return fc->forward(drop->forward(x)); }
  torch::nn::Linear fc = register_module("fc", torch::nn::Linear(4, 2));
  torch::nn::Dropout drop = register_module("drop", torch::nn::Dropout(0.5));
};
TORCH_MODULE(DropNet);

void train(DropNet& model, const torch::Tensor& x) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  for (int epoch = 0; epoch < 3; ++epoch) {
// CHECK: {{.*}}uneven-draws.cpp:[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [AR151]
    auto order = torch::randperm(100);
    for (int64_t i = 0; i < 100; i += 10) {
      optimizer.zero_grad();
      auto loss = model->forward(x.index_select(0, order.slice(0, i, i + 10))).mean();
      loss.backward();
      optimizer.step();
    }
  }
}
