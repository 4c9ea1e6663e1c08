// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "directives/DeclaredRegions.h"

#include "common/Compat.h"
#include "common/UnitDescriptor.h"
#include "directives/DirectiveLowering.h"
#include "directives/RegionFlow.h"
#include "gpuprof/abi.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include <map>
#include <optional>
#include <set>
#include <string>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr const char Attachment[] = "gpuprof.declared_regions";
// Paths multiply along chains of calls. Further ones are in the report only if instructions of them are left.
constexpr size_t MostPaths = 4096;

using Path = std::vector<std::string>;
using Paths = SetVector<Path, std::vector<Path>, std::set<Path>>;

class Declared {
public:
  /// Paths below a call of F. A recursive function is examined once: deeper levels add no other regions.
  const Paths &below(Function &F) {
    static const Paths Nothing;
    if (F.isDeclaration() || !Entered.insert(&F).second)
      return Nothing;
    auto Known = Finished.find(&F);
    if (Known == Finished.end())
      Known = Finished.emplace(&F, collect(F)).first;
    Entered.erase(&F);
    return Known->second;
  }

private:
  // The names of the scopes, or nothing if their content is not the kernel's work.
  static std::optional<Path> names(ArrayRef<CallInst *> Open) {
    Path Names;
    for (CallInst *Enter : Open) {
      Names.push_back(descriptionOf(*Enter));
      if (Names.back() == DirectiveScope || descriptionField(Names.back(), "kind") == "ignore")
        return std::nullopt;
    }
    return Names;
  }

  Paths collect(Function &F) {
    Paths Found;
    auto Add = [&](Path P) {
      if (!P.empty() && Found.size() < MostPaths)
        Found.insert(std::move(P));
    };
    auto AddAll = [&](ArrayRef<CallInst *> Open) {
      if (std::optional<Path> Names = names(Open))
        for (size_t N = 1; N <= Names->size(); ++N)
          Add(Path(Names->begin(), Names->begin() + N));
    };
    auto AddCallee = [&](Instruction &I, ArrayRef<CallInst *> Open) {
      auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || Callee->isDeclaration())
        return;
      const Paths &Inner = below(*Callee);
      if (Inner.empty())
        return;
      if (const std::optional<Path> Names = names(Open))
        for (const Path &P : Inner) {
          Path Whole = *Names;
          Whole.insert(Whole.end(), P.begin(), P.end());
          Add(std::move(Whole));
        }
    };
    RegionFlow(F).forEach(F, AddCallee, AddAll);
    return Found;
  }

  SmallPtrSet<const Function *, 8> Entered;
  std::map<const Function *, Paths> Finished;
};

} // namespace

void declareRegions(Module &M) {
  const bool Relocatable = isRelocatable(M);
  LLVMContext &Context = M.getContext();
  Declared Regions;
  for (Function &F : M) {
    if (F.isDeclaration() || !(compat::isKernel(F) || (Relocatable && !F.hasLocalLinkage())))
      continue;
    SmallVector<Metadata *, 8> Nodes;
    for (const Path &P : Regions.below(F)) {
      SmallVector<Metadata *, 4> Names;
      for (const std::string &Name : P)
        Names.push_back(MDString::get(Context, Name));
      Nodes.push_back(MDNode::get(Context, Names));
    }
    if (!Nodes.empty())
      F.setMetadata(Attachment, MDNode::get(Context, Nodes));
  }
}

bool declaresRegions(const Function &F) { return F.getMetadata(Attachment); }

std::vector<RegionPath> declaredRegions(const Function &F) {
  std::vector<RegionPath> Found;
  if (const MDNode *Nodes = F.getMetadata(Attachment))
    for (const MDOperand &Node : Nodes->operands()) {
      RegionPath &P = Found.emplace_back();
      for (const MDOperand &Name : cast<MDNode>(Node.get())->operands())
        P.push_back(cast<MDString>(Name.get())->getString());
    }
  return Found;
}

void eraseDeclaredRegions(Module &M) {
  for (Function &F : M)
    F.setMetadata(Attachment, nullptr);
}

} // namespace gpuprof
