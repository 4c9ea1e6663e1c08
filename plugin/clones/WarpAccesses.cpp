// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/WarpAccesses.h"

#include "analysis/LaneSharing.h"
#include "analysis/LoadFreedom.h"
#include "common/Architecture.h"
#include "common/LinkedText.h"
#include "costs/Costs.h"
#include "costs/GenericAccess.h"
#include "costs/Spaces.h"
#include "costs/WarpUniformity.h"
#include "directives/DirectiveLowering.h"
#include "gpuprof/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DJB.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr const char *Tag = "gpuprof.warp";
constexpr uint64_t LargestCopy = 256; // bytes copied by a lane at once; larger copies become loops

constexpr CostClass Classes[] = {
#define GPUPROF_WARP_CLASS(Identifier) CostClass::Identifier,
    GPUPROF_WARP_CLASSES
#undef GPUPROF_WARP_CLASS
};
static_assert(std::size(Classes) == GPUPROF_WARP_CLASS_COUNT);

// Where the table has the bytes of a part; nothing: in none.
std::optional<unsigned> partOf(CostClass Class) {
  if (Class == CostClass::expand_global_load_less_same)
    Class = CostClass::expand_global_load_less;
  if (Class == CostClass::expand_shared_load_less_same)
    Class = CostClass::expand_shared_load_less;
  static constexpr CostClass Parts[] = {
#define GPUPROF_WARP_PART(Identifier) CostClass::expand_##Identifier,
      GPUPROF_WARP_PARTS
#undef GPUPROF_WARP_PART
  };
  static_assert(std::size(Classes) + std::size(Parts) == GPUPROF_WARP_COUNTS);
  const auto *Known = find(Parts, Class);
  return Known == std::end(Parts) ? std::nullopt : std::optional<unsigned>(std::size(Classes) + (Known - Parts));
}

struct Access {
  Value *Pointer = nullptr; // null: the instruction has no visible access
  Align Known;
};

// The access of a class: a copy has two.
Access accessOf(Instruction &I, CostClass Class) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return {Load->getPointerOperand(), Load->getAlign()};
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return {Store->getPointerOperand(), Store->getAlign()};
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return {Update->getPointerOperand(), Update->getAlign()};
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return {Exchange->getPointerOperand(), Exchange->getAlign()};
  if (auto *Copy = dyn_cast<MemTransferInst>(&I);
      Copy && (Class == CostClass::global_load || Class == CostClass::shared_load))
    return {Copy->getRawSource(), Copy->getSourceAlign().valueOrOne()};
  if (auto *Update = dyn_cast<CallBase>(&I); Update && isScopedAtomic(*Update))
    return {Update->getArgOperand(0), I.getModule()->getDataLayout().getABITypeAlign(I.getType())};
  if (auto *Fill = dyn_cast<MemIntrinsic>(&I))
    return {Fill->getRawDest(), Fill->getDestAlign().valueOrOne()};
  return {};
}

// Lanes executing an access together. On an H200 lanes from different places meet in the function. The CPU
// device answers all lanes asking for an active mask at once. The place is therefore compared, too. The first
// of all lanes with one address asks for it; the first of all adds. Elements lie at multiples of their size:
// two lanes have an element in common or nothing.
constexpr const char *AccessText = R"(
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) convergent
declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64) convergent
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) convergent
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.ctpop.i32(i32)
define internal void @__gpuprof_warp_access(i64 %table, i64 %address, i32 %bytes, i32 %class, i32 %site) noinline convergent {
entry:
  %arrived = call i32 asm sideeffect "activemask.b32 $0;", "=r"() convergent
  %active = call i32 @llvm.nvvm.match.any.sync.i32(i32 %arrived, i32 %site)
  %same = call i32 @llvm.nvvm.match.any.sync.i64(i32 %active, i64 %address)
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %first.same = call i32 @llvm.cttz.i32(i32 %same, i1 false)
  %leads = icmp eq i32 %first.same, %lane
  %leaders = call i32 @llvm.nvvm.vote.ballot.sync(i32 %active, i1 %leads)
  %first = call i32 @llvm.cttz.i32(i32 %active, i1 false)
  %adds = icmp eq i32 %first, %lane
  br i1 %adds, label %add, label %out
add:
  %lanes = call i32 @llvm.ctpop.i32(i32 %active)
  %addresses = call i32 @llvm.ctpop.i32(i32 %leaders)
  %requested = mul i32 %lanes, %bytes
  %distinct = mul i32 %addresses, %bytes
  %requested.64 = zext i32 %requested to i64
  %distinct.64 = zext i32 %distinct to i64
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %line = and i32 %block, 63
  %line.64 = zext i32 %line to i64
  %line.offset = shl i64 %line.64, 8
  %class.64 = zext i32 %class to i64
  %class.offset = shl i64 %class.64, 4
  %offset = add i64 %line.offset, %class.offset
  %place = add i64 %table, %offset
  %place.p = inttoptr i64 %place to ptr addrspace(1)
  %requested.p = getelementptr i8, ptr addrspace(1) %place.p, i64 @{warp_bytes.requested}
  %distinct.p = getelementptr i8, ptr addrspace(1) %place.p, i64 @{warp_bytes.distinct}
  %old = atomicrmw add ptr addrspace(1) %requested.p, i64 %requested.64 monotonic
  %older = atomicrmw add ptr addrspace(1) %distinct.p, i64 %distinct.64 monotonic
  br label %out
out:
  ret void
}
)";

