#include "plan/Region.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

/// Where a backward could belong: a loop around it (or around a call that leads to it), or a
/// function on the way.
struct Candidate {
  const Loop* Around = nullptr;
  FunctionKey Function;
  std::vector<Span> Code;
  bool Steps = false;
};

class Finder {
public:
  Finder(const Facts& F, const Trace& Paths) : F(F), Paths(Paths) {}

  Regions find() {
    for (const Backward& B : F.Backwards)
      place(B);
    absorb();
    for (Region& R : Out.Found)
      R.Functions = functionsOn(R);
    return std::move(Out);
  }

private:
  void place(const Backward& B) {
    bool Shared = false;
    std::vector<Candidate> Candidates = candidatesFor(B, Shared);
    auto OverLoader = [](const Candidate& C) { return C.Around && C.Around->OverLoader; };
    auto StepLoop = [](const Candidate& C) { return C.Around && C.Steps; };
    auto StepFunction = [](const Candidate& C) { return C.Steps; };
    auto Best = std::find_if(Candidates.begin(), Candidates.end(), OverLoader);
    if (Best == Candidates.end())
      Best = std::find_if(Candidates.begin(), Candidates.end(), StepLoop);
    if (Best == Candidates.end())
      Best = std::find_if(Candidates.begin(), Candidates.end(), StepFunction);
    if (Best == Candidates.end()) {
      Out.Strays.push_back({&B, Shared});
      return;
    }
    add(B, std::move(*Best));
  }

  void add(const Backward& B, Candidate&& C) {
    auto Known = std::find_if(Out.Found.begin(), Out.Found.end(), [&](const Region& R) {
      return R.Training == C.Around && R.Function == C.Function;
    });
    if (Known == Out.Found.end()) {
      Region R;
      R.Training = C.Around;
      R.Function = C.Function;
      R.At = C.Around ? C.Around->Whole : B.Whole;
      R.Code = std::move(C.Code);
      Known = Out.Found.insert(Out.Found.end(), std::move(R));
    }
    Known->Backwards.push_back(&B);
  }

  /// From the inside out.
  std::vector<Candidate> candidatesFor(const Backward& B, bool& Shared) const {
    std::vector<Candidate> Result;
    FunctionKey Function = B.Function;
    Span At = B.Whole;
    for (std::set<FunctionKey> Seen; Seen.insert(Function).second;) {
      addLoops(Function, At, Result);
      auto Owner = F.Functions.find(Function);
      if (Owner != F.Functions.end())
        Result.push_back(candidate(nullptr, Function, Owner->second.Body));
      std::vector<const Call*> Calls = Paths.callsOf(Function);
      // Called from one loop, it belongs to that loop; from several, it stands for itself.
      Shared |= Calls.size() > 1;
      if (Calls.size() != 1)
        break;
      Function = Calls.front()->Caller;
      At = Calls.front()->Where;
    }
    return Result;
  }

  void addLoops(const FunctionKey& Function, const Span& At, std::vector<Candidate>& Into) const {
    std::vector<const Loop*> Around;
    for (const Loop& L : F.Loops)
      if (L.Function == Function && L.Whole.contains(At))
        Around.push_back(&L);
    std::sort(Around.begin(), Around.end(), [](const Loop* A, const Loop* B) {
      return A->Whole.End - A->Whole.Begin < B->Whole.End - B->Whole.Begin;
    });
    for (const Loop* L : Around)
      Into.push_back(candidate(L, Function, L->Whole));
  }

  Candidate candidate(const Loop* Around, const FunctionKey& Function, const Span& Code) const {
    Candidate C{Around, Function, Paths.reachedFrom(Code), false};
    C.Steps = std::any_of(F.Steps.begin(), F.Steps.end(), [&](const Step& S) {
      return std::any_of(C.Code.begin(), C.Code.end(),
                         [&](const Span& Part) { return Part.contains(S.Where); });
    });
    return C;
  }

  /// A loop within a step of another one (several steps of a critic for one of the generator) is
  /// part of that, unless it reads batches of its own from a loader.
  void absorb() {
    for (size_t I = 0; I < Out.Found.size();) {
      auto Outer = std::find_if(Out.Found.begin(), Out.Found.end(),
                                [&](const Region& R) { return isWithin(Out.Found[I], R); });
      if (Outer == Out.Found.end()) {
        ++I;
        continue;
      }
      auto& Into = Outer->Backwards;
      Into.insert(Into.end(), Out.Found[I].Backwards.begin(), Out.Found[I].Backwards.end());
      Out.Found.erase(Out.Found.begin() + I);
    }
  }

  static bool isWithin(const Region& Inner, const Region& Outer) {
    if (&Inner == &Outer || (Inner.Training && Inner.Training->OverLoader))
      return false;
    const Span& Whole = Inner.Training ? Inner.Training->Whole : Inner.Code.front();
    return Outer.contains(Whole) && !Inner.contains(Outer.Code.front());
  }

  std::set<FunctionKey> functionsOn(const Region& R) const {
    std::set<FunctionKey> Result{R.Function};
    std::vector<FunctionKey> Work;
    for (const Backward* B : R.Backwards)
      Work.push_back(B->Function);
    for (const Step& S : F.Steps)
      if (R.contains(S.Where))
        Work.push_back(S.Function);
    while (!Work.empty()) {
      FunctionKey Next = Work.back();
      Work.pop_back();
      if (!Result.insert(Next).second)
        continue;
      for (const Call* C : Paths.callsOf(Next))
        if (R.contains(C->Where))
          Work.push_back(C->Caller);
    }
    return Result;
  }

  const Facts& F;
  const Trace& Paths;
  Regions Out;
};

} // namespace

bool Region::contains(const Span& Where) const {
  return std::any_of(Code.begin(), Code.end(),
                     [&](const Span& Part) { return Part.contains(Where); });
}

const std::vector<Accumulator>& Region::accumulators() const {
  static const std::vector<Accumulator> None;
  return Training ? Training->Accumulators : None;
}

Regions findRegions(const Facts& F, const Trace& Paths) {
  return Finder(F, Paths).find();
}

} // namespace accel_rewrite
