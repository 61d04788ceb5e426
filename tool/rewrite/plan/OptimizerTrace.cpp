#include "plan/OptimizerTrace.h"

#include <algorithm>

namespace accel_rewrite {

OptimizerTrace::OptimizerTrace(const Facts& F) {
  for (const OptimizerFlow& Flow : F.OptimizerFlows) {
    Into[Flow.To].push_back(&Flow);
    From[Flow.From].push_back(&Flow);
  }
  for (const OptimizerVariable& O : F.Optimizers)
    Made.emplace(O.Key, &O);
  for (const OptimizerHolder& H : F.OptimizerHolders)
    Holders.emplace(H.Key, &H);
}

void OptimizerTrace::back(const OptimizerNode& Node, const Span& Via, std::set<OptimizerNode>& Seen,
                          Found& Out) const {
  if (!Node.empty() && !Seen.insert(Node).second)
    return;
  if (auto It = Made.find(Node); It != Made.end()) {
    Out.Made.push_back(It->second);
    return;
  }
  auto It = Into.find(Node);
  if (Node.empty() || It == Into.end()) {
    Out.Lost = true;
    Out.LostAt = Via;
    return;
  }
  for (const OptimizerFlow* Flow : It->second)
    back(Flow->From, Flow->Where.valid() ? Flow->Where : Via, Seen, Out);
}

void OptimizerTrace::forth(const OptimizerNode& Node, std::set<OptimizerNode>& Seen,
                           Found& Out) const {
  if (!Seen.insert(Node).second)
    return;
  if (auto It = Holders.find(Node); It != Holders.end())
    Out.Holders.push_back(It->second);
  if (auto It = From.find(Node); It != From.end())
    for (const OptimizerFlow* Flow : It->second)
      forth(Flow->To, Seen, Out);
}

OptimizerTrace::Found OptimizerTrace::behind(const OptimizerNode& Step) const {
  Found Out;
  std::set<OptimizerNode> Backwards, Forwards;
  back(Step, {}, Backwards, Out);
  // What a holder's new type holds must be prepared, whoever steps it.
  for (size_t I = 0, J = 0; I < Out.Made.size() || J < Out.Holders.size();) {
    if (I < Out.Made.size())
      forth(Out.Made[I++]->Key, Forwards, Out);
    else
      back(Out.Holders[J]->Key, Out.Holders[J]->Where, Backwards, Out), ++J;
  }
  std::sort(Out.Made.begin(), Out.Made.end(),
            [](const OptimizerVariable* L, const OptimizerVariable* R) {
              return std::tie(L->Declarator.File, L->Declarator.Begin) <
                     std::tie(R->Declarator.File, R->Declarator.Begin);
            });
  return Out;
}

} // namespace accel_rewrite
