// Running a test's body in several processes that form a group.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace accel_test {

/// How one process of a test ended.
struct Ended {
  /// The exit code, 128 + the signal, or -1 where it was killed at the time limit.
  int code = 0;
  std::string output;
  std::chrono::milliseconds after{};
};

using Variables = std::vector<std::pair<std::string, std::string>>;

/// Whether this process is one that a test started to run its body.
bool is_child();

/// The number of processes the test's body runs in, and this one's number among them.
int processes();
int rank();

/// Starts the current test anew in `count` processes, with the environment of a group (none where
/// `count` is 1) and `variables` besides, and waits for all of them. Nothing is left running. They
/// are forked from this process, which must not have started threads or used a GPU.
std::vector<Ended> start(int count, const Variables& variables = {},
                         std::chrono::seconds limit = std::chrono::seconds(90));

/// In the test's own process: runs it again in each number of processes and expects every one of
/// them to succeed. In one of those: runs the body.
void run_in(std::initializer_list<int> counts, const std::function<void()>& body,
            const Variables& variables = {});

/// A folder of the test's processes, shared by them and removed at the end.
std::string shared_folder();

} // namespace accel_test
