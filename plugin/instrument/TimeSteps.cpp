// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/TimeSteps.h"

#include "analysis/CostSheet.h"
#include "common/KeyTable.h"
#include "common/LinkedText.h"
#include "directives/DirectiveLowering.h"
#include "gpuprof/abi.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr const char *FunctionName = "__gpuprof_step_add";

// For each group with counts since the mark:
//   line = the line of (step, group / 16), or
//          the line of the other steps: if the step's number does not fit into a key, or the store is full
//   line[group % 16] += counts[group] - marks[group]
// The first thread needing a line claims it in the store's table of keys.
// A line is found once for all its groups. No thread waits for another: keys stand for lines of fixed places.
constexpr const char *LookText = R"(
define internal void @__gpuprof_step_add(ptr %counts, ptr %marks, i64 %groups, i64 %control, i64 %level, i64 %code, i32 %slot) noinline nounwind {
entry:
  %biased = sub i64 %code, 1
  %fits = icmp ult i64 %biased, 68719476736
  %cell.number = add i64 %control, @{step_control.cell}
  %cell.address = inttoptr i64 %cell.number to ptr addrspace(1)
  %cell = load i64, ptr addrspace(1) %cell.address
  %id.number = add i64 %control, @{step_control.first_id}
  %id.address = inttoptr i64 %id.number to ptr addrspace(1)
  %first.id = load i64, ptr addrspace(1) %id.address
  %id = add i64 %first.id, %level
  %has.id = icmp ne i64 %first.id, 0
  %has.store = icmp ne i64 %cell, 0
  %has.both = and i1 %has.id, %has.store
  %has.lines = and i1 %has.both, %fits
  %step = sub i64 %biased, 34359738368
  %is.low = icmp ult i64 %step, 1024
  %slot.number = zext i32 %slot to i64
  %slot.low = and i64 %slot.number, 3
  %spread = select i1 %is.low, i64 %slot.low, i64 0
  %id.bits = shl i64 %id, 46
  %spread.bits = shl i64 %spread, 44
  %key.id = or i64 %id.bits, %spread.bits
  %key.start = or i64 %key.id, %biased
  %groups.up = add i64 %groups, 15
  %row.lines = lshr i64 %groups.up, 4
  %level.lines = mul i64 %row.lines, %level
  %level.bytes = shl i64 %level.lines, 7
  %others.start = add i64 %control, 128
  %others = add i64 %others.start, %level.bytes
  br label %group

group:
  %g = phi i64 [ 0, %entry ], [ %g.next, %next ]
  %known = phi i64 [ 0, %entry ], [ %known.next, %next ]
  %count.address = getelementptr i64, ptr %counts, i64 %g
  %mark.address = getelementptr i64, ptr %marks, i64 %g
  %count = load i64, ptr %count.address
  %mark = load i64, ptr %mark.address
  %amount = sub i64 %count, %mark
  %place = and i64 %g, 15
  %begins = icmp eq i64 %place, 0
  %known.here = select i1 %begins, i64 0, i64 %known
  %is.zero = icmp eq i64 %amount, 0
  br i1 %is.zero, label %next, label %some

some:
  %is.known = icmp ne i64 %known.here, 0
  br i1 %is.known, label %add, label %find

find:
  %number = lshr i64 %g, 4
  %is.near = icmp ult i64 %number, 256
  %wanted = and i1 %has.lines, %is.near
  br i1 %wanted, label %look, label %other

look:
  %store.address = inttoptr i64 %cell to ptr addrspace(1)
  %store = load volatile i64, ptr addrspace(1) %store.address
  %store.p = inttoptr i64 %store to ptr addrspace(1)
  %keys.address = getelementptr i8, ptr addrspace(1) %store.p, i64 @{step_store.keys}
  %keys = load i64, ptr addrspace(1) %keys.address
  %lines.address = getelementptr i8, ptr addrspace(1) %store.p, i64 @{step_store.lines}
  %lines = load i64, ptr addrspace(1) %lines.address
  %mask.address = getelementptr i8, ptr addrspace(1) %store.p, i64 @{step_store.mask}
  %mask = load i64, ptr addrspace(1) %mask.address
  %used.address = getelementptr i8, ptr addrspace(1) %store.p, i64 @{step_store.used}
  %full.address = getelementptr i8, ptr addrspace(1) %store.p, i64 @{step_store.full}
  %line.bits = shl i64 %number, 36
  %key = or i64 %key.start, %line.bits
)";
constexpr KeySearch LineSearch = {
    "%look", "%key", "load volatile", "255",
    "  %used = atomicrmw add ptr addrspace(1) %used.address, i64 1 monotonic\n"};
