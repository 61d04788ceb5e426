// The loop as a program for one process has it, without accel. Several of it at once are the limit
// of what several processes can do: they exchange nothing.
#include "meter.h"
#include "models.h"

int main(int argc, char** argv) {
  const auto options = bench::parse(argc, argv);
  bench::Meter meter(options);
  const int rank = bench::from_environment("RANK", 0);
  const int processes = bench::from_environment("WORLD_SIZE", 1);
  const bench::Rows rows;
  auto net = bench::make_net(options.model);
  auto optimizer = bench::make_optimizer(*net);

  auto step = [&](const torch::data::Example<>& batch) {
    optimizer.zero_grad(options.set_to_none);
    auto loss = torch::nll_loss(net->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
    return meter.next(loss);
  };
  bool more = true;
  if (options.loader) {
    auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
        bench::Rows().map(torch::data::transforms::Stack<>()), static_cast<size_t>(options.batch));
    while (more) {
      for (auto& batch : *loader) {
        if (!(more = step(batch))) {
          break;
        }
      }
    }
  }
  while (more) {
    more = step(rows.batch(meter.step(), options.batch, rank, processes));
  }
  meter.report();
}
