#include "ir/UniqueCopies.h"

#include "common/Compat.h"
#include "gpuprof/abi.h"
#include "ir/Costs.h"
#include "ir/CountPlan.h"
#include "ir/LinkedText.h"
#include "ir/Spaces.h"
#include "ir/Values.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr const char *Tag = "gpuprof.touch";

/* ---- Which accesses
 * ----------------------------------------------------------------------------------------- */

struct Access {
  const Value *Pointer;
  Value *Length; // in bytes
};

// Nothing for an instruction that reads and writes no memory by itself.
SmallVector<Access, 2> accessesOf(Instruction &I) {
  const DataLayout &Layout = I.getModule()->getDataLayout();
  auto Sized = [&](Value *Pointer, Type *T) {
    return Access{Pointer, ConstantInt::get(Type::getInt64Ty(I.getContext()), Layout.getTypeStoreSize(T))};
  };
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return {Sized(Load->getPointerOperand(), Load->getType())};
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return {Sized(Store->getPointerOperand(), Store->getValueOperand()->getType())};
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return {Sized(Update->getPointerOperand(), Update->getValOperand()->getType())};
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return {Sized(Exchange->getPointerOperand(), Exchange->getNewValOperand()->getType())};
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    return {{Copy->getRawDest(), Copy->getLength()}, {Copy->getRawSource(), Copy->getLength()}};
  if (auto *Fill = dyn_cast<MemSetInst>(&I))
    return {{Fill->getRawDest(), Fill->getLength()}};
  return {};
}

// How an address is tested at run time: g, it is global; u, only the hardware knows; -, it is not.
char testOf(const Value &Pointer) {
  if (const auto *Object = dyn_cast<GlobalVariable>(getUnderlyingObject(&Pointer));
      Object && Object->isConstant())
    return '-'; // tables that the compiler made: never more than a few bytes
  switch (spaceOf(Pointer)) {
  case Space::Global:
    return 'g';
  case Space::Unknown:
    return 'u';
  default:
    return '-';
  }
}

// Inline assembly, ldg, copies past the registers, calls of what is not here: their addresses are out of
// reach.
bool touchesUnseen(const Instruction &I) {
  const InstructionCost Cost = costOf(I);
  return !Cost.Why.empty() ||
         any_of(Cost.Amounts, [](auto Amount) { return costClassName(Amount.first).starts_with("global_"); });
}

bool tagFunction(Function &F) {
  LLVMContext &Context = F.getContext();
  for (Instruction &I : instructions(F)) {
    if (asValueCall(I))
      continue; // becomes a counter
    const auto Accesses = accessesOf(I);
    if (Accesses.empty()) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if ((!Callee || Callee->isDeclaration()) && touchesUnseen(I))
        return false;
      continue;
    }
    std::string Tests;
    for (const Access &A : Accesses)
      Tests += testOf(*A.Pointer);
    if (Tests.find_first_not_of('-') != std::string::npos)
      I.setMetadata(Tag, MDNode::get(Context, MDString::get(Context, Tests)));
  }
  return true;
}

/* ---- The function that marks
 * -------------------------------------------------------------------------------- */

// The table is gpuprof_unique_table of abi.h. A block is 64 KiB, found by its number plus one.
constexpr const char *TouchText = R"(
@__gpuprof_unique_table = weak addrspace(1) externally_initialized global { i64, i64, i64, i64, i64 } zeroinitializer, align 8
declare i1 @llvm.nvvm.isspacep.global(ptr)
define internal void @__gpuprof_touch_generic(ptr %p, i64 %n) noinline {
  %global = call i1 @llvm.nvvm.isspacep.global(ptr %p)
  br i1 %global, label %touch, label %out
touch:
  call void @__gpuprof_touch(ptr %p, i64 %n)
  br label %out
out:
  ret void
}
define internal void @__gpuprof_touch(ptr %p, i64 %n) noinline {
entry:
  %keys = load i64, ptr addrspace(1) @__gpuprof_unique_table
  %bits = load i64, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @__gpuprof_unique_table, i64 8)
  %mask = load i64, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @__gpuprof_unique_table, i64 16)
  %on = icmp ne i64 %keys, 0
  %some = icmp ne i64 %n, 0
  %wanted = and i1 %on, %some
  br i1 %wanted, label %start, label %out
