#include "lines.h"

#include <gtest/gtest.h>

namespace accel::launch {
namespace {

TEST(Lines, PassesOnWholeLinesOnly) {
  Lines lines("");
  lines.add("one\ntw");
  EXPECT_EQ(lines.take_whole(), "one\n");
  EXPECT_TRUE(lines.has_partial());
  EXPECT_EQ(lines.take_whole(), "");
  lines.add("o\n");
  EXPECT_EQ(lines.take_whole(), "two\n");
  EXPECT_FALSE(lines.has_partial());
}

TEST(Lines, PrefixesEachLineOnce) {
  Lines lines("[1]: ");
  lines.add("one\n\ntw");
  EXPECT_EQ(lines.take_all(), "[1]: one\n[1]: \n[1]: tw");
  lines.add("o\nthree");
  EXPECT_EQ(lines.take_all(), "o\n[1]: three");
}

TEST(Lines, CarriageReturnEndsALine) {
  Lines lines("> ");
  lines.add("10%\r20%\r30");
  EXPECT_EQ(lines.take_whole(), "> 10%\r> 20%\r");
  EXPECT_EQ(lines.take_all(), "> 30");
}

TEST(Lines, CarriageReturnAndNewlineAreOneEnd) {
  Lines lines("> ");
  lines.add("one\r");
  EXPECT_EQ(lines.take_whole(), "> one\r");
  lines.add("\ntwo\r\n");
  EXPECT_EQ(lines.take_whole(), "\n> two\r\n");
}

} // namespace
} // namespace accel::launch
