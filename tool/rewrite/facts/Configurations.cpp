#include "facts/Facts.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

/// A site, and all of it that the edits depend on.
using Sites = std::map<std::tuple<std::string, unsigned, std::string>, Span>;

class Collector {
public:
  explicit Collector(const Facts& F) {
    for (const Loop& S : F.Loops)
      add(S.Whole, "loop " + S.Loader);
    for (const Backward& S : F.Backwards)
      add(S.Whole, "backward " + std::to_string(static_cast<int>(S.Form)));
    for (const Step& S : F.Steps)
      add(S.Where, "step " + S.Optimizer);
    for (const OptimizerVariable& S : F.Optimizers)
      add(S.Declarator, "optimizer " + std::to_string(static_cast<int>(S.Made)));
    for (const LoaderVariable& S : F.Loaders)
      add(S.NameSpan, "loader " + S.Sampler);
    for (const DeviceVariable& S : F.Devices)
      for (const Span& Statement : S.Setup)
        add(Statement, "device " + S.Obstacle);
    for (const DeviceUse& S : F.DeviceUses)
      add(S.Where, "use " + S.Device);
    for (const Placement& S : F.Placements)
      add(S.Whole, "placement " + S.Device);
    for (const BatchRead& S : F.BatchReads)
      add(S.Object, "read " + S.Loss);
  }

  Sites Found;

private:
  void add(const Span& Where, const std::string& What) {
    if (Where.valid())
      Found.emplace(std::make_tuple(Where.File, Where.Begin, What), Where);
  }
};

} // namespace

void Facts::mergeConfiguration(Facts&& Other) {
  Sites Ours = Collector(*this).Found, Theirs = Collector(Other).Found;
  std::map<std::string, std::vector<SkippedName>> Skipped;
  for (Facts* One : {this, &Other})
    for (const auto& [Path, File] : One->Files)
      Skipped[Path].insert(Skipped[Path].end(), File.Skipped.begin(), File.Skipped.end());
  merge(std::move(Other));
  for (auto& [Path, Names] : Skipped)
    Files.at(Path).Skipped = std::move(Names);
  auto Mark = [&](const Sites& Of, const Sites& Without) {
    for (const auto& [Site, Where] : Of) {
      auto File = Files.find(Where.File);
      if (!Without.count(Site) && File != Files.end() && !File->second.Disagreement.valid())
        File->second.Disagreement = Where;
    }
  };
  Mark(Ours, Theirs);
  Mark(Theirs, Ours);
}

} // namespace accel_rewrite
