// What a loader can be asked besides its batches, and shares of batches that a program makes by
// hand.
#include "models.h"

#include "state/state.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

namespace accel_test {

struct Labelled {
  torch::Tensor images;
  std::vector<std::string> names;
};
template <class Visitor> void visit_fields(Labelled& batch, Visitor&& visit) {
  visit(batch.images, batch.names);
}

namespace {

namespace data = torch::data;
using data::samplers::SequentialSampler;
using Lists = std::vector<std::vector<int64_t>>;

// A dataset whose batches are the row numbers; `epoch` is what set_epoch said.
class Numbers : public data::datasets::BatchDataset<Numbers, torch::Tensor> {
public:
  explicit Numbers(size_t count, std::shared_ptr<size_t> epoch = nullptr)
      : count_(count), epoch_(std::move(epoch)) {}
  torch::Tensor get_batch(torch::ArrayRef<size_t> rows) override {
    return torch::tensor(std::vector<int64_t>(rows.begin(), rows.end()));
  }
  torch::optional<size_t> size() const override { return count_; }
  void set_epoch(size_t epoch) { *epoch_ = epoch; }

private:
  size_t count_;
  std::shared_ptr<size_t> epoch_;
};

accel::Share current() {
  return accel::detail::State::get({})->current_share();
}

std::vector<int64_t> list_of(const torch::Tensor& tensor) {
  const auto rows = tensor.contiguous();
  return {rows.data_ptr<int64_t>(), rows.data_ptr<int64_t>() + rows.numel()};
}

template <class Loader> Lists batches_of(Loader& loader) {
  Lists batches;
  for (auto& batch : loader) {
    batches.push_back(list_of(batch));
  }
  return batches;
}

template <class Loader>
std::vector<int64_t> gathered(const accel::Accelerator& accelerator, Loader& loader) {
  std::vector<int64_t> all;
  for (auto& batch : loader) {
    const auto rows =
        accelerator.gather(processes() > 1 ? batch.narrow(0, 0, current().counted_rows) : batch);
    const auto list = list_of(rows);
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

TEST(EvenBatches, FillUpAsInAccelerate) {
  run_in({2},
         [] {
           accel::Accelerator accelerator;
           for (const size_t workers : {0U, 2U}) {
             auto loader = accelerator.make_data_loader<SequentialSampler>(
                 Numbers(22), data::DataLoaderOptions(3).workers(workers));
             EXPECT_EQ(batches_of(*loader).back(), rank() == 0 ? (std::vector<int64_t>{18, 19, 20})
                                                               : (std::vector<int64_t>{21, 0, 1}));
             EXPECT_EQ(gathered(accelerator, *loader), list_of(torch::arange(22)));
             EXPECT_EQ(loader->size(), std::make_optional<size_t>(4));
             for (auto& batch : *loader) {
               (void)batch;
               EXPECT_EQ(current().fraction(), 0.5);
             }
           }
           auto tiny = accelerator.make_data_loader<SequentialSampler>(Numbers(2), 3);
           EXPECT_EQ(batches_of(*tiny), (Lists{rank() == 0 ? std::vector<int64_t>{0, 1, 0}
                                                           : std::vector<int64_t>{1, 0, 1}}));
           EXPECT_EQ(gathered(accelerator, *tiny), (std::vector<int64_t>{0, 1}));
           EXPECT_THROW(accel::Accelerator(accel::AcceleratorOptions().even_batches(false)),
                        std::runtime_error);
         },
         {{"ACCEL_EVEN_BATCHES", "true"}});
}

TEST(EvenBatches, TurnedOffLeaveShortAndMissingOnes) {
  run_in({2}, [] {
    accel::Accelerator accelerator(accel::AcceleratorOptions().even_batches(false));
    const auto sizes = [&](size_t rows, size_t batch_size) {
      std::vector<size_t> found;
      auto loader = accelerator.make_data_loader<SequentialSampler>(Numbers(rows), batch_size);
      for (const auto& batch : batches_of(*loader)) {
        found.push_back(batch.size());
      }
      EXPECT_EQ(loader->size(), std::make_optional(found.size()));
      return found;
    };
    EXPECT_EQ(sizes(3, 1), std::vector<size_t>(rank() == 0 ? 2 : 1, 1));
    EXPECT_EQ(sizes(7, 2), (rank() == 0 ? std::vector<size_t>{2, 2} : std::vector<size_t>{2, 1}));
    // Where not everybody has a batch, nothing can be exchanged: an error, not a hang.
    auto loader = accelerator.make_data_loader<SequentialSampler>(Numbers(3), 1);
    int rounds = 0;
    for (auto& batch : *loader) {
      if (++rounds == 1) {
        EXPECT_EQ(accelerator.reduce(batch).item<int64_t>(), 1);
      } else {
        EXPECT_THROW(accelerator.reduce(batch), c10::Error);
      }
    }
    EXPECT_EQ(accelerator.reduce(rounds), 3);
  });
}

TEST(EvenBatches, WithSplitBatchesNeedABatchSizeThatDivides) {
  run_in({2}, [] {
    accel::Accelerator accelerator(split().even_batches(true));
    EXPECT_THROW(accelerator.make_data_loader<SequentialSampler>(Numbers(8), 3), c10::Error);
    EXPECT_NO_THROW(accelerator.make_eval_data_loader<SequentialSampler>(Numbers(8), 3));
    auto loader = accelerator.make_data_loader<SequentialSampler>(Numbers(21), 4);
    EXPECT_EQ(batches_of(*loader).back(),
              (rank() == 0 ? std::vector<int64_t>{20, 0} : std::vector<int64_t>{1, 2}));
  });
}

TEST(Loader, SkipsTheFirstBatchesOnceAndKnowsItsLast) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator(split());
    for (const size_t workers : {0U, 2U}) {
      auto loader = accelerator.make_data_loader<SequentialSampler>(
          Numbers(16), data::DataLoaderOptions(4).workers(workers).enforce_ordering(true));
      EXPECT_EQ(loader->total_batch_size(), 4U);
      EXPECT_EQ(&accelerator.skip_first_batches(*loader, 2), loader.get());
      EXPECT_EQ(gathered(accelerator, *loader), list_of(torch::arange(8, 16)));
      for (int pass = 0; pass < 2; ++pass) {
        std::vector<bool> ends;
        std::vector<int64_t> rows;
        for (auto& batch : *loader) {
          ends.push_back(accelerator.end_of_dataloader());
          const auto all = list_of(accelerator.gather(batch));
          rows.insert(rows.end(), all.begin(), all.end());
        }
        EXPECT_EQ(ends, (std::vector<bool>{false, false, false, true}));
        EXPECT_EQ(rows, list_of(torch::arange(16)));
        EXPECT_FALSE(accelerator.end_of_dataloader());
      }
      accelerator.skip_first_batches(*loader, 9);
      EXPECT_TRUE(batches_of(*loader).empty());
    }
  });
}

TEST(Loader, GoesOnAfterAnEarlyExitInTheSameOrderEverywhere) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator(split());
    torch::manual_seed(static_cast<uint64_t>(rank()));
    auto loader = accelerator.make_data_loader(Numbers(30), 6);
    for (auto& batch : *loader) {
      (void)batch;
      break;
    }
    const auto first = gathered(accelerator, *loader);
    const auto second = gathered(accelerator, *loader);
    EXPECT_NE(first, second);
    for (auto rows : {first, second}) {
      std::sort(rows.begin(), rows.end());
      EXPECT_EQ(rows, list_of(torch::arange(30)));
    }
  });
}

