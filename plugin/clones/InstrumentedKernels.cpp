// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/InstrumentedKernels.h"

#include "analysis/CountPlan.h"
#include "analysis/Occupancy.h"
#include "common/Compat.h"
#include "common/UnitDescriptor.h"
#include "gpuprof/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprof {
namespace {

// Properties of the kernel's own launch, unneeded by a twin running alone: clusters, and the numbers of
// registers and resident blocks.
constexpr StringLiteral PlaceProperties[] = {"nvvm.cluster_dim", "nvvm.maxclusterrank", "nvvm.blocksareclusters",
                                             "nvvm.minctasm", "nvvm.maxnreg"};
constexpr StringLiteral PlaceKeys[] = {"maxclusterrank", "blocksareclusters", "minctasm", "maxnreg"};
bool isPlaceKey(StringRef Key) { return Key.starts_with("cluster_") || is_contained(PlaceKeys, Key); }

// Functions of the driver: they obey the bounds of any kernel.
bool isSystemCall(const Function &F) {
  static constexpr StringLiteral Names[] = {"vprintf", "malloc", "free", "__assertfail"};
  return F.isDeclaration() && is_contained(Names, F.getName());
}

// True if it may call a function with registers of its own: one of another unit, or seen by other units.
// NOLINTNEXTLINE(misc-no-recursion)
bool leavesUnit(const Function &F, SmallPtrSetImpl<const Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return false;
  return any_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm())
      return false;
    const Function *Callee = Call->getCalledFunction();
    if (Callee && (Callee->isIntrinsic() || isSystemCall(*Callee)))
      return false;
    return !Callee || !Callee->hasLocalLinkage() || leavesUnit(*Callee, Seen);
  });
}

bool callsOtherUnits(const Function &Kernel) {
  SmallPtrSet<const Function *, 8> Seen;
  return isRelocatable(*const_cast<Module *>(Kernel.getParent())) && leavesUnit(Kernel, Seen);
}

bool mayBeBounded(const Function &Kernel) { return !compat::launchBounds(Kernel).first && !callsOtherUnits(Kernel); }

// Copies of a kernel and of the unit's own functions that it calls: ptxas assembles a function once, for the
// registers of all its kernels.
class Twins {
public:
  // NOLINTNEXTLINE(misc-no-recursion)
  Function &twinOf(Function &F) {
    if (Function *Known = Of.lookup(&F))
      return *Known;
    ValueToValueMapTy Map;
    Function &Twin = *CloneFunction(&F, Map);
    Of[&F] = &Twin;
    Twin.setName(F.getName() + StringRef(GPUPROF_BOUNDED_SUFFIX).drop_front(sizeof GPUPROF_IN_KERNEL_SUFFIX - 1));
    Twin.setComdat(nullptr);
    for (Instruction &I : instructions(Twin))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction(); Callee && Callee->hasLocalLinkage() && !Callee->isDeclaration())
          Call->setCalledFunction(&twinOf(*Callee));
    return Twin;
  }

private:
  DenseMap<Function *, Function *> Of;
};

} // namespace

