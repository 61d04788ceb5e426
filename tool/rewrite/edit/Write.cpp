#include "edit/Write.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace accel_rewrite {

namespace fs = llvm::sys::fs;

namespace {

const std::string NothingWritten = "; nothing was written";

/// Temporary files that are removed unless they were renamed.
class Staged {
public:
  ~Staged() {
    for (const auto& [Temporary, Path] : Files)
      static_cast<void>(fs::remove(Temporary));
  }

  std::string add(const NewContent& File, unsigned Mode) {
    llvm::SmallString<256> Temporary;
    int FD = -1;
    if (std::error_code EC = fs::createUniqueFile(File.Path + ".%%%%%%.tmp", FD, Temporary))
      return "can't write beside " + File.Path + ": " + EC.message();
    Files.emplace_back(std::string(Temporary), File.Path);
    llvm::raw_fd_ostream Stream(FD, /*shouldClose=*/true);
    Stream << File.Text;
    Stream.close();
    if (Stream.has_error()) {
      std::string Message = "can't write " + File.Path + ": " + Stream.error().message();
      Stream.clear_error();
      return Message;
    }
    if (std::error_code EC = fs::setPermissions(Temporary, static_cast<fs::perms>(Mode)))
      return "can't keep the mode of " + File.Path + ": " + EC.message();
    return "";
  }

  std::string commit() {
    std::string Done;
    while (!Files.empty()) {
      const std::string& Path = Files.back().second;
      if (std::error_code EC = fs::rename(Files.back().first, Path))
        return "can't replace " + Path + ": " + EC.message() +
               (Done.empty() ? NothingWritten : "; already written:" + Done);
      Done += " " + Path;
      Files.pop_back();
    }
    return "";
  }

private:
  std::vector<std::pair<std::string, std::string>> Files;
};

/// Checks one target; \p Mode becomes the mode that its new content shall have.
std::string check(const NewContent& File, unsigned& Mode) {
  Mode = 0644;
  fs::file_status Status;
  if (fs::status(File.Path, Status) || !fs::exists(Status)) {
    if (File.Expects)
      return File.Path + " is gone";
    llvm::StringRef Folder = llvm::sys::path::parent_path(File.Path);
    if (std::error_code EC = Folder.empty() ? std::error_code() : fs::create_directories(Folder))
      return "can't make the folder of " + File.Path + ": " + EC.message();
    return "";
  }
  Mode = Status.permissions();
  // The superuser could write it all the same; its owner said not to.
  if (!(Mode & (fs::owner_write | fs::group_write | fs::others_write)) || !fs::can_write(File.Path))
    return File.Path + " is read-only";
  if (!File.Expects)
    return "";
  auto Buffer = llvm::MemoryBuffer::getFile(File.Path);
  if (!Buffer || (*Buffer)->getBuffer() != File.Expected)
    return File.Path + " has changed since it was read";
  return "";
}

} // namespace

std::string writeAll(const std::vector<NewContent>& Files) {
  Staged Temporaries;
  std::vector<unsigned> Modes(Files.size());
  for (size_t I = 0; I < Files.size(); ++I)
    if (std::string Error = check(Files[I], Modes[I]); !Error.empty())
      return Error + NothingWritten;
  for (size_t I = 0; I < Files.size(); ++I)
    if (std::string Error = Temporaries.add(Files[I], Modes[I]); !Error.empty())
      return Error + NothingWritten;
  return Temporaries.commit();
}

} // namespace accel_rewrite
