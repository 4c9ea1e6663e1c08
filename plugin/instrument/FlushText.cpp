// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/FlushText.h"

#include "common/Architecture.h"

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

static_assert(isPowerOf2_32(GPUPROF_SLOTS_OF_SM) && isPowerOf2_32(GPUPROF_COUNTER_SLOTS) &&
                  isPowerOf2_32(GPUPROF_CLONE_SLOTS),
              "masks are made of them");

class Text {
public:
  Text(const FlushPlan &Plan, ArrayRef<LocalCount> Counts, unsigned Architecture)
      : Plan(Plan), Counts(Counts), HasRedux(Architecture >= FirstWithRedux) {}

  std::string write() {
    declare();
    if (Plan.IsRow) {
      takeRow();
    } else {
      findBase();
      findRow();
    }
    if (!Plan.SeveralBases)
      findWarp();
    for (auto [N, C] : enumerate(Counts))
      find(N, C);
    findHighParts();
    if (!Plan.SeveralBases &&
        (Plan.IsRow || !Plan.IsClone || !HasRedux)) { // assembling a clone takes longer than it does
      line("@part bra PART");
      addTogether();
      line("bra DONE");
      label("PART");
    }
    Warp = Part;
    if (mayAddTogether()) {
      findPart();
      addTogether();
    }
    if (hasSeparateCode()) {
      if (mayAddTogether())
        line("bra DONE");
      Warp = Alone;
      label("SEPARATE");
      addSeparately();
    }
    label("DONE");
    return Out + "}";
  }

private:
  void line(const Twine &Instruction) { Out += (Instruction + ";\n\t").str(); }
  void label(const Twine &Name) { Out += (Name + ":\n\t").str(); }
  // The loop nearly always has one iteration; ptxas would unroll it into several times its code.
  void loopLabel(const Twine &Name) {
    label(Name);
    line(".pragma \"nounroll\"");
  }

  static std::string operand(size_t N) { return "$" + std::to_string(N + 1); }
  static std::string sumOf(size_t N) { return "sum" + std::to_string(N); }
  static bool isLong(const LocalCount &C) { return C.Count->getType()->isIntegerTy(64); }
  static bool isSmall(const LocalCount &C) { return C.Most <= SummedMask; }
  // Up to the last that the word has.
  static unsigned groupsOfWord(const LocalCount &C) { return C.Used ? Log2_32(C.Used) + 1 : 0; }
  // The sum of uniform counts without packing has 64 bits.
  static bool isWideSum(const LocalCount &C) { return C.IsUniform && !C.IsPacked; }
  static bool isSummed(const LocalCount &C) { return !C.IsUniform && !C.IsBits; }

  // The labels are local to the braces, too.
  void declare() {
    Out = "{\n\t";
    line(".reg .pred is, part, all, more");
    line(".reg .b32 slot, begin, lanes, group, word, first, shift");
    line(".reg .b64 base, row, at, wide, high");
    for (auto [N, C] : enumerate(Counts))
      line((isWideSum(C) ? ".reg .b64 " : ".reg .b32 ") + sumOf(N));
    if (Plan.Array) {
      line(".reg .b64 own");
      line("cvta.to.local.u64 own, " + Twine(operand(Counts.size())));
    }
  }

  // The address is given by the launch, or else bound: in memory, which is read only then.
  void findBase() {
    line("mov.b64 base, $0");
    if (Plan.Bound) {
      line("setp.ne.b64 is, base, 0");
      line("@is bra GIVEN");
      line("ld.global.b64 base, [" + Twine(operand(Counts.size() + (Plan.Array != nullptr))) + "]");
    }
    if (Plan.IsClone) // it never runs without
      return;
    line("setp.eq.b64 is, base, 0");
    line("@is bra DONE");
    if (Plan.Bound)
      label("GIVEN");
  }

