// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/AddressClones.h"

#include "analysis/CountPlan.h"
#include "clones/Formula.h"
#include "clones/HoistSectorMarkers.h"
#include "clones/InstrumentedKernels.h"
#include "clones/SectorMarkers.h"
#include "gpuprof/abi.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprof {
namespace {

void eraseDirectives(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (asDirectiveCall(I))
      I.eraseFromParent();
}

// Inlines the functions called by the kernel into its clone. The size limit ends a recursion.
std::string inlineCalls(Function &Clone) {
  constexpr unsigned LargestClone = 20000; // instructions
  auto NextCall = [&]() -> CallInst * {
    for (Instruction &I : instructions(Clone))
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && Call->getCalledFunction() && !Call->getCalledFunction()->isDeclaration())
        return Call;
    return nullptr;
  };
  while (CallInst *Call = NextCall()) {
    InlineFunctionInfo Info;
    if (Clone.getInstructionCount() > LargestClone || !InlineFunction(*Call, Info).isSuccess())
      return "it calls functions that cannot be inlined";
  }
  stripDebugInfo(Clone); // the functions' debug information
  return {};
}

// The marks are the purpose of the clone.
void keepTouches(Function &F, const SectorMarkers &Functions) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Functions.isOne(Call->getCalledOperand())) {
      markAsMarker(*Call);
      Call->setMetadata(KeptCall, MDNode::get(F.getContext(), {}));
    }
}

/* ---- Pointers moving the marked sectors ---- */

class Bases {
public:
  Bases(Function &Clone, const SectorMarkers &Functions) : Clone(Clone), Functions(Functions) {}

  // True if all marked addresses have a distance from pointers among the arguments independent of all
  // pointers. Launches with other buffers of equal sizes then touch equally many sectors.
  bool areAll() {
    for (Instruction &I : instructions(Clone))
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && Functions.isOne(Call->getCalledOperand()) && !comesFromArguments(*Call->getArgOperand(1)))
        return false;
    return all_of(Origins, [&](const Value *V) { return isOnlyBase(*V); });
  }

  bool isOrigin(const Value &V) const { return Origins.contains(&V); }

  // True if an origin lies in the argument at this offset, or in the structure there.
  bool hasOriginAt(const Argument &Parameter, uint64_t Offset) const {
    return any_of(Origins, [&](const Value *V) {
      if (V == &Parameter)
        return true;
      const auto *Load = dyn_cast<LoadInst>(V);
      const DataLayout &Layout = Clone.getParent()->getDataLayout();
      APInt At(64, 0);
      return Load &&
             Load->getPointerOperand()->stripAndAccumulateConstantOffsets(Layout, At, true) == &Parameter &&
             At == Offset;
    });
  }

private:
  bool comesFromArguments(Value &V) {
    if (!Seen.insert(&V).second)
      return true;
    if (auto *A = dyn_cast<Argument>(&V))
      return !A->hasByValAttr() && Origins.insert(&V).second;
    if (auto *Gep = dyn_cast<GetElementPtrInst>(&V))
      return comesFromArguments(*Gep->getPointerOperand());
    if (isa<AddrSpaceCastInst>(V) || isa<BitCastInst>(V))
      return comesFromArguments(*cast<CastInst>(V).getOperand(0));
    if (auto *Phi = dyn_cast<PHINode>(&V))
      return all_of(Phi->incoming_values(), [&](Use &U) { return comesFromArguments(*U); });
    if (auto *Select = dyn_cast<SelectInst>(&V))
      return comesFromArguments(*Select->getTrueValue()) && comesFromArguments(*Select->getFalseValue());
    const auto *Load = dyn_cast<LoadInst>(&V);
    const auto *Structure =
        Load ? dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand())) : nullptr;
    return Structure && Structure->hasByValAttr() && Origins.insert(&V).second;
  }

  bool isOnlyBase(const Value &V) {
    if (!Followed.insert(&V).second)
      return true;
    return all_of(V.uses(), [&](const Use &U) {
      const User *By = U.getUser();
      if (isa<GetElementPtrInst>(By))
        return U.getOperandNo() == 0 && isOnlyBase(*By);
      if (isa<AddrSpaceCastInst>(By) || isa<BitCastInst>(By) || isa<PHINode>(By) || isa<SelectInst>(By))
        return By->getType()->isPointerTy() && isOnlyBase(*By);
      const auto *Call = dyn_cast<CallInst>(By);
      return Call && Functions.isOne(Call->getCalledOperand()) && U.getOperandNo() == 1;
    });
  }

  Function &Clone;
  const SectorMarkers &Functions;
  DenseSet<const Value *> Seen, Followed, Origins;
};

