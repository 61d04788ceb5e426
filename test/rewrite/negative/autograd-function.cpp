// A function with a backward of its own is no training.
// RUN: %accel-rewrite --quiet %s -- %torch 2>&1 | count 0
#include "program.h"

struct Square : torch::autograd::Function<Square> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, torch::Tensor x) {
    context->save_for_backward({x});
    return x * x;
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list gradients) {
    return {2 * context->get_saved_variables()[0] * gradients[0]};
  }
};

int main() {
  auto x = torch::ones({2}, torch::requires_grad());
  Square::apply(x).sum().backward();
  std::cout << x.grad() << std::endl;
}
