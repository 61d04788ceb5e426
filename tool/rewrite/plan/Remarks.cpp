#include "plan/Remarks.h"
#include "plan/Reads.h"

#include <algorithm>

namespace accel_rewrite {

namespace {

class Remarks {
public:
  Remarks(const Facts& F, const Trace& Paths, const Change& C, std::vector<Diagnostic>& Out)
      : F(F), Paths(Paths), C(C), Out(Out) {}

  void add() {
    losses();
    reads();
    accumulators();
    earlyExit();
    evaluation();
    outputs();
    batchNorm();
    unnamedModels();
    randomSeed();
    unevenDraws();
    for (const Hazard& H : F.Hazards)
      if (isCaveat(H) && C.Training.contains(H.Where))
        remark(H.Code.c_str(), H.Where, H.Message, H.Remedy);
    macros();
  }

private:
  void remark(const char* Code, const Span& Where, std::string Message, std::string Remedy) {
    // Two regions may share code.
    if (std::none_of(Out.begin(), Out.end(), [&](const Diagnostic& Known) {
          return Known.Code == Code && Known.Where == Where;
        }))
      Out.push_back({Code, Where, std::move(Message), std::move(Remedy)});
  }

  void losses() {
    for (const Backward* B : C.Backwards)
      if (B->Form == LossForm::Unknown || B->Form == LossForm::Weighted)
        remark("AR102", B->FormAt,
               B->Form == LossForm::Weighted
                   ? "the loss is a weighted mean: averaged over processes it differs from that of "
                     "the whole batch"
                   : "whether the loss is a mean over the rows can't be told: it is taken for one",
               B->Form == LossForm::Weighted
                   ? "write accelerator.backward(sum, divisor) with the sum and what it is divided "
                     "by"
                   : "where it is a sum, write accelerator.backward(loss, accel::Sum)");
  }

  void reads() {
    for (const BatchRead& R : F.BatchReads) {
      bool Concerns = C.Training.contains(R.Object) || backwardOf(C, R);
      // What is added up has a remark at its variable.
      if (!Concerns || R.Use == BatchRead::Use::Accumulate || readForm(F, C, R) != ReadForm::Local)
        continue;
      if (R.What == BatchRead::Of::Rows)
        remark("AR109", R.Object, "this prints a size of the process's own share of the batch", "");
      else
        remark("AR103", R.Object, "this value stays that of the process's own rows",
               R.Guard.valid()
                   ? "a condition around it may differ between processes: make it a counter's"
                   : "write accelerator.mean(…) around a mean over the rows, where all processes "
                     "reach it");
    }
  }

  void accumulators() {
    for (const Accumulator& A : C.Training.accumulators()) {
      if (A.AddsRows && (!A.Uniform || hasLocalRead(A)) && !isSumOfRows(A) && !isMeanOfLosses(A))
        remark("AR104", A.FirstWrite, "'" + A.Name + "' adds up the process's own rows only",
               "after the loop write " + A.Name + " = accelerator.reduce(" + A.Name +
                   ", accel::Sum)");
      else if (isMeanOfLosses(A) && A.ReadAfter && !A.DividedByCount && C.Shards.empty())
        remark("AR110", A.FirstWrite,
               "'" + A.Name +
                   "' has a term for each step, and without split_batches N processes take 1/N of "
                   "the steps",
               "where a mean is meant, divide it by a variable that counts the steps");
    }
  }

  bool hasLocalRead(const Accumulator& A) const {
    return std::any_of(F.BatchReads.begin(), F.BatchReads.end(), [&](const BatchRead& R) {
      return R.Accumulator == A.Key && readForm(F, C, R) == ReadForm::Local;
    });
  }

  /// Made of accelerator.mean() or accelerator.share().
  bool isMeanOfLosses(const Accumulator& A) const {
    return A.OnlyLoss &&
           std::any_of(F.BatchReads.begin(), F.BatchReads.end(), [&](const BatchRead& R) {
             return R.Accumulator == A.Key && readForm(F, C, R) != ReadForm::Local;
           });
  }

  void earlyExit() {
    if (const Loop* L = C.Training.Training; L && L->EarlyExit.valid())
      remark("AR106", L->EarlyExit,
             "processes may not all leave the loop (or go on) here: then the others wait until the "
             "timeout",
             "decide by a value that is the same on all processes, such as accelerator.mean(loss)");
  }

  void evaluation() {
    for (const LoaderVariable& V : F.Loaders) {
      if (!C.Functions.count(V.Function))
        continue;
      bool Prepared = std::count(C.TrainingLoaders.begin(), C.TrainingLoaders.end(), &V) ||
                      std::count(C.EvaluationLoaders.begin(), C.EvaluationLoaders.end(), &V);
      for (const Loop& Reader : F.Loops)
        if (!Prepared && !Reader.EvaluationObstacle.empty() && !hasBackward(Reader) &&
            Paths.origins(Reader.Loader).Variables.count(V.Key))
          remark("AR101", Reader.EvaluationObstacleAt,
                 "every process evaluates all batches of '" + V.Name +
                     "': " + Reader.EvaluationObstacle,
                 "");
    }
  }

  bool hasBackward(const Loop& L) const {
    return std::any_of(F.Backwards.begin(), F.Backwards.end(),
                       [&](const Backward& B) { return L.Whole.contains(B.Whole); });
  }

