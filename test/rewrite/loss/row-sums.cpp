// Sums over rows: each row is counted once, by one process.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  double total = 0;
  int64_t correct = 0;
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto output = model->forward(batch.data);
    auto loss = torch::nll_loss(output, batch.target);
    loss.backward();
    optimizer.step();
    total += loss.item<double>() * batch.data.size(0);
    correct += output.argmax(1).eq(batch.target).sum().item<int64_t>();
  }
  std::printf("loss %f, accuracy %f\n", total / 100, correct / 100.0);
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(model->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(model);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(model->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    loss.backward();
// CHECK:+    accelerator.backward(loss);
// CHECK:-    total += loss.item<double>() * batch.data.size(0);
// CHECK:-    correct += output.argmax(1).eq(batch.target).sum().item<int64_t>();
// CHECK:+    total += accelerator.once(loss.item<double>() * batch.data.size(0));
// CHECK:+    correct += accelerator.once(output.argmax(1).eq(batch.target).sum().item<int64_t>());
// CHECK:-  std::printf("loss %f, accuracy %f\n", total / 100, correct / 100.0);
// CHECK:+  total = accelerator.reduce(total, accel::Sum);
// CHECK:+  correct = accelerator.reduce(correct, accel::Sum);
// CHECK:+  accelerator.printf("loss %f, accuracy %f\n", total / 100, correct / 100.0);
