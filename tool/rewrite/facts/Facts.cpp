#include "facts/Facts.h"

#include <algorithm>
#include <iterator>

namespace accel_rewrite {

namespace {

/// The span by which two facts of one kind are the same.
const Span& place(const Call& F) {
  return F.Where;
}
const Span& place(const DeviceVariable& F) {
  return F.Setup.empty() ? F.ObstacleAt : F.Setup.front();
}
const Span& place(const DeviceUse& F) {
  return F.Where;
}
const Span& place(const DeviceValue& F) {
  return F.PointAt;
}
const Span& place(const DeviceOption& F) {
  return F.Where;
}
const Span& place(const HostTensor& F) {
  return F.Where;
}
const Span& place(const DeviceNumber& F) {
  return F.Where;
}
const Span& place(const Placement& F) {
  return F.Whole;
}
const Span& place(const OptimizerVariable& F) {
  return F.Declarator;
}
const Span& place(const OptimizerHolder& F) {
  return F.Where;
}
const Span& place(const LoaderVariable& F) {
  return F.NameSpan;
}
const Span& place(const OpaqueUse& F) {
  return F.Where;
}
const Span& place(const Loop& F) {
  return F.Whole;
}
const Span& place(const Backward& F) {
  return F.Whole;
}
const Span& place(const Step& F) {
  return F.Where;
}
const Span& place(const Clip& F) {
  return F.Callee;
}
const Span& place(const Lambda& F) {
  return F.Whole;
}
const Span& place(const Hazard& F) {
  return F.Where;
}
const Span& place(const ThreadStart& F) {
  return F.Where;
}
const Span& place(const BatchRead& F) {
  return F.Object;
}
const Span& place(const Output& F) {
  return F.Token;
}
const Span& place(const Undescribed& F) {
  return F.Where;
}
const Span& place(const Alias& F) {
  return F.Where;
}
const Span& place(const FixedRows& F) {
  return F.Where;
}
const Span& place(const OptimizerType& T) {
  return T.Where;
}
const Span& place(const SequenceLayer& L) {
  return L.Where;
}
const Span& place(const MacroSite& F) {
  return F.Where;
}

/// Two instantiations of a template may differ: keep what both allow.
template <typename Fact> void reconcile(Fact&, const Fact&) {}
void reconcile(Loop& Known, const Loop& Other) {
  if (Known.EvaluationObstacle.empty() && !Other.EvaluationObstacle.empty()) {
    Known.EvaluationObstacle = Other.EvaluationObstacle;
    Known.EvaluationObstacleAt = Other.EvaluationObstacleAt;
  }
  for (Accumulator& A : Known.Accumulators)
    for (const Accumulator& B : Other.Accumulators)
      if (A.Key == B.Key && A.RowSums != B.RowSums)
        A.RowSums.clear();
  Known.LoaderTypeDeduced &= Other.LoaderTypeDeduced;
}
void reconcile(OptimizerHolder& Known, const OptimizerHolder& Other) {
  for (const Span& Type : Other.Types)
    if (std::find(Known.Types.begin(), Known.Types.end(), Type) == Known.Types.end())
      Known.Types.push_back(Type);
}
void reconcile(Backward& Known, const Backward& Other) {
  if (Known.Form != Other.Form)
    Known.Form = LossForm::Unknown;
}

/// What feeds a loss, by the backward and the scope: for several instantiations, what feeds any.
void mergeInto(std::vector<BatchSources>& Into, std::vector<BatchSources>&& From) {
  for (BatchSources& F : From) {
    auto Known = std::find_if(Into.begin(), Into.end(), [&](const BatchSources& Old) {
      return Old.Backward == F.Backward && Old.Scope == F.Scope;
    });
    if (Known == Into.end()) {
      Into.push_back(std::move(F));
      continue;
    }
    for (BatchSource& Source : F.Sources)
      if (std::none_of(Known->Sources.begin(), Known->Sources.end(),
                       [&](const BatchSource& Old) { return Old.Where == Source.Where; }))
        Known->Sources.push_back(std::move(Source));
  }
}

/// Two units that share a header.
void reconcile(SourceFile& Known, const SourceFile& Other) {
  auto IsCompiled = [&](const SkippedName& N) {
    return std::none_of(Other.Skipped.begin(), Other.Skipped.end(),
                        [&](const SkippedName& O) { return O.Where == N.Where; });
  };
  Known.Skipped.erase(std::remove_if(Known.Skipped.begin(), Known.Skipped.end(), IsCompiled),
                      Known.Skipped.end());
  Known.Units.insert(Other.Units.begin(), Other.Units.end());
  if (!Known.Disagreement.valid())
    Known.Disagreement = Other.Disagreement;
}

template <typename Fact> void mergeInto(std::vector<Fact>& Into, std::vector<Fact>&& From) {
  for (Fact& F : From) {
    auto Known = std::find_if(Into.begin(), Into.end(),
                              [&](const Fact& Old) { return place(Old) == place(F); });
    if (Known == Into.end())
      Into.push_back(std::move(F));
    else
      reconcile(*Known, F);
  }
}

} // namespace

bool Facts::isOff(const Span& Where) const {
  auto It = Files.find(Where.File);
  if (It == Files.end())
    return false;
  const SourceFile& File = It->second;
  return std::count(File.OffLines.begin(), File.OffLines.end(), Where.Line) > 0 ||
         std::any_of(File.OffRegions.begin(), File.OffRegions.end(), [&](const Span& Region) {
           return Where.Begin < Region.End && Region.Begin <= Where.End;
         });
}

Span Facts::at(const std::string& File, unsigned Offset) const {
  const std::string& Text = Files.at(File).Text;
  Span Where{File, Offset, Offset, 1, Offset + 1};
  for (unsigned I = 0; I < Offset && I < Text.size(); ++I)
    if (Text[I] == '\n') {
      ++Where.Line;
      Where.Column = Offset - I;
    }
  return Where;
}

std::string Facts::text(const Span& Where) const {
  auto It = Files.find(Where.File);
  return It == Files.end() ? std::string()
                           : It->second.Text.substr(Where.Begin, Where.End - Where.Begin);
}

void Facts::merge(Facts&& Other) {
  for (auto& [Path, File] : Other.Files) {
    auto [It, New] = Files.try_emplace(Path, std::move(File));
    if (!New)
      reconcile(It->second, File);
  }
  for (auto& [Key, F] : Other.Functions) {
    auto [It, New] = Functions.try_emplace(Key, std::move(F));
    if (New)
      continue;
    if (!(It->second.NameSpan == F.NameSpan))
      It->second.OtherDefinition = F.NameSpan;
    if (!It->second.NameTaken.valid())
      It->second.NameTaken = F.NameTaken;
    // The other unit may see a declaration (in a header) that this one didn't.
    for (size_t I = 0; I < It->second.Parameters.size() && I < F.Parameters.size(); ++I)
      for (Span& D : F.Parameters[I].Declarations) {
        auto& Known = It->second.Parameters[I].Declarations;
        if (std::find(Known.begin(), Known.end(), D) == Known.end())
          Known.push_back(std::move(D));
      }
  }
  mergeInto(Calls, std::move(Other.Calls));
  mergeInto(Devices, std::move(Other.Devices));
  mergeInto(DeviceUses, std::move(Other.DeviceUses));
  mergeInto(DeviceValues, std::move(Other.DeviceValues));
  mergeInto(DeviceOptions, std::move(Other.DeviceOptions));
  mergeInto(HostTensors, std::move(Other.HostTensors));
  mergeInto(DeviceNumbers, std::move(Other.DeviceNumbers));
  mergeInto(Placements, std::move(Other.Placements));
  mergeInto(Optimizers, std::move(Other.Optimizers));
  mergeInto(OptimizerHolders, std::move(Other.OptimizerHolders));
  mergeInto(OptimizerTypes, std::move(Other.OptimizerTypes));
  for (OptimizerFlow& Flow : Other.OptimizerFlows)
    if (std::find(OptimizerFlows.begin(), OptimizerFlows.end(), Flow) == OptimizerFlows.end())
      OptimizerFlows.push_back(std::move(Flow));
  mergeInto(Loaders, std::move(Other.Loaders));
  mergeInto(OpaqueUses, std::move(Other.OpaqueUses));
  mergeInto(Loops, std::move(Other.Loops));
  mergeInto(Backwards, std::move(Other.Backwards));
  mergeInto(Steps, std::move(Other.Steps));
  mergeInto(Clips, std::move(Other.Clips));
  mergeInto(Lambdas, std::move(Other.Lambdas));
  mergeInto(Hazards, std::move(Other.Hazards));
  mergeInto(ThreadStarts, std::move(Other.ThreadStarts));
  mergeInto(BatchReads, std::move(Other.BatchReads));
  mergeInto(Aliases, std::move(Other.Aliases));
  mergeInto(Batches, std::move(Other.Batches));
  mergeInto(FixedShapes, std::move(Other.FixedShapes));
  mergeInto(SequenceLayers, std::move(Other.SequenceLayers));
  mergeInto(Outputs, std::move(Other.Outputs));
  mergeInto(Undescribeds, std::move(Other.Undescribeds));
  mergeInto(MacroSites, std::move(Other.MacroSites));
}

/// A unit that sees only a function's declaration speaks of that one's parameter: here it is the
/// definition's.
static std::map<DeclKey, DeclKey> declaredParameters(const Facts& F) {
  std::map<DeclKey, DeclKey> Result;
  auto DefinedAs = [&](const DeclKey& Key) -> DeclKey {
    size_t Colon = Key.rfind(':');
    unsigned Offset = std::stoul(Key.substr(Colon + 1));
    for (const auto& [Name, Owner] : F.Functions)
      for (const Parameter& P : Owner.Parameters)
        for (const Span& Declared : P.Declarations)
          if (Declared.valid() && Key.compare(0, Colon, Declared.File) == 0 &&
              Declared.Begin <= Offset && Offset < Declared.End)
            return P.Key;
    return Key;
  };
  for (const DeviceValue& V : F.DeviceValues)
    if (!V.Initializes)
      Result.emplace(V.Device, DefinedAs(V.Device));
  return Result;
}

void Facts::link() {
  std::map<DeclKey, DeclKey> Definition = declaredParameters(*this);
  auto Redirect = [&](DeclKey& Key) {
    if (auto It = Definition.find(Key); It != Definition.end())
      Key = It->second;
  };
  for (DeviceValue& V : DeviceValues)
    Redirect(V.Device);
  for (DeviceNumber& N : DeviceNumbers)
    Redirect(N.Device);
  for (Call& C : Calls) {
    std::string Prefix = C.Callee + FileOfKey;
    auto IsOurs = [&](auto It) {
      return It != Functions.end() && It->first.compare(0, Prefix.size(), Prefix) == 0;
    };
    auto Only = Functions.lower_bound(Prefix);
    if (!Functions.count(C.Callee) && IsOurs(Only) && !IsOurs(std::next(Only)))
      C.Callee = Only->first;
  }
}

} // namespace accel_rewrite
