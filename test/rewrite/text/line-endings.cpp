// A file with carriage returns keeps them, in every line; multibyte characters move nothing.
// RUN: mkdir -p %t.dir
// RUN: sed "s/$/\r/" %s > %t.dir/program.cpp
// RUN: %accel-rewrite -i %t.dir/program.cpp -- %torch
// RUN: grep -c "accelerator.backward" %t.dir/program.cpp
// RUN: sed "s/\r$//" %t.dir/program.cpp > %t.dir/without.cpp && sed "s/$/\r/" %t.dir/without.cpp > %t.dir/with.cpp
// RUN: diff %t.dir/with.cpp %t.dir/program.cpp
#include "program.h"

int main() {
  Net model;
  torch::optim::SGD optimizer(model->parameters(), 0.1); /* Schrittweite für Übungen: ⅒ */
  auto loader = torch::data::make_data_loader(rows(), 8);
  for (auto& batch : *loader) {
    auto loss = torch::nll_loss(model->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
    std::cout << "Verlust für diesen Schritt — " << loss.item<float>() << std::endl;
  }
}
