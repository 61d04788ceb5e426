#include "Options.h"
#include "Run.h"

#include "llvm/Support/raw_ostream.h"

int main(int Argc, char** Argv) {
  accel_rewrite::Options Options;
  int Code = 0;
  if (!accel_rewrite::parseOptions(Argc, Argv, Options, Code))
    return Code;
  return accel_rewrite::run(Options, llvm::outs(), llvm::errs());
}