constexpr const char *FoundText = R"(
full:
  store volatile i64 1, ptr addrspace(1) %full.address
  br label %other

found:
  %line.offset = shl i64 %at, 7
  %line.number = add i64 %lines, %line.offset
  br label %add

other:
  %other.offset = shl i64 %number, 7
  %other.number = add i64 %others, %other.offset
  br label %add

add:
  %line = phi i64 [ %known.here, %some ], [ %line.number, %found ], [ %other.number, %other ]
  %place.offset = shl i64 %place, 3
  %sum.number = add i64 %line, %place.offset
  %sum.address = inttoptr i64 %sum.number to ptr addrspace(1)
  %before = atomicrmw add ptr addrspace(1) %sum.address, i64 %amount monotonic
  br label %next

next:
  %known.next = phi i64 [ %known.here, %group ], [ %line, %add ]
  %g.next = add i64 %g, 1
  %more = icmp ult i64 %g.next, %groups
  br i1 %more, label %group, label %out

out:
  ret void
}
)";
static_assert(GPUPROF_STEP_BITS == 36 && GPUPROF_STEP_LINE_SHIFT == 36 && GPUPROF_STEP_SPREAD_SHIFT == 44 &&
                  GPUPROF_STEP_ID_SHIFT == 46 && GPUPROF_STEP_LINE == 16 &&
                  sizeof(gpuprof_step_control) == 128,
              "the text has these numbers");

} // namespace

void splitAtTimeSteps(Module &M) {
  SmallVector<Instruction *, 8> Begins;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (maySwitchStep(I)) // counts ended by a callee's switch precede the call
        Begins.push_back(switchesStep(I) ? &I : I.getNextNode());
  for (Instruction *I : Begins)
    if (I)
      SplitBlock(I->getParent(), I);
}

Value *ThreadCounts::code(IRBuilder<> &Builder, unsigned Level) const {
  return Builder.CreateConstInBoundsGEP1_64(Builder.getInt64Ty(), Frame, uint64_t(Groups) + Level);
}

Value *ThreadCounts::marks(IRBuilder<> &Builder, unsigned Level) const {
  return Builder.CreateConstInBoundsGEP1_64(Builder.getInt64Ty(), Frame,
                                            Groups + Levels + uint64_t(Level) * Groups);
}

// Numbers too large for a key are code 2^36 + 1: one of the other steps.
Value *codeOfStep(IRBuilder<> &Builder, Value *Step) {
  constexpr uint64_t Number = uint64_t(1) << GPUPROF_STEP_BITS;
  Value *Biased = Builder.CreateAdd(Step, Builder.getInt64(Number / 2));
  Value *Fits = Builder.CreateICmpULT(Biased, Builder.getInt64(Number));
  return Builder.CreateAdd(Builder.CreateSelect(Fits, Biased, Builder.getInt64(Number)), Builder.getInt64(1));
}

// The function adding to a step's lines. One a module, made on demand.
static Function *stepFunction(Module &M) {
  if (Function *Known = M.getFunction(FunctionName))
    return Known;
  const std::vector<Function *> Functions =
      linkText(M, (LookText + keySearchText(LineSearch) + FoundText).c_str(), {FunctionName});
  return Functions.empty() ? nullptr : Functions[0];
}

void emitTimeStepFlush(IRBuilder<> &Builder, const ThreadCounts &Counts, unsigned Level, Value *Base,
                   Value *Slot) {
  Instruction *After = &*Builder.GetInsertPoint();
  Value *Code = Builder.CreateLoad(Builder.getInt64Ty(), Counts.code(Builder, Level));
  Value *Zero = Builder.getInt64(0);
  Value *Counted = Builder.CreateAnd(Builder.CreateICmpNE(Base, Zero), Builder.CreateICmpNE(Code, Zero));
  Builder.SetInsertPoint(SplitBlockAndInsertIfThen(Counted, After, false));
  const uint64_t Slots = 8 * uint64_t(GPUPROF_COUNTER_SLOTS) * CostSheet::rowLength(Counts.Groups);
  Builder.CreateCall(stepFunction(*After->getModule()),
                     {Counts.Frame, Counts.marks(Builder, Level), Builder.getInt64(Counts.Groups),
                      Builder.CreateAdd(Base, Builder.getInt64(Slots)), Builder.getInt64(Level), Code, Slot});
  Builder.SetInsertPoint(After);
}

} // namespace gpuprof