static_assert(GPUPROF_WARP_LINES == 64 && sizeof(gpuprof_warp_bytes) == 1 << 4 &&
                  sizeof(gpuprof_warp_table) == GPUPROF_WARP_LINES << 8 &&
                  GPUPROF_WARP_COUNTS <= GPUPROF_WARP_LINE_CLASSES,
              "the text above has these numbers");

// Lanes are compared from sm_70 on.
bool comparesLanes(const Module &M) {
  return any_of(M, [](const Function &F) { return architectureOf(F) >= 70; });
}

// ---- Reductions ----

// The name of the operation in PTX, with its type; empty if PTX has none.
std::string reductionOf(const AtomicRMWInst &Update) {
  const Type &T = *Update.getType();
  const bool IsWide = T.isIntegerTy(64) || T.isDoubleTy();
  if (!T.isIntegerTy(32) && !T.isIntegerTy(64) && !T.isFloatTy() && !T.isDoubleTy())
    return "";
  const std::string Bits = IsWide ? "64" : "32";
  switch (Update.getOperation()) {
  case AtomicRMWInst::FAdd:
    return "add.f" + Bits;
  case AtomicRMWInst::Add:
    return "add.u" + Bits;
  case AtomicRMWInst::And:
    return "and.b" + Bits;
  case AtomicRMWInst::Or:
    return "or.b" + Bits;
  case AtomicRMWInst::Xor:
    return "xor.b" + Bits;
  case AtomicRMWInst::Max:
    return "max.s" + Bits;
  case AtomicRMWInst::Min:
    return "min.s" + Bits;
  case AtomicRMWInst::UMax:
    return "max.u" + Bits;
  case AtomicRMWInst::UMin:
    return "min.u" + Bits;
  default:
    return "";
  }
}

// The address space, in which ptxas writes one instruction; 0 for generic addresses.
unsigned reducedSpace(const AtomicRMWInst &Update) {
  constexpr unsigned Global = 1, Shared = 3;
  const Value &Pointer = *Update.getPointerOperand();
  if (isGenericInPtx(Pointer, false))
    return 0;
  const Space Where = spaceOf(Pointer);
  return Where == Space::Global ? Global : Where == Space::Shared ? Shared : 0;
}

void reduce(AtomicRMWInst &Update, unsigned Space, const std::string &Operation) {
  Value &Operand = *Update.getValOperand();
  const Type &T = *Operand.getType();
  const char *Letter = T.isDoubleTy() ? "d" : T.isFloatTy() ? "f" : T.isIntegerTy(64) ? "l" : "r";
  IRBuilder<> Builder(&Update);
  Value *Pointer = Builder.CreateAddrSpaceCast(Update.getPointerOperand(), Builder.getPtrTy(Space));
  auto *Signature = FunctionType::get(Builder.getVoidTy(), {Pointer->getType(), Operand.getType()}, false);
  const bool IsShort = Update.getModule()->getDataLayout().getPointerSizeInBits(Space) == 32;
  InlineAsm *Asm = InlineAsm::get(Signature, (Space == 1 ? "red.global." : "red.shared.") + Operation + " [$0], $1;",
                                  std::string(IsShort ? "r," : "l,") + Letter + ",~{memory}", true);
  Builder.CreateCall(Signature, Asm, {Pointer, &Operand});
  Update.eraseFromParent();
}

