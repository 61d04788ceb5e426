//===- Hazards.cpp - What rules the conversion of a region out ------------===//
#include "plan/ChangeBuilder.h"
#include "plan/Remarks.h"

#include <algorithm>

namespace accel_rewrite {

/// The functions of the region's loop, and those that lead to it.
static std::set<FunctionKey> leadingTo(const Trace& Paths, const std::set<FunctionKey>& Functions) {
  std::set<FunctionKey> Result;
  std::vector<FunctionKey> Work(Functions.begin(), Functions.end());
  while (!Work.empty()) {
    FunctionKey Next = Work.back();
    Work.pop_back();
    if (!Result.insert(Next).second)
      continue;
    for (const Call* Caller : Paths.callsOf(Next))
      Work.push_back(Caller->Caller);
  }
  return Result;
}

/// A library that distributes the program's work already: in the files of \p Functions, or in what
/// they call.
static const Undescribed* distributionIn(const Facts& F, const Trace& Paths,
                                         const std::set<FunctionKey>& Functions) {
  for (const Undescribed& U : F.Undescribeds)
    for (const FunctionKey& Key : Functions) {
      auto It = F.Functions.find(Key);
      if (U.Code != "AR010" || It == F.Functions.end())
        continue;
      const Span& Body = It->second.Body;
      if (Body.File == U.Where.File)
        return &U;
      for (const Span& Part : Paths.reachedFrom(Body))
        if (Part.contains(U.Where))
          return &U;
    }
  return nullptr;
}

bool isCaveat(const Hazard& H) {
  return H.Code >= "AR100";
}

bool ChangeBuilder::checkHazards() {
  std::set<FunctionKey> Leading = leadingTo(Paths, R.Functions);
  if (const Undescribed* U = distributionIn(F, Paths, Leading))
    return refuse("AR010", U->Where, U->Message, U->Remedy);
  for (const Hazard& H : F.Hazards)
    if (!isCaveat(H) && (R.contains(H.Where) || (!H.WithinStep && Leading.count(H.Function))))
      return refuse(H.Code.c_str(), H.Where, H.Message, H.Remedy);
  for (const ThreadStart& T : F.ThreadStarts) {
    auto Names = [&](const FunctionKey& Key) { return Leading.count(Key) > 0; };
    auto Holds = [&](const auto& Site) { return T.Where.contains(Site->Whole); };
    auto CallsIn = [&](const Call& C) {
      return T.Where.contains(C.Where) && Leading.count(C.Callee) > 0;
    };
    auto StepsIn = [&](const Step& S) { return T.Where.contains(S.Where) && R.contains(S.Where); };
    if (std::any_of(T.Runs.begin(), T.Runs.end(), Names) ||
        std::any_of(R.Backwards.begin(), R.Backwards.end(), Holds) ||
        std::any_of(F.Calls.begin(), F.Calls.end(), CallsIn) ||
        std::any_of(F.Steps.begin(), F.Steps.end(), StepsIn))
      return refuse("AR060", T.Where, "this runs training on another thread (" + T.Starter + ")",
                    "train on one thread a process, and let accel use several processes");
  }
  return true;
}

} // namespace accel_rewrite
