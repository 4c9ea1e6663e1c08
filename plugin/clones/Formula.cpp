// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/Formula.h"

#include "clones/SectorMarkers.h"
#include "common/Compat.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr unsigned MostSteps = 2000;    // the runtime takes 4096
constexpr unsigned MostOperands = 20000; // … and 65536
constexpr unsigned WidestNumber = 64;

/// Writes instruction by instruction; the first one without a counterpart ends it.
class Writer {
public:
  Writer(Function &F, ArrayRef<CloneRead> Reads, const SectorMarkers *Marks)
      : F(F), Layout(F.getParent()->getDataLayout()), Reads(Reads), Marks(Marks) {}

  Formula run() {
    ReversePostOrderTraversal<Function *> Order(&F);
    for (BasicBlock *BB : Order)
      Blocks.try_emplace(BB, Blocks.size());
    for (BasicBlock *BB : Order) {
      if (BB->isEntryBlock())
        writeArguments();
      for (Instruction &I : *BB)
        if (!isa<PHINode>(I))
          write(I);
        else
          define(I, ""); // its operands may come later
    }
    for (auto [I, Step] : Phis)
      writePhi(*I, Steps[Step]);
    if (Steps.size() > MostSteps || Operands > MostOperands)
      refuse("it would be too long");
    Formula Result;
    Result.Why = Why;
    if (!Why.empty())
      return Result;
    Result.Steps = static_cast<unsigned>(Steps.size());
    for (const std::string &Step : Steps)
      Result.Text += (Result.Text.empty() ? "" : ";") + Step;
    return Result;
  }

private:
  void refuse(const Twine &Reason) {
    if (Why.empty())
      Why = Reason.str();
  }

  /* ---- Operands ---- */

  // Bits of an integer or an address; 0: it is neither.
  unsigned widthOf(Type *T) const {
    const unsigned Width = T->isPointerTy() ? static_cast<unsigned>(Layout.getPointerTypeSizeInBits(T))
                                            : T->isIntegerTy() ? T->getIntegerBitWidth() : 0;
    return Width <= WidestNumber ? Width : 0;
  }

  std::string operand(const Value &V) {
    ++Operands;
    if (const auto *C = dyn_cast<ConstantInt>(&V); C && C->getBitWidth() <= WidestNumber)
      return " #" + std::to_string(C->getSExtValue());
    if (isa<ConstantPointerNull, UndefValue>(V)) // of a variable that is not set on this way
      return " #0";
    auto Known = Values.find(&V);
    if (Known != Values.end())
      return " " + std::to_string(Known->second);
    refuse("it computes with a constant that is no number");
    return "";
  }

  std::string block(const BasicBlock &BB) {
    ++Operands;
    return " " + std::to_string(Blocks.lookup(&BB));
  }

  /* ---- Instructions ---- */

  // A step that computes a value.
  void define(const Value &V, const std::string &Step) {
    if (const auto *Phi = dyn_cast<PHINode>(&V))
      Phis.push_back({Phi, Steps.size()});
    if (!widthOf(V.getType()))
      refuse("it computes with something else than numbers of at most 64 bits");
    Values[&V] = Numbered++;
    Steps.push_back(Step);
  }

  // … that is no instruction's.
  unsigned helper(const std::string &Step) {
    Steps.push_back(Step);
    return Numbered++;
  }

  static std::string named(StringRef Name, unsigned Width) { return (Name + " " + Twine(Width)).str(); }

  void defineOperation(const Instruction &I, StringRef Name, unsigned Width) {
    std::string Step = named(Name, Width);
    for (const Use &U : isa<CallInst>(I) ? make_range(I.op_begin(), I.op_begin() + 2) : I.operands())
      Step += operand(*U);
    define(I, Step);
  }

  void writeArguments() {
    for (const Argument &A : F.args())
      if (!A.use_empty() && !A.hasByValAttr() && !(Marks && isAdded(A)))
        writeParam(A, A, A.getArgNo(), 0);
  }

  // The last argument is the clone's alone.
  bool isAdded(const Argument &A) const { return &A == std::prev(F.arg_end()); }