// LLVM writes `atom` also where the result is unused. ptxas expects a thread to wait for such an atomic's result: in
// functions and in loops with calls it writes YIELD, which lets lanes waiting for others go on without them. A kernel
// without calls has no YIELD there. `red` has no result, and none anywhere.
void reduceWithoutResults(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Update = dyn_cast<AtomicRMWInst>(&I);
        Update && Update->use_empty() && !Update->isVolatile() && Update->getSyncScopeID() == SyncScope::System)
      if (const std::string Operation = reductionOf(*Update); !Operation.empty())
        if (const unsigned Space = reducedSpace(*Update))
          reduce(*Update, Space, Operation);
}

} // namespace

void tagWarpAccesses(Function &F, FunctionAnalysisManager *Analyses) {
  const WarpUniformity Lanes(F);
  const LaneSharing Sharing(F, Lanes);
  const LoadFreedom Loads(F, Sharing, Analyses);
  LLVMContext &Context = F.getContext();
  Type *Word = Type::getInt32Ty(Context);
  for (Instruction &I : instructions(F)) {
    if (asDirectiveCall(I) || isDirectiveOnly(I))
      continue;
    SmallVector<Metadata *, 4> Seen; // class and bytes, in turn
    for (auto [Class, Bytes] : costOf(I).Amounts)
      if (const auto *Known = find(Classes, Class);
          Known != std::end(Classes) && Bytes <= LargestCopy && accessOf(I, Class).Pointer)
        Seen.append({ConstantAsMetadata::get(ConstantInt::get(Word, Known - Classes)),
                     ConstantAsMetadata::get(ConstantInt::get(Word, Bytes))});
    for (auto [Class, Bytes] : Loads.of(I).Amounts)
      if (const std::optional<unsigned> Part = partOf(Class))
        Seen.append({ConstantAsMetadata::get(ConstantInt::get(Word, *Part)),
                     ConstantAsMetadata::get(ConstantInt::get(Word, Bytes))});
    if (!Seen.empty())
      I.setMetadata(Tag, MDNode::get(Context, Seen));
  }
}

WarpCounter WarpCounter::link(Module &M, bool ForCpu) {
  if (!ForCpu && !comparesLanes(M))
    return {};
  const std::vector<Function *> Functions = linkText(M, AccessText, {"__gpuprof_warp_access"});
  if (Functions.empty())
    return {};
  if (!ForCpu)
    reduceWithoutResults(*Functions[0]);
  return {Functions[0], !ForCpu};
}

void WarpCounter::insert(Function &F, Value &Table) const {
  constexpr uint64_t WidestAccess = 16;
  uint32_t Site = djbHash(F.getName());
  for (Instruction &I : instructions(F)) {
    const MDNode *Node = I.getMetadata(Tag);
    for (unsigned N = 0, End = Node ? Node->getNumOperands() : 0; N < End; N += 2) {
      auto *Class = mdconst::extract<ConstantInt>(Node->getOperand(N));
      const uint64_t Bytes = mdconst::extract<ConstantInt>(Node->getOperand(N + 1))->getZExtValue();
      const uint64_t Number = Class->getZExtValue();
      const Access A = accessOf(I, Number < std::size(Classes) ? Classes[Number] : CostClass::global_load);
      // The code generator splits accesses aligned to less than their size, or wider than an instruction.
      const uint64_t Piece = std::min({A.Known.value(), Bytes, WidestAccess});
      IRBuilder<> Builder(&I);
      Value *Address = Builder.CreatePtrToInt(A.Pointer, Builder.getInt64Ty());
      for (uint64_t At = 0; At < Bytes; At += Piece)
        Builder.CreateCall(Count, {&Table, Builder.CreateAdd(Address, Builder.getInt64(At)),
                                   Builder.getInt32(static_cast<uint32_t>(std::min(Piece, Bytes - At))),
                                   Class, Builder.getInt32(Site++)});
    }
  }
  if (KeepsTogether)
    reduceWithoutResults(F);
}

void removeWarpTags(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      I.setMetadata(Tag, nullptr);
}

} // namespace gpuprof
