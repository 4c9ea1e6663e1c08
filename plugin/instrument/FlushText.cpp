// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/FlushText.h"

#include "gpuprof/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Type.h"
#include "llvm/IR/Value.h"
#include "llvm/Support/MathExtras.h"

#include <vector>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr unsigned WarpSize = 32;
constexpr unsigned FirstWithRedux = 80;

// The sum of up to 32 counts of up to 27 bits has at most 32.
constexpr unsigned PieceBits = 27;
constexpr uint64_t PieceMask = (uint64_t(1) << PieceBits) - 1;

static_assert(isPowerOf2_32(GPUPROF_SLOTS_OF_SM) && isPowerOf2_32(GPUPROF_COUNTER_SLOTS),
              "masks are made of them");

class Text {
public:
  Text(const FlushPlan &Plan, ArrayRef<LocalCount> Counts, unsigned Architecture)
      : Plan(Plan), Counts(Counts), HasRedux(Architecture >= FirstWithRedux) {}

  std::string write() {
    declare();
    findBase();
    findRow();
    findWarp();
    if (!Counts.empty())
      addCounts();
    if (Plan.Array)
      addArray();
    addSeldom();
    label("DONE");
    return Out + "}";
  }

private:
  void line(const Twine &Instruction) { Out += (Instruction + ";\n\t").str(); }
  void label(StringRef Name) { Out += (Name + ":\n\t").str(); }
  // The loop nearly always has one iteration; ptxas would unroll it into several times its code.
  void loopLabel(StringRef Name) {
    label(Name);
    line(".pragma \"nounroll\"");
  }

  static std::string operand(size_t N) { return "$" + std::to_string(N + 1); }
  static std::string sumOf(size_t N) { return "sum" + std::to_string(N); }
  static bool isLong(const LocalCount &C) { return C.Count->getType()->isIntegerTy(64); }
  static bool isSmall(const LocalCount &C) { return C.Most <= PieceMask; }
  // The sum of uniform counts without packing has 64 bits.
  static bool isWideSum(const LocalCount &C) { return C.IsUniform && !C.IsPacked; }

  // The labels are local to the braces, too.
  void declare() {
    Out = "{\n\t";
    line(".reg .pred is, whole, all, more");
    line(".reg .b32 slot, begin, lanes, group, word, first, shift");
    line(".reg .b64 base, row, at, wide, high");
    for (auto [N, C] : enumerate(Counts))
      line((isWideSum(C) ? ".reg .b64 " : ".reg .b32 ") + sumOf(N));
  }

  // The address is given by the launch, or else bound: in memory, which is read only then.
  void findBase() {
    line("mov.b64 base, $0");
    line("setp.eq.b64 is, base, 0");
    line("@is bra " + Twine(Plan.Bound ? "BOUND" : "DONE"));
    if (Plan.Bound)
      label("START");
  }

  // Code that hardly ever runs stands behind the rest: threads on their way past it need not meet again.
  void addSeldom() {
    const bool HasHigh = any_of(Counts, hasHighPart);
    if (HasHigh || Plan.Bound || !Plan.SeveralBases)
      line("bra DONE");
    if (!Plan.SeveralBases)
      findPart();
    if (HasHigh)
      addHighParts();
    if (!Plan.Bound)
      return;
    label("BOUND");
    line("ld.global.b64 base, [" + Twine(operand(Counts.size() + (Plan.Array != nullptr))) + "]");
    line("setp.ne.b64 is, base, 0");
    line("@is bra START");
  }

  // Finds the address of the counters of this thread's slot. Blocks use the slots in turn. If block indices
  // have more than one dimension, the blocks of a multiprocessor use its own slots in turn.
  void findRow() {
    line("mov.u32 slot, %ctaid.x");
    if (!Plan.IsLine) {
      line("mov.u32 word, %smid");
      line("and.b32 slot, slot, " + Twine(GPUPROF_SLOTS_OF_SM - 1));
      line("mad.lo.u32 slot, word, " + Twine(GPUPROF_SLOTS_OF_SM) + ", slot");
    }
    line("and.b32 slot, slot, " + Twine(GPUPROF_COUNTER_SLOTS - 1));
    line("mad.wide.u32 row, slot, " + Twine(8 * Plan.RowLength) + ", base");
  }

  // Finds the groups added by this thread: the first is `begin`. `lanes` is the number of threads adding together; each adds
  // every so many-th group. Only all threads of a warp add together, as parts may not stay together. ptxas keeps values
  // shared by all active threads in one register of the warp. Other parts, here at the same time after a recursive call,
  // overwrite it. A function's threads may also have come from different calls.
  void findWarp() {
    if (Plan.SeveralBases) {
      line("setp.ne.b32 whole, slot, slot");
      line("mov.pred all, whole");
      line("mov.b32 begin, 0");
      return line("mov.b32 lanes, 1");
    }
    line("activemask.b32 word");
    line("setp.eq.b32 whole, word, -1");
    line("mov.pred all, whole");
    line("mov.u32 begin, %laneid");
    line("mov.b32 lanes, " + Twine(WarpSize));
    line("@!whole bra PART");
    label("WARP");
  }