  void takeRow() {
    line("mov.b64 row, $0");
    line("setp.eq.b64 is, row, 0");
    line("@is bra DONE");
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
    line("and.b32 slot, slot, " + Twine((Plan.IsClone ? GPUPROF_CLONE_SLOTS : GPUPROF_COUNTER_SLOTS) - 1));
    line("mad.wide.u32 row, slot, " + Twine(8 * Plan.RowLength) + ", base");
  }

  /* ---- The threads that add together ---- */

  // The whole warp, in code of its own without loops and choices: it nearly always is. Or what is left of one. Or one thread.
  enum Which { Whole, Part, Alone };
  std::string here(StringRef Label) const {
    return (Label + (Warp == Whole ? "" : Warp == Part ? "_OF_PART" : "_ALONE")).str();
  }
  // A part never adds together where its threads may have come from different calls, and without redux. Short code for parts
  // does for whole warps, too.
  // Nor behind a called function, where parts are mostly threads that came apart.
  bool mayAddTogether() const {
    return Warp == Whole || (Warp == Part && HasRedux && !Plan.SeveralBases && !Plan.IsRow);
  }

  void findWarp() {
    line("activemask.b32 word");
    line("setp.ne.b32 part, word, -1");
    line("mov.u32 begin, %laneid");
  }

  // Finds the groups added by this thread: the first is `begin`, and then each `lanes`-th. The last warp of a block may have
  // fewer threads. If all that it has are here, they add together: who never existed has no part in a warp's operation. Any
  // others are alone, as parts may not stay together. ptxas keeps values shared by all active threads in one register of the
  // warp. Other parts, here at the same time after a recursive call, overwrite it.
  void findPart() {
    const std::string Apart = hasSeparateCode() ? "SEPARATE" : "APART";
    line("setp.eq.b32 all, word, -1");
    line("mov.b32 lanes, " + Twine(WarpSize));
    line("@all bra TOGETHER");
    // One thread, or threads that are not the first of their warp, are found at once.
    line("sub.u32 shift, word, 1");
    line("and.b32 shift, shift, word");
    line("setp.eq.u32 is, shift, 0");
    line("@is bra " + Twine(Apart));
    line("add.u32 shift, word, 1");
    line("and.b32 shift, shift, word");
    line("setp.ne.u32 is, shift, 0");
    line("@is bra " + Twine(Apart));
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
    line("min.u32 lanes, lanes, " + Twine(WarpSize));
    line("setp.eq.u32 all, shift, word");
    line("@all bra TOGETHER");
    if (hasSeparateCode()) {
      line("bra SEPARATE");
      return label("TOGETHER");
    }
    label("APART");
    line("mov.b32 begin, 0");
    line("mov.b32 lanes, 1");
    label("TOGETHER");
  }

  void addTogether() {
    for (auto [N, C] : enumerate(Counts))
      if (C.IsUniform)
        multiply(N, C);
    sumOverWarp();
    if (end() > 0)
      Warp == Part ? addCounts() : end() <= WarpSize ? addOnce() : addEach();
    for (auto [N, C] : enumerate(Counts))
      if (C.IsBits)
        Warp == Whole ? addBits(N, C) : addBitsOfPart(N, C);
    if (Plan.Array)
      Warp == Whole &&HasRedux ? addBlocks() : addArray();
  }

  /* ---- Threads that add alone ---- */

  // Where parts may add together, a clone has no such code: its text is short.
  bool hasSeparateCode() const { return !Plan.IsClone || !HasRedux || Plan.SeveralBases || Plan.IsRow; }
  // The code being written is for parts and for threads that are alone.
  bool mayBeApart() const { return Warp == Part && !hasSeparateCode(); }

  // Threads that leave a loop with a barrier come here one by one, and so does a kernel of one thread.
  void addSeparately() {
    for (auto [N, C] : enumerate(Counts))
      if (C.IsPacked || C.IsBits) {
        addOnes(C, sumOf(N));
      } else {
        line((isWideSum(C) ? "mov.b64 wide, " : "cvt.u64.u32 wide, ") + Twine(sumOf(N)));
        addIfAny("row+" + std::to_string(8 * C.Group));
      }
    if (Plan.Array)
      addArray();
  }