  void writeParam(const Value &V, const Argument &Parameter, unsigned Number, uint64_t Offset) {
    const unsigned Width = widthOf(V.getType());
    const uint64_t End = Offset + (Width + 7) / 8;
    if ((Width != 1 && Width != 8 && Width != 16 && Width != 32 && Width != 64) || isAdded(Parameter) ||
        none_of(Reads, [&](const CloneRead &R) {
          return R.Parameter == Number && R.Offset <= Offset && End <= R.Offset + R.Bytes;
        }))
      refuse("it reads an argument that is no number");
    define(V, named("param", Width) + " " + std::to_string(Number) + " " + std::to_string(Offset));
  }

  void writeLoad(const LoadInst &Load) {
    APInt Offset(Layout.getIndexTypeSizeInBits(Load.getPointerOperandType()), 0);
    const auto *Structure =
        dyn_cast<Argument>(Load.getPointerOperand()->stripAndAccumulateConstantOffsets(Layout, Offset, true));
    if (!Structure || !Structure->hasByValAttr() || Offset.isNegative())
      return refuse("it reads a table");
    writeParam(Load, *Structure, Structure->getArgNo(), Offset.getZExtValue());
  }

  void writeComparison(const ICmpInst &I) {
    const unsigned Width = widthOf(I.getOperand(0)->getType());
    if (!Width)
      refuse("it compares something else than numbers");
    const Value *A = I.getOperand(0), *B = I.getOperand(1);
    ICmpInst::Predicate Is = I.getPredicate();
    if (ICmpInst::isGT(Is) || ICmpInst::isLE(Is)) { // a > b is b < a, and a ≤ b its contrary
      std::swap(A, B);
      Is = ICmpInst::getSwappedPredicate(Is);
    }
    const bool IsNot = Is == ICmpInst::ICMP_NE || ICmpInst::isGE(Is);
    if (IsNot)
      Is = ICmpInst::getInversePredicate(Is);
    const StringRef Name = Is == ICmpInst::ICMP_EQ ? "eq" : ICmpInst::isSigned(Is) ? "slt" : "ult";
    const std::string Step = named(Name, Width) + operand(*A) + operand(*B);
    if (!IsNot)
      return define(I, Step);
    const unsigned Contrary = helper(Step);
    define(I, "xor 1 " + std::to_string(Contrary) + " #-1");
  }

  void writeOperation(const BinaryOperator &I) {
    static constexpr std::pair<unsigned, StringLiteral> Names[] = {
        {Instruction::Add, "add"},   {Instruction::Sub, "sub"},   {Instruction::Mul, "mul"},   {Instruction::Shl, "shl"},
        {Instruction::LShr, "lshr"}, {Instruction::AShr, "ashr"}, {Instruction::And, "and"},   {Instruction::Or, "or"},
        {Instruction::Xor, "xor"},   {Instruction::UDiv, "udiv"}, {Instruction::SDiv, "sdiv"}, {Instruction::URem, "urem"},
        {Instruction::SRem, "srem"}};
    for (auto [Opcode, Name] : Names)
      if (I.getOpcode() == Opcode)
        return defineOperation(I, compat::isDisjointOr(I) ? StringRef("add") : StringRef(Name), widthOf(I.getType()));
    refuse("it computes with floating-point numbers");
  }

