// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/Counters.h"

#include "analysis/CountPlan.h"
#include "common/AbiLayout.h"
#include "common/UnitDescriptor.h"
#include "instrument/KernelCounters.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Debug.h"

#include <set>

#define DEBUG_TYPE "gpuprof-count"

using namespace llvm;

STATISTIC(KernelsCountedByClones, "Number of kernels counted by a clone");
STATISTIC(KernelsCountedInPlace, "Number of kernels with counters of their own");
STATISTIC(KernelsCountedByTwins, "Number of kernels with an instrumented twin that counts");
STATISTIC(ClonesRefused, "Number of kernels without a clone, for a reason");

namespace gpuprof {
namespace {

constexpr unsigned GlobalSpace = 1;

GlobalVariable &createGlobal(Module &M, Constant *Initializer, bool IsConstant, const char *Name) {
  return *new GlobalVariable(M, Initializer->getType(), IsConstant, GlobalValue::InternalLinkage, Initializer,
                             Name, nullptr, GlobalValue::NotThreadLocal, GlobalSpace);
}

Constant *genericAddress(GlobalVariable *Variable, LLVMContext &Context) {
  auto *Generic = PointerType::get(Context, 0);
  return Variable ? ConstantExpr::getPointerCast(Variable, Generic) : ConstantPointerNull::get(Generic);
}

void tellWay([[maybe_unused]] const Function &Kernel, const CountWay &Way) {
  const bool IsInPlace = Way.How == CountWay::InKernel, IsTwin = Way.How == CountWay::Twin;
  ++(IsInPlace ? KernelsCountedInPlace : IsTwin ? KernelsCountedByTwins : KernelsCountedByClones);
  ClonesRefused += (IsInPlace || IsTwin) && !Way.Why.empty();
  LLVM_DEBUG(dbgs() << Kernel.getName()
                    << (IsInPlace ? ": counters in the kernel"
                        : IsTwin  ? ": counted by a twin"
                                  : ": counted by a clone")
                    << (Way.Why.empty() ? "" : ", since ") << Way.Why << '\n');
}

void setDescriptor(Module &M, Constant *Value) {
  GlobalVariable *Declared = unitDescriptor(M);
  GlobalVariable &Descriptor = createGlobal(M, Value, false, GPUPROF_UNIT_VARIABLE);
  // the optimiser must not fold data read by the runtime by address
  Descriptor.setExternallyInitialized(true);
  Descriptor.setAlignment(Align(8));
  if (!Declared)
    return;
  Descriptor.copyAttributesFrom(Declared);
  Descriptor.setLinkage(Declared->getLinkage());
  Descriptor.setExternallyInitialized(Declared->isExternallyInitialized());
  Declared->replaceAllUsesWith(ConstantExpr::getPointerCast(&Descriptor, Declared->getType()));
  Descriptor.takeName(Declared);
  Declared->eraseFromParent();
}

// Functions whose instances alone are called.
void eraseUnused(const CountPlan &Plan) {
  std::set<Function *> Originals;
  for (const KernelPlan &Kernel : Plan.Kernels)
    for (size_t N = 1; N < Kernel.Instances.size(); ++N)
      Originals.insert(Kernel.Instances[N].F);
  for (bool Erased = true; Erased;) {
    Erased = false;
    for (auto It = Originals.begin(); It != Originals.end();)
      if ((*It)->isDiscardableIfUnused() && (*It)->use_empty()) {
        (*It)->eraseFromParent();
        It = Originals.erase(It);
        Erased = true;
      } else {
        ++It;
      }
  }
}

// The fields of the sheet's `clone` record, after the kernel's index.
std::string cloneFacts(const CountWay &Way) {
  std::string Facts =
      (Twine(Way.How == CountWay::Free ? "free" : "light") + "\t" + Twine(Way.Parameters)).str();
  for (const CloneRead &Read : Way.Reads)
    Facts += ("\t" + Twine(Read.Parameter) + ":" + Twine(Read.Offset) + ":" + Twine(Read.Bytes)).str();
  return Facts;
}

// … and of its `apart` record.
std::string apartFacts(const PointersApart &Pair) {
  return (Twine(Pair.Read.Parameter) + ":" + Twine(Pair.Read.Offset) + "\t" + Twine(Pair.Written.Parameter) +
          ":" + Twine(Pair.Written.Offset))
      .str();
}

// The fields of the records of pointers, after the kernel's index.
std::string placesFacts(unsigned Parameters, ArrayRef<PointerPlace> Places) {
  std::string Facts = std::to_string(Parameters);
  for (const PointerPlace &Place : Places)
    Facts += ("\t" + Twine(Place.Parameter) + ":" + Twine(Place.Offset)).str();
  return Facts;
}

// Functions left uninlined, below a kernel with steps, add to counters in their caller's local memory by generic instructions,
// even while counting is off. This happens at most once for each execution of a group.
void tellGenericCounts(CostSheet &Sheet, size_t Index, const KernelPlan &Kernel) {
  for (const FunctionInstance &Instance : drop_begin(Kernel.Instances))
    for (auto [Block, Group] : Instance.Counters)
      for (CostClass Class : {CostClass::generic_local_load, CostClass::generic_local_store})
        Sheet.detail(Index, Group, Class, sizeof(uint64_t));
}

void tellSheet(CountPlan &Plan, size_t Index, const CountWay &Way, bool ForCpu) {
  switch (Way.How) {
  case CountWay::InKernel:
    if (!ForCpu && Plan.Kernels[Index].Levels > 0)
      tellGenericCounts(Plan.Sheet, Index, Plan.Kernels[Index]);
    break;
  case CountWay::Twin:
    Plan.Sheet.marks(Index, "twin", std::to_string(Way.Parameters));
    break;
  case CountWay::Free:
  case CountWay::Light:
    Plan.Sheet.clone(Index, cloneFacts(Way));
    if (!Way.Formula.empty())
      Plan.Sheet.marks(Index, "formula", Way.Formula);
    break;
  }
  if (Way.Waits)
    Plan.Sheet.waits(Index);
  if (Way.CountersOffset)
    Plan.Sheet.marks(Index, "counters", (Twine(Way.Parameters) + "\t" + Twine(*Way.CountersOffset)).str());
  for (const PointersApart &Pair : Way.Apart)
    Plan.Sheet.apart(Index, apartFacts(Pair));
  if (Way.Loads && Way.Stores) // the kernel must not write what its clone reads
    Plan.Sheet.marks(Index, "loads", placesFacts(Way.Parameters, *Way.Loads));
  if (Way.Stores)
    Plan.Sheet.marks(Index, "stores", placesFacts(Way.Parameters, *Way.Stores));
}

} // namespace

std::vector<CountWay> insertCounters(Module &M, CountPlan &Plan, bool ForCpu, CloneMaker &Clones) {
  LLVMContext &Context = M.getContext();
  const unsigned Number = static_cast<unsigned>(Plan.Kernels.size());
  GlobalVariable *Bases = nullptr;
  if (Number > 0) {
    Bases = &createGlobal(M, ConstantAggregateZero::get(ArrayType::get(Type::getInt64Ty(Context), Number)),
                          false, "__gpuprof_counters");
    Bases->setAlignment(Align(8));
    Bases->setExternallyInitialized(true);
  }
  std::vector<CountWay> Ways;
  for (unsigned Index = 0; Index < Number; ++Index) {
    auto Insert = [&](const KernelPlan &Kernel) {
      return insertKernelCounters(Kernel, *Bases, Index, ForCpu);
    };
    Ways.push_back(Clones.make(Plan.Kernels[Index], *Bases, Insert));
    tellSheet(Plan, Index, Ways.back(), ForCpu);
    tellWay(Plan.Kernels[Index].kernel(), Ways.back());
  }
  eraseUnused(Plan);
  eraseDirectiveCalls(M);

  const std::string Text = Plan.Sheet.text();
  GlobalVariable &Sheet = createGlobal(M, ConstantDataArray::getString(Context, Text, /*AddNull=*/false),
                                       true, "__gpuprof_sheet");
  using Unit = abi::device_unit;
  setDescriptor(M, abi::ConstantOf<Unit>(Context)
                       .set(Unit::abi_version, uint64_t(GPUPROF_ABI_VERSION))
                       .set(Unit::kernel_count, uint64_t(Number))
                       .set(Unit::sheet, genericAddress(&Sheet, Context))
                       .set(Unit::sheet_bytes, uint64_t(Text.size()))
                       .set(Unit::counters, genericAddress(Bases, Context))
                       .get());
  return Ways;
}

} // namespace gpuprof
