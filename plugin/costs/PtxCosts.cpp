// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of inline PTX, by the same conventions as IR.
#include "costs/PtxCosts.h"
#include "costs/MatrixCosts.h"

#include "costs/CostParts.h"

#include "common/Compat.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;

namespace gpuprof {
namespace {

// Metadata of a statement: a letter for each of its instructions.
constexpr StringLiteral FlowTag = "gpuprof.flow";
// Named metadata of a module in which barriers expect the bytes of copies by tensor maps alone.
constexpr StringLiteral TensorBytesTag = "gpuprof.tensor.bytes";
constexpr StringLiteral UnknownBox = "its box is in a descriptor that is not known at compile time";
constexpr StringLiteral GuessedPredicate =
    "counted as if its predicate were true, since the operands of the asm do not determine it: an upper bound";

// The values of $0, $1… in the text: outputs first, then inputs.
class AsmOperands {
public:
  explicit AsmOperands(const CallBase &Call) {
    unsigned Argument = 0;
    for (const InlineAsm::ConstraintInfo &Info :
         cast<InlineAsm>(Call.getCalledOperand())->ParseConstraints()) {
      if (Info.Type == InlineAsm::isClobber)
        continue;
      const bool Given = (Info.Type == InlineAsm::isInput || Info.isIndirect) && Argument < Call.arg_size();
      Values.push_back(Given ? Call.getArgOperand(Argument++) : nullptr);
    }
  }

  /// A number, or a constant operand.
  std::optional<uint64_t> number(StringRef Text) const {
    uint64_t Number = 0;
    if (!Text.getAsInteger(0, Number))
      return Number;
    if (const auto *Known = dyn_cast_or_null<ConstantInt>(value(Text)))
      return Known->getZExtValue();
    return std::nullopt;
  }

  /// The space of the address "[$1+8]", if an operand determines it.
  Space space(StringRef Address) const {
    Address.consume_front("[");
    const Value *Pointer = value(Address.take_until([](char C) { return C == ']' || C == '+' || C == ' '; }));
    while (Pointer && !Pointer->getType()->isPointerTy()) {
      const auto *Cast = dyn_cast<Operator>(Pointer);
      Pointer = Cast && Cast->getOpcode() == Instruction::PtrToInt ? Cast->getOperand(0) : nullptr;
    }
    return Pointer ? spaceOf(*Pointer) : Space::Unknown;
  }

private:
  const Value *value(StringRef Name) const {
    unsigned Index = 0;
    if (!Name.consume_front("$") || Name.getAsInteger(10, Index) || Index >= Values.size())
      return nullptr;
    return Values[Index];
  }

  SmallVector<const Value *, 16> Values;
};

std::optional<Space> namedSpace(StringRef Piece) {
  static const std::pair<const char *, Space> Spaces[] = {{"global", Space::Global},
                                                          {"shared", Space::Shared},
                                                          {"local", Space::Local},
                                                          {"const", Space::Constant},
                                                          {"param", Space::Constant}};
  for (auto [Name, S] : Spaces)
    if (Piece.split(':').first == Name) // shared::cta, shared::cluster
      return S;
  return std::nullopt;
}

// cp.async.bulk.tensor.2d.TO.FROM…
template <typename Pieces> bool copiesToShared(const Pieces &Opcode) {
  for (StringRef Piece : Opcode)
    if (std::optional<Space> S = namedSpace(Piece))
      return *S == Space::Shared;
  return false;
}

class PtxCounter {
public:
  PtxCounter(const CallBase &Call, const ptx::Instruction &I, const AsmOperands &Operands)
      : I(I), Operands(Operands), Opcode(I.Opcode.begin(), I.Opcode.end()), Text(I.text()),
        BarriersTellBytes(Call.getModule()->getNamedMetadata(TensorBytesTag)) {}

  PtxCost run() {
    const CostRow *Row = findCost(CostTable::Ptx, Text);
    if (!Row || !count(*Row))
      uncounted("not in the table of PTX instructions");
    Result.Whole = std::move(Cost);
    return std::move(Result);
  }

private:
  void uncounted(StringRef Why) { Cost.uncounted("inline asm \"" + Text + "\"", Why.str()); }

