//===- Numbers.h - Numbers that are read, printed and saved ---------------===//
#ifndef ACCEL_REWRITE_FACTS_NUMBERS_H
#define ACCEL_REWRITE_FACTS_NUMBERS_H

#include "facts/Span.h"
#include "facts/Steps.h"

namespace accel_rewrite {

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
  /// How the tensor stands to the rows.
  LossForm Form = LossForm::Unknown;
  enum class Use {
    Value,      ///< printed, stored, compared
    Accumulate, ///< added to a variable
    Check       ///< inside an assertion that throws or aborts
  } Use = Use::Value;
  DeclKey Accumulator;
  /// Where a condition around it may differ between processes: the condition.
  Span Guard;
};

/// Something printed or saved.
struct Output {
  FunctionKey Function;
  enum class Kind {
    Cout,         ///< `std::cout`
    Printf,       ///< `printf`
    PrintfTo,     ///< `fprintf(stdout, ` up to the format
    Puts,         ///< `puts`
    Error,        ///< `std::cerr`, `std::clog`: stays
    Save,         ///< `torch::save` to a path
    SaveToStream, ///< `torch::save` to a stream
    Write,        ///< a call that writes a file, as a statement: Statement
    File          ///< a file that is opened for writing
  } What = Kind::Cout;
  /// The tokens that name the callee or the stream.
  Span Token;
  /// For Write: the statement, where it may stand behind a condition.
  Span Statement;
  /// White space before it.
  std::string Indent;
};

} // namespace accel_rewrite

#endif
