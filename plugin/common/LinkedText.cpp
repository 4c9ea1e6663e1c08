// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/LinkedText.h"

#include "common/AbiLayout.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace gpuprof {

static void dropLocalNames(Function &F) {
  for (Argument &A : F.args())
    A.setName("");
  for (BasicBlock &BB : F) {
    BB.setName("");
    for (Instruction &I : BB)
      I.setName("");
  }
}

std::vector<Function *> linkText(Module &M, const char *Text, ArrayRef<const char *> Names) {
  SMDiagnostic Problem;
  LLVMContext &Context = M.getContext();
  const bool Discards = Context.shouldDiscardValueNames(); // clang's does; then no text can be read
  Context.setDiscardValueNames(false);
  std::unique_ptr<Module> Source = parseAssemblyString(abi::withOffsets(Text), Problem, Context);
  if (Source)
    for (Function &F : *Source) // LLVM 16 frees names twice when discarding them
      dropLocalNames(F);
  Context.setDiscardValueNames(Discards);
  if (!Source)
    return {};
  for (const char *Name : Names) // the linker takes only visible functions of the text's module
    Source->getFunction(Name)->setLinkage(GlobalValue::ExternalLinkage);
  Source->setTargetTriple(M.getTargetTriple());
  Source->setDataLayout(M.getDataLayout());
  if (Linker::linkModules(M, std::move(Source)))
    return {};
  std::vector<Function *> Functions;
  for (const char *Name : Names) {
    Functions.push_back(M.getFunction(Name));
    Functions.back()->setLinkage(GlobalValue::InternalLinkage);
  }
  return Functions;
}

} // namespace gpuprof
