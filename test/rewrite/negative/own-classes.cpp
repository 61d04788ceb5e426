// A game, a trainer in torch's own namespace, an optimizer that is not torch's.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | count 0
#include "program.h"

namespace torch {
struct Trainer {
  void step() {}
  void backward(const Tensor&) {}
};
} // namespace torch

struct State {
  int step(int action) { return action + 1; }
};

struct Optimizer {
  explicit Optimizer(const std::vector<torch::Tensor>&) {}
  void step() {}
  void zero_grad() {}
};

int main() {
  Net model;
  Optimizer optimizer(model->parameters());
  torch::Trainer trainer;
  State state;
  int action = 0;
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    auto loss = model->forward(torch::ones({2, 4})).sum();
    trainer.backward(loss);
    trainer.step();
    optimizer.step();
    action = state.step(action);
  }
  std::cout << action << std::endl;
}
