// Where memory can't be shared, gradients go another way, with the same sums, and the user is told.
#include "shared_memory.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace accel_test {
namespace {

// In the processes of a test whose memory can't be shared: the sums are right all the same.
void expect_sums_without_sharing() {
  const auto group = make_group();
  const auto tensors = group->allocate(floats({1 << 20, 5}));
  EXPECT_FALSE(group->shares_memory());
  race(*group, tensors, 3);
  const auto more = make_group();
  race(*more, more->allocate(floats({7})), 1);
}

// Starts two processes, which are to succeed, and counts the notes of the main one with `text`.
int notes_with(const std::string& text, const Variables& variables = {}) {
  const auto ended = start(2, variables);
  for (const auto& process : ended) {
    EXPECT_EQ(process.code, 0) << process.output;
  }
  EXPECT_EQ(ended[1].output.find("accel: "), std::string::npos) << ended[1].output;
  const std::string& output = ended[0].output;
  int notes = 0;
  for (size_t at = output.find("accel: "); at != std::string::npos;
       at = output.find("accel: ", at + 1)) {
    ++notes;
  }
  EXPECT_TRUE(notes == 0 || output.find(text) != std::string::npos) << output;
  return notes;
}

TEST(WithoutSharedMemory, WhereItIsSwitchedOffNothingIsSaid) {
  if (!is_child()) {
    EXPECT_EQ(notes_with("", {{"ACCEL_SHARED_MEMORY", "off"}}), 0);
    return;
  }
  expect_sums_without_sharing();
}

TEST(WithoutSharedMemory, AChoiceThatIsNoneIsAnErrorThatNamesTheVariable) {
  run_in(
      {1},
      [] {
        try {
          accel::detail::State::get({});
          FAIL() << "no error";
        } catch (const std::runtime_error& error) {
          EXPECT_NE(std::string(error.what()).find("ACCEL_SHARED_MEMORY=maybe"), std::string::npos)
              << error.what();
        }
      },
      {{"ACCEL_SHARED_MEMORY", "maybe"}});
}

void leave_no_room() {
  const rlimit limit{1 << 20, 1 << 20};
  setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(WithoutSharedMemory, WhereOneProcessCanMakeNoneAllTakeTheOtherWayWithOneNote) {
  if (!is_child()) {
    EXPECT_EQ(notes_with("process 1: the limit on the size of files (ulimit -f) is below 9 MiB"),
              1);
    return;
  }
  if (rank() == 1) {
    leave_no_room();
  }
  expect_sums_without_sharing();
}

TEST(WithoutSharedMemory, WhereItIsInsistedOnEveryProcessSaysWhyNot) {
  run_in({2},
         [] {
           if (rank() == 1) {
             leave_no_room();
           }
           const auto group = make_group();
           try {
             const auto tensors = group->allocate(floats({1 << 20}));
             FAIL() << "no error";
           } catch (const c10::Error& error) {
             const std::string text = error.what();
             EXPECT_NE(text.find("ACCEL_SHARED_MEMORY=on"), std::string::npos) << text;
             EXPECT_NE(text.find("process 1: the limit"), std::string::npos) << text;
           }
         },
         {{"ACCEL_SHARED_MEMORY", "on"}});
}

// A namespace of this process's own, with a file system of its own over `folder`; false where that
// isn't permitted.
bool hide(const char* folder, const char* type, int flags, const char* options) {
  return unshare(flags) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         (folder == nullptr || mount("none", folder, type, 0, options) == 0);
}

bool may_hide() {
  const pid_t child = fork();
  if (child == 0) {
    _exit(hide("/dev/shm", "tmpfs", CLONE_NEWNS, "size=4k") ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

#define SKIP_WHERE_NAMESPACES_ARE_NOT_PERMITTED()                                                  \
  if (!may_hide()) {                                                                               \
    GTEST_SKIP() << "this user may not make mount namespaces";                                     \
  }

TEST(SharedMemory, NeedsNoRoomInDevShm) {
  if (!is_child()) {
    SKIP_WHERE_NAMESPACES_ARE_NOT_PERMITTED()
  }
  run_in({2}, [] {
    ASSERT_TRUE(hide("/dev/shm", "tmpfs", CLONE_NEWNS, "size=4k"));
    const auto group = make_group();
    const auto tensors = group->allocate(floats({1 << 20, 5}));
    EXPECT_TRUE(group->shares_memory());
    race(*group, tensors, 3);
  });
}

TEST(WithoutSharedMemory, WhereOneProcessHasNoProcAllTakeTheOtherWay) {
  if (!is_child()) {
    SKIP_WHERE_NAMESPACES_ARE_NOT_PERMITTED()
    EXPECT_EQ(notes_with("process 1: /proc"), 1);
    return;
  }
  if (rank() == 1) {
    ASSERT_TRUE(hide("/proc", "tmpfs", CLONE_NEWNS, "size=4k"));
  }
  expect_sums_without_sharing();
  end_process(); // a search for leaks would need /proc
}

// As in two containers of one machine: each process has numbers and a /proc of its own.
TEST(WithoutSharedMemory, InContainersOfOneMachineThatIsFoundOutAndSaid) {
  if (!is_child()) {
    SKIP_WHERE_NAMESPACES_ARE_NOT_PERMITTED()
    EXPECT_EQ(notes_with("processes 0 and 1 are on one machine, but can't reach"), 1);
    return;
  }
  ASSERT_TRUE(hide(nullptr, nullptr, CLONE_NEWNS | CLONE_NEWPID, nullptr));
  const pid_t child = fork(); // the first process of the new namespace
  if (child == 0) {
    if (mount("none", "/proc", "proc", 0, nullptr) != 0) {
      ADD_FAILURE() << "no /proc";
    }
    expect_sums_without_sharing();
    end_process();
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  end_process();
}

} // namespace
} // namespace accel_test