  // The last warp of a block may have fewer threads. If all that it has are here, they add together: who never existed has
  // no part in a warp's operation. Any others are alone.
  void findPart() {
    label("PART");
    if (HasRedux) {
      line("mov.u32 first, %tid.z");
      line("mov.u32 shift, %ntid.y");
      line("mov.u32 group, %tid.y");
      line("mad.lo.u32 first, first, shift, group");
      line("mov.u32 lanes, %ntid.x");
      line("mov.u32 group, %tid.x");
      line("mad.lo.u32 first, first, lanes, group"); // the thread's number in the block
      line("mul.lo.u32 lanes, lanes, shift");
      line("mov.u32 shift, %ntid.z");
      line("mul.lo.u32 lanes, lanes, shift");
      line("sub.u32 first, first, begin");
      line("sub.u32 lanes, lanes, first");
      line("mov.b32 shift, 1");
      line("shl.b32 shift, shift, lanes"); // 0 from 32 on
      line("sub.u32 shift, shift, 1");
      line("setp.eq.u32 all, shift, word");
      line("@all bra WARP");
    }
    line("mov.b32 begin, 0");
    line("mov.b32 lanes, 1");
    line("bra WARP");
  }

  /* ---- Sums ---- */

  // Sums a register over a whole warp; the sum has 32 bits, too.
  void sumOverWarp(const std::string &Register) {
    if (HasRedux)
      return line("redux.sync.add.u32 " + Twine(Register) + ", " + Register + ", -1");
    for (unsigned Distance = WarpSize / 2; Distance > 0; Distance /= 2) {
      line("shfl.sync.bfly.b32 word, " + Twine(Register) + ", " + Twine(Distance) + ", 31, -1");
      line("add.u32 " + Twine(Register) + ", " + Register + ", word");
    }
  }

  void sum(size_t N, const LocalCount &C) {
    const std::string Sum = sumOf(N), Count = operand(N);
    if (isWideSum(C)) {
      line((isLong(C) ? "mov.b64 " : "cvt.u64.u32 ") + Twine(Sum) + ", " + Count);
      line("cvt.u64.u32 wide, lanes");
      return line("mul.lo.u64 " + Twine(Sum) + ", " + Sum + ", wide");
    }
    if (C.IsUniform)
      return line("mul.lo.u32 " + Twine(Sum) + ", " + Count + ", lanes");
    line((isLong(C) ? "cvt.u32.u64 " : "mov.b32 ") + Twine(Sum) + ", " + Count);
  }

  // The high part of a count, missing in the sum, is nearly always zero. Each thread adds its own.
  static bool hasHighPart(const LocalCount &C) { return !C.IsUniform && !C.IsPacked && !isSmall(C); }

  void findHighParts() {
    if (none_of(Counts, hasHighPart))
      return;
    line("mov.b32 word, 0");
    for (auto [N, C] : enumerate(Counts)) {
      if (!hasHighPart(C))
        continue;
      line("and.b32 slot, " + Twine(sumOf(N)) + ", " + Twine(uint32_t(~PieceMask)));
      line("or.b32 word, word, slot");
      if (isLong(C)) {
        line("mov.b64 {slot, first}, " + Twine(operand(N)));
        line("or.b32 word, word, first");
      }
    }
    line("setp.ne.b32 is, word, 0");
    line("@is bra HIGH");
    label("LOW");
  }

  void addHighParts() {
    label("HIGH");
    for (auto [N, C] : enumerate(Counts))
      if (hasHighPart(C)) {
        line((isLong(C) ? "mov.b64 wide, " : "cvt.u64.u32 wide, ") + Twine(operand(N)));
        line("and.b64 wide, wide, " + Twine(~PieceMask));
        addIfAny("row+" + std::to_string(8 * C.Group));
        line("and.b32 " + Twine(sumOf(N)) + ", " + sumOf(N) + ", " + Twine(PieceMask));
      }
    line("bra LOW");
  }

  void sumOverWarp() {
    if (all_of(Counts, [](const LocalCount &C) { return C.IsUniform; }))
      return;
    line("@!all bra ALONE");
    for (auto [N, C] : enumerate(Counts))
      if (!C.IsUniform)
        sumOverWarp(sumOf(N));
    label("ALONE");
  }

  /* ---- Additions ---- */

  // Adds wide to the counter at this address, unless it is zero.
  void addIfAny(const std::string &Address) {
    line("setp.ne.u64 is, wide, 0");
    line("@is red.global.add.u64 [" + Twine(Address) + "], wide");
  }

