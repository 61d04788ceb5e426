// A mean over the rows that is no loss is averaged as well.
// RUN: %accel-rewrite --quiet %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto output = model->forward(batch.data);
    auto loss = torch::nll_loss(output, batch.target);
    loss.backward();
    optimizer.step();
    auto accuracy = output.argmax(1).eq(batch.target).to(torch::kFloat).mean();
    std::cout << accuracy.item<float>() << " " << loss.detach().item<float>() << std::endl;
  }
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
// CHECK:-    std::cout << accuracy.item<float>() << " " << loss.detach().item<float>() << std::endl;
// CHECK:+    accelerator.cout() << accelerator.mean(accuracy).item<float>() << " " << accelerator.mean(loss.detach()).item<float>() << std::endl;
