#include "project/Command.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

namespace accel_rewrite {

std::optional<std::string> outputOf(const std::string& Program,
                                    const std::vector<std::string>& Arguments) {
  auto Path = llvm::sys::findProgramByName(Program);
  llvm::SmallString<128> Output;
  if (!Path || llvm::sys::fs::createTemporaryFile("accel-rewrite", "txt", Output))
    return std::nullopt;
  std::vector<llvm::StringRef> Words = {*Path};
  Words.insert(Words.end(), Arguments.begin(), Arguments.end());
  std::optional<llvm::StringRef> Redirects[] = {llvm::StringRef(), Output.str(), llvm::StringRef()};
  int Code = llvm::sys::ExecuteAndWait(*Path, Words, std::nullopt, Redirects);
  auto Text = llvm::MemoryBuffer::getFile(Output);
  static_cast<void>(llvm::sys::fs::remove(Output));
  if (Code != 0 || !Text)
    return std::nullopt;
  return (*Text)->getBuffer().str();
}

} // namespace accel_rewrite
