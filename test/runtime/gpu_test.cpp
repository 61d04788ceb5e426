// On GPUs: one process a GPU, with one of them or several. Skipped where there is none.
#include "models.h"

#include "state/state.h"
#include "sync/preparation.h"

namespace accel_test {
namespace {

// Runs the body in as many processes as there are GPUs, three at most.
void run_on_gpus(const std::function<void()>& body) {
  if (!torch::cuda::is_available()) {
    GTEST_SKIP() << "no GPU here, or a libtorch without CUDA";
  }
  const int gpus = std::min(3, static_cast<int>(torch::cuda::device_count()));
  run_in({gpus}, body, {{"ACCELERATE_USE_CPU", "false"}});
}

TEST(Gpu, TrainsAsTheCpuDoes) {
  run_on_gpus([] {
    accel::Accelerator accelerator(split());
    ASSERT_TRUE(accelerator.device().is_cuda());
    EXPECT_EQ(accelerator.device().index(), accelerator.local_process_index());
    Net net = make_net();
    Net bare = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(torch::optim::Adam(net->parameters()));
    auto expected = torch::optim::Adam(bare->parameters());
    for (int set = 0; set < 4; ++set) {
      expected.zero_grad();
      loss_on(bare, rows(set)).backward();
      torch::nn::utils::clip_grad_norm_(bare->parameters(), 0.1);
      expected.step();
      optimizer.zero_grad();
      accelerator.backward(loss_on(net, mine(rows(set)).to(accelerator.device())));
      accelerator.clip_grad_norm_(net->parameters(), 0.1);
      optimizer.step();
    }
    for (size_t i = 0; i < net->parameters().size(); ++i) {
      EXPECT_TRUE(torch::allclose(net->parameters()[i].cpu(), bare->parameters()[i], 1e-4, 1e-5));
    }
  });
}

TEST(Gpu, LoadersYieldBatchesOnTheDevice) {
  run_on_gpus([] {
    accel::Accelerator accelerator;
    auto loader = accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(
        stacked(10), torch::data::DataLoaderOptions(4).workers(1));
    for (auto& batch : *loader) {
      EXPECT_EQ(batch.data.device(), accelerator.device());
      EXPECT_EQ(batch.target.device(), accelerator.device());
    }
  });
}

TEST(Gpu, CollectivesTakeTensorsOfTheDevice) {
  run_on_gpus([] {
    accel::Accelerator accelerator;
    const auto own = torch::full({3000}, accelerator.process_index() + 1.0, accelerator.device());
    const double sum = processes() * (processes() + 1) / 2.0;
    EXPECT_TRUE(accelerator.reduce(own).equal(torch::full_like(own, sum)));
    EXPECT_EQ(accelerator.gather(own).size(0), 3000 * processes());
    EXPECT_EQ(accelerator.gather(own).device(), accelerator.device());
  });
}

TEST(Gpu, FirstReductionStartsBeforeTheLastGradientIsReady) {
  run_on_gpus([] {
    if (processes() < 2) {
      return; // one process reduces nothing
    }
    accel::Accelerator accelerator(accel::AcceleratorOptions().first_bucket_mb(0.001));
    Net net = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(plain_sgd(net->parameters()));
    accelerator.backward(loss_on(net, rows(0).to(accelerator.device())));
    const auto synchroniser = accel::detail::State::get({})->synchronisers().at(0);
    EXPECT_LT(synchroniser->ready_at_first_launch(), net->parameters().size());
  });
}

} // namespace
} // namespace accel_test