start:
  %address = ptrtoint ptr %p to i64
  %first = lshr i64 %address, 5
  %end = add i64 %address, %n
  %final = sub i64 %end, 1
  %last = lshr i64 %final, 5
  br label %sector
sector:
  %s = phi i64 [ %first, %start ], [ %s.next, %done ]
  %block = lshr i64 %s, 11
  %key = add i64 %block, 1
  %mixed = mul i64 %block, -7046029254386353131
  %high = lshr i64 %mixed, 32
  %home = and i64 %high, %mask
  br label %probe
probe:
  %slot = phi i64 [ %home, %sector ], [ %slot.next, %miss ]
  %tries = phi i64 [ 0, %sector ], [ %tries.next, %miss ]
  %key.offset = shl i64 %slot, 3
  %key.number = add i64 %keys, %key.offset
  %key.address = inttoptr i64 %key.number to ptr addrspace(1)
  %there = load volatile i64, ptr addrspace(1) %key.address
  %found = icmp eq i64 %there, %key
  br i1 %found, label %mark, label %other
other:
  %free = icmp eq i64 %there, 0
  br i1 %free, label %claim, label %miss
claim:
  %pair = cmpxchg ptr addrspace(1) %key.address, i64 0, i64 %key monotonic monotonic
  %owner = extractvalue { i64, i1 } %pair, 0
  %won = icmp eq i64 %owner, 0
  %same = icmp eq i64 %owner, %key
  %mine = or i1 %won, %same
  br i1 %mine, label %mark, label %miss
miss:
  %tries.next = add i64 %tries, 1
  %after = add i64 %slot, 1
  %slot.next = and i64 %after, %mask
  %full = icmp ugt i64 %tries.next, %mask
  br i1 %full, label %overflow, label %probe
overflow:
  store volatile i64 1, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @__gpuprof_unique_table, i64 32)
  br label %out
mark:
  %word.of.all = lshr i64 %s, 5
  %word = and i64 %word.of.all, 63
  %row = shl i64 %slot, 6
  %index = or i64 %row, %word
  %word.offset = shl i64 %index, 2
  %word.number = add i64 %bits, %word.offset
  %word.address = inttoptr i64 %word.number to ptr addrspace(1)
  %s.low = trunc i64 %s to i32
  %place = and i32 %s.low, 31
  %bit = shl i32 1, %place
  %now = load volatile i32, ptr addrspace(1) %word.address
  %now.bit = and i32 %now, %bit
  %marked = icmp ne i32 %now.bit, 0
  br i1 %marked, label %done, label %set
set:
  %before = atomicrmw or ptr addrspace(1) %word.address, i32 %bit monotonic
  %before.bit = and i32 %before, %bit
  %is.first = icmp eq i32 %before.bit, 0
  br i1 %is.first, label %count, label %done
count:
  %sum = atomicrmw add ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @__gpuprof_unique_table, i64 24), i64 1 monotonic
  br label %done
done:
  %s.next = add i64 %s, 1
  %more = icmp ule i64 %s.next, %last
  br i1 %more, label %sector, label %out
out:
  ret void
}
)";

struct Touch {
  Function *Global = nullptr, *Generic = nullptr;
};

Touch linkTouch(Module &M) {
  const std::vector<Function *> Functions = linkText(M, TouchText, {"__gpuprof_touch", "__gpuprof_touch_generic"});
  return Functions.empty() ? Touch() : Touch{Functions[0], Functions[1]};
}

/* ---- Copies
 * ------------------------------------------------------------------------------------------------- */