  void batchNorm() {
    for (const auto& [Path, File] : F.Files)
      if (File.BatchNorm.valid())
        remark("AR108", File.BatchNorm,
               "each process normalises by the statistics of its own rows; the running ones follow "
               "the main process",
               "");
  }

  void unnamedModels() {
    for (const OptimizerVariable* O : C.UnnamedModels)
      remark("AR130", O->Declarator,
             "the model of these parameters can't be named here: they take the main process's "
             "values, but nothing moves it to the device, and its buffers stay as they are",
             "call accelerator.prepare(model) where the model is made; make single tensors on "
             "accelerator.device()");
  }

  /// Rows of batches that are made by hand are divided by their numbers.
  void randomSeed() {
    if (C.Shards.empty())
      return;
    for (const auto& [Path, File] : F.Files)
      if (File.RandomSeed.valid())
        remark("AR150", File.RandomSeed,
               "random numbers from here differ between processes, and so may the batches that "
               "they divide",
               "seed by accelerator.broadcast(seed), or by a number");
  }

  /// With shares of different sizes, dropout draws differently often, and what is drawn next
  /// differs.
  void unevenDraws() {
    auto Has = [&](Span SourceFile::* What) {
      return std::find_if(F.Files.begin(), F.Files.end(),
                          [&](const auto& File) { return (File.second.*What).valid(); });
    };
    auto Pick = Has(&SourceFile::RandomPick);
    if (!C.Shards.empty() && Pick != F.Files.end() && Has(&SourceFile::Dropout) != F.Files.end())
      remark(
          "AR151", Pick->second.RandomPick,
          "after a batch that doesn't divide evenly, dropout has drawn differently often on each "
          "process, and these numbers differ",
          "use batch sizes that are a multiple of the number of processes");
  }

  /// The functions that \p From calls, at whatever remove.
  std::set<FunctionKey> calledBy(const std::set<FunctionKey>& From) const {
    std::set<FunctionKey> Called;
    for (bool Grown = true; Grown;) {
      Grown = false;
      for (const Call& One : F.Calls)
        if (From.count(One.Caller) || Called.count(One.Caller))
          Grown |= Called.insert(One.Callee).second;
    }
    return Called;
  }

  void outputs() {
    std::set<FunctionKey> InTraining;
    for (const auto& [Key, Source] : C.Functions)
      if (C.Involved.count(Key))
        InTraining.insert(Key);
    std::set<FunctionKey> Called = calledBy(InTraining), Run = calledBy(C.Around);
    Called.insert(C.Around.begin(), C.Around.end());
    for (const Output& O : F.Outputs) {
      auto It = C.Functions.find(O.Function);
      if (It == C.Functions.end()) {
        bool Prints = O.What != Output::Kind::Save && O.What != Output::Kind::SaveToStream &&
                      O.What != Output::Kind::File && O.What != Output::Kind::Write;
        // What all processes print beside the training is many lines, and no harm.
        if (Called.count(O.Function) || (!Prints && Run.count(O.Function)))
          outputWithoutAccelerator(O);
        continue;
      }
      if (O.What == Output::Kind::Error) {
        if (C.Training.contains(O.Token))
          remark("AR160", O.Token, "every process writes this to the error stream",
                 "print progress with accelerator.cout(); errors are right as they are");
      } else if (O.What == Output::Kind::File ||
                 (O.What == Output::Kind::Write && !O.Statement.valid())) {
        writtenFile(O);
      } else if (O.What == Output::Kind::SaveToStream)
        remark("AR107", O.Token, "every process writes to this stream",
               "save to a path: accelerator.save(value, path)");
      else if (O.Token.Begin < It->second.VisibleFrom && !inSetup(O.Token))
        remark("AR105", O.Token, "every process prints this: it comes before the accelerator",
               "choose the device earlier in the function");
    }
  }

  void writtenFile(const Output& O) {
    remark("AR161", O.Token, "every process writes this file",
           "open and write it where accelerator.is_main_process()");
  }

  void outputWithoutAccelerator(const Output& O) {
    using Kind = Output::Kind;
    if (O.What == Kind::Error)
      return;
    if (O.What == Kind::File || O.What == Kind::Write)
      return writtenFile(O);
    bool Saves = O.What == Kind::Save || O.What == Kind::SaveToStream;
    remark(Saves ? "AR107" : "AR105", O.Token,
           "every process does this: the function has no accelerator",
           "declare `accel::Accelerator accelerator;` in it and use accelerator.cout(), "
           "printf or save");
  }

  void macros() {
    for (const MacroSite& M : F.MacroSites)
      if (M.What == MacroSite::Kind::Output && C.Functions.count(M.Function))
        remark("AR120", M.Where, "every process does this: it is written in a macro's body",
               "write it out, or use accelerator.cout(), printf or save in the macro");
  }

  bool inSetup(const Span& Where) const {
    for (const DeviceVariable* D : C.Devices)
      for (const Span& S : D->Setup)
        if (S.contains(Where))
          return true;
    return false;
  }

  const Facts& F;
  const Trace& Paths;
  const Change& C;
  std::vector<Diagnostic>& Out;
};

} // namespace

void addRemarks(const Facts& F, const Trace& Paths, const Change& C, std::vector<Diagnostic>& Out) {
  Remarks(F, Paths, C, Out).add();
  addDeviceRemarks(F, Paths, C, Out);
}

} // namespace accel_rewrite
