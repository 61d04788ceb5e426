#include "discover/Skipped.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

using namespace clang;

namespace accel_rewrite {

/// Whether the directive that begins at \p Text is `#if 0` or `#if false`.
static bool isCommentedOut(StringRef Text) {
  Text.consume_front("#");
  Text = Text.ltrim(" \t");
  if (!Text.consume_front("if"))
    return false;
  StringRef Condition = Text.take_until([](char C) { return C == '\n' || C == '/'; }).trim();
  return Condition == "0" || Condition == "false" || Condition == "(0)";
}

static void readNames(const SourceManager& SM, Lexer& Raw, const std::string& Path,
                      std::vector<SkippedName>& Out) {
  Token Tok;
  bool BehindAccess = false, Open = false;
  for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
    if (Open && Tok.is(tok::l_paren))
      Out.back().IsCalled = true;
    Open = Tok.is(tok::raw_identifier);
    if (Open) {
      unsigned Begin = SM.getFileOffset(Tok.getLocation());
      Span Where{Path, Begin, Begin + Tok.getLength(), SM.getSpellingLineNumber(Tok.getLocation()),
                 SM.getSpellingColumnNumber(Tok.getLocation())};
      Out.push_back({Tok.getRawIdentifier().str(), Where, BehindAccess, false});
    }
    BehindAccess = Tok.is(tok::period) || Tok.is(tok::arrow);
  }
}

std::vector<SkippedName> skippedNames(const SourceManager& SM, const LangOptions& Lang, FileID File,
                                      const std::string& Path,
                                      const std::vector<SourceRange>& Ranges) {
  std::vector<SkippedName> Out;
  StringRef Text = SM.getBufferData(File);
  SourceLocation Start = SM.getLocForStartOfFile(File);
  for (const SourceRange& Range : Ranges) {
    if (SM.getFileID(Range.getBegin()) != File)
      continue;
    unsigned Begin = SM.getFileOffset(Range.getBegin()), End = SM.getFileOffset(Range.getEnd());
    if (isCommentedOut(Text.substr(Begin)))
      continue;
    // The directive's own condition says nothing of the branch.
    Begin = std::min<size_t>(Text.find('\n', Begin), End);
    // The lexer wants a buffer that ends in zero.
    std::string Branch = Text.slice(Begin, End).str();
    Lexer Raw(Start.getLocWithOffset(static_cast<int>(Begin)), Lang, Branch.data(), Branch.data(),
              Branch.data() + Branch.size());
    readNames(SM, Raw, Path, Out);
  }
  return Out;
}

} // namespace accel_rewrite