  // False: this form of the instruction is unknown.
  bool count(const CostRow &Row) {
    switch (Row.Kind) {
    case CostKind::Free:
      return true;
    case CostKind::Uncounted:
      uncounted(Row.Why);
      return true;
    case CostKind::Load:
      return access(Access::Load, 1);
    case CostKind::Store:
      return access(Access::Store, 0);
    case CostKind::Atomic:
      return atomic();
    case CostKind::Fill:
      return fill();
    case CostKind::AsyncCopy:
      return asyncCopy();
    case CostKind::BulkCopy:
      return bulkCopy();
    case CostKind::TensorCopy:
      if (!BarriersTellBytes || !copiesToShared(Opcode))
        uncounted(UnknownBox);
      return true;
    case CostKind::ExpectedBytes:
      return !BarriersTellBytes || expectedBytes();
    case CostKind::Matrix:
      return matrix();
    case CostKind::MatrixRows:
      return move(Opcode[0] == "ldmatrix" ? Access::Load : Access::Store, Opcode[0] == "ldmatrix" ? 1 : 0,
                  matrixRowBytes(Opcode));
    default:
      return arithmetic(Row.Kind);
    }
  }

  /* ---- Arithmetic ---- */

  // The first type is the result's, and the operation's. With several types the widest counts all elements.
  bool arithmetic(CostKind Kind) {
    if (Kind == CostKind::Integer && is_contained(Opcode, "pred"))
      return true; // logic on predicates
    const TypeName *First = nullptr;
    unsigned Elements = 1;
    for (StringRef Piece : drop_begin(Opcode))
      if (const TypeName *T = findTypeName(Piece)) {
        First = First ? First : T;
        Elements = std::max(Elements, T->Elements);
      }
    // Arithmetic on a type unknown here must not be taken for integers.
    if (!First && Kind <= CostKind::Sqrt)
      return false;
    addOperation(Cost, Kind, First ? First->P : Precision::Integer, Elements, is_contained(Opcode, "approx"));
    return true;
  }

  /* ---- Memory ---- */

  // The last type of the opcode, and the length of its vector.
  struct Accessed {
    const TypeName *Type = nullptr;
    uint64_t Vector = 1;

    uint64_t elements() const { return Type ? Type->Elements * Vector : 0; }
    uint64_t bytes() const { return Type ? Type->Bits * elements() / 8 : 0; }
  };
  Accessed accessed() const {
    Accessed Found;
    for (StringRef Piece : drop_begin(Opcode)) {
      if (const TypeName *T = findTypeName(Piece))
        Found.Type = T;
      else if (Piece == "v2" || Piece == "v4" || Piece == "v8")
        Found.Vector = Piece[1] - '0';
    }
    return Found;
  }

  bool access(Access A, unsigned Address) { return move(A, Address, accessed().bytes()); }

  bool atomic() {
    const Accessed To = accessed();
    if (!access(Access::Atomic, Opcode[0] == "atom" ? 1 : 0))
      return false;
    addAtomicOperation(Cost, is_contained(Opcode, "add"), To.Type->P, To.elements());
    return true;
  }

  // Bytes at an address with a space named by the opcode or known from the operand.
  bool move(Access A, unsigned Address, uint64_t Bytes) {
    if (Bytes == 0 || I.Operands.size() <= Address)
      return false;
    std::optional<Space> S;
    for (StringRef Piece : drop_begin(Opcode))
      if (!S)
        S = namedSpace(Piece);
    const Space Where = S.value_or(Operands.space(I.Operands[Address]));
    Cost.add(accessClass(Where, A), Bytes);
    if (Where == Space::Unknown)
      Cost.uncounted("generic address in inline PTX", "its bytes are counted as global");
    return true;
  }

  bool fill() { // st.bulk [to], size, 0
    const std::optional<uint64_t> Bytes = size(1);
    return Bytes ? move(Access::Store, 0, *Bytes) : !Cost.Why.empty();
  }

  // The operand with a number of bytes; reported if unknown.
  std::optional<uint64_t> size(unsigned Operand) {
    if (I.Operands.size() <= Operand)
      return std::nullopt;
    const std::optional<uint64_t> Bytes = Operands.number(I.Operands[Operand]);
    if (!Bytes)
      uncounted("its length is not known at compile time");
    return Bytes;
  }

