// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/SectorMarkers.h"

#include "common/Architecture.h"
#include "common/KeyTable.h"
#include "common/LinkedText.h"
#include "costs/Costs.h"
#include "costs/Spaces.h"
#include "directives/ConditionalCosts.h"
#include "directives/DirectiveLowering.h"
#include "gpuprof/abi.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <string>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr const char *Tag = "gpuprof.touch";

/* ---- Selection of accesses ---- */

struct Access {
  const Value *Pointer;
  Value *Length; // in bytes
};

// Empty for an instruction without memory accesses of its own.
SmallVector<Access, 2> accessesOf(Instruction &I) {
  const DataLayout &Layout = I.getModule()->getDataLayout();
  auto Sized = [&](Value *Pointer, Type *T) {
    return Access{Pointer, ConstantInt::get(Type::getInt64Ty(I.getContext()), Layout.getTypeStoreSize(T))};
  };
  if (isAccessMarker(I))
    return {{I.getOperand(0), I.getOperand(1)}};
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

// The run-time test of an address: g, it is global; u, only the hardware knows; -, it is not.
char testOf(const Value &Pointer) {
  if (const auto *Object = dyn_cast<GlobalVariable>(getUnderlyingObject(&Pointer));
      Object && Object->isConstant())
    return '-'; // tables made by the compiler: never more than a few bytes
  switch (spaceOf(Pointer)) {
  case Space::Global:
    return 'g';
  case Space::Unknown:
    return 'u';
  default:
    return '-';
  }
}

// Inline assembly without markers, ldg, copies bypassing registers, calls of undefined functions: their
// addresses are unknown.
bool touchesUnseen(const Instruction &I) {
  if (hasAccessMarkers(I))
    return false;
  const InstructionCost Cost = costOf(I);
  return !Cost.Why.empty() ||
         any_of(Cost.Amounts, [](auto Amount) { return costClassName(Amount.first).starts_with("global_"); });
}

/* ---- The marking functions ---- */

// A word of 32 bits stands for 32 sectors. A hash table finds the slot of a block of 64 words (64 KiB). Keys
// and bits only ever grow: an old state in the L1 cache costs at worst one more atomic operation.
constexpr const char *MarkText = R"(
declare i1 @llvm.nvvm.isspacep.global(ptr)
declare i32 @llvm.ctpop.i32(i32)
define internal void @__gpuprof_record_access_generic(i64 %table, ptr %p, i64 %n) noinline convergent {
  %global = call i1 @llvm.nvvm.isspacep.global(ptr %p)
  br i1 %global, label %record, label %out
record:
  call void @__gpuprof_record_access(i64 %table, ptr %p, i64 %n)
  br label %out
out:
  ret void
}
define internal void @__gpuprof_record_access(i64 %table, ptr %p, i64 %n) noinline convergent {
entry:
  %table.p = inttoptr i64 %table to ptr addrspace(1)
  %keys.p = getelementptr i8, ptr addrspace(1) %table.p, i64 @{unique_table.keys}
  %keys = load i64, ptr addrspace(1) %keys.p
  %bits.p = getelementptr i8, ptr addrspace(1) %table.p, i64 @{unique_table.bits}
  %bits = load i64, ptr addrspace(1) %bits.p
  %mask.p = getelementptr i8, ptr addrspace(1) %table.p, i64 @{unique_table.mask}
  %mask = load i64, ptr addrspace(1) %mask.p
  %some = icmp ne i64 %n, 0
  br i1 %some, label %start, label %out
start:
  %address = ptrtoint ptr %p to i64
  %first = lshr i64 %address, 5
  %end = add i64 %address, %n
  %final = sub i64 %end, 1
  %last = lshr i64 %final, 5
  %word.first = lshr i64 %first, 5
  %word.last = lshr i64 %last, 5
  br label %word
word:
  %w = phi i64 [ %word.first, %start ], [ %w.next, %done ]
  %is.first = icmp eq i64 %w, %word.first
  %is.last = icmp eq i64 %w, %word.last
  %first.32 = trunc i64 %first to i32
  %first.place = and i32 %first.32, 31
  %low.place = select i1 %is.first, i32 %first.place, i32 0
  %last.32 = trunc i64 %last to i32
  %last.place = and i32 %last.32, 31
  %high.place = select i1 %is.last, i32 %last.place, i32 31
  %low.bits = shl i32 -1, %low.place
  %high.cut = sub i32 31, %high.place
  %high.bits = lshr i32 -1, %high.cut
  %wanted = and i32 %low.bits, %high.bits
  %block = lshr i64 %w, 6
  %key = add i64 %block, 1
)";
constexpr KeySearch BlockSearch = {"%word", "%block", "load", "%mask", ""};
constexpr const char *FoundText = R"(
full:
  %overflow.p = getelementptr i8, ptr addrspace(1) %table.p, i64 @{unique_table.overflow}
  store volatile i64 1, ptr addrspace(1) %overflow.p
  br label %out
found:
  %word.place = and i64 %w, 63
  %row = shl i64 %at, 6
  %index = or i64 %row, %word.place
  %word.offset = shl i64 %index, 2
  %word.number = add i64 %bits, %word.offset
  %word.address = inttoptr i64 %word.number to ptr addrspace(1)
  %now = load i32, ptr addrspace(1) %word.address
  %unmarked = xor i32 %now, -1
  %new = and i32 %wanted, %unmarked
  %marked = icmp eq i32 %new, 0
  br i1 %marked, label %done, label %set
set:
)";

