//===- Functions.h - The project's functions, and the calls between them --===//
#ifndef ACCEL_REWRITE_FACTS_FUNCTIONS_H
#define ACCEL_REWRITE_FACTS_FUNCTIONS_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

struct Parameter {
  DeclKey Key;
  std::string Name;
  bool IsDevice = false;
  /// Its type depends on a template parameter, so that the argument's own type gets through.
  bool TypeDeduced = false;
  /// Type and name, once a declaration of the function.
  std::vector<Span> Declarations;
};

/// A function that is defined in the project.
struct Function {
  FunctionKey Key;
  std::string Name;
  Span NameSpan;
  /// The body, from behind its `{` to before its `}`.
  Span Body;
  /// The statements directly in the body.
  std::vector<Span> Statements;
  std::vector<Parameter> Parameters;
  /// Where another program of the project defines a function of the same name and types.
  Span OtherDefinition;
  /// What is called `accelerator` or `accel` and can be seen from the function.
  Span NameTaken;
};

/// A call from one project function to another.
struct Call {
  FunctionKey Caller;
  FunctionKey Callee;
  Span Where;
  struct Argument {
    Span Where;
    DeclKey Root;
    /// The argument is the variable itself, nothing around it.
    bool IsPlainVariable = false;
  };
  std::vector<Argument> Arguments;
};

} // namespace accel_rewrite

#endif
