//===- Trace.h - From a parameter back to the variables behind it ---------===//
#ifndef ACCEL_REWRITE_PLAN_TRACE_H
#define ACCEL_REWRITE_PLAN_TRACE_H

#include "facts/Facts.h"

#include <set>

namespace accel_rewrite {

/// Follows parameters through the calls of the project.
class Trace {
public:
  explicit Trace(const Facts& F);

  struct Origins {
    /// The variables that are no parameters.
    std::set<DeclKey> Variables;
    /// Some way back is lost: a parameter of a function that nobody calls, an argument without a
    /// variable at its root.
    bool Lost = false;
    /// Every parameter on the way deduces its type.
    bool Deduced = true;
    Span LostAt;
  };
  /// Where the values of \p Key come from; \p Key itself where it is no parameter.
  Origins origins(const DeclKey& Key) const;

  struct ParameterOf {
    const Function* Owner = nullptr;
    unsigned Index = 0;
  };
  /// The function and the position that \p Key is a parameter of; no owner where it is none.
  ParameterOf parameter(const DeclKey& Key) const;
  /// The calls of \p F in the project.
  std::vector<const Call*> callsOf(const FunctionKey& F) const;
  /// \p Code, and the bodies of the project's functions that are called from it, at whatever
  /// remove.
  std::vector<Span> reachedFrom(const Span& Code) const;

private:
  void follow(const DeclKey& Key, std::set<DeclKey>& Seen, Origins& Out) const;

  const Facts& F;
  std::map<DeclKey, ParameterOf> Parameters;
};

} // namespace accel_rewrite

#endif
