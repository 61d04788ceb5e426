// The environment, the shared state, output and saving.
#include "models.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>

namespace accel_test {
namespace {

namespace fs = std::filesystem;

TEST(State, IsTheSameBehindEveryHandle) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator first(split());
    accel::Accelerator second;
    const accel::Accelerator copy = first; // NOLINT(performance-unnecessary-copy-initialization)
    EXPECT_EQ(second.num_processes(), processes());
    EXPECT_EQ(second.process_index(), rank());
    EXPECT_TRUE(second.split_batches());
    EXPECT_EQ(copy.is_last_process(), rank() == processes() - 1);
    EXPECT_EQ(copy.is_main_process(), rank() == 0);
    EXPECT_EQ(second.device(), torch::Device(torch::kCPU));
    EXPECT_EQ(second.use_distributed(), processes() > 1);
    std::ostringstream type;
    type << second.distributed_type();
    EXPECT_EQ(type.str(), processes() > 1 ? "MULTI_CPU" : "NO");
    EXPECT_NO_THROW(accel::Accelerator third(split()));
  });
}

TEST(RandomNumbers, AreTheMainProcessesWhereSeedsDiffer) {
  run_in({2, 3}, [] {
    torch::manual_seed(100 + static_cast<uint64_t>(rank()));
    torch::rand({3}); // The main process is in the midst of its numbers.
    accel::Accelerator accelerator;
    const auto order = torch::randperm(20);
    EXPECT_TRUE(accelerator.broadcast(order).equal(order));
    torch::manual_seed(100);
    torch::rand({3});
    EXPECT_TRUE(order.equal(torch::randperm(20)));
  });
}

TEST(RandomNumbers, GoOnWhereTheProgramSeedsAlike) {
  run_in({1, 2, 3}, [] {
    torch::manual_seed(100);
    torch::rand({3 + rank()}); // Drawn differently often, as the program wants.
    const auto state = at::globalContext().defaultGenerator(torch::kCPU).get_state();
    accel::Accelerator accelerator;
    EXPECT_TRUE(state.equal(at::globalContext().defaultGenerator(torch::kCPU).get_state()));
  });
}

TEST(State, RefusesOptionsThatContradictTheFirst) {
  run_in({1, 2}, [] {
    accel::Accelerator first(split());
    try {
      accel::Accelerator second(accel::AcceleratorOptions().split_batches(false));
      FAIL() << "no error";
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("split_batches"), std::string::npos);
    }
  });
}

TEST(State, TakesTheDeviceFromTheEnvironment) {
  run_in({1, 2}, [] {
    const char* name = "ACCELERATE_TORCH_DEVICE";
    for (const auto& [value, part] : std::vector<std::pair<std::string, std::string>>{
             {"toaster", "not a device"}, {"cuda", "asks for the CPU"}, {"mps", "cpu and cuda"}}) {
      setenv(name, value.c_str(), 1);
      try {
        accel::Accelerator refused;
        FAIL() << "no error";
      } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find(value), std::string::npos) << error.what();
      }
    }
    setenv(name, "cpu", 1);
    EXPECT_EQ(accel::Accelerator().device(), torch::Device(torch::kCPU));
  });
}

TEST(State, TakesSplitBatchesFromTheEnvironment) {
  run_in({1, 2}, [] { EXPECT_TRUE(accel::Accelerator().split_batches()); },
         {{"ACCEL_SPLIT_BATCHES", "yes"}});
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Save, IsThereForEveryProcessAndLeavesNoOtherFile) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator;
    Net net = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(torch::optim::Adam(net->parameters(), 0.1));
    const std::string path = shared_folder() + "/net.pt";
    accelerator.save(net, path);
    accelerator.save(optimizer, shared_folder() + "/optimizer.pt");
    accelerator.save(std::vector<torch::Tensor>{torch::ones({2})}, shared_folder() + "/list.pt");
    Net loaded = make_net(5);
    torch::load(loaded, path);
    EXPECT_EQ(distance(loaded->parameters(), net->parameters()), 0.0);
    torch::load(optimizer, shared_folder() + "/optimizer.pt");
    const auto files = std::distance(fs::directory_iterator(shared_folder()), {});
    EXPECT_EQ(files, 3);
    accelerator.wait_for_everyone();
  });
}

TEST(Save, ThatFailsThrowsEverywhereAndKeepsTheOldFile) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator;
    EXPECT_THROW(accelerator.save(torch::ones({2}), shared_folder() + "/no/such/folder.pt"),
                 std::exception);
    const std::string path = shared_folder() + "/value.pt";
    accelerator.save(torch::ones({2}), path);
    const std::string before = contents(path);
    accelerator.wait_for_everyone();
    // What writing it throws must not cost the file that was there.
    struct Bad : torch::nn::Module {
      void save(torch::serialize::OutputArchive&) const override {
        throw std::runtime_error("disk on fire");
      }
    };
    EXPECT_THROW(accelerator.save(std::make_shared<Bad>(), path), std::runtime_error);
    EXPECT_EQ(contents(path), before);
    accelerator.wait_for_everyone();
  });
}

TEST(PreparedOptimizer, StaysAnOptimizerOfItsClass) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator;
    Net net = make_net();
    accelerator.prepare(net);
    auto optimizer = accelerator.prepare(torch::optim::SGD(net->parameters(), 0.5));
    torch::optim::SGD& as_sgd = optimizer;
    torch::optim::Optimizer& as_base = optimizer;
    torch::optim::StepLR schedule(optimizer, 1, 0.1);
    accelerator.backward(net->forward(torch::ones({2, 6})).sum());
    as_base.step();
    as_sgd.step();
    schedule.step();
    schedule.step();
    EXPECT_NEAR(optimizer.param_groups()[0].options().get_lr(), 0.05, 1e-9);

    std::unique_ptr<torch::optim::Optimizer> known_by_base =
        std::make_unique<torch::optim::Adam>(net->parameters(), 0.1);
    known_by_base = accelerator.prepare(std::move(known_by_base));
    EXPECT_NE(dynamic_cast<torch::optim::Adam*>(known_by_base.get()), nullptr);
    auto shared = accelerator.prepare(std::make_shared<torch::optim::Adam>(net->parameters(), 0.1));
    shared->step();
    // A moved one still finds its parameters.
    auto moved = std::move(optimizer);
    moved.add_param_group(
        torch::optim::OptimizerParamGroup({torch::ones({2}, torch::requires_grad())}));
    accelerator.backward(net->forward(torch::ones({2, 6})).sum());
    moved.step();
  });
}

TEST(PreparedOptimizer, OutlivesTheProcessesGroup) {
  // Destroyed after main(): the group must be gone by then, without a crash or a wait.
  run_in({1, 2}, [] {
    static Net net = make_net();
    accel::Accelerator accelerator;
    accelerator.prepare(net);
    static auto optimizer = accelerator.prepare(torch::optim::SGD(net->parameters(), 0.5));
    accelerator.backward(net->forward(torch::ones({2, 6})).sum());
    optimizer.step();
  });
}

} // namespace
} // namespace accel_test
