//===- Batches.cpp - Dividing batches that no loader makes ----------------===//
#include "plan/ChangeBuilder.h"

#include <algorithm>

namespace accel_rewrite {

using Kind = BatchSource::Kind;

static bool anyContains(const std::vector<Span>& Spans, const Span& Where) {
  return std::any_of(Spans.begin(), Spans.end(),
                     [&](const Span& Outer) { return Outer.contains(Where); });
}

/// What feeds the loss of \p B within \p R: in the region's loop where that is in the same
/// function, else in the whole function.
static const BatchSources* sourcesOf(const Facts& F, const Region& R, const Backward& B) {
  const BatchSources* Widest = nullptr;
  for (const BatchSources& S : F.Batches) {
    if (!(S.Backward == B.Whole))
      continue;
    if (R.Training && S.Scope == R.Training->Whole)
      return &S;
    if (!Widest || S.Scope.contains(Widest->Scope))
      Widest = &S;
  }
  return Widest;
}

bool ChangeBuilder::findHandMade() {
  if (!C.TrainingLoaders.empty())
    return checkHandedOn();
  if (!LeftLoader)
    return divideByHand();
  if (!divideByHand()) {
    // What a person would mend first, and what else stands in the way.
    std::string Rows = Refusal.Message;
    Refusal = *LeftLoader;
    Refusal.Message += ", and as a batch made by hand it can't be divided either: " + Rows;
    return false;
  }
  C.Remarks.push_back(
      {"AR152", LeftLoader->Where,
       "every process reads all batches, and takes its rows of each: " + LeftLoader->Message,
       "to read a share only, " + LeftLoader->Remedy});
  return true;
}

/// The next batch of a process isn't the next one of the loader: what a model made of one batch
/// doesn't belong to it.
bool ChangeBuilder::checkHandedOn() {
  for (const Backward* B : R.Backwards)
    if (const BatchSources* Of = sourcesOf(F, R, *B))
      for (const BatchSource& Source : Of->Sources)
        if (Source.HandedOnAt.valid())
          return refuse("AR054", Source.HandedOnAt,
                        "what the model computes is carried from one batch to the next, and a "
                        "process doesn't take all batches",
                        "make it anew for each batch, or divide the batches by hand");
  return true;
}

bool ChangeBuilder::divideByHand() {
  for (const Backward* B : R.Backwards) {
    const BatchSources* Of = sourcesOf(F, R, *B);
    if (!Of)
      return refuse("AR001", B->Whole, "where the rows of this loss come from can't be told",
                    "read the data with a loader of torch::data::make_data_loader, or convert the "
                    "loop by hand");
    for (const BatchSource& Source : Of->Sources)
      if (std::none_of(Sources.begin(), Sources.end(),
                       [&](const BatchSource* Old) { return Old->Where == Source.Where; }))
        Sources.push_back(&Source);
  }
  // What is trained itself is the better reason not to go on.
  std::stable_partition(Sources.begin(), Sources.end(),
                        [](const BatchSource* Source) { return Source->Code == "AR051"; });
  for (const BatchSource* Source : Sources)
    if (!takeSource(*Source))
      return false;
  if (C.Shards.empty())
    return refuse("AR051", R.Backwards.front()->Whole,
                  "there is nothing to divide between processes: no batch of rows feeds this loss",
                  "leave the program as it is, or divide the work by hand");
  return checkShards();
}

bool ChangeBuilder::takeSource(const BatchSource& Source) {
  if (Source.What == Kind::Unknown) {
    if (Source.Code == "AR051")
      return refuse("AR051", Source.Where,
                    "there is nothing to divide between processes: " + Source.Reason,
                    "leave the program as it is, or divide the work by hand");
    if (Source.Code == "AR053")
      return refuse("AR053", Source.Where,
                    "this shape fixes the number of rows, and a process has a part of them",
                    "write -1, or the size of a tensor with these rows");
    return refuse("AR052", Source.Where,
                  "whether this has a row for each row of the batch can't be told: " +
                      Source.Reason,
                  "divide the batches by hand: accelerator.shard(…) takes this process's rows");
  }
  if (Source.What == Kind::Made) {
    // `randn({x.size(0), 8})` has as many rows as the process's x.
    bool Follows = std::any_of(Sources.begin(), Sources.end(), [&](const BatchSource* Other) {
      return Other != &Source && Other->What == Kind::Variable && !Source.SizedBy.empty() &&
             Other->Variable == Source.SizedBy;
    });
    if (Source.SizedBy.empty())
      C.Shards.push_back({Source.Where});
    else if (!Follows && !isMadeInStep(Source.SizedBy))
      return refuse("AR052", Source.Where,
                    "its rows are counted on a tensor that may not be divided",
                    "divide the batches by hand: accelerator.shard(…) takes this process's rows");
    return true;
  }
  if (!Source.Starts.empty()) {
    C.Shards.insert(C.Shards.end(), Source.Starts.begin(), Source.Starts.end());
    return true;
  }
  if (Source.ChangedAt.valid())
    return refuse("AR054", Source.ChangedAt,
                  "'" + Source.Name +
                      "' is carried from one step to the next, and its rows can't be "
                      "divided with the batch's",
                  "make it anew in each step, or convert the loop by hand");
  bool Picked = std::any_of(Sources.begin(), Sources.end(), [](const BatchSource* Other) {
    return Other->What == Kind::Made && !Other->Created;
  });
  if (Picked && !Source.Handed)
    return refuse("AR052", Source.Where,
                  "'" + Source.Name +
                      "' stays the same while batches change: whether it has their "
                      "rows can't be told",
                  "divide the batches by hand: accelerator.shard(…) takes this process's rows");
  for (const Span& Mention : Source.Mentions) {
    bool Covered = std::any_of(Sources.begin(), Sources.end(), [&](const BatchSource* Other) {
      return Other->What == Kind::Made && Other->Where.contains(Mention);
    });
    if (!Covered)
      C.Shards.push_back({Mention});
  }
  return true;
}

bool ChangeBuilder::isMadeInStep(const DeclKey& Key) const {
  return std::any_of(R.Code.begin(), R.Code.end(), [&](const Span& Part) {
    size_t Colon = Key.rfind(':');
    if (Key.substr(0, Colon) != Part.File)
      return false;
    unsigned At = std::stoul(Key.substr(Colon + 1));
    return Part.Begin <= At && At < Part.End;
  });
}

bool ChangeBuilder::areInView(const std::vector<FunctionKey>& Functions) const {
  return std::all_of(Functions.begin(), Functions.end(),
                     [&](const FunctionKey& Key) { return F.Functions.count(Key) > 0; });
}

/// Each row is divided once: nothing that is divided is made of what is.
bool ChangeBuilder::checkShards() {
  for (const BatchSource* Source : Sources) {
    if (Source->Created || Source->Operands.empty())
      continue;
    for (const RowsAt& Rows : C.Shards)
      if (!(Rows.Where == Source->Where) &&
          (Source->Where.contains(Rows.Where) || anyContains(Source->Operands, Rows.Where)))
        return refuse("AR056", Source->Where,
                      "this is made of rows that are divided themselves, so both can't be divided",
                      "divide the batches by hand: accelerator.shard(…) takes this process's rows");
  }
  for (const SequenceLayer& Layer : F.SequenceLayers)
    if (Layer.Constructors.empty() || !areInView(Layer.Constructors))
      return refuse("AR055", Layer.Where,
                    "this layer may take the rows of a batch as the second dimension, and "
                    "processes divide the first",
                    Layer.Constructors.empty()
                        ? "use batch_first(true), or read the data with a loader of "
                          "torch::data::make_data_loader"
                        : "name the file of the constructor that makes it");
  for (const FixedRows& Shape : F.FixedShapes)
    if (R.contains(Shape.Where))
      return refuse("AR053", Shape.Where,
                    "this shape fixes the number of rows, and a process has a part of them",
                    "write -1, or the size of a tensor with these rows");
  return true;
}

/// `shard` moves the rows: `.to(device)` right behind it goes.
void ChangeBuilder::dropPlacementsOfShards() {
  for (const Placement& P : F.Placements) {
    bool OurDevice = P.Device.empty() || C.replacesDevice(P.Device);
    if (Involved.count(P.Function) && OurDevice && P.OnlyArgument && !P.OnModule &&
        std::any_of(C.Shards.begin(), C.Shards.end(),
                    [&](const RowsAt& Rows) { return Rows.Where == P.Object; }))
      C.BatchPlacements.push_back(&P);
  }
}

} // namespace accel_rewrite
