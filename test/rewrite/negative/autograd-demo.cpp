// Gradients without an optimizer are no training loop.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | count 0
#include "program.h"

int main() {
  auto x = torch::ones({2, 2}, torch::requires_grad());
  (x * x).sum().backward();
  std::cout << x.grad() << std::endl;
}
