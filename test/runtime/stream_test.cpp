// Loaders that divide batches rather than row numbers: streams, stateful datasets, dispatch from
// process 0.
#include "models.h"

#include "state/state.h"

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace accel_test {

// A batch of a class of its own, with everything that can be sent.
struct Scene {
  torch::Tensor images;
  std::vector<torch::Tensor> boxes;
  std::vector<std::string> names;
  std::map<std::string, torch::Tensor> extras;
  torch::optional<torch::Tensor> mask;
  std::pair<double, bool> settings{0, false};
  int untold = 0;
};
template <class Visitor> void visit_fields(Scene& scene, Visitor&& visit) {
  visit(scene.images, accel::per_row(scene.boxes), scene.names, scene.extras);
  visit(scene.mask, scene.settings);
}

namespace {

namespace data = torch::data;
using Lists = std::vector<std::vector<int64_t>>;

accel::Share current() {
  return accel::detail::State::get({})->current_share();
}

std::vector<int64_t> list_of(const torch::Tensor& tensor) {
  const auto rows = tensor.to(torch::kInt64).contiguous();
  return {rows.data_ptr<int64_t>(), rows.data_ptr<int64_t>() + rows.numel()};
}

// A stream of the natural numbers; `origin` lets it start elsewhere on each process.
class Naturals : public data::datasets::StreamDataset<Naturals, torch::Tensor> {
public:
  explicit Naturals(int64_t origin = 0) : next_(origin) {}
  torch::Tensor get_batch(size_t count) override {
    const int64_t begin = next_;
    next_ += static_cast<int64_t>(count);
    return torch::arange(begin, next_);
  }
  torch::optional<size_t> size() const override { return torch::nullopt; }

private:
  int64_t next_;
};

// A stateful dataset of `count` scenes, made of the row numbers.
class Scenes : public data::datasets::StatefulDataset<Scenes, Scene> {
public:
  explicit Scenes(int64_t count) : count_(count) {}
  torch::optional<Scene> get_batch(size_t size) override {
    const std::lock_guard<std::mutex> lock(*mutex_);
    if (*at_ >= count_) {
      return torch::nullopt;
    }
    Scene scene;
    const int64_t end = std::min(count_, *at_ + static_cast<int64_t>(size));
    // The width differs from batch to batch.
    scene.images = torch::arange(*at_, end).unsqueeze(1).repeat({1, widths_ ? 1 + *at_ : 2});
    for (; *at_ < end; ++*at_) {
      scene.boxes.push_back(torch::full({*at_ % 3, 4}, *at_, torch::kFloat));
      scene.names.push_back("row " + std::to_string(*at_));
    }
    scene.extras["twice"] = scene.images.select(1, 0) * 2;
    scene.settings = {0.5, true};
    scene.untold = 7;
    return scene;
  }
  Scenes& widths() {
    widths_ = true;
    return *this;
  }
  void reset() override { *at_ = 0; }
  torch::optional<size_t> size() const override { return torch::nullopt; }
  void save(torch::serialize::OutputArchive&) const override {}
  void load(torch::serialize::InputArchive&) override {}

private:
  int64_t count_;
  bool widths_ = false;
  std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();
  std::shared_ptr<int64_t> at_ = std::make_shared<int64_t>(0);
};

// What a scene's parts say about each other; returns its rows.
std::vector<int64_t> checked_rows(const Scene& scene) {
  const auto rows = list_of(scene.images.select(1, 0));
  EXPECT_EQ(scene.boxes.size(), rows.size());
  EXPECT_EQ(scene.names.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(scene.names[i], "row " + std::to_string(rows[i]));
    EXPECT_EQ(scene.boxes[i].size(0), rows[i] % 3);
  }
  EXPECT_TRUE(torch::equal(scene.extras.at("twice"), scene.images.select(1, 0) * 2));
  EXPECT_FALSE(scene.mask.has_value());
  EXPECT_EQ(scene.settings, std::make_pair(0.5, true));
  return rows;
}

// The rows that count, over all processes, in order of rounds and processes; the weights of each
// round must add up to one. `rows` maps a batch to its rows.
template <class Loader, class RowsOf>
std::vector<int64_t> epoch(const accel::Accelerator& accelerator, Loader& loader, RowsOf rows_of) {
  std::vector<int64_t> all;
  for (auto& batch : loader) {
    std::vector<int64_t> rows = rows_of(batch);
    if (processes() > 1) {
      EXPECT_EQ(current().local_rows, static_cast<int64_t>(rows.size()));
      EXPECT_NEAR(accelerator.reduce(current().fraction()), 1, 1e-12);
      rows.resize(static_cast<size_t>(current().counted_rows));
    }
    const auto gathered = list_of(accelerator.gather(torch::tensor(rows, torch::kInt64)));
    all.insert(all.end(), gathered.begin(), gathered.end());
  }
  return all;
}

std::vector<int64_t> range(int64_t begin, int64_t end) {
  return list_of(torch::arange(begin, end));
}

void expect_streams() {
  accel::Accelerator accelerator;
  for (const size_t workers : {0U, 1U}) {
    auto loader = accelerator.make_data_loader(
        Naturals(), data::samplers::StreamSampler(22),
        data::DataLoaderOptions(3).workers(workers).enforce_ordering(true));
    EXPECT_EQ(epoch(accelerator, *loader, list_of), range(0, 22));
    EXPECT_EQ(epoch(accelerator, *loader, list_of), range(22, 44));
  }
  for (const int64_t count : {22, 24, 3, 1}) {
    auto loader = accelerator.make_data_loader(Scenes(count), 3);
    for (int pass = 0; pass < 2; ++pass) {
      EXPECT_EQ(epoch(accelerator, *loader, checked_rows), range(0, count));
    }
  }
}

TEST(Stream, GivesEveryRowOnceHoweverItIsRead) {
  for (const char* dispatch : {"", "true", "false"}) {
    for (const char* even_batches : {"", "true"}) {
      run_in({2, 3}, expect_streams,
             {{"ACCEL_DISPATCH_BATCHES", dispatch}, {"ACCEL_EVEN_BATCHES", even_batches}});
    }
  }
  run_in({1, 3}, expect_streams, {{"ACCEL_SPLIT_BATCHES", "true"}});
}

// With even_batches, shares are those of Accelerate's IterableDatasetShard; without, batches whose
// rows can't be joined stay whole.
TEST(Stream, FillsUpOrKeepsBatchesWhole) {
  const auto body = [] {
    accel::Accelerator accelerator;
    auto loader = accelerator.make_data_loader(Scenes(8), 3);
    Lists mine;
    for (auto& scene : *loader) {
      mine.push_back(checked_rows(scene));
    }
    const bool even = accel::detail::State::get({})->even_batches().has_value();
    const Lists expected = rank() == 0 ? Lists{{0, 1, 2}, {6, 7, 0}} : Lists{{3, 4, 5}, {1, 2, 3}};
    const Lists whole = rank() == 0 ? Lists{{0, 1, 2}, {6, 7}} : Lists{{3, 4, 5}, {6, 7}};
    EXPECT_EQ(mine, even ? expected : whole);
    auto ragged = accelerator.make_data_loader(Scenes(8).widths(), 3);
    const auto pass = [&] { return epoch(accelerator, *ragged, checked_rows); };
    if (even) {
      EXPECT_THROW(pass(), c10::Error);
    } else {
      EXPECT_EQ(pass(), range(0, 8));
    }
  };
  for (const char* dispatch : {"true", "false"}) {
    for (const char* even_batches : {"", "true"}) {
      run_in({2}, body,
             {{"ACCEL_DISPATCH_BATCHES", dispatch}, {"ACCEL_EVEN_BATCHES", even_batches}});
    }
  }
}

TEST(Dispatch, SendsWhatProcessZeroReads) {
  run_in({2, 3}, [] {
    accel::Accelerator accelerator;
    // Only process 0's stream is read: the others would yield other numbers.
    auto loader =
        accelerator.make_data_loader(Naturals(1000 * rank()), data::samplers::StreamSampler(20), 4);
    EXPECT_EQ(epoch(accelerator, *loader, list_of), range(0, 20));
    // Early exits leave nothing behind, skipping is for one pass.
    for (auto& batch : *loader) {
      (void)batch;
      break;
    }
    EXPECT_EQ(current().all_rows, processes());
    auto scenes = accelerator.make_data_loader(Scenes(24).widths(), 2);
    accelerator.skip_first_batches(*scenes, 2);
    EXPECT_EQ(epoch(accelerator, *scenes, checked_rows), range(4 * processes(), 24));
    EXPECT_EQ(epoch(accelerator, *scenes, checked_rows), range(0, 24));
    // Evaluation: whole batches in turn, read in step.
    auto evaluation = accelerator.make_eval_data_loader(Scenes(7), 2);
    int64_t sum = 0;
    for (auto& scene : *evaluation) {
      for (const int64_t row : checked_rows(scene)) {
        sum += row;
      }
    }
    EXPECT_EQ(accelerator.reduce(sum), 21);
  });
}

TEST(Dispatch, ServesDatasetsOfRowNumbersToo) {
  run_in({2, 3},
         [] {
           accel::Accelerator accelerator;
           for (const size_t workers : {0U, 2U}) {
             auto loader = accelerator.make_data_loader<data::samplers::SequentialSampler>(
                 Rows(23), data::DataLoaderOptions(4).workers(workers));
             std::vector<int64_t> targets;
             for (auto& batch : *loader) {
               auto mine = torch::zeros({0}, torch::kInt64);
               for (int64_t i = 0; i < current().counted_rows; ++i) {
                 const auto& example = batch[static_cast<size_t>(i)];
                 EXPECT_EQ(example.data.sizes(), (std::vector<int64_t>{6}));
                 mine = torch::cat({mine, example.target.view({1})});
               }
               const auto all = list_of(accelerator.gather(mine));
               targets.insert(targets.end(), all.begin(), all.end());
             }
             EXPECT_EQ(targets, list_of(torch::arange(23) % 3));
           }
         },
         {{"ACCEL_DISPATCH_BATCHES", "true"}});
}

// Three chunks of four numbers.
class Chunks : public data::datasets::ChunkDataReader<int64_t> {
public:
  using BatchType = ChunkType;
  std::vector<int64_t> read_chunk(size_t chunk) override {
    std::vector<int64_t> rows(4);
    std::iota(rows.begin(), rows.end(), static_cast<int64_t>(chunk) * 4);
    return rows;
  }
  size_t chunk_count() override { return 3; }
  void reset() override {}
};

TEST(Dispatch, ServesChunkDatasets) {
  run_in({1, 2}, [] {
    accel::Accelerator accelerator;
    using Sampler = data::samplers::SequentialSampler;
    using Chunked =
        data::datasets::ChunkDataset<Chunks, data::samplers::DistributedRandomSampler, Sampler>;
    auto dataset = data::datasets::make_shared_dataset<Chunked>(
        Chunks(), data::samplers::DistributedRandomSampler(3), Sampler(0),
        data::datasets::ChunkDatasetOptions(1, 3));
    auto loader = accelerator.make_data_loader(dataset, 3);
    const auto rows_of = [](const std::vector<int64_t>& rows) { return rows; };
    loader->set_epoch(2);
    EXPECT_EQ(dataset->chunk_sampler().epoch(), 2U);
    for (int pass = 0; pass < 2; ++pass) {
      auto rows = epoch(accelerator, *loader, rows_of);
      std::sort(rows.begin(), rows.end());
      EXPECT_EQ(rows, range(0, 12));
    }
  });
}

// A class without the hook.
struct Sealed {
  int64_t number = 0;
};
class Faulty : public data::datasets::StatefulDataset<Faulty, Sealed> {
public:
  explicit Faulty(bool reads) : reads_(reads) {}
  torch::optional<Sealed> get_batch(size_t) override {
    TORCH_CHECK(reads_, "the disk is gone");
    return Sealed{1};
  }
  void reset() override {}
  torch::optional<size_t> size() const override { return torch::nullopt; }
  void save(torch::serialize::OutputArchive&) const override {}
  void load(torch::serialize::InputArchive&) override {}

private:
  bool reads_;
};

TEST(Dispatch, TellsEveryProcessWhatWentWrongOnProcessZero) {
  run_in({2}, [] {
    accel::Accelerator accelerator;
    for (const bool reads : {false, true}) {
      auto loader = accelerator.make_data_loader(Faulty(reads), 2);
      try {
        for (auto& batch : *loader) {
          (void)batch;
        }
        ADD_FAILURE() << "no error";
      } catch (const c10::Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find(reads ? "can't be sent" : "the disk is gone"), std::string::npos)
            << text;
      }
    }
    accelerator.wait_for_everyone();
  });
}

TEST(Serialiser, BringsBackWhatWasWritten) {
  using Everything =
      std::tuple<torch::Tensor, torch::Tensor, std::vector<data::Example<>>, data::TensorExample,
                 std::vector<bool>, std::list<int>, std::array<float, 2>, std::string,
                 torch::optional<std::string>, std::unordered_map<int, torch::Tensor>, Scene>;
  Everything sent;
  std::get<0>(sent) = torch::randn({3, 2}).t();
  std::get<2>(sent) = {{torch::ones({2}, torch::kBFloat16), torch::tensor(true)}};
  std::get<3>(sent) = {torch::complex(torch::ones({1}), torch::ones({1}))};
  std::get<4>(sent) = {true, false, true};
  std::get<5>(sent) = {4, 5};
  std::get<6>(sent) = {1.5F, 2.5F};
  std::get<7>(sent) = std::string("a\0b", 3);
  std::get<9>(sent)[3] = torch::empty({0, 4});
  std::get<10>(sent).names = {"x"};
  std::get<10>(sent).mask = torch::ones({1});
  std::get<10>(sent).untold = 3;
  accel::ByteWriter writer;
  writer.write(sent);
  const std::string bytes = writer.take();
  Everything got;
  accel::ByteReader(bytes).read(got);
  EXPECT_TRUE(torch::equal(std::get<0>(got), std::get<0>(sent)));
  EXPECT_FALSE(std::get<1>(got).defined());
  EXPECT_EQ(std::get<2>(got)[0].data.scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(std::get<2>(got)[0].target.item<bool>());
  EXPECT_TRUE(torch::equal(std::get<3>(got).data, std::get<3>(sent).data));
  EXPECT_EQ(std::get<4>(got), std::get<4>(sent));
  EXPECT_EQ(std::get<5>(got), std::get<5>(sent));
  EXPECT_EQ(std::get<6>(got), std::get<6>(sent));
  EXPECT_EQ(std::get<7>(got), std::get<7>(sent));
  EXPECT_FALSE(std::get<8>(got).has_value());
  EXPECT_EQ(std::get<9>(got).at(3).sizes(), (std::vector<int64_t>{0, 4}));
  EXPECT_EQ(std::get<10>(got).names, std::get<10>(sent).names);
  EXPECT_TRUE(std::get<10>(got).mask.has_value());
  EXPECT_EQ(std::get<10>(got).untold, 0);
  const std::string half = bytes.substr(0, 40);
  EXPECT_THROW(accel::ByteReader(half).read(got), c10::Error);
  auto sparse = torch::eye(2).to_sparse();
  EXPECT_THROW(accel::ByteWriter().write(sparse), c10::Error);
}

} // namespace
} // namespace accel_test
