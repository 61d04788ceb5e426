// Gradients are added up through memory that the processes of a machine share: the same bits
// everywhere, and an error, soon, where a process doesn't do its part.
#include "shared_memory.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace accel_test {
namespace {

TEST(SharedMemory, SumsAreThoseOfTheProcessesInOrderBitForBit) {
  run_in({2, 3},
         [] {
           const auto group = make_group();
           std::vector<Extent> extents;
           for (const auto dtype : {torch::kFloat, torch::kDouble, torch::kHalf, torch::kBFloat16,
                                    torch::kComplexFloat, torch::kInt64}) {
             for (const int64_t numel : {0, 1, 3, 100, 1000003}) {
               if (dtype == torch::kFloat || dtype == torch::kHalf || numel < 1000) {
                 extents.push_back({numel, dtype});
               }
             }
           }
           const auto tensors = group->allocate(extents);
           ASSERT_TRUE(group->shares_memory());
           for (int64_t step = 0; step < 3; ++step) {
             for (size_t i = 0; i < extents.size(); ++i) {
               tensors[i].copy_(addend(extents[i], rank(), step));
             }
             reduce_all(*group, tensors);
             for (size_t i = 0; i < extents.size(); ++i) {
               EXPECT_TRUE(torch::equal(tensors[i], sum_in_order(extents[i], step)))
                   << extents[i].numel << " of " << c10::toString(extents[i].dtype);
             }
           }
           // Another reduction, and a part of a tensor, take the other way.
           tensors[3].fill_(rank());
           group->all_reduce(tensors[3], accel::Max).wait("a maximum");
           EXPECT_EQ(tensors[3][5].item<int>(), processes() - 1);
           group->all_reduce(tensors[3].narrow(0, 0, 10), Sum).wait("a part");
           EXPECT_EQ(tensors[3][9].item<int>(), (processes() - 1) * processes());
           EXPECT_EQ(tensors[3][10].item<int>(), processes() - 1);
         },
         {{"ACCEL_SHARED_MEMORY", "on"}});
}

TEST(SharedMemory, IsNotTouchedByAProcessThatRunsAhead) {
  run_in({2, 3}, [] {
    const auto group = make_group();
    race(*group, group->allocate(floats({1, 3000, 40, 20000})), 300);
    race(*group, group->allocate(floats({17})), 300); // memory of another layout
  });
}

TEST(SharedMemory, OfSeveralMachinesIsSummedByTheirFirstProcesses) {
  run_in({3, 4}, [] {
    // Machines of 1 + 2 and of 2 + 2 processes.
    const bool second = rank() >= processes() / 2;
    setenv("ACCEL_TEST_MACHINE", second ? "second" : "first", 1);
    const auto group = make_group();
    std::vector<Extent> extents{{3}, {1000003}, {1000, torch::kBFloat16}, {50, torch::kDouble}};
    const auto tensors = group->allocate(extents);
    ASSERT_TRUE(group->shares_memory());
    for (int64_t step = 0; step < 3; ++step) {
      for (size_t i = 0; i < extents.size(); ++i) {
        tensors[i].copy_(addend(extents[i], rank(), step));
      }
      reduce_all(*group, tensors);
      for (size_t i = 0; i < extents.size(); ++i) {
        const double tolerance = extents[i].dtype == torch::kBFloat16 ? 0.1 : 1e-5;
        const auto difference =
            tensors[i].to(torch::kDouble) - sum_in_order(extents[i], step).to(torch::kDouble);
        EXPECT_LE(difference.abs().max().item<double>(), tolerance);
        const auto all = group->all_gather(tensors[i], "comparing");
        EXPECT_TRUE(torch::equal(all[0], tensors[i])) << "other bits than process 0";
      }
    }
    race(*group, group->allocate(floats({1, 3000, 40})), 60);
  });
}

TEST(SharedMemory, ChangesNoLoss) {
  if (!is_child()) {
    std::vector<std::string> losses;
    for (const char* use : {"on", "off"}) {
      const auto ended = start(2, {{"ACCEL_SHARED_MEMORY", use}});
      EXPECT_EQ(ended[0].code, 0) << ended[0].output;
      EXPECT_EQ(ended[0].output.find("accel:"), std::string::npos) << ended[0].output;
      losses.push_back(ended[0].output);
      losses.back().erase(0, losses.back().find("losses"));
      losses.back().erase(losses.back().find('\n'));
    }
    EXPECT_EQ(losses[0], losses[1]);
    return;
  }
  Pair pair;
  auto optimizer = pair.accelerator.prepare(
      torch::optim::SGD(pair.net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9)));
  std::printf("losses");
  for (int step = 0; step < 10; ++step) {
    optimizer.zero_grad();
    const auto loss = loss_on(pair.net, mine(rows(step)));
    pair.accelerator.backward(loss);
    optimizer.step();
    std::printf(" %a", pair.accelerator.mean(loss).item<double>());
  }
  std::printf("\n");
}

