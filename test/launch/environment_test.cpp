#include "environment.h"

#include <gtest/gtest.h>

namespace accel::launch {
namespace {

TEST(Environment, VariablesReplaceThoseOfTheSameName) {
  const char* outer[] = {"RANK=5", "RANKED=yes", "PATH=/bin", nullptr};
  EXPECT_EQ(with_variables(outer, {{"RANK", "0"}, {"NEW", "a=b"}}),
            (std::vector<std::string>{"RANKED=yes", "PATH=/bin", "RANK=0", "NEW=a=b"}));
}

TEST(Environment, RanksCountOverMachines) {
  Place place{1, 4, 2, 3};
  EXPECT_EQ(place.rank(), 9);
  EXPECT_EQ(place.processes(), 12);
}

TEST(Environment, WhatIsTrue) {
  for (const char* yes : {"1", "true", "True", "YES", "on"})
    EXPECT_TRUE(is_true(yes)) << yes;
  for (const char* no : {"", "0", "false", "no"})
    EXPECT_FALSE(is_true(no)) << no;
  EXPECT_FALSE(is_true(nullptr));
}

} // namespace
} // namespace accel::launch