TEST(Epochs, DecideTheOrderOfASeedableSampler) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator(split());
    auto loader = accelerator.make_data_loader(Numbers(20), accel::SeedableRandomSampler(20, 7), 6);
    const auto zero = gathered(accelerator, *loader);
    const auto one = gathered(accelerator, *loader);
    loader->set_epoch(0);
    EXPECT_EQ(gathered(accelerator, *loader), zero);
    EXPECT_EQ(gathered(accelerator, *loader), one);
    EXPECT_NE(zero, one);
    auto other = accelerator.make_data_loader(Numbers(20), accel::SeedableRandomSampler(20, 8), 6);
    EXPECT_EQ(gathered(accelerator, *other), one);
    // A state that was saved goes on where it was.
    accel::SeedableRandomSampler sampler(9, 1);
    sampler.set_epoch(3);
    sampler.reset();
    EXPECT_TRUE(sampler.next(4).has_value());
    torch::serialize::OutputArchive out;
    sampler.save(out);
    std::stringstream stream;
    out.save_to(stream);
    torch::serialize::InputArchive in;
    in.load_from(stream);
    accel::SeedableRandomSampler resumed(1);
    resumed.load(in);
    EXPECT_EQ(resumed.next(5), sampler.next(5));
    EXPECT_EQ(resumed.epoch(), 3U);
  });
}

TEST(Epochs, ReachLibtorchsDistributedSamplersAndDatasets) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator(split());
    using data::samplers::DistributedRandomSampler;
    auto loader = accelerator.make_data_loader<DistributedRandomSampler>(Numbers(20), 6);
    loader->set_epoch(4);
    const auto four = gathered(accelerator, *loader);
    loader->set_epoch(5);
    EXPECT_NE(gathered(accelerator, *loader), four);
    loader->set_epoch(4);
    EXPECT_EQ(gathered(accelerator, *loader), four);
    const auto divided = [&] {
      return accelerator.make_data_loader(Numbers(20), DistributedRandomSampler(20, 2, 0), 6);
    };
    if (processes() > 1) {
      EXPECT_THROW(divided(), c10::Error);
    } else {
      EXPECT_EQ(batches_of(*divided()).size(), 2U);
    }
    auto epoch = std::make_shared<size_t>(0);
    accelerator.make_data_loader(Numbers(4, epoch), 2)->set_epoch(6);
    EXPECT_EQ(*epoch, 6U);
    const auto workers = data::DataLoaderOptions(2).workers(1);
    EXPECT_THROW(accelerator.make_data_loader(Numbers(4, epoch), workers)->set_epoch(7),
                 c10::Error);
    auto shared = data::datasets::make_shared_dataset<Numbers>(4, epoch);
    accelerator.make_data_loader(shared, workers)->set_epoch(8);
    EXPECT_EQ(*epoch, 8U);
  });
}

