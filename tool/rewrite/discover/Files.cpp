#include "discover/Files.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace accel_rewrite {

namespace {

/// Reads a file token by token, comments included.
class FileReader {
public:
  FileReader(const SourceManager& SM, FileID File, const std::string& Path)
      : SM(SM), Text(SM.getBufferData(File)) {
    Fact.Path = Path;
    Fact.Text = Text.str();
  }

  SourceFile read(Lexer& Raw) {
    Token Tok;
    for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
      if (Tok.is(tok::hash) && Tok.isAtStartOfLine())
        readDirective(Tok);
      else if (Tok.is(tok::raw_identifier))
        readName(Tok);
      else if (Tok.is(tok::comment))
        readComment(Tok);
    }
    if (Off)
      Fact.OffRegions.push_back(spanTo(*Off, Text.size()));
    Fact.IncludeOffset = FirstTorchInclude.value_or(FirstInclude.value_or(0));
    if (Fact.IncludesAccel)
      Fact.NameTaken = {};
    if (BatchFirst)
      Fact.SequenceFirst = {};
    return std::move(Fact);
  }

private:
  Span spanOf(const Token& Tok) const {
    unsigned Begin = SM.getFileOffset(Tok.getLocation());
    return {Fact.Path, Begin, Begin + Tok.getLength(), SM.getSpellingLineNumber(Tok.getLocation()),
            SM.getSpellingColumnNumber(Tok.getLocation())};
  }

  static Span spanTo(Span From, size_t End) {
    From.End = static_cast<unsigned>(End);
    return From;
  }

  void readDirective(const Token& Hash) {
    unsigned Offset = SM.getFileOffset(Hash.getLocation());
    StringRef Line = Text.substr(Offset).take_until([](char C) { return C == '\n'; });
    if (!Line.drop_front().ltrim().starts_with("include"))
      return;
    Fact.IncludesAccel |= Line.contains("accel/accel.h");
    FirstInclude = FirstInclude.value_or(Offset);
    if (Line.contains("<torch/"))
      FirstTorchInclude = FirstTorchInclude.value_or(Offset);
  }

  void readName(const Token& Tok) {
    StringRef Name = Tok.getRawIdentifier();
    if ((Name == "accelerator" || Name == "accel") && !Fact.NameTaken.valid())
      Fact.NameTaken = spanOf(Tok);
    if (Name.starts_with("BatchNorm") && !Fact.BatchNorm.valid())
      Fact.BatchNorm = spanOf(Tok);
    bool Sequence = Name == "LSTM" || Name == "GRU" || Name == "RNN" || Name == "Transformer" ||
                    Name == "TransformerEncoder" || Name == "MultiheadAttention";
    if (Sequence && !Fact.SequenceFirst.valid())
      Fact.SequenceFirst = spanOf(Tok);
    BatchFirst |= Name == "batch_first";
    if (Name == "random_device" && !Fact.RandomSeed.valid())
      Fact.RandomSeed = spanOf(Tok);
  }

  void readComment(const Token& Tok) {
    StringRef Comment = Text.substr(SM.getFileOffset(Tok.getLocation()), Tok.getLength());
    StringRef Words = Comment.drop_front(2).trim();
    if (Words.ends_with("*/"))
      Words = Words.drop_back(2).trim();
    if (!Words.consume_front("accel-rewrite:"))
      return;
    Words = Words.trim();
    if (Words == "off" && !Tok.isAtStartOfLine())
      Fact.OffLines.push_back(SM.getSpellingLineNumber(Tok.getLocation()));
    else if (Words == "off" && !Off)
      Off = spanOf(Tok);
    else if (Words == "on" && Off) {
      Fact.OffRegions.push_back(spanTo(*Off, SM.getFileOffset(Tok.getLocation())));
      Off.reset();
    }
  }

  const SourceManager& SM;
  StringRef Text;
  SourceFile Fact;
  std::optional<unsigned> FirstInclude, FirstTorchInclude;
  std::optional<Span> Off;
  bool BatchFirst = false;
};

} // namespace

SourceFile describeFile(const SourceManager& SM, const LangOptions& Lang, FileID File,
                        const std::string& Path) {
  Lexer Raw(File, SM.getBufferOrFake(File), SM, Lang);
  Raw.SetCommentRetentionState(true);
  return FileReader(SM, File, Path).read(Raw);
}

} // namespace accel_rewrite
