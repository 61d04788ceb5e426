// The loop as a program for one process has it, without accel. Several of it at once are the limit
// of what several processes can do: they exchange nothing.
#include "loop.h"

int main(int argc, char** argv) {
  const auto options = bench::parse(argc, argv);
  bench::Meter meter(options);
  const int rank = bench::from_environment("RANK", 0);
  const int processes = bench::from_environment("WORLD_SIZE", 1);
  auto net = bench::make_net(options.model);
  auto optimizer = bench::make_optimizer(*net);

  auto step = [&](const torch::data::Example<>& batch) {
    optimizer.zero_grad(options.set_to_none);
    auto loss = torch::nll_loss(net->forward(batch.data), batch.target);
    loss.backward();
    optimizer.step();
    return meter.next(loss);
  };
  bench::run(
      options, meter, rank, processes,
      [](auto dataset, size_t batch) {
        return torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
            std::move(dataset), batch);
      },
      step);
  meter.report();
}
