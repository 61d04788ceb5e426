// Which rows each process gets, against what Accelerate gives: recorded configurations, no process
// and no tensor.
#include <accel/sharding.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace accel_test {
namespace {

using accel::detail::Division;
using accel::detail::PlannedShare;
using accel::detail::RoundPlanner;
using accel::detail::RoundReader;
using accel::detail::RowNumbers;
using Lists = std::vector<RowNumbers>;

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

// "0-2,7" is {0, 1, 2, 7}; "." is empty.
RowNumbers read_runs(const std::string& text) {
  RowNumbers rows;
  for (const auto& run : split_at(text == "." ? "" : text, ',')) {
    const auto dash = run.find('-');
    const size_t first = std::stoul(run.substr(0, dash));
    const size_t last = dash == std::string::npos ? first : std::stoul(run.substr(dash + 1));
    for (size_t row = first; row <= last; ++row) {
      rows.push_back(row);
    }
  }
  return rows;
}

Lists read_batches(const std::string& text) {
  Lists batches;
  for (const auto& batch : split_at(text == "." ? "" : text, '/')) {
    batches.push_back(read_runs(batch));
  }
  return batches;
}

Lists batches_of(size_t rows, size_t batch_size, bool drop_last) {
  Lists batches;
  for (size_t begin = 0; begin < rows; begin += batch_size) {
    RowNumbers batch(std::min(batch_size, rows - begin));
    std::iota(batch.begin(), batch.end(), begin);
    if (!drop_last || batch.size() == batch_size) {
      batches.push_back(std::move(batch));
    }
  }
  return batches;
}

std::vector<PlannedShare> epoch(const Division& division, const Lists& batches) {
  RoundPlanner planner(division);
  RoundReader<RowNumbers> reader;
  std::vector<PlannedShare> shares;
  size_t at = 0;
  const auto draw = [&] {
    return at < batches.size() ? std::make_optional(batches[at++]) : std::nullopt;
  };
  while (true) {
    const auto round = reader.next(division.batches_a_round(), draw);
    if (auto planned = planner.plan(round.batches, round.last)) {
      shares.push_back(std::move(*planned));
    }
    if (round.last) {
      return shares;
    }
  }
}

Lists rows_of(const std::vector<PlannedShare>& shares) {
  Lists rows;
  for (const auto& planned : shares) {
    rows.push_back(planned.rows);
  }
  return rows;
}

// The rows that count, in the order of rounds and processes.
RowNumbers gathered(const std::vector<std::vector<PlannedShare>>& processes) {
  RowNumbers all;
  for (size_t round = 0; round < processes.front().size(); ++round) {
    for (const auto& shares : processes) {
      if (round < shares.size()) {
        const auto begin = shares[round].rows.begin();
        all.insert(all.end(), begin,
                   begin + static_cast<std::ptrdiff_t>(shares[round].share.counted_rows));
      }
    }
  }
  return all;
}

std::vector<std::vector<std::string>> vectors(const std::string& kind) {
  std::ifstream file(ACCEL_TEST_VECTORS "/accelerate_shards.txt");
  std::vector<std::vector<std::string>> found;
  for (std::string line; std::getline(file, line);) {
    auto words = split_at(line, ' ');
    if (words.front() == kind) {
      found.push_back(std::move(words));
    }
  }
  return found;
}

Division division_of(const std::vector<std::string>& words, int rank) {
  Division division;
  division.rank = rank;
  division.size = std::stoi(words[4]);
  division.batch_size = std::stoul(words[2]);
  division.drop_last = words[3] == "1";
  division.split_batches = words[5] == "1";
  return division;
}

// Accelerate's __len__ of split_batches without even_batches counts the short batch on processes
// that get nothing of it. We count what is there.
bool length_is_wrong(const Division& division, const std::string& lengths, const Lists& shards) {
  const size_t said = std::stoul(split_at(lengths, ',')[static_cast<size_t>(division.rank)]);
  if (said == shards.size()) {
    return false;
  }
  EXPECT_TRUE(division.split_batches && !*division.even_batches && !division.drop_last);
  return true;
}

TEST(Sharding, IsThatOfBatchSamplerShard) {
  const auto all = vectors("batch");
  EXPECT_EQ(all.size(), 2108U);
  int wrong_configurations = 0;
  for (const auto& words : all) {
    const std::string context = testing::PrintToString(words);
    const size_t rows = std::stoul(words[1]);
    const auto shards = split_at(words[7], '|');
    std::vector<std::vector<PlannedShare>> processes;
    bool wrong = false;
    for (int rank = 0; rank < std::stoi(words[4]); ++rank) {
      Division division = division_of(words, rank);
      division.even_batches = words[6] == "1";
      const Lists expected = read_batches(shards[static_cast<size_t>(rank)]);
      processes.push_back(
          epoch(division, batches_of(rows, division.batch_size, division.drop_last)));
      ASSERT_EQ(rows_of(processes.back()), expected) << context << " process " << rank;
      ASSERT_EQ(count_batches(division, rows), expected.size()) << context;
      ASSERT_EQ(std::to_string(remainder(division, rows)), words[9]) << context;
      wrong = length_is_wrong(division, words[8], expected) || wrong;
      for (const auto& planned : processes.back()) {
        if (*division.even_batches) {
          ASSERT_DOUBLE_EQ(planned.share.fraction(), 1.0 / division.size) << context;
        }
      }
    }
    wrong_configurations += wrong ? 1 : 0;
    if (words[10] != "-") {
      ASSERT_EQ(gathered(processes), read_runs(words[10])) << context;
    } else {
      // Shares of different sizes, which Accelerate can't gather: every row is there once.
      ASSERT_EQ(gathered(processes).size(), rows) << context;
    }
  }
  EXPECT_EQ(wrong_configurations, 67);
}

TEST(Sharding, IsThatOfIterableDatasetShard) {
  const auto all = vectors("iterable");
  EXPECT_EQ(all.size(), 216U);
  for (const auto& words : all) {
    const auto shards = split_at(words[6], '|');
    for (int rank = 0; rank < std::stoi(words[4]); ++rank) {
      Division division = division_of(words, rank);
      division.even_batches = true;
      division.keep_whole = true;
      RowNumbers rows;
      for (const auto& planned :
           epoch(division, batches_of(std::stoul(words[1]), division.batch_size, false))) {
        rows.insert(rows.end(), planned.rows.begin(), planned.rows.end());
      }
      ASSERT_EQ(rows, read_runs(shards[static_cast<size_t>(rank)]))
          << testing::PrintToString(words) << " process " << rank;
    }
  }
}

// The sampler's own sizes: batches stay whole, missing ones are the first ones again.
TEST(Sharding, KeepsBatchesOfTheSamplersOwnSizesWhole) {
  const Lists five{{0, 1, 2}, {3, 4}, {5, 6, 7, 8}, {9, 10, 11}, {12, 13}};
  Division second;
  second.rank = 1;
  second.size = 2;
  second.batch_size = 3;
  second.even_batches = true;
  auto shares = epoch(second, five);
  EXPECT_EQ(rows_of(shares), (Lists{{3, 4}, {9, 10, 11}, {0, 1, 2}}));
  EXPECT_EQ(shares.back().share.counted_rows, 0);
  second.even_batches = false;
  EXPECT_EQ(rows_of(epoch(second, five)), (Lists{{3, 4}, {9, 10, 11}}));
  second.even_batches.reset();
  shares = epoch(second, five);
  EXPECT_EQ(rows_of(shares), (Lists{{3, 4}, {9, 10, 11}, {13}}));
  EXPECT_DOUBLE_EQ(shares[0].share.fraction(), 2.0 / 5);

  Lists seven = five;
  seven.insert(seven.begin(), {{20}, {21, 22}});
  for (int rank = 0; rank < 3; ++rank) {
    Division division;
    division.rank = rank;
    division.size = 3;
    division.batch_size = 3;
    division.even_batches = true;
    const Lists third{{12, 13}, {20}, {21, 22}};
    EXPECT_EQ(epoch(division, seven).back().rows, third[static_cast<size_t>(rank)]);
  }
}

TEST(Sharding, ExactGivesEveryRowOnceWithWeightsThatAddUpToOne) {
  for (size_t rows = 1; rows < 30; ++rows) {
    for (const int size : {1, 2, 3, 4, 5}) {
      for (const bool split_batches : {false, true}) {
        for (const bool keep_whole : {false, true}) {
          std::vector<std::vector<PlannedShare>> processes;
          for (int rank = 0; rank < size; ++rank) {
            Division division{rank, size, 4, split_batches, false, std::nullopt, false, keep_whole};
            processes.push_back(epoch(division, batches_of(rows, 4, false)));
            ASSERT_EQ(processes.back().size(), count_batches(division, rows));
          }
          RowNumbers all(rows);
          std::iota(all.begin(), all.end(), 0);
          ASSERT_EQ(gathered(processes), all);
          for (size_t round = 0; round < processes.front().size(); ++round) {
            double weight = 0;
            for (const auto& shares : processes) {
              ASSERT_FALSE(shares[round].rows.empty());
              weight += shares[round].share.fraction();
            }
            ASSERT_DOUBLE_EQ(weight, 1);
          }
        }
      }
    }
  }
}

TEST(Sharding, SharesOfAShortRoundAreContiguousAndAsEvenAsTheyGo) {
  const auto shares_of = [](int size, bool split_batches, size_t batch_size, const Lists& batches) {
    Lists shares;
    for (int rank = 0; rank < size; ++rank) {
      Division division{rank, size, batch_size, split_batches, false, std::nullopt, false, false};
      shares.push_back(epoch(division, batches).back().rows);
    }
    return shares;
  };
  EXPECT_EQ(shares_of(2, false, 3, {{0, 1, 2}, {3, 4, 5}}), (Lists{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(shares_of(3, true, 7, {{0, 1, 2, 3, 4, 5, 6}}), (Lists{{0, 1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(shares_of(2, false, 3, {{0, 1, 2}}), (Lists{{0, 1}, {2}}));
  EXPECT_EQ(shares_of(2, false, 3, {{0, 1, 2}, {3}}), (Lists{{0, 1}, {2, 3}}));
  EXPECT_EQ(shares_of(2, false, 3, {{0}, {1, 2}}), (Lists{{0}, {1, 2}}));
  // No row left for process 2: it repeats a share.
  EXPECT_EQ(shares_of(3, true, 4, {{7}}), (Lists{{7}, {7}, {7}}));
}

} // namespace
} // namespace accel_test
