// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/WiderLoads.h"

#include "common/Compat.h"
#include "costs/Spaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

#include <map>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr uint64_t WordBytes = 4, BlockBytes = 16, BlockWords = BlockBytes / WordBytes;

// The words that loads of a block of code read beside one pointer.
struct Group {
  const LoadInst *First = nullptr;
  std::map<int64_t, const LoadInst *> Words; // by their distance from the pointer in bytes
};
using Groups = MapVector<const Value *, Group>;

uint64_t bytesOf(const LoadInst &Load) { return Load.getModule()->getDataLayout().getTypeStoreSize(Load.getType()); }

void addWords(const LoadInst &Load, Groups &All) {
  const uint64_t Bytes = bytesOf(Load);
  if (Bytes % WordBytes != 0 || Bytes >= BlockBytes)
    return;
  const auto [Base, Offset] = placeOf(Load);
  Group &G = All[Base];
  if (!G.First)
    G.First = &Load;
  for (uint64_t At = 0; At < Bytes; At += WordBytes)
    G.Words.try_emplace(Offset + static_cast<int64_t>(At), &Load);
}

// Additional bytes if the pointer lies `Start` bytes behind the beginning of a block.
uint64_t additional(const Group &G, int64_t Start) {
  constexpr int64_t Size = BlockBytes;
  std::map<int64_t, unsigned> Blocks;
  for (const auto &[Offset, Load] : G.Words)
    ++Blocks[(Offset + Start - ((Offset + Start) % Size + Size) % Size) / Size];
  return WordBytes * static_cast<uint64_t>(count_if(Blocks, [](const auto &B) { return B.second == BlockWords - 1; }));
}

uint64_t alignmentOf(const Value &Pointer, const DataLayout &Layout) {
  if (!Pointer.getType()->isPointerTy())
    return WordBytes;
  const KnownBits Bits = computeKnownBits(&Pointer, Layout);
  const uint64_t Known = uint64_t(1) << std::min(Bits.countMinTrailingZeros(), 4u);
  return std::max({Known, Pointer.getPointerAlignment(Layout).value(), WordBytes});
}

// ptxas chooses where arrays begin: the largest number over all beginnings that the alignment leaves.
void finish(Groups &All, const DataLayout &Layout, WiderLoads &Found) {
  for (const auto &[Pointer, G] : All) {
    uint64_t Most = 0;
    if (G.Words.size() >= BlockWords - 1)
      for (uint64_t Start = 0; Start < BlockBytes; Start += alignmentOf(*Pointer, Layout))
        Most = std::max(Most, additional(G, static_cast<int64_t>(Start)));
    if (Most > 0)
      Found.push_back({G.First, Most});
  }
  All.clear();
}

/* ---- LLVM's vectorizer ---- */

// Bytes by block and space.
using LoadedBytes = std::map<std::pair<const BasicBlock *, Space>, uint64_t>;

LoadedBytes loadedBytes(const Function &F) {
  LoadedBytes Loaded;
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (const auto *Load = dyn_cast<LoadInst>(&I))
        Loaded[{&BB, spaceOf(*Load->getPointerOperand())}] += bytesOf(*Load);
      else if (const auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->getIntrinsicID() == Intrinsic::masked_load)
        // The instruction loads the elements of the gaps, too.
        Loaded[{&BB, spaceOf(*Call->getArgOperand(0))}] += F.getParent()->getDataLayout().getTypeStoreSize(Call->getType());
  return Loaded;
}

// Three loads beside one pointer, one of them aligned to a vector: otherwise no gap is filled.
bool hasGap(const BasicBlock &BB) {
  std::map<const Value *, std::pair<unsigned, bool>> Beside;
  for (const Instruction &I : BB)
    if (const auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple()) {
      auto &[Number, IsAligned] = Beside[placeOf(*Load).first];
      ++Number;
      IsAligned |= Load->getAlign().value() >= WordBytes && Load->getAlign().value() > bytesOf(*Load);
    }
  return any_of(Beside, [](const auto &B) { return B.second.first >= 3 && B.second.second; });
}

const LoadInst *firstLoad(const BasicBlock &BB, Space S) {
  for (const Instruction &I : BB)
    if (const auto *Load = dyn_cast<LoadInst>(&I); Load && spaceOf(*Load->getPointerOperand()) == S)
      return Load;
  return nullptr;
}

} // namespace

std::pair<const Value *, int64_t> placeOf(const LoadInst &Load) {
  const DataLayout &Layout = Load.getModule()->getDataLayout();
  const Value *Pointer = Load.getPointerOperand();
  APInt Distance(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(Layout, Distance, /*AllowNonInbounds=*/true);
  return {Base->stripPointerCastsAndAliases(), Distance.getSExtValue()};
}

WiderLoads widerSharedLoads(Function &F, function_ref<bool(const Instruction &)> MayChange) {
  WiderLoads Found;
  const DataLayout &Layout = F.getParent()->getDataLayout();
  Groups All;
  for (const BasicBlock &BB : F) {
    for (const Instruction &I : BB) {
      const auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && Load->isSimple() && spaceOf(*Load->getPointerOperand()) == Space::Shared)
        addWords(*Load, All);
      else if (MayChange(I))
        finish(All, Layout, Found);
    }
    finish(All, Layout, Found);
  }
  return Found;
}

WiderLoads filledLoads(Function &F, FunctionAnalysisManager &Analyses) {
  WiderLoads Found;
  if (!compat::FillsGapsOfLoads || none_of(F, hasGap))
    return Found;
  ValueToValueMapTy Copied;
  Function *Copy = CloneFunction(&F, Copied);
  LoadStoreVectorizerPass().run(*Copy, Analyses);
  const LoadedBytes Before = loadedBytes(F), After = loadedBytes(*Copy);
  for (const auto &[Place, Bytes] : Before) {
    auto Made = After.find({cast<BasicBlock>(Copied.lookup(Place.first)), Place.second});
    const LoadInst *First = firstLoad(*Place.first, Place.second);
    if (Made != After.end() && Made->second > Bytes && First)
      Found.push_back({First, Made->second - Bytes});
  }
  Analyses.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
  return Found;
}

} // namespace gpuprof
