//===- Optimizers.h - Where optimizers are made, and what holds them ------===//
#ifndef ACCEL_REWRITE_FACTS_OPTIMIZERS_H
#define ACCEL_REWRITE_FACTS_OPTIMIZERS_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// Something that has an optimizer for its value: a variable, parameter or field (its DeclKey),
/// what a function returns, the place where one is made, the receiver of a step. Empty: it can't be
/// told.
using OptimizerNode = std::string;

/// The receiver of the step at \p Where.
inline OptimizerNode stepNode(const Span& Where) {
  return "step at " + Where.File + ":" + std::to_string(Where.Begin);
}

/// An expression that makes an optimizer.
struct OptimizerVariable {
  OptimizerNode Key;
  std::string Name;
  FunctionKey Function;
  /// For a field's initialiser: Clang's USR of the class.
  std::string Class;
  enum class Form {
    Direct,     ///< `T name(args);` or `T name{args};`
    Copy,       ///< `auto name = T(args);`
    Value,      ///< any other expression: `T(args)`, `std::make_unique<T>(args)`
    New,        ///< `new T(args)`
    Member,     ///< `name(args)` in a constructor's initialisers, `T name{args};` in a class
    Emplace,    ///< `optimizers.emplace_back(args)`
    Unsupported ///< anything else
  } Made = Form::Unsupported;
  /// The statement of a block that it is made in; none in a constructor's initialisers or a class.
  Span Statement;
  /// That block.
  Span Block;
  /// The type as written.
  Span Type;
  Span Declarator;
  /// For Direct and Member from `(` to `)`, for Emplace the arguments, else the expression.
  Span Initializer;
  /// For New: a raw pointer must come out.
  bool Released = false;
  /// In a lambda, a constructor's initialisers or a class, where no accelerator is declared.
  bool Inline = false;
  /// For Unsupported: why it can't be prepared.
  std::string Obstacle;
  struct Source {
    DeclKey Root;
    std::string Text;
  };
  /// The objects whose `parameters()` it takes: variable and source text.
  std::vector<Source> Models;
  /// It takes those of a model that can't be named where it is made.
  bool HasUnnamedModel = false;
};

/// A declaration that holds optimizers by value, so that its type is theirs.
struct OptimizerHolder {
  OptimizerNode Key;
  std::string Name;
  Span Where;
  /// The optimizer's class, wherever the type is written; none where it is deduced, or where the
  /// optimizer is made by the declaration itself.
  std::vector<Span> Types;
};

/// `Scheduler<decltype(optimizer)>`: a template of the program's own that is given an optimizer's
/// type, and may know only libtorch's.
struct OptimizerType {
  OptimizerNode Optimizer;
  /// The `decltype(optimizer)`.
  Span Where;
  /// The optimizer's class.
  std::string Class;
};

/// What one node has, another gets.
struct OptimizerFlow {
  OptimizerNode To;
  OptimizerNode From;
  Span Where;

  bool operator==(const OptimizerFlow& Other) const { return To == Other.To && From == Other.From; }
};

} // namespace accel_rewrite

#endif
