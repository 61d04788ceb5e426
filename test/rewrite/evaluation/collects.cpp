// An evaluation that collects rows is done by every process.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  torch::Device device(torch::kCPU);
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  auto test_loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
  }
  model->eval();
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> outputs;
  double total = 0;
  int64_t correct = 0;
  for (const auto& batch : *test_loader) {
    auto output = model->forward(batch.data.to(device));
    outputs.push_back(output);
    total += torch::nll_loss(output, batch.target.to(device), {}, torch::Reduction::Sum).item<double>();
    correct += output.argmax(1).eq(batch.target.to(device)).sum().item<int64_t>();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
// CHECK:-    auto output = model->forward(batch.data.to(device));
// CHECK:+    auto output = model->forward(batch.data.to(accelerator.device()));
// CHECK:-    total += torch::nll_loss(output, batch.target.to(device), {}, torch::Reduction::Sum).item<double>();
// CHECK:-    correct += output.argmax(1).eq(batch.target.to(device)).sum().item<int64_t>();
// CHECK:+    total += torch::nll_loss(output, batch.target.to(accelerator.device()), {}, torch::Reduction::Sum).item<double>();
// CHECK:+    correct += output.argmax(1).eq(batch.target.to(accelerator.device())).sum().item<int64_t>();
