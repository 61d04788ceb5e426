// The same loop with accel, as accel-rewrite would leave it.
#include "meter.h"
#include "models.h"
#include "trace.h"

#include <accel/accel.h>

int main(int argc, char** argv) {
  const auto options = bench::parse(argc, argv);
  bench::Meter meter(options);
  accel::Accelerator accelerator;
  const int rank = accelerator.process_index();
  const int processes = accelerator.num_processes();
  const bench::Rows rows;
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
  bool more = true;
  if (options.loader) {
    auto loader = accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(
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
  trace.write();
  meter.report();
}