// Marks [lowest + i * step, + width) for i = begin, begin + by, … below count. With steps of at most a
// sector, marks one piece from the first to the last.
constexpr const char *StridedBeginText = R"(
define internal void @__gpuprof_record_access_strided(i64 %table, ptr %p, i64 %stride, i64 %count, i64 %n) noinline convergent {
entry:
  %start = ptrtoint ptr %p to i64
  %negative = icmp slt i64 %stride, 0
  %opposite = sub i64 0, %stride
  %step = select i1 %negative, i64 %opposite, i64 %stride
  %turns = sub i64 %count, 1
  %span = mul i64 %turns, %step
  %dense = icmp ule i64 %step, 32
  %some = icmp ne i64 %count, 0
  br i1 %some, label %go, label %out
go:
)";
constexpr const char *StridedAloneText = R"(
  br label %ready
ready:
  %from = phi i64 [ %start, %go ]
  %width = phi i64 [ %n, %go ]
  %begin = phi i64 [ 0, %go ]
  %by = phi i64 [ 1, %go ]
)";
// If the lanes of a warp mark in equal steps, from one place or from neighbouring ones, they divide the
// iterations among them. Few iterations do not justify the test.
constexpr const char *StridedWarpText = R"(
  %many = icmp ugt i64 %count, 63
  %sparse = xor i1 %dense, true
  %worth = and i1 %many, %sparse
  br i1 %worth, label %ask, label %ready
ask:
  %active = call i32 asm sideeffect "activemask.b32 $0;", "=r"() convergent
  %whole = icmp eq i32 %active, -1
  br i1 %whole, label %compare, label %apart
compare:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %lane.64 = zext i32 %lane to i64
  %before.me = mul i64 %lane.64, %n
  %origin = sub i64 %start, %before.me
  %strides = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %stride)
  %counts = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %count)
  %lengths = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %n)
  %origins = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %origin)
  %starts = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %start)
  %same.stride = extractvalue { i32, i1 } %strides, 1
  %same.count = extractvalue { i32, i1 } %counts, 1
  %same.length = extractvalue { i32, i1 } %lengths, 1
  %in.a.row = extractvalue { i32, i1 } %origins, 1
  %in.one.place = extractvalue { i32, i1 } %starts, 1
  %same.steps = and i1 %same.stride, %same.count
  %same.shape = and i1 %same.steps, %same.length
  %near = or i1 %in.a.row, %in.one.place
  %together = and i1 %same.shape, %near
  %row.bytes = mul i64 %n, 32
  %shared.width = select i1 %in.one.place, i64 %n, i64 %row.bytes
  %shared.from = select i1 %in.one.place, i64 %start, i64 %origin
  br i1 %together, label %ready, label %apart