std::vector<AddressRead> readsOf(Function &Clone, const CloneSlice &Slice, const SectorMarkers &Functions) {
  Bases Pointers(Clone, Functions);
  const bool Moves = Pointers.areAll();
  std::vector<AddressRead> Reads;
  for (const CloneRead &Read : Slice.reads())
    Reads.push_back({Read, Moves && Read.Bytes == sizeof(uint64_t) &&
                               Pointers.hasOriginAt(*Clone.getArg(Read.Parameter), Read.Offset)});
  return Reads;
}

std::string refusal(const KernelPlan &Plan) {
  if (Plan.IsFunction)
    return "kernels of other files call it";
  if (any_of(Plan.Instances, [](const FunctionInstance &Instance) { return !Instance.OtherCalls.empty(); }))
    return "it calls functions of other files";
  return refusalOf(Plan.kernel());
}

} // namespace

std::string AddressWay::facts() const {
  std::string Facts = (Twine(How == Free ? "free" : "light") + "\t" + Twine(Parameters)).str();
  for (const AddressRead &Read : Reads)
    Facts += (Twine(Read.IsBase ? "\t@" : "\t") + Twine(Read.Parameter) + ":" + Twine(Read.Offset) + ":" +
              Twine(Read.Bytes))
                 .str();
  return Facts;
}

AddressWay makeAddressClone(const KernelPlan &Plan, const SectorMarkers &Functions, FunctionAnalysisManager &Analyses,
                            AddressChoice Choice) {
  AddressWay Way;
  Way.Why = refusal(Plan);
  if (!Way.Why.empty())
    return Way;
  Function &Kernel = Plan.kernel();
  ValueToValueMapTy Map;
  Function &Clone = createInstrumentedKernel(Kernel, GPUPROF_ADDRESSES_SUFFIX, Map, KernelRuns::Alone);
  auto Refuse = [&] {
    Analyses.clear(Clone, Clone.getName());
    Clone.eraseFromParent();
    return Way;
  };
  Way.Why = inlineCalls(Clone);
  if (!Way.Why.empty())
    return Refuse();
  eraseDirectives(Clone);
  Functions.insert(Clone, *std::prev(Clone.arg_end()));
  keepTouches(Clone, Functions);
  CloneSlice Slice(Clone, Analyses);
  Way.Why = Slice.reduce("what it touches");
  const bool Light = Slice.readsMemory();
  if (Way.Why.empty() && Light && Choice != AddressChoice::FreeAndLight)
    Way.Why = "what it touches depends on memory";
  if (!Way.Why.empty())
    return Refuse();
  Slice.simplify();
  if (hoistSectorMarkers(Clone, Functions))
    Slice.simplify();
  Formula Written;
  if (!Light)
    Written = formulaOf(Clone, Slice.reads(), &Functions);
  Way.Formula = Written.Text;
  Way.HasClone = Choice != AddressChoice::Formulas;
  if (!Way.HasClone && Way.Formula.empty())
    Way.Why = "the host cannot compute what it touches (" + Written.Why + "); unique=auto adds a clone for the GPU";
  if (!Way.Why.empty())
    return Refuse();
  Way.How = Light ? AddressWay::Light : AddressWay::Free;
  Way.Parameters = static_cast<unsigned>(Kernel.arg_size());
  Way.Reads = readsOf(Clone, Slice, Functions);
  Way.Apart = Slice.apart();
  if (!Way.HasClone)
    return Refuse(); // it has become a formula
  copyAnnotations(Kernel, Clone, KernelRuns::Alone);
  boundRegisters(Clone);
  return Way;
}

} // namespace gpuprof