  // A thread of a whole warp has one counter: a branch around the addition would be a place where threads meet again.
  void addOnce() {
    line("bra ADDED");
    label("ONCE");
    line("@!is bra ADDED");
    line("red.global.add.u64 [at], wide");
  }

  // The address of `group` below a base, in `at`.
  void findCounter(StringRef Base) { line("mad.wide.u32 at, group, 8, " + Base); }

  // One more than the highest group.
  unsigned end() const {
    unsigned End = 0;
    for (const LocalCount &C : Counts)
      End = std::max(End, C.Group + (C.IsPacked ? PackedGroups : 1));
    return std::min(End, Plan.Groups);
  }

  // for (group = begin; group < end; group += lanes) if (sum of the group) add it. Neighbouring threads add
  // to neighbouring counters: memory processes them by the sector. A whole warp adds up to 32 by one
  // instruction.
  void addCounts() {
    for (auto [N, C] : enumerate(Counts))
      sum(N, C);
    findHighParts();
    sumOverWarp();
    line("mov.b32 group, begin");
    line("setp.ge.u32 is, group, " + Twine(end()));
    line("@is bra ADDED");
    loopLabel("COUNT");
    select();
    findCounter("row");
    line("setp.ne.u64 is, wide, 0");
    if (end() <= WarpSize)
      line("@whole bra ONCE");
    line("@is red.global.add.u64 [at], wide");
    line("add.u32 group, group, lanes");
    line("setp.lt.u32 more, group, " + Twine(end()));
    line("@more bra COUNT");
    if (end() <= WarpSize)
      addOnce();
    label("ADDED");
  }

  // The sum of `group` in `wide`; zero if there is none.
  void select() {
    selectPacked();
    for (auto [N, C] : enumerate(Counts))
      if (!C.IsPacked && !isWideSum(C)) {
        line("setp.eq.u32 is, group, " + Twine(C.Group));
        line("selp.b32 word, " + sumOf(N) + ", word, is");
      }
    line("cvt.u64.u32 wide, word");
    for (auto [N, C] : enumerate(Counts))
      if (isWideSum(C)) {
        line("setp.eq.u32 is, group, " + Twine(C.Group));
        line("selp.b64 wide, " + sumOf(N) + ", wide, is");
      }
  }

  // The same in `word`, for packed ones.
  void selectPacked() {
    bool Some = false;
    for (auto [N, C] : enumerate(Counts)) {
      if (!C.IsPacked)
        continue;
      if (Some) {
        line("setp.ge.u32 is, group, " + Twine(C.Group));
        line("selp.b32 word, " + sumOf(N) + ", word, is");
        line("selp.b32 first, " + Twine(C.Group) + ", first, is");
      } else {
        line("mov.b32 word, " + sumOf(N));
        line("mov.b32 first, " + Twine(C.Group));
      }
      Some = true;
    }
    if (!Some)
      return line("mov.b32 word, 0");
    line("sub.u32 shift, group, first");
    line("mul.lo.u32 shift, shift, " + Twine(PackedBits));
    // shr gives zero for groups before and behind the words: their shifts exceed the word.
    line("shr.u32 word, word, shift");
    line("and.b32 word, word, " + Twine((1u << PackedBits) - 1));
  }

  // for (group = 0; group < groups; ++group) add(array[group], group)
  void addArray() {
    const std::string Array = operand(Counts.size());
    line("mov.b32 group, 0");
    loopLabel("ELEMENT");
    findCounter(Array);
    line("ld.b64 wide, [at]");
    if (Plan.Resets) {
      line("mov.b64 high, 0");
      line("st.b64 [at], high");
    }
    if (HasRedux) { // the lowest thread adds the sum, each thread the rest of its own
      line("cvt.u32.u64 word, wide");
      line("and.b32 word, word, " + Twine(PieceMask));
      line("@!all bra OWN");
      sumOverWarp("word");
      label("OWN");
      line("setp.eq.u32 is, begin, 0");
      line("selp.b32 word, word, 0, is");
      line("cvt.u64.u32 high, word");
      line("and.b64 wide, wide, " + Twine(~PieceMask));
      line("add.u64 wide, wide, high");
    }
    findCounter("row");
    addIfAny("at");
    line("add.u32 group, group, 1");
    line("setp.lt.u32 more, group, " + Twine(Plan.Groups));
    line("@more bra ELEMENT");
  }

  const FlushPlan &Plan;
  const ArrayRef<LocalCount> Counts;
  const bool HasRedux;
  std::string Out;
};

} // namespace

std::string flushText(const FlushPlan &Plan, ArrayRef<LocalCount> Counts, unsigned Architecture) {
  return Text(Plan, Counts, Architecture).write();
}

} // namespace gpuprof
