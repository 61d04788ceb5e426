#include "cmake/Commands.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

class Reader {
public:
  explicit Reader(const std::string& Text) : Text(Text) {}

  std::optional<std::vector<CMakeCommand>> read() {
    std::vector<CMakeCommand> Commands;
    Skipped = Text.consume_front("\xEF\xBB\xBF") ? 3 : 0;
    for (skipSpace(); At < Text.size(); skipSpace()) {
      CMakeCommand Command;
      if (!readCommand(Command))
        return std::nullopt;
      Commands.push_back(std::move(Command));
    }
    return Commands;
  }

private:
  char peek() const { return At < Text.size() ? Text[At] : '\0'; }
  unsigned offset() const { return static_cast<unsigned>(At + Skipped); }

  /// The length of `[`, any `=`, `[` at \p Begin; 0 where there is none.
  size_t bracket(size_t Begin) const {
    if (Begin >= Text.size() || Text[Begin] != '[')
      return 0;
    size_t Second = Text.find_first_not_of('=', Begin + 1);
    return Second != llvm::StringRef::npos && Text[Second] == '[' ? Second - Begin + 1 : 0;
  }

  /// The end of a bracket argument or comment whose opening bracket has \p Length.
  size_t bracketEnd(size_t Begin, size_t Length) const {
    std::string Close = "]" + std::string(Length - 2, '=') + "]";
    size_t End = Text.find(Close, Begin + Length);
    return End == llvm::StringRef::npos ? Text.size() : End + Close.size();
  }

  void skipSpace() {
    for (;;) {
      At = std::min(Text.find_first_not_of(" \t\r\n", At), Text.size());
      if (peek() != '#')
        return;
      if (size_t Length = bracket(At + 1))
        At = bracketEnd(At + 1, Length);
      else
        At = std::min(Text.find('\n', At), Text.size());
    }
  }

  bool readCommand(CMakeCommand& Out) {
    size_t Begin = At;
    while (llvm::isAlnum(peek()) || peek() == '_')
      ++At;
    Out.Name = Text.slice(Begin, At).lower();
    Out.Begin = static_cast<unsigned>(Begin + Skipped);
    Out.Line = static_cast<unsigned>(Text.take_front(Begin).count('\n')) + 1;
    At = std::min(Text.find_first_not_of(" \t", At), Text.size());
    if (Out.Name.empty() || peek() != '(')
      return false;
    ++At;
    for (unsigned Depth = 1; Depth > 0;) {
      skipSpace();
      if (At >= Text.size())
        return false;
      if (peek() == '(' || peek() == ')')
        Depth += Text[At++] == '(' ? 1 : -1;
      else
        Out.Arguments.push_back(readArgument());
    }
    Out.End = offset();
    return true;
  }

  CMakeArgument readArgument() {
    CMakeArgument Out;
    size_t Begin = At;
    Out.Begin = offset();
    if (size_t Length = bracket(At)) {
      At = bracketEnd(At, Length);
      Out.Text = Text.slice(Begin + Length, At - Length).str();
      Out.Quoted = Out.Literal = true;
    } else if (peek() == '"') {
      skipQuoted();
      Out.Text = Text.slice(Begin + 1, At - 1).str();
      Out.Quoted = true;
    } else {
      while (At < Text.size() && !llvm::StringRef(" \t\r\n()#").contains(peek()))
        peek() == '"' ? skipQuoted() : skipOne();
      Out.Text = Text.slice(Begin, At).str();
    }
    Out.End = offset();
    return Out;
  }

  void skipOne() { At = std::min(At + (peek() == '\\' ? 2 : 1), Text.size()); }

  void skipQuoted() {
    for (++At; At < Text.size() && peek() != '"';)
      skipOne();
    At = std::min(At + 1, Text.size());
  }

  llvm::StringRef Text;
  size_t At = 0;
  /// A byte order mark.
  size_t Skipped = 0;
};

} // namespace

std::optional<std::vector<CMakeCommand>> parseCMake(const std::string& Text) {
  return Reader(Text).read();
}

} // namespace accel_rewrite
