// The environment, the shared state, output and saving.
#include "models.h"

#include "state/environment.h"

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
    EXPECT_NO_THROW(accel::Accelerator third(split()));
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

TEST(State, TakesSplitBatchesFromTheEnvironment) {
  run_in({1, 2}, [] { EXPECT_TRUE(accel::Accelerator().split_batches()); },
         {{"ACCEL_SPLIT_BATCHES", "yes"}});
}

void expect_refused(const Variables& variables, const std::vector<std::string>& parts) {
  for (const auto& [name, value] : variables) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  try {
    accel::detail::read_environment();
    ADD_FAILURE() << "no error";
  } catch (const std::runtime_error& error) {
    for (const auto& part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
  for (const auto& [name, value] : variables) {
    unsetenv(name.c_str());
  }
}

TEST(Environment, ThatIsMalformedIsRefusedByName) {
  expect_refused({{"WORLD_SIZE", "two"}}, {"WORLD_SIZE=two", "not a number"});
  expect_refused({{"WORLD_SIZE", "0"}}, {"WORLD_SIZE=0"});
  expect_refused({{"WORLD_SIZE", "2"}}, {"RANK", "accel launch"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "2"}, {"MASTER_PORT", "29500"}},
                 {"RANK=2", "from 0 to 1"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "-1"}}, {"RANK=-1"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "1"}}, {"MASTER_PORT"});
  expect_refused({{"WORLD_SIZE", "2"}, {"RANK", "1"}, {"MASTER_PORT", "99999"}}, {"MASTER_PORT"});
  expect_refused({{"ACCEL_SPLIT_BATCHES", "maybe"}},
                 {"ACCEL_SPLIT_BATCHES=maybe", "neither true nor false"});
}

TEST(Environment, WithoutWorldSizeIsOneProcess) {
  const auto environment = accel::detail::read_environment();
  EXPECT_EQ(environment.size, 1);
  EXPECT_EQ(environment.rank, 0);
}

TEST(Output, IsTheMainProcesssAndEvaluatesItsArgumentsEverywhere) {
  if (is_child()) {
    accel::Accelerator accelerator;
    int evaluated = 0;
    accelerator.cout() << "<cout " << ++evaluated << ">" << std::endl;
    EXPECT_EQ(accelerator.printf("<printf %d>\n", ++evaluated), rank() == 0 ? 11 : 0);
    accelerator.print("<print ", ++evaluated, ">");
    EXPECT_EQ(evaluated, 3);
    return;
  }
  const auto ended = start(2);
  const std::vector<std::string> texts{"<cout 1>", "<printf 2>", "<print 3>"};
  for (const auto& text : texts) {
    EXPECT_NE(ended[0].output.find(text), std::string::npos) << ended[0].output;
    EXPECT_EQ(ended[1].output.find(text), std::string::npos) << ended[1].output;
  }
  EXPECT_EQ(ended[0].code + ended[1].code, 0) << ended[0].output << ended[1].output;
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
