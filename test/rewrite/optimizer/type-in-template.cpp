// A template that is given the optimizer's type, and that knows libtorch's optimizers only.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

template <class Optimizer> struct OptionsOf;
template <> struct OptionsOf<torch::optim::SGD> {
  using type = torch::optim::SGDOptions;
};

template <class Optimizer> struct Halve {
  explicit Halve(Optimizer& optimizer) : optimizer(optimizer) {}
  void step() {
    using Options = typename OptionsOf<Optimizer>::type;
    for (auto& group : optimizer.param_groups()) {
      auto& options = static_cast<Options&>(group.options());
      options.lr(options.lr() / 2);
    }
  }
  Optimizer& optimizer;
};

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  Halve<decltype(optimizer)> schedule(optimizer);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (int epoch = 0; epoch < 3; ++epoch, schedule.step())
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
    }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  Halve<decltype(optimizer)> schedule(optimizer);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  Halve<torch::optim::SGD> schedule(optimizer);
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-      loss.backward();
// CHECK:+      accelerator.backward(loss);