TEST(Shard, TakesRowsOfBatchesMadeByHandAndWeighsThem) {
  run_in({1, 2, 3}, [] {
    accel::Accelerator accelerator;
    const auto all = torch::arange(7);
    for (int step = 0; step < 2; ++step) {
      const auto rows = accelerator.shard(all);
      if (processes() > 1) {
        EXPECT_EQ(current().local_rows, rows.size(0));
        EXPECT_EQ(current().all_rows, 7);
      }
      EXPECT_TRUE(torch::equal(accelerator.gather(rows), all));
      EXPECT_DOUBLE_EQ(accelerator.mean(rows.to(torch::kDouble).mean()).item<double>(), 3);
    }
    auto nested = accelerator.shard(std::make_tuple(
        data::Example<>{all, all * 2}, std::map<std::string, torch::Tensor>{{"b", all * 3}},
        std::vector<torch::Tensor>{all, torch::Tensor(), torch::tensor(1.5)}, 4));
    const auto& mine = std::get<0>(nested).data;
    EXPECT_TRUE(torch::equal(std::get<0>(nested).target, mine * 2));
    EXPECT_TRUE(torch::equal(std::get<1>(nested).at("b"), mine * 3));
    EXPECT_TRUE(torch::equal(std::get<2>(nested)[0], mine));
    EXPECT_EQ(std::get<2>(nested)[2].dim(), 0);
    EXPECT_EQ(std::get<3>(nested), 4);
    const auto columns = accelerator.shard(torch::stack({all, all}), 1);
    EXPECT_TRUE(torch::equal(columns[1], mine));
    EXPECT_THROW(accelerator.shard(torch::tensor(1.0), 0), c10::Error);
    const auto labelled = accelerator.shard(Labelled{torch::arange(3), {"0", "1", "2"}});
    EXPECT_EQ(labelled.names.front(), std::to_string(labelled.images[0].item<int64_t>()));
    EXPECT_EQ(labelled.names.size(), static_cast<size_t>(labelled.images.size(0)));
    // Examples in a list are its rows.
    const std::vector<data::Example<>> list{{all, all}, {all, all}, {all, all}};
    EXPECT_EQ(accelerator.reduce(accelerator.shard(list).size()), 3U);
    if (processes() == 1) {
      return;
    }
    // One row: the others repeat it with weight zero.
    const auto one = accelerator.shard(torch::full({1}, 5.0));
    EXPECT_EQ(current().repeated, rank() > 0);
    EXPECT_DOUBLE_EQ(accelerator.mean(one.mean()).item<double>(), 5);
    EXPECT_EQ(accelerator.reduce(current().counted_rows), 1);
    EXPECT_THROW(accelerator.shard(torch::zeros({0, 3})), c10::Error);
    EXPECT_THROW(accelerator.shard(torch::tensor(1.0)), c10::Error);
    EXPECT_THROW(accelerator.shard(std::make_pair(torch::zeros({3}), torch::zeros({2}))),
                 c10::Error);
    // A loader's batch counts again as soon as there is one.
    auto loader = accelerator.make_data_loader<SequentialSampler>(Numbers(6), 1);
    for (auto& batch : *loader) {
      (void)batch;
      EXPECT_EQ(current().all_rows, processes());
      accelerator.shard(all);
      EXPECT_EQ(current().all_rows, 7);
    }
  });
}

// A pass that was begun through torch's type moves its batches, too: with and without workers.
TEST(Placement, HappensInPassesThroughTheTypeOfTorch) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator;
    const auto state = accel::detail::State::get({});
    for (const size_t workers : {0U, 2U}) {
      accel::DataLoader<Numbers, SequentialSampler> loader(
          state, torch::kMeta, Numbers(8), SequentialSampler(8),
          data::DataLoaderOptions(2).workers(workers), accel::LoaderUse::Training);
      data::StatelessDataLoader<Numbers, SequentialSampler>& base = loader;
      int batches = 0;
      for (auto& batch : base) {
        EXPECT_TRUE(batch.is_meta());
        ++batches;
      }
      for (auto& batch : loader) {
        EXPECT_TRUE(batch.is_meta());
        ++batches;
      }
      EXPECT_EQ(batches, 8 / processes());
    }
  });
}

TEST(Placement, FollowsTheHook) {
  Labelled batch{torch::ones({2}), {"a", "b"}};
  std::vector<Labelled> nested{batch};
  accel::move_to_device(nested, torch::kMeta, /*non_blocking=*/true);
  EXPECT_TRUE(nested[0].images.is_meta());
  EXPECT_EQ(nested[0].names[1], "b");
}

} // namespace
} // namespace accel_test