  // cp.async.cg.shared.global [to], [from], 16 {, bytes to read}; the rest is filled with zeros.
  bool asyncCopy() {
    const std::optional<uint64_t> Bytes = size(2);
    if (!Bytes)
      return !Cost.Why.empty();
    uint64_t Read = *Bytes;
    const bool Hint = any_of(Opcode, [](StringRef Piece) { return Piece == "L2::cache_hint"; });
    if (I.Operands.size() > (Hint ? 4 : 3)) {
      if (const std::optional<uint64_t> Known = Operands.number(I.Operands[3]))
        Read = std::min(Read, *Known);
      else {
        uncounted("counted as if all bytes were read, since its source size is not known at compile time");
        Result.Size = {I.Operands[3], *Bytes, {CostClass::global_load}};
      }
    }
    Cost.add(CostClass::global_load, Read);
    Cost.add(CostClass::shared_store, *Bytes);
    return true;
  }

  // cp.async.bulk.TO.FROM.… [to], [from], size, …; cp.reduce.async.bulk likewise, with an atomic at its end.
  bool bulkCopy() {
    SmallVector<Space, 2> Spaces;
    for (StringRef Piece : drop_begin(Opcode))
      if (std::optional<Space> S = namedSpace(Piece))
        Spaces.push_back(*S);
    if (Spaces.size() != 2)
      return false;
    const CostClass Read = accessClass(Spaces[1], Access::Load);
    const CostClass Written = accessClass(Spaces[0], Opcode[1] == "reduce" ? Access::Atomic : Access::Store);
    const bool ForSeveral = is_contained(Opcode, "multicast::cluster");
    const std::optional<uint64_t> Bytes = size(2);
    if (!Bytes && !Cost.Why.empty() && !ForSeveral)
      Result.Size = {I.Operands[2], 0, {Read, Written}};
    if (!Bytes)
      return !Cost.Why.empty();
    Cost.add(Read, *Bytes);
    Cost.add(Written, *Bytes);
    if (Opcode[1] == "reduce" && !reduction(*Bytes))
      return false;
    if (ForSeveral)
      uncounted("counted as if one block received its bytes");
    return true;
  }

  // mbarrier.arrive.expect_tx… _, [barrier], size: boxes count whole, also outside of the tensor.
  bool expectedBytes() {
    const std::optional<uint64_t> Bytes = size(static_cast<unsigned>(I.Operands.size()) - 1);
    const SmallVector<CostClass, 2> Classes = {CostClass::global_load, CostClass::shared_store};
    if (!Bytes && !Cost.Why.empty())
      Result.Size = {I.Operands.back(), 0, Classes};
    for (CostClass Class : Classes)
      Cost.add(Class, Bytes.value_or(0));
    return Bytes || !Cost.Why.empty();
  }

  // The elements combined by cp.reduce.async.bulk….add.f16 with those in memory.
  bool reduction(uint64_t Bytes) {
    const Accessed One = accessed();
    if (!One.Type)
      return false;
    addAtomicOperation(Cost, is_contained(Opcode, "add"), One.Type->P, 8 * Bytes / One.Type->Bits);
    return true;
  }

  /* ---- Matrices ---- */

  bool matrix() {
    if (Opcode[0] == "wgmma") // four warps
      return addMatrixProduct(Cost, Opcode, 128);
    if (const uint64_t Bytes = matrixFragmentBytes(Opcode))
      return is_contained(Opcode, "load") ? move(Access::Load, 1, Bytes) : move(Access::Store, 0, Bytes);
    return addMatrixProduct(Cost, Opcode, 32);
  }