  void writeCall(const CallInst &I) {
    const Function *Callee = I.getCalledFunction();
    if (Callee && Callee->getName() == FormulaCounts)
      return writeCounts(I);
    if (Marks && Marks->isOne(I.getCalledOperand()))
      return writeMark(I);
    if (const auto *Asm = dyn_cast<InlineAsm>(I.getCalledOperand()))
      return writeAssembly(I, *Asm);
    StringRef Name = Callee ? Callee->getName() : "";
    if (Name.consume_front("llvm.nvvm.read.ptx.sreg."))
      return writeRegister(I, Name);
    const StringRef Operation = StringSwitch<StringRef>(Name.split(".i").first)
                                    .Case("llvm.umin", "umin")
                                    .Case("llvm.umax", "umax")
                                    .Case("llvm.smin", "smin")
                                    .Case("llvm.smax", "smax")
                                    .Default("");
    const unsigned Width = widthOf(I.getType());
    if (!Operation.empty())
      return defineOperation(I, Operation, Width);
    if (Name.starts_with("llvm.usub.sat.")) { // max(a, b) - b
      const std::string B = operand(*I.getArgOperand(1));
      const unsigned Most = helper(named("umax", Width) + operand(*I.getArgOperand(0)) + B);
      return define(I, named("sub", Width) + " " + std::to_string(Most) + B);
    }
    if (Name.starts_with("llvm.abs.")) {
      const std::string A = operand(*I.getArgOperand(0));
      const unsigned Minus = helper(named("sub", Width) + " #0" + A);
      return define(I, named("smax", Width) + A + " " + std::to_string(Minus));
    }
    if (!I.getType()->isVoidTy() || !Callee || !Callee->isIntrinsic())
      refuse("it calls " + (Callee ? Callee->getName() : StringRef("a pointer")));
  }

  // `mov.u32 $0, %tid.x`: kernels read registers so to keep the compiler from knowing their ranges.
  void writeAssembly(const CallInst &I, const InlineAsm &Asm) {
    const ptx::Program Program = ptx::parse(compat::asmText(Asm));
    const ptx::Instruction *Only = Program.Error.empty() && Program.Instructions.size() == 1 ? &Program.Instructions[0] : nullptr;
    if (!Only || !Only->Predicate.empty() || !I.arg_empty() || Only->Opcode.size() != 2 || Only->Opcode[0] != "mov" ||
        !StringRef(Only->Opcode[1]).ends_with("32") || Only->Operands.size() != 2)
      return refuse("it has inline assembly");
    StringRef Register = Only->Operands[1];
    if (!Register.consume_front("%"))
      return refuse("it has inline assembly");
    writeRegister(I, Register);
  }

  void writeRegister(const CallInst &I, StringRef Name) {
    static constexpr StringLiteral Known[] = {
#define GPUPROF_FORMULA_REGISTER(name) #name,
#include "gpuprof/formula_ops.inc"
    };
    if (Name == "warpsize") { // as a register it would be a dimension's
      Values[&I] = helper("add 32 #32 #0");
      return;
    }
    std::string Register = Name.str();
    std::replace(Register.begin(), Register.end(), '.', '_');
    if (!is_contained(Known, Register) || widthOf(I.getType()) != 32)
      refuse("it reads the register " + Name);
    define(I, Register);
  }

  void writeCounts(const CallInst &I) {
    for (auto [Group, Count] : enumerate(I.args()))
      if (const auto *C = dyn_cast<ConstantInt>(Count); !C || !C->isZero())
        Steps.push_back("count " + std::to_string(Group) + operand(*Count));
  }

  void writeMark(const CallInst &I) {
    if (I.getCalledOperand() == Marks->Generic)
      return refuse("only the hardware knows the space of an address");
    const bool Strided = I.getCalledOperand() == Marks->Strided;
    std::string Step = "mark" + operand(*I.getArgOperand(1));
    Step += Strided ? operand(*I.getArgOperand(2)) + operand(*I.getArgOperand(3)) : " #0 #1";
    Steps.push_back(Step + operand(*I.getArgOperand(Strided ? 4 : 2)));
  }

  // Structures among the arguments are read by loads, at constant offsets.
  static bool isInStructure(const Value &V) {
    const auto *Structure = V.getType()->isPointerTy() ? dyn_cast<Argument>(getUnderlyingObject(&V)) : nullptr;
    return Structure && Structure->hasByValAttr();
  }

