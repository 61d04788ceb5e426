// Two loops in one function, the device chosen between them: the accelerator comes before the first.
// RUN: %accel-rewrite %s -- %torch | %changes %s
#include "program.h"

int main() {
  Net teacher;
  torch::optim::SGD optimizer(teacher->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    torch::nll_loss(teacher->forward(batch.data), batch.target).backward();
    optimizer.step();
  }

  torch::Device device(torch::kCPU);
  Net student;
  student->to(device);
  torch::optim::Adam other_optimizer(student->parameters(), 0.1);
  auto other_loader = torch::data::make_data_loader(rows(), 16);
  for (auto& batch : *other_loader) {
    torch::nll_loss(student->forward(batch.data), batch.target).backward();
    other_optimizer.step();
  }
}



// CHECK:+#include <accel/accel.h>
// CHECK:-  torch::optim::SGD optimizer(teacher->parameters(), 0.1);
// CHECK:-  auto loader = torch::data::make_data_loader(rows(), 8);
// CHECK:+  accel::Accelerator accelerator;
// CHECK:+  accelerator.prepare(teacher);
// CHECK:+  auto optimizer = accelerator.prepare(torch::optim::SGD(teacher->parameters(), 0.1));
// CHECK:+  auto loader = accelerator.make_data_loader(rows(), 8);
// CHECK:-    torch::nll_loss(teacher->forward(batch.data), batch.target).backward();
// CHECK:+    accelerator.backward(torch::nll_loss(teacher->forward(batch.data), batch.target));
// CHECK:-  torch::Device device(torch::kCPU);
// CHECK:-  student->to(device);
// CHECK:-  torch::optim::Adam other_optimizer(student->parameters(), 0.1);
// CHECK:-  auto other_loader = torch::data::make_data_loader(rows(), 16);
// CHECK:+  accelerator.prepare(student);
// CHECK:+  auto other_optimizer = accelerator.prepare(torch::optim::Adam(student->parameters(), 0.1));
// CHECK:+  auto other_loader = accelerator.make_data_loader(rows(), 16);
// CHECK:-    torch::nll_loss(student->forward(batch.data), batch.target).backward();
// CHECK:+    accelerator.backward(torch::nll_loss(student->forward(batch.data), batch.target));
