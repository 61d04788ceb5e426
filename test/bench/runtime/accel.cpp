// The same loop with accel, as accel-rewrite would leave it.
#include "loop.h"
#include "trace.h"

#include <accel/accel.h>

int main(int argc, char** argv) {
  const auto options = bench::parse(argc, argv);
  bench::Meter meter(options);
  accel::Accelerator accelerator;
  const int rank = accelerator.process_index();
  const int processes = accelerator.num_processes();
  auto net = bench::make_net(options.model);
  accelerator.prepare(net);
  auto optimizer = accelerator.prepare(bench::make_optimizer(*net));
  const bench::Trace trace(rank == 0 ? options.trace : "");

  auto step = [&](const torch::data::Example<>& batch) {
    optimizer.zero_grad(options.set_to_none);
    auto loss = torch::nll_loss(net->forward(batch.data), batch.target);
    accelerator.backward(loss);
    optimizer.step();
    return meter.next(loss);
  };
  bench::run(
      options, meter, rank, processes,
      [&](auto dataset, size_t batch) {
        return accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(
            std::move(dataset), batch);
      },
      step);
  trace.write();
  meter.report();
}
