#include "machine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace accel::launch {
namespace {

namespace fs = std::filesystem;

/// A folder that looks like the file system of a machine with GPUs.
class Gpus : public testing::Test {
protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("accel-gpus-" + std::to_string(getpid()));
    fs::create_directories(root_ / "dev");
  }
  void TearDown() override { fs::remove_all(root_); }

  void add(int minor, bool has_node = true) {
    fs::path folder = root_ / "proc/driver/nvidia/gpus" / ("0000:0" + std::to_string(minor));
    fs::create_directories(folder);
    std::ofstream(folder / "information")
        << "Model: \t\t Some GPU\nDevice Minor: \t " << minor << "\nGPU Excluded:\t No\n";
    if (has_node)
      std::ofstream(root_ / "dev" / ("nvidia" + std::to_string(minor))) << "";
  }
  int visible(const char* cuda_visible_devices) {
    return visible_gpus(cuda_visible_devices, root_.string());
  }

  fs::path root_;
};

TEST_F(Gpus, NoneWithoutADriver) {
  EXPECT_EQ(visible(nullptr), 0);
  EXPECT_EQ(visible("0,1"), 0);
}

TEST_F(Gpus, AllWithoutTheVariable) {
  add(0);
  add(1);
  EXPECT_EQ(visible(nullptr), 2);
}

TEST_F(Gpus, ThoseWithANode) {
  add(0, false);
  add(1);
  EXPECT_EQ(visible(nullptr), 1);
}

TEST_F(Gpus, TheVariableNarrows) {
  for (int minor = 0; minor < 4; ++minor)
    add(minor);
  EXPECT_EQ(visible(""), 0);
  EXPECT_EQ(visible("2"), 1);
  EXPECT_EQ(visible("0, 3"), 2);
  EXPECT_EQ(visible("GPU-12ab,GPU-34cd,MIG-56ef"), 3);
}

TEST_F(Gpus, AnEntryThatNamesNoneEndsTheList) {
  for (int minor = 0; minor < 4; ++minor)
    add(minor);
  EXPECT_EQ(visible("0,9,1"), 1);
  EXPECT_EQ(visible("1,-1,2"), 1);
  EXPECT_EQ(visible("none"), 0);
}

} // namespace
} // namespace accel::launch