  void writeAddress(const GetElementPtrInst &I) {
    compat::VariableOffsets Parts;
    APInt Fixed(WidestNumber, 0);
    if (widthOf(I.getType()) != WidestNumber || !cast<GEPOperator>(I).collectOffset(Layout, WidestNumber, Parts, Fixed))
      return refuse("it computes an address that is no sum of numbers");
    std::string Sum = operand(*I.getPointerOperand());
    for (auto &[Index, Size] : Parts) {
      std::string Number = operand(*Index);
      if (const unsigned Width = widthOf(Index->getType()); Width < WidestNumber)
        Number = " " + std::to_string(helper(named("sext", WidestNumber) + Number));
      if (!Size.isOne())
        Number = " " + std::to_string(helper(named("mul", WidestNumber) + Number + " #" + std::to_string(Size.getSExtValue())));
      Sum = " " + std::to_string(helper(named("add", WidestNumber) + Sum + Number));
    }
    define(I, named("add", WidestNumber) + Sum + " #" + std::to_string(Fixed.getSExtValue()));
  }

  // Casts that change no bit.
  bool isCopy(const Instruction &I) const {
    if (!isa<PtrToIntInst>(I) && !isa<IntToPtrInst>(I) && !isa<AddrSpaceCastInst>(I) && !isa<BitCastInst>(I))
      return false;
    return widthOf(I.getType()) == WidestNumber && widthOf(I.getOperand(0)->getType()) == WidestNumber;
  }

  void writeLeave(const Instruction &I) {
    std::string Step = "end";
    if (const auto *Branch = dyn_cast<BranchInst>(&I)) {
      Step = Branch->isConditional() ? "if" + operand(*Branch->getCondition()) : "br";
      for (unsigned I = 0; I < Branch->getNumSuccessors(); ++I)
        Step += block(*Branch->getSuccessor(I));
    } else if (const auto *Switch = dyn_cast<SwitchInst>(&I)) {
      Step = "switch" + operand(*Switch->getCondition()) + block(*Switch->getDefaultDest());
      for (const auto &Case : Switch->cases())
        Step += operand(*Case.getCaseValue()) + block(*Case.getCaseSuccessor());
    }
    Steps.push_back(Step);
  }

  void write(const Instruction &I) {
    const unsigned Width = widthOf(I.getType());
    if (isInStructure(I))
      return;
    if (I.isTerminator())
      writeLeave(I);
    else if (const auto *Load = dyn_cast<LoadInst>(&I))
      writeLoad(*Load);
    else if (const auto *Comparison = dyn_cast<ICmpInst>(&I))
      writeComparison(*Comparison);
    else if (const auto *Operation = dyn_cast<BinaryOperator>(&I))
      writeOperation(*Operation);
    else if (const auto *Call = dyn_cast<CallInst>(&I))
      writeCall(*Call);
    else if (isa<ZExtInst>(I) || isa<SExtInst>(I) || isa<TruncInst>(I))
      defineOperation(I, isa<ZExtInst>(I) ? "zext" : isa<SExtInst>(I) ? "sext" : "trunc", Width);
    else if (isa<SelectInst>(I))
      defineOperation(I, "select", Width);
    else if (isa<FreezeInst>(I) || isCopy(I))
      writeCopy(I);
    else if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
      writeAddress(*Address);
    else
      refuse("it has an instruction " + Twine(I.getOpcodeName()));
  }

  void writeCopy(const Instruction &I) { define(I, named("add", widthOf(I.getType())) + operand(*I.getOperand(0)) + " #0"); }

  void writePhi(const PHINode &Phi, std::string &Step) {
    Step = named("phi", widthOf(Phi.getType()));
    for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I)
      if (Blocks.count(Phi.getIncomingBlock(I)))
        Step += block(*Phi.getIncomingBlock(I)) + operand(*Phi.getIncomingValue(I));
  }

  Function &F;
  const DataLayout &Layout;
  ArrayRef<CloneRead> Reads;
  const SectorMarkers *Marks; ///< null: the copy counts
  DenseMap<const BasicBlock *, unsigned> Blocks;
  DenseMap<const Value *, unsigned> Values;
  std::vector<std::pair<const PHINode *, size_t>> Phis;
  std::vector<std::string> Steps;
  std::string Why;
  unsigned Numbered = 0, Operands = 0;
};

} // namespace

Formula formulaOf(Function &Copy, ArrayRef<CloneRead> Reads, const SectorMarkers *Marks) { return Writer(Copy, Reads, Marks).run(); }

} // namespace gpuprof