apart:
  br label %ready
ready:
  %from = phi i64 [ %start, %go ], [ %shared.from, %compare ], [ %start, %apart ]
  %width = phi i64 [ %n, %go ], [ %shared.width, %compare ], [ %n, %apart ]
  %begin = phi i64 [ 0, %go ], [ %lane.64, %compare ], [ 0, %apart ]
  %by = phi i64 [ 1, %go ], [ 32, %compare ], [ 1, %apart ]
)";
constexpr const char *StridedEndText = R"(
  %low = sub i64 %from, %span
  %lowest = select i1 %negative, i64 %low, i64 %from
  %all.bytes = add i64 %span, %width
  %bytes = select i1 %dense, i64 %all.bytes, i64 %width
  %first.offset = mul i64 %begin, %step
  %at.first = add i64 %lowest, %first.offset
  %ahead = mul i64 %by, %step
  %until = select i1 %dense, i64 1, i64 %count
  br label %test
test:
  %i = phi i64 [ %begin, %ready ], [ %i.next, %each ]
  %at = phi i64 [ %at.first, %ready ], [ %at.next, %each ]
  %more = icmp ult i64 %i, %until
  br i1 %more, label %each, label %out
each:
  %each.p = inttoptr i64 %at to ptr
  call void @__gpuprof_record_access(i64 %table, ptr %each.p, i64 %bytes)
  %i.next = add i64 %i, %by
  %at.next = add i64 %at, %ahead
  br label %test
out:
  ret void
}
)";

// Converged lanes marking one word leave it to the first. Only whole warps: parts may not stay together.
constexpr const char *WarpText = R"(
  %active = call i32 asm sideeffect "activemask.b32 $0;", "=r"() convergent
  %whole = icmp eq i32 %active, -1
  br i1 %whole, label %compare, label %or
compare:
  %alike = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %w)
  %one.word = extractvalue { i32, i1 } %alike, 1
  br i1 %one.word, label %gather, label %or
gather:
  %all = call i32 @llvm.nvvm.redux.sync.or(i32 %new, i32 -1)
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %or, label %done
or:
  %add = phi i32 [ %new, %set ], [ %new, %compare ], [ %all, %gather ]
)";
constexpr const char *WarpDeclarations = R"(
declare { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32, i64) convergent
declare i32 @llvm.nvvm.redux.sync.or(i32, i32) convergent
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
)";

constexpr const char *AloneText = R"(
  br label %or
or:
  %add = phi i32 [ %new, %set ]
)";

constexpr const char *CountText = R"(
  %before = atomicrmw or ptr addrspace(1) %word.address, i32 %add monotonic
  %not.before = xor i32 %before, -1
  %fresh = and i32 %add, %not.before
  %number = call i32 @llvm.ctpop.i32(i32 %fresh)
  %any = icmp ne i32 %number, 0
  br i1 %any, label %count, label %done
count:
  %line = shl i64 %word.place, 7
  %count.offset = add i64 %line, @{unique_table.counts}
  %count.p = getelementptr i8, ptr addrspace(1) %table.p, i64 %count.offset
  %amount = zext i32 %number to i64
  %sum = atomicrmw add ptr addrspace(1) %count.p, i64 %amount monotonic
  br label %done
done:
  %w.next = add i64 %w, 1
  %more = icmp ule i64 %w.next, %word.last
  br i1 %more, label %word, label %out
out:
  ret void
}
)";

