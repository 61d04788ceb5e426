//===- OptimizerTrace.h - From a step back to where its optimizer is made -===//
#ifndef ACCEL_REWRITE_PLAN_OPTIMIZERTRACE_H
#define ACCEL_REWRITE_PLAN_OPTIMIZERTRACE_H

#include "facts/Facts.h"

#include <set>

namespace accel_rewrite {

/// Follows optimizers through variables, members, containers, parameters and results.
class OptimizerTrace {
public:
  explicit OptimizerTrace(const Facts& F);

  struct Found {
    /// All places where an optimizer is made that may step there, and those whose optimizers share
    /// a holder with them; in source order.
    std::vector<const OptimizerVariable*> Made;
    /// The declarations that hold them by value.
    std::vector<const OptimizerHolder*> Holders;
    /// Some way back is lost; where.
    bool Lost = false;
    Span LostAt;
  };
  /// What is behind the receiver \p Step of a step.
  Found behind(const OptimizerNode& Step) const;

private:
  void back(const OptimizerNode& Node, const Span& From, std::set<OptimizerNode>& Seen,
            Found& Out) const;
  void forth(const OptimizerNode& Node, std::set<OptimizerNode>& Seen, Found& Out) const;

  std::map<OptimizerNode, std::vector<const OptimizerFlow*>> Into, From;
  std::map<OptimizerNode, const OptimizerVariable*> Made;
  std::map<OptimizerNode, const OptimizerHolder*> Holders;
};

} // namespace accel_rewrite

#endif