Function &copyWithParameter(Function &F, StringRef Suffix, ValueToValueMapTy &Map) {
  SmallVector<Argument *, 8> Kept;
  SmallVector<Type *, 8> Parameters;
  for (Argument &A : F.args())
    if (!Map.count(&A)) {
      Kept.push_back(&A);
      Parameters.push_back(A.getType());
    }
  Parameters.push_back(Type::getInt64Ty(F.getContext()));
  Function *Copy = Function::Create(FunctionType::get(F.getReturnType(), Parameters, false), F.getLinkage(), F.getAddressSpace(),
                                    F.getName() + Suffix, F.getParent());
  for (auto [From, To] : zip(Kept, Copy->args())) {
    To.setName(From->getName());
    Map[From] = &To;
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  Copy->setVisibility(F.getVisibility());
  Copy->setComdat(nullptr);
  return *Copy;
}

Function &createInstrumentedKernel(Function &F, StringRef Suffix, ValueToValueMapTy &Map, KernelRuns Way) {
  Function *Added = &copyWithParameter(F, Suffix, Map);
  // Older LLVMs name a kernel in metadata, added to a kept twin only. Until then the calling convention
  // identifies it.
  if (compat::isKernel(F))
    Added->setCallingConv(CallingConv::PTX_Kernel);
  stripDebugInfo(*Added);
  if (Way == KernelRuns::Alone)
    for (StringRef Name : PlaceProperties)
      Added->removeFnAttr(Name);
  for (Attribute::AttrKind Kind : {Attribute::Memory, Attribute::Speculatable, Attribute::NoSync})
    Added->removeFnAttr(Kind);
  return *Added;
}

// Kernels had 4 KiB of parameters at most, before PTX 8.1. One with more has a newer PTX.
std::optional<uint64_t> offsetOfFurtherParameter(const Function &Kernel) {
  constexpr uint64_t Bytes = 8, OldLimit = 4096, Limit = 32764;
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  uint64_t End = 0;
  for (const Argument &A : Kernel.args()) {
    Type *T = A.hasByValAttr() ? A.getParamByValType() : A.getType();
    const MaybeAlign Given = A.hasByValAttr() ? A.getParamAlign() : MaybeAlign();
    End = alignTo(End, Given ? *Given : Layout.getABITypeAlign(T)) + Layout.getTypeAllocSize(T).getFixedValue();
  }
  const uint64_t Offset = alignTo(End, Bytes);
  return Offset + Bytes <= (End <= OldLimit ? OldLimit : Limit) ? std::optional<uint64_t>(Offset) : std::nullopt;
}

// The metadata are pairs of a key and a value after the function.
void copyAnnotations(Function &From, Function &To, KernelRuns Way) {
  NamedMDNode *Annotations = From.getParent()->getNamedMetadata("nvvm.annotations");
  for (unsigned N = 0, End = Annotations ? Annotations->getNumOperands() : 0; N < End; ++N) {
    const MDNode *Node = Annotations->getOperand(N);
    const auto *About =
        Node->getNumOperands() ? dyn_cast_or_null<ValueAsMetadata>(Node->getOperand(0).get()) : nullptr;
    if (!About || About->getValue() != &From)
      continue;
    SmallVector<Metadata *, 4> Operands = {ValueAsMetadata::get(&To)};
    for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2)
      if (const auto *Key = dyn_cast<MDString>(Node->getOperand(I));
          Key && (Way == KernelRuns::InPlace || !isPlaceKey(Key->getString())))
        Operands.append({Node->getOperand(I), Node->getOperand(I + 1)});
    Annotations->addOperand(MDNode::get(To.getContext(), Operands));
  }
}

void boundRegisters(Function &Kernel) {
  if (mayBeBounded(Kernel))
    compat::setMaximumRegisters(Kernel, RegistersInLargestBlock);
}

void fitIntoLargestBlock(Function &Kernel) {
  if (mayBeBounded(Kernel))
    compat::setMaximumThreads(Kernel, LargestBlock);
}

bool fitsLargestBlock(const KernelPlan &Plan) {
  if (compat::launchBounds(Plan.kernel()).first)
    return true;
  unsigned Registers = 0;
  for (const FunctionInstance &Instance : Plan.Instances)
    Registers += registersOf(*Instance.F);
  return Registers <= RegistersInLargestBlock;
}

void dropBoundsOfOthers(Function &Twin) {
  if (callsOtherUnits(Twin))
    compat::removeLaunchBounds(Twin);
}

void addBoundedTwin(Function &Kernel) {
  if (!mayBeBounded(Kernel))
    return;
  Twins Added;
  Function &Twin = Added.twinOf(Kernel);
  copyAnnotations(Kernel, Twin, KernelRuns::InPlace);
  fitIntoLargestBlock(Twin);
}

} // namespace gpuprof