  // A thread has at most one of each count in a word. Testing each bit is two instructions; a loop over those that are set was
  // slower in a kernel of one thread, which waits for each.
  void addOnes(const LocalCount &C, const std::string &Word) {
    assert((C.IsBits || C.Most <= 1) && "it has one bit for a group");
    const unsigned Bits = C.IsBits ? 1 : PackedBits;
    line("mov.b64 wide, 1");
    for (unsigned I = 0; I < groupsOfWord(C); ++I) {
      if (!(C.Used >> I & 1))
        continue;
      line("and.b32 first, " + Twine(Word) + ", " + Twine(uint32_t(1) << (I * Bits)));
      line("setp.ne.u32 is, first, 0");
      line("@is red.global.add.u64 [row+" + Twine(8 * (C.Group + I)) + "], wide");
    }
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

  // The thread's own count, as a sum.
  void find(size_t N, const LocalCount &C) {
    if (isWideSum(C))
      return line((isLong(C) ? "mov.b64 " : "cvt.u64.u32 ") + Twine(sumOf(N)) + ", " + operand(N));
    line((isLong(C) ? "cvt.u32.u64 " : "mov.b32 ") + Twine(sumOf(N)) + ", " + operand(N));
  }

  // The sum of counts that are equal.
  void multiply(size_t N, const LocalCount &C) {
    const std::string Sum = sumOf(N);
    if (Warp == Whole)
      return line((isWideSum(C) ? "shl.b64 " : "shl.b32 ") + Twine(Sum) + ", " + Sum + ", " +
                  Twine(Log2_32(WarpSize)));
    if (!isWideSum(C))
      return line("mul.lo.u32 " + Twine(Sum) + ", " + Sum + ", lanes");
    line("cvt.u64.u32 wide, lanes");
    line("mul.lo.u64 " + Twine(Sum) + ", " + Sum + ", wide");
  }

  // The high part of a count, missing in the sum, is nearly always zero. Each thread adds its own.
  static bool hasHighPart(const LocalCount &C) { return isSummed(C) && !C.IsPacked && !isSmall(C); }

  void findHighParts() {
    if (none_of(Counts, hasHighPart))
      return;
    line("mov.b32 group, 0");
    for (auto [N, C] : enumerate(Counts))
      if (hasHighPart(C))
        line("or.b32 group, group, " + Twine(sumOf(N)));
    line("and.b32 group, group, " + Twine(uint32_t(~SummedMask)));
    for (auto [N, C] : enumerate(Counts))
      if (hasHighPart(C) && isLong(C)) {
        line("mov.b64 {slot, first}, " + Twine(operand(N)));
        line("or.b32 group, group, first");
      }
    line("setp.eq.b32 is, group, 0");
    line("@is bra LOW");
    for (auto [N, C] : enumerate(Counts))
      if (hasHighPart(C))
        addHighPart(N, C);
    label("LOW");
  }

  void addHighPart(size_t N, const LocalCount &C) {
    line((isLong(C) ? "mov.b64 wide, " : "cvt.u64.u32 wide, ") + Twine(operand(N)));
    line("and.b64 wide, wide, " + Twine(~SummedMask));
    addIfAny("row+" + std::to_string(8 * C.Group));
    line("and.b32 " + Twine(sumOf(N)) + ", " + sumOf(N) + ", " + Twine(SummedMask));
  }

  void sumOverWarp() {
    if (none_of(Counts, isSummed))
      return;
    const bool MayBeApart = mayBeApart();
    if (MayBeApart)
      line("@!all bra ALONE");
    for (auto [N, C] : enumerate(Counts))
      if (isSummed(C))
        sumOverWarp(sumOf(N));
    if (MayBeApart)
      label("ALONE");
  }

  /* ---- Additions ---- */

  // Adds wide to the counter at this address, unless it is zero.
  void addIfAny(const std::string &Address) {
    line("setp.ne.u64 is, wide, 0");
    line("@is red.global.add.u64 [" + Twine(Address) + "], wide");
  }

  // The address of `group` below a base, in `at`.
  void findCounter(StringRef Base) { line("mad.wide.u32 at, group, 8, " + Base); }

  // One more than the highest group that is no bit; 0: there is none.
  unsigned end() const {
    unsigned End = 0;
    for (const LocalCount &C :
         make_filter_range(Counts, [](const LocalCount &Count) { return !Count.IsBits; }))
      End = std::max(End, C.Group + (C.IsPacked ? groupsOfWord(C) : 1));
    assert(End <= Plan.Groups && "there is no such group");
    return End;
  }

  // Each thread of a whole warp adds one sum, if it has one that is not zero. Neighbouring threads add to neighbouring counters:
  // memory processes them by the sector. A branch around the addition would be a place where threads meet again.
  void addOnce() {
    line("mov.b32 group, begin");
    if (end() < WarpSize) {
      line("setp.ge.u32 is, group, " + Twine(end()));
      line("@is bra " + Twine(here("ADDED")));
    }
    select();
    line(any_of(Counts, isWideSum) ? "setp.eq.u64 is, wide, 0" : "setp.eq.u32 is, word, 0");
    line("@is bra " + Twine(here("ADDED")));
    findCounter("row");
    line("red.global.add.u64 [at], wide");
    label(here("ADDED"));
  }

  // The same for groups of higher numbers: the threads take the sums in their order.
  void addEach() {
    SmallVector<std::pair<size_t, unsigned>, 32> All; // count, and number in its word
    for (auto [N, C] : enumerate(Counts))
      for (unsigned I = 0; !C.IsBits && I < (C.IsPacked ? groupsOfWord(C) : 1); ++I)
        if (!C.IsPacked || C.Used >> I & 1)
          All.push_back({N, I});
    for (size_t First = 0; First < All.size(); First += WarpSize)
      addEachOf(ArrayRef<std::pair<size_t, unsigned>>(All).slice(
          First, std::min<size_t>(WarpSize, All.size() - First)));
  }

  void addEachOf(ArrayRef<std::pair<size_t, unsigned>> Some) {
    line("mov.b32 word, 0");
    line("mov.b32 group, 0");
    for (bool IsWide : {false, true}) {
      for (auto [Thread, Sum] : enumerate(Some))
        if (isWideSum(Counts[Sum.first]) == IsWide)
          chooseSum(Thread, Sum.first, Sum.second);
      if (!IsWide)
        line("cvt.u64.u32 wide, word");
    }
    findCounter("row");
    addIfAny("at");
  }

  void chooseSum(size_t Thread, size_t N, unsigned InWord) {
    const LocalCount &C = Counts[N];
    std::string Sum = sumOf(N);
    if (C.IsPacked) {
      line("bfe.u32 first, " + Twine(Sum) + ", " + Twine(InWord * PackedBits) + ", " + Twine(PackedBits));
      Sum = "first";
    }
    line("setp.eq.u32 is, begin, " + Twine(Thread));
    line(isWideSum(C) ? "selp.b64 wide, " + Twine(Sum) + ", wide, is"
                      : "selp.b32 word, " + Twine(Sum) + ", word, is");
    line("selp.b32 group, " + Twine(C.Group + InWord) + ", group, is");
  }

  // for (group = begin; group < end; group += lanes) if (sum of the group) add it
  void addCounts() {
    line("mov.b32 group, begin");
    line("setp.ge.u32 is, group, " + Twine(end()));
    line("@is bra " + Twine(here("ADDED")));
    loopLabel(here("COUNT"));
    select();
    findCounter("row");
    addIfAny("at");
    line("add.u32 group, group, lanes");
    line("setp.lt.u32 more, group, " + Twine(end()));
    line("@more bra " + Twine(here("COUNT")));
    label(here("ADDED"));
  }

  // The sum of `group` in `wide`; zero if there is none.
  void select() {
    selectPacked();
    for (auto [N, C] : enumerate(Counts))
      if (!C.IsPacked && !C.IsBits && !isWideSum(C)) {
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
  /* ---- Bits ---- */

  // The words of a warp are a matrix of bits. Transposed, each thread's word has the bits of one group. Source: H. S. Warren,
  // Hacker's Delight, 7-3.
  void addBits(size_t N, const LocalCount &C) {
    static_assert(BitGroups == WarpSize, "the matrix is square");
    line("mov.b32 word, " + Twine(sumOf(N)));
    uint32_t Kept = UINT32_MAX;
    for (unsigned Distance = WarpSize / 2; Distance > 0; Distance /= 2) {
      Kept ^= Kept << Distance; // the bits with a zero in this place of their number
      line("shfl.sync.bfly.b32 first, word, " + Twine(Distance) + ", 31, -1");
      line("and.b32 group, begin, " + Twine(Distance));
      line("setp.ne.u32 is, group, 0");
      line("selp.b32 group, " + Twine(uint32_t(~Kept)) + ", " + Twine(Kept) + ", is");
      line("shl.b32 shift, first, " + Twine(Distance));
      line("@is shr.u32 shift, first, " + Twine(Distance));
      line("lop3.b32 word, group, word, shift, 0xca"); // group ? word : shift, bit by bit
    }
    line("popc.b32 word, word");
    line("cvt.u64.u32 wide, word");
    line("mad.wide.u32 at, begin, 8, row");
    addIfAny("at+" + std::to_string(8 * C.Group));
  }

  // Counted bit by bit.
  void addBitsOfPart(size_t N, const LocalCount &C) {
    const std::string Number = std::to_string(N);
    line("mov.b32 group, 0");
    loopLabel("BIT" + Number);
    line("shr.u32 word, " + Twine(sumOf(N)) + ", group");
    line("and.b32 word, word, 1");
    if (mayBeApart())
      line("@!all bra OWN_BIT" + Twine(Number));
    line("setp.ne.u32 is, word, 0");
    line("vote.sync.ballot.b32 word, is, -1");
    line("popc.b32 word, word");
    addByLowest();
    if (mayBeApart())
      label("OWN_BIT" + Number);
    line("cvt.u64.u32 wide, word");
    findCounter("row");
    addIfAny("at+" + std::to_string(8 * C.Group));
    line("add.u32 group, group, 1");
    line("setp.lt.u32 more, group, " + Twine(groupsOfWord(C)));
    line("@more bra BIT" + Twine(Number));
  }

  // Leaves the sum in `word` to one thread.
  void addByLowest() {
    line("setp.eq.u32 is, begin, 0");
    line("selp.b32 word, word, 0, is");
  }

  /* ---- The array ---- */

  static constexpr unsigned BlockElements = 8;
  static std::string elementOf(unsigned I) { return "element" + std::to_string(I); }
  static std::string partOf(unsigned I) { return "part" + std::to_string(I); }

  // Of a whole warp: some elements at a time, as one waits for each load and each sum. Mostly all are zero.
  void addBlocks() {
    line(".reg .b64 element<" + Twine(BlockElements) + ">");
    line(".reg .b32 part<" + Twine(BlockElements) + ">");
    line("mov.b32 group, 0");
    if (const unsigned Full = Plan.Groups / BlockElements * BlockElements) {
      loopLabel("BLOCK");
      addBlock("FULL", BlockElements);
      line("add.u32 group, group, " + Twine(BlockElements));
      line("setp.lt.u32 more, group, " + Twine(Full));
      line("@more bra BLOCK");
    }
    if (const unsigned Rest = Plan.Groups % BlockElements)
      addBlock("REST", Rest);
  }

  void addBlock(StringRef Name, unsigned Elements) {
    loadElements(Elements);
    line("setp.ne.b64 is, wide, 0");
    line("vote.sync.any.pred is, is, -1");
    line("@!is bra NONE_OF_" + Twine(Name));
    addHighPartsOfElements(Name, Elements);
    for (unsigned I = 0; I < Elements; ++I) {
      line("cvt.u32.u64 " + Twine(partOf(I)) + ", " + elementOf(I));
      sumOverWarp(partOf(I));
    }
    line("mov.b32 word, 0");
    for (unsigned I = 0; I < Elements; ++I) {
      line("setp.eq.u32 is, begin, " + Twine(I));
      line("selp.b32 word, " + Twine(partOf(I)) + ", word, is");
    }
    line("cvt.u64.u32 wide, word");
    line("add.u32 first, group, begin");
    line("mad.wide.u32 at, first, 8, row");
    addIfAny("at");
    label(("NONE_OF_" + Name).str());
  }

  // Leaves what any of them has in `wide`.
  void loadElements(unsigned Elements) {
    findCounter("own");
    for (unsigned I = 0; I + 1 < Elements; I += 2) // an array is aligned to 16 bytes
      line("ld.local.v2.b64 {" + Twine(elementOf(I)) + ", " + elementOf(I + 1) + "}, [at+" + Twine(8 * I) +
           "]");
    if (Elements % 2)
      line("ld.local.b64 " + Twine(elementOf(Elements - 1)) + ", [at+" + Twine(8 * (Elements - 1)) + "]");
    if (Plan.Resets) {
      line("mov.b64 high, 0");
      for (unsigned I = 0; I < Elements; ++I)
        line("st.local.b64 [at+" + Twine(8 * I) + "], high");
    }
    line("mov.b64 wide, " + Twine(elementOf(0)));
    for (unsigned I = 1; I < Elements; ++I)
      line("or.b64 wide, wide, " + Twine(elementOf(I)));
  }

  void addHighPartsOfElements(StringRef Name, unsigned Elements) {
    line("and.b64 high, wide, " + Twine(~SummedMask));
    line("setp.eq.b64 is, high, 0");
    line("@is bra LOW_OF_" + Twine(Name));
    findCounter("row");
    for (unsigned I = 0; I < Elements; ++I) {
      line("and.b64 wide, " + Twine(elementOf(I)) + ", " + Twine(~SummedMask));
      addIfAny("at+" + std::to_string(8 * I));
      line("and.b64 " + Twine(elementOf(I)) + ", " + elementOf(I) + ", " + Twine(SummedMask));
    }
    label(("LOW_OF_" + Name).str());
  }

  void addArray() {
    const bool AddsTogether = HasRedux && mayAddTogether(); // who has nothing takes part
    line("mov.b32 group, 0");
    loopLabel(here("ELEMENT"));
    findCounter("own");
    line("ld.local.b64 wide, [at]");
    if (Plan.Resets) {
      line("mov.b64 high, 0");
      line("st.local.b64 [at], high");
    }
    if (AddsTogether)
      sumElement();
    findCounter("row");
    addIfAny("at");
    line("add.u32 group, group, 1");
    line("setp.lt.u32 more, group, " + Twine(Plan.Groups));
    line("@more bra " + Twine(here("ELEMENT")));
  }

  // The lowest thread adds the sum, each thread the rest of its own.
  void sumElement() {
    line("cvt.u32.u64 word, wide");
    line("and.b32 word, word, " + Twine(SummedMask));
    if (mayBeApart())
      line("@!all bra OWN");
    sumOverWarp("word");
    if (mayBeApart())
      label("OWN");
    addByLowest();
    line("cvt.u64.u32 high, word");
    line("and.b64 wide, wide, " + Twine(~SummedMask));
    line("add.u64 wide, wide, high");
  }

  const FlushPlan &Plan;
  const ArrayRef<LocalCount> Counts;
  const bool HasRedux;
  Which Warp = Whole; // whose code is being written
  std::string Out;
};

} // namespace

std::string flushText(const FlushPlan &Plan, ArrayRef<LocalCount> Counts, unsigned Architecture) {
  return Text(Plan, Counts, Architecture).write();
}

} // namespace gpuprof
