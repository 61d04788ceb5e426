// One step a call, with no loop in sight.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

struct Learner {
  void learn(const torch::Tensor& x, const torch::Tensor& y, torch::optim::Optimizer& optimizer) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(x), y);
    loss.backward();
    optimizer.step();
  }
  Net model;
};

void play(Learner& learner, torch::optim::Optimizer& optimizer) {
  learner.learn(torch::randn({8, 4}), torch::randint(0, 2, {8}), optimizer);
  learner.learn(torch::randn({4, 4}), torch::randint(0, 2, {4}), optimizer);
}

int main() {
  Learner learner;
  torch::optim::SGD optimizer(learner.model->parameters(), 0.1);
  play(learner, optimizer);
}



// CHECK:+#include <accel/accel.h>
// CHECK:-    auto loss = torch::nll_loss(model->forward(x), y);
// CHECK:-    loss.backward();
// CHECK:+    accel::Accelerator accelerator;
// CHECK:+    auto loss = torch::nll_loss(model->forward(accelerator.shard(x)), accelerator.shard(y));
// CHECK:+    accelerator.backward(loss);
// CHECK:-  torch::optim::SGD optimizer(learner.model->parameters(), 0.1);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(learner.model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(learner.model->parameters(), 0.1));