  const ptx::Instruction &I;
  const AsmOperands &Operands;
  SmallVector<StringRef, 16> Opcode;
  std::string Text;
  bool BarriersTellBytes;
  InstructionCost Cost;
  PtxCost Result;
};

// The amounts added for an instruction by one execution of the statement, without those added by conditional
// costs.
InstructionCost statementCost(PtxCost Cost, const ptx::Instruction &I, PtxFlow Flow) {
  InstructionCost Part = std::move(Cost.Whole);
  switch (Flow) {
  case PtxFlow::Always:
    break;
  case PtxFlow::Conditional:
    Part.Amounts.clear();
    if (!Cost.Size.Operand.empty())
      Part.What = Part.Why = {};
    break;
  case PtxFlow::Sized:
    erase_if(Part.Amounts, [&](auto Amount) { return is_contained(Cost.Size.PerByte, Amount.first); });
    Part.What = Part.Why = {};
    break;
  case PtxFlow::Unknown:
    if (!Part.Amounts.empty())
      Part.uncounted("inline asm \"" + I.text() + "\"",
                     (Part.Why.empty() ? "" : Part.Why + "; ") + GuessedPredicate.str());
    break;
  }
  return Part;
}

} // namespace

std::optional<std::vector<PtxFlow>> flowOfPtx(const CallBase &Call) {
  const MDNode *Node = Call.getMetadata(FlowTag);
  if (!Node)
    return std::nullopt;
  std::vector<PtxFlow> Flow;
  for (char Letter : cast<MDString>(Node->getOperand(0))->getString())
    Flow.push_back(static_cast<PtxFlow>(Letter));
  return Flow;
}

void setFlowOfPtx(CallBase &Call, ArrayRef<PtxFlow> Flow) {
  std::string Letters;
  for (PtxFlow F : Flow)
    Letters += static_cast<char>(F);
  LLVMContext &Context = Call.getContext();
  Call.setMetadata(FlowTag, MDNode::get(Context, MDString::get(Context, Letters)));
}

namespace {

enum class BarrierUse { None, TensorCopy, Other };

// What an instruction makes barriers wait for.
BarrierUse barrierUse(const ptx::Instruction &I) {
  const bool Completes = I.has("mbarrier::complete_tx::bytes");
  if (I.Opcode[0] != "cp" || !I.has("tensor"))
    return Completes || (I.Opcode[0] == "mbarrier" && I.has("complete_tx")) ? BarrierUse::Other : BarrierUse::None;
  if (!Completes)
    return BarrierUse::None; // a store, or a prefetch
  return I.has("multicast::cluster") ? BarrierUse::Other : BarrierUse::TensorCopy;
}

BarrierUse barrierUse(const CallBase &Call) {
  if (const Function *Callee = Call.getCalledFunction()) // a copy by an intrinsic
    return Callee->getName().starts_with("llvm.nvvm.cp.async.bulk") ? BarrierUse::Other : BarrierUse::None;
  BarrierUse Use = BarrierUse::None;
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    for (const ptx::Instruction &I : ptx::parse(compat::asmText(*Asm)).Instructions)
      Use = std::max(Use, barrierUse(I));
  return Use;
}

} // namespace

void noteTensorCopies(Module &M) {
  BarrierUse Use = BarrierUse::None;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        Use = std::max(Use, barrierUse(*Call));
  if (Use == BarrierUse::TensorCopy)
    M.getOrInsertNamedMetadata(TensorBytesTag);
}

PtxCost costOfPtx(const CallBase &Call, const ptx::Instruction &I) {
  const AsmOperands Operands(Call);
  return PtxCounter(Call, I, Operands).run();
}

InstructionCost costOfPtx(const CallBase &Call) {
  InstructionCost Total;
  const std::string Text = compat::asmText(*cast<InlineAsm>(Call.getCalledOperand()));
  const ptx::Program Program = ptx::parse(Text);
  if (!Program.Error.empty()) {
    Total.uncounted("inline asm \"" + StringRef(Text).trim().str() + "\"", Program.Error);
    return Total;
  }
  const AsmOperands Operands(Call);
  const std::optional<std::vector<PtxFlow>> Flow = flowOfPtx(Call);
  assert((!Flow || Flow->size() == Program.Instructions.size()) && "the flow is that of another text");
  for (auto [N, I] : enumerate(Program.Instructions)) {
    const PtxFlow Here = Flow ? (*Flow)[N] : I.Predicate.empty() ? PtxFlow::Always : PtxFlow::Unknown;
    InstructionCost Cost = statementCost(PtxCounter(Call, I, Operands).run(), I, Here);
    Total.Amounts.append(Cost.Amounts.begin(), Cost.Amounts.end());
    if (Total.Why.empty())
      Total.uncounted(std::move(Cost.What), std::move(Cost.Why));
  }
  // A loop of free instructions, such as a wait for a barrier, adds nothing for any number of iterations.
  if (!Flow && !Program.Branch.empty() && !Total.Amounts.empty()) {
    Total.Amounts.clear();
    Total.uncounted("inline asm \"" + StringRef(Text).trim().str() + "\"",
                    Program.Branch + ": none of its work is counted");
  }
  return Total;
}

} // namespace gpuprof
