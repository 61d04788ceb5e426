//===- Facts.h - What discovery says of a program, as plain values --------===//
//
// Discovery fills these; nothing after it sees the AST. A declaration is
// identified by the place where its name is written, so that every
// instantiation of a template, and every translation unit that includes a
// header, speaks of the same one.
//
//===----------------------------------------------------------------------===//
#ifndef ACCEL_REWRITE_FACTS_FACTS_H
#define ACCEL_REWRITE_FACTS_FACTS_H

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace accel_rewrite {

/// A half-open range of bytes in a file, with the line and column (from 1) where it begins.
struct Span {
  std::string File;
  unsigned Begin = 0;
  unsigned End = 0;
  unsigned Line = 0;
  unsigned Column = 0;

  bool valid() const { return !File.empty(); }
  bool contains(const Span& Other) const {
    return File == Other.File && Begin <= Other.Begin && Other.End <= End;
  }
  bool operator==(const Span& Other) const {
    return std::tie(File, Begin, End) == std::tie(Other.File, Other.Begin, Other.End);
  }
};

/// "file:offset" of a variable's, parameter's or field's name; empty where an expression has no
/// such root.
using DeclKey = std::string;
/// Clang's USR of the function, or of the template that it comes from.
using FunctionKey = std::string;

/// A file of the project as it was parsed.
struct SourceFile {
  std::string Path;
  std::string Text;
  /// Where `#include <accel/accel.h>` goes.
  unsigned IncludeOffset = 0;
  bool IncludesAccel = false;
  /// From `// accel-rewrite: off` to `// accel-rewrite: on`, or to the end.
  std::vector<Span> OffRegions;
  /// Lines of code that end in `// accel-rewrite: off`: a loop that begins there is left alone.
  std::vector<unsigned> OffLines;
  /// The first mention of a BatchNorm layer.
  Span BatchNorm;
  /// Where the file writes the name `accelerator` or `accel` for something of its own.
  Span NameTaken;
};

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

/// A local variable that holds a `torch::Device` or a `torch::DeviceType`.
struct DeviceVariable {
  DeclKey Key;
  std::string Name;
  FunctionKey Function;
  /// The statements that exist only to choose it (its own and those of helper variables and
  /// messages), in source order.
  std::vector<Span> Setup;
  /// Where not all of them could be told: what stands in the way.
  std::string Obstacle;
  Span ObstacleAt;
};

/// A mention of a device variable or device parameter outside of its setup.
struct DeviceUse {
  DeclKey Device;
  FunctionKey Function;
  Span Where;
  /// In a lambda, which would have to capture something else.
  bool InLambda = false;
};

/// `object.to(device)`.
struct Placement {
  FunctionKey Function;
  /// `object.to(device)`, `object`, and `.to(device)`.
  Span Whole;
  Span Object;
  Span Suffix;
  Span Argument;
  /// The variable at the root of `object`, and of the argument where that is a plain variable.
  DeclKey Root;
  DeclKey Device;
  bool OnModule = false;
  bool ObjectIsPointer = false;
  /// The device is the only argument.
  bool OnlyArgument = false;
  /// The statement, where the call is one by itself (the result is unused).
  Span Statement;
};

/// A variable that holds an optimizer of libtorch.
struct OptimizerVariable {
  DeclKey Key;
  std::string Name;
  FunctionKey Function;
  enum class Form {
    Direct,     ///< `T name(args);` or `T name{args};`
    Copy,       ///< `auto name = T(args);`
    Pointer,    ///< `auto name = std::make_unique<T>(args);`
    Unsupported ///< anything else
  } Made = Form::Unsupported;
  Span Statement;
  /// The type as written; for Direct the text from the type to before the `(`.
  Span Type;
  Span Declarator;
  /// For Direct from `(` to `)`, else the initialising expression.
  Span Initializer;
  struct Source {
    DeclKey Root;
    std::string Text;
  };
  /// The objects whose `parameters()` it takes: variable and source text.
  std::vector<Source> Models;
};

/// A variable that holds what `torch::data::make_data_loader` returned.
struct LoaderVariable {
  DeclKey Key;
  std::string Name;
  FunctionKey Function;
  Span NameSpan;
  /// `torch::data::make_data_loader`, without template arguments.
  Span Callee;
  /// The variable's type is deduced (`auto`), so that a derived loader keeps its own.
  bool TypeDeduced = false;
  bool Stateful = false;
  std::string Sampler;
};

/// A mention of a loader, a loader parameter or an optimizer that is no loop's range, no plain
/// argument and no call that is understood.
struct OpaqueUse {
  DeclKey Variable;
  Span Where;
};

/// How a loss stands to the rows of its batch.
enum class LossForm { Mean, Sum, Weighted, Unknown };

struct Backward {
  FunctionKey Function;
  /// `loss.backward()` and `loss`.
  Span Whole;
  Span Object;
  DeclKey Loss;
  bool HasArguments = false;
  LossForm Form = LossForm::Unknown;
  /// What decided the form, or hid it.
  Span FormAt;
  /// In a macro's body, or where another thread may run it: the diagnostic's code.
  std::string Obstacle;
};

struct Step {
  FunctionKey Function;
  Span Where;
  DeclKey Optimizer;
  bool HasClosure = false;
};

/// A number that is read off a tensor: `loss.item<T>()`, `batch.data.size(0)`.
struct BatchRead {
  FunctionKey Function;
  enum class Of {
    Loss,  ///< a tensor that a backward is called on
    Value, ///< another tensor's item
    Rows   ///< a size, in something that is printed
  } What = Of::Value;
  /// The tensor.
  Span Object;
  /// For Loss: the variable.
  DeclKey Loss;
  enum class Use {
    Value,      ///< printed, stored, compared
    Accumulate, ///< added to a variable
    Check       ///< inside an assertion that throws or aborts
  } Use = Use::Value;
  DeclKey Accumulator;
  /// Where a condition around it may differ between processes: the condition.
  Span Guard;
};

/// A variable that a loop adds to.
struct Accumulator {
  DeclKey Key;
  std::string Name;
  /// It's arithmetic, local to the loop's function, starts at zero, and is read after the loop
  /// only.
  bool IsSum = false;
  /// In a training loop: only values that are the same on all processes are added to it.
  bool Uniform = false;
  /// All that is added are means over a batch's rows: `loss.item()`.
  bool OnlyLoss = false;
  /// All that is added are sums over a batch's rows (`pred.eq(target).sum().item()`, `loss.item() *
  /// data.size(0)`): these expressions.
  std::vector<Span> RowSums;
  Span FirstWrite;
  bool ReadAfter = false;
  /// After the loop it is divided by a variable that the loop counts up, wherever it is read.
  bool DividedByCount = false;
};

/// A loop over a data loader: `for (auto& batch : loader)`.
struct Loop {
  FunctionKey Function;
  Span Whole;
  std::string Indent;
  DeclKey Batch;
  /// The variable or parameter at the root of the range.
  DeclKey Loader;
  /// The range's type is deduced, at least as far as this function sees.
  bool LoaderTypeDeduced = false;
  std::vector<Accumulator> Accumulators;
  /// A break, return or goto that leaves the loop early.
  Span EarlyExit;
  /// For a loop without backward: why its sums can't be divided between processes (empty: they
  /// can).
  std::string EvaluationObstacle;
  Span EvaluationObstacleAt;
};

/// Something printed or saved.
struct Output {
  FunctionKey Function;
  enum class Kind { Cout, Printf, Save, SaveToStream } What = Kind::Cout;
  /// The tokens that name the callee or the stream.
  Span Token;
};

/// A training loop that discovery met but can't describe.
struct Undescribed {
  std::string Code;
  Span Where;
  std::string Message;
  std::string Remedy;
};

/// All that is known of the translation units read so far.
struct Facts {
  std::map<std::string, SourceFile> Files;
  std::map<FunctionKey, Function> Functions;
  std::vector<Call> Calls;
  std::vector<DeviceVariable> Devices;
  std::vector<DeviceUse> DeviceUses;
  std::vector<Placement> Placements;
  std::vector<OptimizerVariable> Optimizers;
  std::vector<LoaderVariable> Loaders;
  std::vector<OpaqueUse> OpaqueUses;
  std::vector<Loop> Loops;
  std::vector<Backward> Backwards;
  std::vector<Step> Steps;
  std::vector<BatchRead> BatchReads;
  std::vector<Output> Outputs;
  std::vector<Undescribed> Undescribeds;

  /// Whether `// accel-rewrite: off` speaks for \p Where: its region, or the line where it begins.
  bool isOff(const Span& Where) const;
  /// The text of a span.
  std::string text(const Span& Where) const;
  /// The place of an offset, with its line and column.
  Span at(const std::string& File, unsigned Offset) const;
  /// Takes another unit's facts; what both saw is kept once.
  void merge(Facts&& Other);
};

} // namespace accel_rewrite

#endif