int shared_pieces() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const auto target = std::filesystem::read_symlink(entry.path(), gone).string();
    count += target.find("/memfd:accel") == 0 ? 1 : 0;
  }
  return count;
}

TEST(SharedMemory, LivesAsLongAsItsLastTensor) {
  run_in({2}, [] {
    auto group = make_group();
    auto tensors = group->allocate(floats({100, 200}));
    EXPECT_EQ(shared_pieces(), 1);
    auto again = group->allocate(floats({100, 200, 300}));
    EXPECT_EQ(shared_pieces(), 2);
    tensors.clear();
    EXPECT_EQ(shared_pieces(), 1);
    again[1].fill_(1);
    group->all_reduce(again[1], Sum).wait("a reduction");
    group.reset();
    again.erase(again.begin());
    EXPECT_EQ(again[0].sum().item<int>(), 400);
    again.clear();
    EXPECT_EQ(shared_pieces(), 0);
  });
}

// In a process whose reduction is to fail with `text`.
void expect_failure(Group& group, const torch::Tensor& tensor, const std::string& text) {
  try {
    group.all_reduce(tensor, Sum).wait("the reduction of the gradients of a.weight");
    FAIL() << "no error";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(SharedMemory, OfAKilledProcessIsAnErrorThatNamesIt) {
  if (!is_child()) {
    const auto ended = start(3, {}, seconds(60));
    EXPECT_EQ(ended[1].code, 128 + SIGKILL);
    for (const size_t other : {0, 2}) {
      EXPECT_EQ(ended[other].code, 0) << ended[other].output;
      EXPECT_LT(ended[other].after, seconds(30));
    }
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) {
      EXPECT_EQ(entry.path().filename().string().find("accel"), std::string::npos);
    }
    return;
  }
  const auto group = make_group();
  const auto tensors = group->allocate(floats({1000}));
  race(*group, tensors, 3);
  if (rank() == 1) {
    std::raise(SIGKILL);
  }
  expect_failure(*group, tensors[0], "of a.weight failed: process 1 is gone");
  end_process();
}

TEST(SharedMemory, OfASleepingProcessIsAnErrorAtTheTimeoutThatNamesIt) {
  run_in({3}, [] {
    const auto group = make_group(accel::AcceleratorOptions().timeout(milliseconds(4000)));
    const auto tensors = group->allocate(floats({1000, 10}));
    race(*group, tensors, 3);
    const auto seen = [](int process) {
      return shared_folder() + "/seen" + std::to_string(process);
    };
    if (rank() == 1) {
      while (!std::filesystem::exists(seen(0)) || !std::filesystem::exists(seen(2))) {
        std::this_thread::sleep_for(milliseconds(10));
      }
    } else {
      // Of the two that wait, one may fail first and end the other's wait.
      expect_failure(*group, tensors[1], "process 1 did not come to it");
      std::ofstream(seen(rank())) << "yes";
    }
    end_process();
  });
}

TEST(SharedMemory, OfAProcessThatGaveUpIsAnErrorAtOnce) {
  run_in({2}, [] {
    auto group = make_group();
    auto other = make_group();
    const auto tensors = group->allocate(floats({1000}));
    const auto others = other->allocate(floats({1000}));
    if (rank() == 1) {
      group->abandon();
      other.reset();
      while (!std::filesystem::exists(shared_folder() + "/seen")) {
        std::this_thread::sleep_for(milliseconds(10));
      }
    } else {
      expect_failure(*group, tensors[0], "process 1 gave up or ended early");
      expect_failure(*other, others[0], "process 1 ended or destroyed its optimizer");
      std::ofstream(shared_folder() + "/seen") << "yes";
    }
    end_process();
  });
}

TEST(SharedMemory, ReductionsOfDifferentTensorsAreAnError) {
  run_in({2}, [] {
    const auto group = make_group();
    const auto tensors = group->allocate(floats({1000, 1000}));
    expect_failure(*group, tensors[static_cast<size_t>(rank())],
                   "the processes reduce different gradients: process ");
    end_process();
  });
}

} // namespace
} // namespace accel_test
