// A process that dies, stalls or goes its own way is an error on the others, soon.
#include "models.h"

#include "sync/synchroniser.h"

#include <csignal>
#include <thread>

namespace accel_test {
namespace {

using std::chrono::seconds;

struct Job {
  accel::Accelerator accelerator;
  Net net = make_net();
  explicit Job(const accel::AcceleratorOptions& options = {}) : accelerator(options) {
    accelerator.prepare(net);
  }
  torch::Tensor loss() { return net->forward(torch::ones({2, 6})).pow(2).mean(); }
};

// Starts two processes of which the first is to fail by itself with `text` in its output.
void expect_error(const std::string& text, seconds within, const Variables& variables = {}) {
  const auto ended = start(2, variables, seconds(60));
  EXPECT_NE(ended[0].code, 0);
  EXPECT_NE(ended[0].code, -1) << "still running at the time limit";
  EXPECT_LT(ended[0].after, within);
  EXPECT_NE(ended[0].output.find(text), std::string::npos) << ended[0].output;
  EXPECT_EQ(ended[0].output.find("without an active exception"), std::string::npos);
}

const Variables over_sockets{{"ACCEL_SHARED_MEMORY", "off"}};

// Process 1 is killed between its forward pass and its backward.
void die_in_forward() {
  Job job;
  auto optimizer = job.accelerator.prepare(plain_sgd(job.net->parameters()));
  for (int step = 0; step < 5; ++step) {
    const auto loss = job.loss();
    if (step == 3 && rank() == 1) {
      std::raise(SIGKILL);
    }
    job.accelerator.backward(loss);
    optimizer.step();
  }
}

// Process 1 is killed in backward, when the last layer's gradients are on their way already.
void die_in_reduction() {
  Job job(accel::AcceleratorOptions().first_bucket_mb(1e-4).bucket_cap_mb(1e-4));
  auto optimizer = job.accelerator.prepare(plain_sgd(job.net->parameters()));
  for (int step = 0; step < 5; ++step) {
    const auto loss = job.loss();
    if (step == 3 && rank() == 1) {
      job.net->first->weight.register_hook(
          [](const torch::Tensor& /*gradient*/) { std::raise(SIGKILL); });
    }
    job.accelerator.backward(loss);
    optimizer.step();
  }
}

TEST(Failure, OfAProcessInTheForwardPassIsAnErrorOnTheOthers) {
  is_child() ? die_in_forward() : expect_error("process 1 is gone", seconds(15));
}

TEST(Failure, OfAProcessInTheForwardPassIsAnErrorOverSockets) {
  is_child() ? die_in_forward()
             : expect_error("another process is gone", seconds(15), over_sockets);
}

TEST(Failure, OfAProcessInTheReductionIsAnErrorOnTheOthers) {
  is_child() ? die_in_reduction() : expect_error("process 1 is gone", seconds(15));
}

TEST(Failure, OfAProcessInTheReductionIsAnErrorOverSockets) {
  is_child() ? die_in_reduction()
             : expect_error("another process is gone", seconds(15), over_sockets);
}

TEST(Failure, ThatIsAnExceptionEndsTheProcessAtOnce) {
  if (!is_child()) {
    const auto ended = start(2, {}, seconds(60));
    for (const auto& process : ended) {
      EXPECT_NE(process.code, 0);
      EXPECT_LT(process.after, seconds(15)) << process.output;
      EXPECT_EQ(process.output.find("without an active exception"), std::string::npos)
          << process.output;
    }
    return;
  }
  Job job;
  auto optimizer = job.accelerator.prepare(plain_sgd(job.net->parameters()));
  job.accelerator.backward(job.loss());
  if (rank() == 1) {
    throw std::runtime_error("this process's own failure");
  }
  for (int step = 0; step < 1000; ++step) {
    job.accelerator.backward(job.loss());
  }
}

TEST(Failure, ToComeInTimeIsAnErrorAtTheTimeout) {
  if (!is_child()) {
    expect_error("process 1: has not come there: it computes, sleeps or has stopped", seconds(15));
    return;
  }
  Job job(accel::AcceleratorOptions().timeout(std::chrono::milliseconds(2000)));
  if (rank() == 1) {
    std::this_thread::sleep_for(seconds(7));
    std::_Exit(0);
  }
  job.accelerator.reduce(torch::ones({5}));
}

TEST(SkippedStep, IsAnErrorThatSaysWhereEachProcessIs) {
  run_in({2, 3}, [] {
    Job job;
    auto optimizer = job.accelerator.prepare(plain_sgd(job.net->parameters()));
    try {
      for (int step = 0; step < 4; ++step) {
        job.accelerator.backward(job.loss());
        if (step != 2 || rank() != 1) {
          optimizer.step();
        }
      }
      FAIL() << "no error";
    } catch (const c10::Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("process 0: in backward(), after 3 steps"), std::string::npos) << text;
      EXPECT_NE(text.find("process 1: in backward(), after 2 steps"), std::string::npos) << text;
    }
    std::fflush(nullptr);
    std::_Exit(testing::Test::HasFailure() ? 1 : 0);
  });
}

TEST(SkippedBatch, IsAnErrorThatSaysWhereEachProcessIs) {
  run_in({2}, [] {
    Job job;
    auto optimizer = job.accelerator.prepare(plain_sgd(job.net->parameters()));
    auto loader =
        job.accelerator.make_data_loader<torch::data::samplers::SequentialSampler>(stacked(40), 4);
    int step = 0;
    try {
      for (auto& batch : *loader) {
        if (step++ == 1 && rank() == 1) {
          continue; // as on a loss that is not finite on this process only
        }
        job.accelerator.backward(loss_of(job.net, batch));
        optimizer.step();
      }
      FAIL() << "no error";
    } catch (const c10::Error& error) {
      EXPECT_NE(std::string(error.what()).find("different points"), std::string::npos)
          << error.what();
    }
    std::fflush(nullptr);
    std::_Exit(testing::Test::HasFailure() ? 1 : 0);
  });
}

// A process that has left the loop a step early meets the others' backward with something else.
TEST(MissingStep, IsAnErrorSoonThatSaysWhereEachProcessIs) {
  run_in({2, 3}, [] {
    Job job;
    auto optimizer = job.accelerator.prepare(plain_sgd(job.net->parameters()));
    const auto begin = std::chrono::steady_clock::now();
    try {
      for (int step = 0; step < (rank() == 1 ? 2 : 3); ++step) {
        job.accelerator.backward(job.loss());
        optimizer.step();
      }
      job.accelerator.reduce(torch::ones({2}));
      job.accelerator.wait_for_everyone();
      FAIL() << "no error";
    } catch (const c10::Error& error) {
      const std::string text = error.what();
      if (rank() == 1) {
        EXPECT_NE(text.find("waits in reduce"), std::string::npos) << text;
      }
      EXPECT_NE(text.find("waits in the gradients of prepared optimizer 0"), std::string::npos)
          << text;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(30));
    std::fflush(nullptr);
    std::_Exit(testing::Test::HasFailure() ? 1 : 0);
  });
}

TEST(MissingStep, BeforeTheEndOfTheProgramIsAnErrorSoon) {
  if (!is_child()) {
    expect_error("process 1 ended or destroyed its optimizer without coming to it", seconds(30));
    return;
  }
  Job job;
  auto optimizer = job.accelerator.prepare(plain_sgd(job.net->parameters()));
  for (int step = 0; step < (rank() == 1 ? 2 : 3); ++step) {
    job.accelerator.backward(job.loss());
    optimizer.step();
  }
}

TEST(DifferentParameters, AreAnErrorThatNamesThem) {
  run_in({2, 3}, [] {
    Job job;
    auto parameters = job.net->parameters();
    if (rank() == 1) {
      parameters.pop_back();
    }
    try {
      auto optimizer = job.accelerator.prepare(torch::optim::SGD(parameters, 0.1));
      FAIL() << "no error";
    } catch (const c10::Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("process 0: last.bias Float [3]"), std::string::npos) << text;
      EXPECT_NE(text.find("process 1: nothing more"), std::string::npos) << text;
    }
  });
}

TEST(DifferentParameters, LaterOnAreAnError) {
  run_in({2}, [] {
    Job job;
    auto optimizer = job.accelerator.prepare(plain_sgd(job.net->parameters()));
    if (rank() == 1) {
      job.net->first->weight.requires_grad_(false);
    }
    EXPECT_THROW(job.accelerator.backward(job.loss()), c10::Error);
    std::fflush(nullptr);
    std::_Exit(testing::Test::HasFailure() ? 1 : 0);
  });
}

} // namespace
} // namespace accel_test
