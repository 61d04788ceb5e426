#include "discover/Types.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace accel_rewrite {

static std::string qualifiedName(const NamedDecl* D) {
  std::string Name;
  llvm::raw_string_ostream Stream(Name);
  PrintingPolicy Policy{LangOptions()};
  Policy.SuppressInlineNamespace = true;
  D->printNestedNameSpecifier(Stream, Policy);
  Stream << D->getNameAsString();
  return Name;
}

static bool derivesFrom(const CXXRecordDecl* Record, llvm::StringRef Base) {
  if (!Record)
    return false;
  if (Base.ends_with(Record->getName()) && qualifiedName(Record) == Base)
    return true;
  if (!Record->hasDefinition())
    return false;
  for (const CXXBaseSpecifier& Specifier : Record->bases())
    if (derivesFrom(Specifier.getType()->getAsCXXRecordDecl(), Base))
      return true;
  return false;
}

static const CXXRecordDecl* record(QualType T) {
  return T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
}

bool isTensor(QualType T) {
  return derivesFrom(record(T), "at::Tensor");
}
bool isDevice(QualType T) {
  return derivesFrom(record(T), "c10::Device");
}

bool isDeviceType(QualType T) {
  const auto* Enum = T.isNull() ? nullptr : T.getNonReferenceType()->getAs<EnumType>();
  // libtorch 2.10 moved the enumeration to its own namespace.
  return Enum && Enum->getDecl()->getName() == "DeviceType";
}

QualType pointee(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    return T->getPointeeType();
  const auto* Template = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record(T));
  if (Template && Template->isInStdNamespace() &&
      (Template->getName() == "unique_ptr" || Template->getName() == "shared_ptr"))
    return Template->getTemplateArgs()[0].getAsType();
  return {};
}

template <typename Predicate> static bool heldBy(QualType T, Predicate Is) {
  if (const CXXRecordDecl* Record = record(T); Record && Is(Record))
    return true;
  QualType Inner = T.isNull() ? QualType() : pointee(T);
  return !Inner.isNull() && Is(record(Inner));
}

bool isModule(QualType T) {
  return heldBy(T, [](const CXXRecordDecl* Record) {
    return derivesFrom(Record, "torch::nn::Module") ||
           derivesFrom(Record, "torch::nn::ModuleHolder");
  });
}

const CXXRecordDecl* moduleClass(QualType T) {
  if (!isModule(T))
    return nullptr;
  QualType Inner = pointee(T);
  const CXXRecordDecl* Class = record(Inner.isNull() ? T : Inner);
  if (derivesFrom(Class, "torch::nn::Module"))
    return Class;
  // A holder: `class Net : public ModuleHolder<NetImpl>`
  while (Class) {
    const auto* Holder = dyn_cast<ClassTemplateSpecializationDecl>(Class);
    if (Holder && Holder->getName() == "ModuleHolder")
      return record(Holder->getTemplateArgs()[0].getAsType());
    Class = Class->hasDefinition() && Class->getNumBases() ? record(Class->bases_begin()->getType())
                                                           : nullptr;
  }
  return nullptr;
}

bool isOptimizer(QualType T) {
  return heldBy(T, [](const CXXRecordDecl* Record) {
    return derivesFrom(Record, "torch::optim::Optimizer");
  });
}

bool isDataLoader(QualType T) {
  return heldBy(T, [](const CXXRecordDecl* Record) {
    return derivesFrom(Record, "torch::data::DataLoaderBase");
  });
}

llvm::StringRef samplerOf(QualType Loader) {
  QualType Pointed = pointee(Loader);
  const auto* Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      (Pointed.isNull() ? Loader.getNonReferenceType() : Pointed)->getAsCXXRecordDecl());
  if (!Class || Class->getTemplateArgs().size() < 2 ||
      Class->getTemplateArgs()[1].getKind() != TemplateArgument::Type)
    return "";
  const CXXRecordDecl* Sampler = Class->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl();
  return Sampler ? Sampler->getName() : "";
}

bool isNamed(const FunctionDecl* F, llvm::StringRef QualifiedName) {
  return F && F->getDeclName().isIdentifier() && QualifiedName.ends_with(F->getName()) &&
         qualifiedName(F) == QualifiedName;
}

bool isMethodOf(const FunctionDecl* F, llvm::StringRef Class, llvm::StringRef Name) {
  const auto* Method = dyn_cast_or_null<CXXMethodDecl>(F);
  return Method && Method->getDeclName().isIdentifier() && Method->getName() == Name &&
         derivesFrom(Method->getParent(), Class);
}

} // namespace accel_rewrite