static_assert(GPUPROF_UNIQUE_BLOCK_BYTES == 64 * 32 * 32 && GPUPROF_UNIQUE_WORDS == 64 &&
                  GPUPROF_UNIQUE_STRIDE * sizeof(uint64_t) == 1 << 7,
              "the text above has these numbers");

// The lane operations are those of sm_80.
bool hasLaneOperations(const Module &M) {
  return any_of(M, [](const Function &F) { return architectureOf(F) >= 80; });
}

// True if a call of the same block before I has marked as much from the same pointer.
bool isMarkedBefore(const CallInst &New) {
  const auto *Length = dyn_cast<ConstantInt>(New.getArgOperand(2));
  for (const Instruction *I = New.getPrevNode(); I && Length; I = I->getPrevNode())
    if (const auto *Old = dyn_cast<CallInst>(I); Old && Old->getCalledOperand() == New.getCalledOperand() &&
                                                 Old->getArgOperand(1) == New.getArgOperand(1))
      if (const auto *OldLength = dyn_cast<ConstantInt>(Old->getArgOperand(2)))
        if (OldLength->getZExtValue() >= Length->getZExtValue())
          return true;
  return false;
}

} // namespace

bool tagGlobalAccesses(Function &F) {
  LLVMContext &Context = F.getContext();
  for (Instruction &I : instructions(F)) {
    if (asDirectiveCall(I))
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

void removeSectorMarkers(Module &M) {
  eraseAccessMarkers(M);
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      I.setMetadata(Tag, nullptr);
  // Callers first.
  for (const char *Name : {"__gpuprof_record_access_strided", "__gpuprof_record_access_generic", "__gpuprof_record_access"})
    if (GlobalValue *V = M.getNamedValue(Name); V && V->use_empty())
      V->eraseFromParent();
}

SectorMarkers SectorMarkers::link(Module &M, bool ForCpu) {
  const bool Lanes = !ForCpu && hasLaneOperations(M);
  std::string Text = std::string(Lanes ? WarpDeclarations : "") + MarkText + keySearchText(BlockSearch);
  for (const char *Part : {FoundText, Lanes ? WarpText : AloneText, CountText, StridedBeginText,
                           Lanes ? StridedWarpText : StridedAloneText, StridedEndText})
    Text += Part;
  const std::vector<Function *> Functions =
      linkText(M, Text.c_str(), {"__gpuprof_record_access", "__gpuprof_record_access_generic", "__gpuprof_record_access_strided"});
  return Functions.empty() ? SectorMarkers() : SectorMarkers{Functions[0], Functions[1], Functions[2]};
}

bool SectorMarkers::isOne(const Value *Callee) const {
  return Callee && (Callee == Global || Callee == Generic || Callee == Strided);
}

void SectorMarkers::insert(Function &F, Value &Table) const {
  for (Instruction &I : instructions(F)) {
    const MDNode *Node = I.getMetadata(Tag);
    if (!Node)
      continue;
    IRBuilder<> Builder(&I);
    for (auto [Test, A] : zip(cast<MDString>(Node->getOperand(0))->getString(), accessesOf(I))) {
      if (Test == '-')
        continue;
      // Unneeded casts would hide that two accesses have one address.
      Value *Pointer = const_cast<Value *>(A.Pointer);
      if (Pointer->getType() != Builder.getPtrTy())
        Pointer = Builder.CreatePointerBitCastOrAddrSpaceCast(Pointer, Builder.getPtrTy());
      CallInst *Call =
          Builder.CreateCall(Test == 'g' ? Global : Generic,
                             {&Table, Pointer, Builder.CreateZExtOrTrunc(A.Length, Builder.getInt64Ty())});
      if (isMarkedBefore(*Call))
        Call->eraseFromParent();
    }
  }
}

void markAsMarker(CallInst &Call) {
  Call.setOnlyAccessesInaccessibleMemory();
  Call.setDoesNotThrow();
  Call.addFnAttr(Attribute::WillReturn);
}

} // namespace gpuprof
