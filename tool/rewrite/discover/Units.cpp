#include "discover/Units.h"
#include "discover/Discover.h"
#include "parse/Parse.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace accel_rewrite {

std::vector<Unit> readUnits(const std::vector<clang::tooling::CompileCommand>& Commands,
                            const Project& P, unsigned Workers) {
  std::vector<Unit> Units(Commands.size());
  std::atomic<size_t> Next = 0;
  auto Work = [&] {
    for (size_t I = Next++; I < Units.size(); I = Next++) {
      ParseResult Result = parse(
          Commands[I], P, [&](const ParsedUnit& Unit) { Units[I].Found = discover(Unit, P); });
      Units[I].Parsed = Result.Ok;
      Units[I].Errors = std::move(Result.Errors);
    }
  };
  // A unit with libtorch's headers takes about a gigabyte.
  const unsigned MostByDefault = 8;
  if (Workers == 0)
    Workers = std::clamp(std::thread::hardware_concurrency(), 1U, MostByDefault);
  std::vector<std::thread> Threads;
  for (size_t I = 1; I < std::min<size_t>(Workers, Units.size()); ++I)
    Threads.emplace_back(Work);
  Work();
  for (std::thread& T : Threads)
    T.join();
  return Units;
}

} // namespace accel_rewrite
