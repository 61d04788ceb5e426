#include "plan/Trace.h"

namespace accel_rewrite {

Trace::Trace(const Facts& F) : F(F) {
  for (const auto& [Key, Owner] : F.Functions)
    for (unsigned I = 0; I < Owner.Parameters.size(); ++I)
      Parameters[Owner.Parameters[I].Key] = {&Owner, I};
}

Trace::ParameterOf Trace::parameter(const DeclKey& Key) const {
  auto It = Parameters.find(Key);
  return It == Parameters.end() ? ParameterOf() : It->second;
}

std::vector<const Call*> Trace::callsOf(const FunctionKey& Callee) const {
  std::vector<const Call*> Result;
  for (const Call& C : F.Calls)
    if (C.Callee == Callee)
      Result.push_back(&C);
  return Result;
}

std::vector<Span> Trace::reachedFrom(const Span& Code) const {
  std::vector<Span> Result{Code};
  std::set<FunctionKey> Seen;
  for (size_t I = 0; I < Result.size(); ++I)
    for (const Call& C : F.Calls) {
      const Span Part = Result[I];
      auto Callee = F.Functions.find(C.Callee);
      if (Callee != F.Functions.end() && Part.contains(C.Where) && Seen.insert(C.Callee).second)
        Result.push_back(Callee->second.Body);
    }
  return Result;
}

Trace::Origins Trace::origins(const DeclKey& Key) const {
  Origins Out;
  std::set<DeclKey> Seen;
  follow(Key, Seen, Out);
  return Out;
}

void Trace::follow(const DeclKey& Key, std::set<DeclKey>& Seen, Origins& Out) const {
  if (Key.empty()) {
    Out.Lost = true;
    return;
  }
  if (!Seen.insert(Key).second)
    return;
  ParameterOf Param = parameter(Key);
  if (!Param.Owner) {
    bool IsAlias = false;
    for (const Alias& A : F.Aliases)
      if (A.Variable == Key) {
        IsAlias = true;
        follow(A.Of, Seen, Out);
      }
    if (!IsAlias)
      Out.Variables.insert(Key);
    return;
  }
  Out.Deduced &= Param.Owner->Parameters[Param.Index].TypeDeduced;
  std::vector<const Call*> Calls = callsOf(Param.Owner->Key);
  if (Calls.empty()) {
    Out.Lost = true;
    Out.LostAt = Param.Owner->NameSpan;
  }
  for (const Call* C : Calls) {
    if (Param.Index >= C->Arguments.size() || C->Arguments[Param.Index].Root.empty()) {
      Out.Lost = true;
      Out.LostAt = C->Where;
      continue;
    }
    follow(C->Arguments[Param.Index].Root, Seen, Out);
  }
}

} // namespace accel_rewrite
