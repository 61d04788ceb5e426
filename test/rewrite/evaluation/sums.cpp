// An evaluation that only adds up is divided between the processes.
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
  double total = 0;
  int64_t correct = 0;
  for (const auto& batch : *test_loader) {
    auto output = model->forward(batch.data.to(device));
    total += torch::nll_loss(output, batch.target.to(device), {}, torch::Reduction::Sum).item<double>();
    correct += output.argmax(1).eq(batch.target.to(device)).sum().item<int64_t>();
  }
  std::cout << total / 100 << " " << correct / 100.0 << std::endl;
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:-  auto test_loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(rows(), 8);
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:+  auto test_loader = accelerator.make_eval_data_loader<torch::data::samplers::SequentialSampler>(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
// CHECK:-    auto output = model->forward(batch.data.to(device));
// CHECK:-    total += torch::nll_loss(output, batch.target.to(device), {}, torch::Reduction::Sum).item<double>();
// CHECK:-    correct += output.argmax(1).eq(batch.target.to(device)).sum().item<int64_t>();
// CHECK:+    auto output = model->forward(batch.data);
// CHECK:+    total += torch::nll_loss(output, batch.target, {}, torch::Reduction::Sum).item<double>();
// CHECK:+    correct += output.argmax(1).eq(batch.target).sum().item<int64_t>();
// CHECK:-  std::cout << total / 100 << " " << correct / 100.0 << std::endl;
// CHECK:+  total = accelerator.reduce(total, accel::Sum);
// CHECK:+  correct = accelerator.reduce(correct, accel::Sum);
// CHECK:+  accelerator.cout() << total / 100 << " " << correct / 100.0 << std::endl;
