// A job as short as one can be: joins, prepares, steps once, exits. What goes wrong at start or
// exit goes wrong here.
#include <accel/accel.h>

#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

int main() {
  accel::Accelerator accelerator;
  torch::nn::Linear net(4, 2);
  accelerator.prepare(net);
  auto optimizer = accelerator.prepare(torch::optim::SGD(net->parameters(), 0.1));
  accelerator.backward(net->forward(torch::ones({3, 4})).sum());
  optimizer.step();
}