class Copier {
public:
  Copier(Module &M, Touch Functions) : M(M), Functions(Functions) {}

  void copyKernel(Function &Kernel) {
    Function *Copy = copyOf(Kernel);
    Copy->setName(Kernel.getName() + GPUPROF_UNIQUE_SUFFIX);
    copyAnnotations(Kernel, *Copy);
  }

private:
  Function *copyOf(Function &F) {
    if (auto Known = Copies.find(&F); Known != Copies.end())
      return Known->second;
    ValueToValueMapTy Map;
    Function *Copy = CloneFunction(&F, Map);
    Copy->setComdat(nullptr);
    Copies[&F] = Copy;
    stripDebugInfo(*Copy);
    for (Attribute::AttrKind Kind : {Attribute::Memory, Attribute::Speculatable, Attribute::NoSync})
      Copy->removeFnAttr(Kind);
    for (Instruction &I : make_early_inc_range(instructions(*Copy))) {
      mark(I);
      if (auto *Call = dyn_cast<CallBase>(&I))
        redirect(*Call);
    }
    return Copy;
  }

  void redirect(CallBase &Call) {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isDeclaration() || Callee == Functions.Global || Callee == Functions.Generic)
      return;
    Call.setCalledFunction(copyOf(*Callee));
    Call.removeFnAttr(Attribute::Memory);
  }

  void mark(Instruction &I) {
    const MDNode *Node = I.getMetadata(Tag);
    if (!Node)
      return;
    const StringRef Tests = cast<MDString>(Node->getOperand(0))->getString();
    IRBuilder<> Builder(&I);
    for (auto [Test, A] : zip(Tests, accessesOf(I))) {
      if (Test == '-')
        continue;
      Value *Pointer =
          Builder.CreatePointerBitCastOrAddrSpaceCast(const_cast<Value *>(A.Pointer), Builder.getPtrTy());
      Builder.CreateCall(Test == 'g' ? Functions.Global : Functions.Generic,
                         {Pointer, Builder.CreateZExtOrTrunc(A.Length, Builder.getInt64Ty())});
    }
  }

  // Up to LLVM 19 these say that it is a kernel, and its bounds.
  void copyAnnotations(Function &From, Function &To) {
    NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations");
    if (!Annotations)
      return;
    for (unsigned N = 0, End = Annotations->getNumOperands(); N < End; ++N) {
      const MDNode *Node = Annotations->getOperand(N);
      const auto *About =
          Node->getNumOperands() ? dyn_cast_or_null<ValueAsMetadata>(Node->getOperand(0).get()) : nullptr;
      if (!About || About->getValue() != &From)
        continue;
      SmallVector<Metadata *, 4> Operands(Node->op_begin(), Node->op_end());
      Operands[0] = ValueAsMetadata::get(&To);
      Annotations->addOperand(MDNode::get(M.getContext(), Operands));
    }
  }

  Module &M;
  Touch Functions;
  std::map<Function *, Function *> Copies;
};

void removeTags(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      I.setMetadata(Tag, nullptr);
}

} // namespace

std::vector<Function *> tagGlobalAccesses(const CountPlan &Plan) {
  std::vector<Function *> Kernels;
  for (const KernelPlan &Kernel : Plan.Kernels)
    if (!Kernel.IsFunction && all_of(Kernel.Instances, [](const FunctionInstance &Instance) { return tagFunction(*Instance.F); }))
      Kernels.push_back(&Kernel.kernel());
  return Kernels;
}

void addUniqueCopies(Module &M, const std::vector<Function *> &Kernels) {
  const Touch Functions = Kernels.empty() ? Touch() : linkTouch(M);
  if (Functions.Global) {
    Copier Copies(M, Functions);
    for (Function *Kernel : Kernels)
      Copies.copyKernel(*Kernel);
  }
  removeTags(M);
}

} // namespace gpuprof
