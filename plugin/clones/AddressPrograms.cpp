// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/AddressPrograms.h"

#include "clones/SectorMarkers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <map>
#include <vector>

using namespace llvm;

namespace gpuprof {
namespace {

enum Op : uint64_t {
#define GPUPROF_ADDRESS_OP(name, operands) name,
#include "gpuprof/address_program.inc"
};

constexpr size_t LongestProgram = 20000; // numbers

class Writer {
public:
  Writer(const Function &Clone, const SectorMarkers &Functions)
      : Clone(Clone), Functions(Functions), Layout(Clone.getParent()->getDataLayout()) {}

  std::string run() {
    const ReversePostOrderTraversal<const Function *> Blocks(&Clone);
    for (const BasicBlock *BB : Blocks)
      for (const Instruction &I : *BB)
        if (!I.getType()->isVoidTy() && !isInStructure(I))
          registerOf(I);
    for (const BasicBlock *BB : Blocks) {
      Places[BB] = Code.size();
      for (const Instruction &I : *BB)
        write(I);
      if (Failed || Code.size() > LongestProgram)
        return {};
    }
    return text();
  }

private:
  using Register = uint64_t;

  void emit(std::initializer_list<uint64_t> Numbers) { Code.insert(Code.end(), Numbers); }

  Register fail() {
    Failed = true;
    return 0;
  }

  /* ---- Values ---- */

  unsigned widthOf(const Value &V) {
    Type *T = V.getType();
    const unsigned Bits = T->isPointerTy()   ? Layout.getPointerTypeSizeInBits(T)
                          : T->isIntegerTy() ? T->getIntegerBitWidth()
                                             : 0;
    if (!Bits || Bits > 64)
      fail();
    return Bits;
  }

  // Constants, arguments and ids are written once, before everything else.
  Register constant(uint64_t Number) {
    auto [At, New] = Constants.insert({Number, Next});
    Next += New;
    return At->second;
  }

  Register id(unsigned Which) {
    auto [At, New] = Ids.insert({Which, Next});
    Next += New;
    return At->second;
  }

  Register read(unsigned Parameter, uint64_t Offset, uint64_t Bytes) {
    if (Bytes > sizeof(uint64_t))
      return fail();
    auto [At, New] = Reads.insert({{Parameter, {Offset, Bytes}}, Next});
    Next += New;
    return At->second;
  }

  // The address of a member of a structure passed by value: the host reads members, but has no such address.
  bool isInStructure(const Value &V) const {
    APInt Offset(64, 0);
    const auto *A = V.getType()->isPointerTy() ? dyn_cast<Argument>(V.stripAndAccumulateConstantOffsets(Layout, Offset, true))
                                               : nullptr;
    return A && A->hasByValAttr();
  }

  Register registerOf(const Value &V) {
    if (const auto *Number = dyn_cast<ConstantInt>(&V))
      return Number->getBitWidth() <= 64 ? constant(Number->getZExtValue()) : fail();
    if (isa<ConstantPointerNull>(V))
      return constant(0);
    if (const auto *A = dyn_cast<Argument>(&V)) {
      if (A->hasByValAttr() || A == std::prev(Clone.arg_end()))
        return fail();
      return widthOf(V) ? read(A->getArgNo(), 0, Layout.getTypeStoreSize(V.getType())) : 0;
    }
    if (!isa<Instruction>(V) || isInStructure(V))
      return fail();
    auto [At, New] = Registers.insert({&V, Next});
    Next += New;
    return At->second;
  }

  Register temporary() { return Next++; }

  Register binary(Op What, unsigned Width, Register Left, Register Right) {
    const Register To = temporary();
    emit({What, To, Width, Left, Right});
    return To;
  }

  // A signed number with the width of a pointer.
  Register widened(const Value &V) {
    const unsigned Width = widthOf(V);
    const Register From = registerOf(V);
    if (Width == 64)
      return From;
    const Register To = temporary();
    emit({SEXT, To, Width, From});
    return To;
  }

  /* ---- Instructions ---- */

  void write(const Instruction &I) {
    if (isInStructure(I))
      return; // its loads do the reading
    if (const auto *Operator = dyn_cast<BinaryOperator>(&I))
      return writeBinary(*Operator);
    if (const auto *Compare = dyn_cast<ICmpInst>(&I))
      return writeCompare(*Compare);
    if (const auto *Cast = dyn_cast<CastInst>(&I))
      return writeCast(*Cast);
    if (const auto *Gep = dyn_cast<GetElementPtrInst>(&I))
      return writeAddress(*Gep);
    if (const auto *Choice = dyn_cast<SelectInst>(&I); Choice && widthOf(I) && !Failed)
      return emit({SELECT, registerOf(I), registerOf(*Choice->getCondition()), registerOf(*Choice->getTrueValue()),
                   registerOf(*Choice->getFalseValue())});
    if (isa<FreezeInst>(I) && widthOf(I))
      return emit({MOVE, registerOf(I), registerOf(*I.getOperand(0))});
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return writeLoad(*Load);
    if (const auto *Call = dyn_cast<CallInst>(&I))
      return writeCall(*Call);
    if (isa<PHINode>(I))
      return void(widthOf(I)); // moves at the ends of the blocks before
    if (isa<ReturnInst>(I))
      return emit({END});
    if (const auto *Ways = dyn_cast<SwitchInst>(&I))
      return writeSwitch(*Ways);
    writeBranch(I);
  }

  void writeBinary(const BinaryOperator &I) {
    Op What = END;
    switch (I.getOpcode()) {
#define CASE(Theirs, Ours)                                                                                   \
  case Instruction::Theirs:                                                                                  \
    What = Ours;                                                                                             \
    break;
      CASE(Add, ADD)
      CASE(Sub, SUB)
      CASE(Mul, MUL)
      CASE(Shl, SHL)
      CASE(LShr, LSHR)
      CASE(AShr, ASHR)
      CASE(And, AND)
      CASE(Xor, XOR)
      CASE(UDiv, UDIV)
      CASE(SDiv, SDIV)
      CASE(URem, UREM)
      CASE(SRem, SREM)
#undef CASE
    case Instruction::Or: { // of numbers without a bit in common: a sum
      const auto *Disjoint = dyn_cast<PossiblyDisjointInst>(&I);
      What = Disjoint && Disjoint->isDisjoint() ? ADD : OR;
      break;
    }
    default:
      fail();
    }
    emit({What, registerOf(I), widthOf(I), registerOf(*I.getOperand(0)), registerOf(*I.getOperand(1))});
  }

  void writeCompare(const ICmpInst &I) {
    CmpInst::Predicate P = I.getPredicate();
    Register Left = registerOf(*I.getOperand(0)), Right = registerOf(*I.getOperand(1));
    const bool Negated = P == CmpInst::ICMP_NE || P == CmpInst::ICMP_UGE || P == CmpInst::ICMP_SGE ||
                         P == CmpInst::ICMP_ULE || P == CmpInst::ICMP_SLE;
    if (Negated)
      P = CmpInst::getInversePredicate(P);
    if (P == CmpInst::ICMP_UGT || P == CmpInst::ICMP_SGT) {
      P = CmpInst::getSwappedPredicate(P);
      std::swap(Left, Right);
    }
    const Op What = P == CmpInst::ICMP_EQ ? EQUAL : P == CmpInst::ICMP_ULT ? ULESS : SLESS;
    const Register Plain = Negated ? temporary() : registerOf(I);
    emit({What, Plain, widthOf(*I.getOperand(0)), Left, Right});
    if (Negated)
      emit({XOR, registerOf(I), 1, Plain, constant(1)});
  }

  void writeCast(const CastInst &I) {
    const Value &From = *I.getOperand(0);
    const unsigned Width = widthOf(From), To = widthOf(I);
    if (Failed)
      return;
    switch (I.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::BitCast:
      return emit({MOVE, registerOf(I), registerOf(From)});
    case Instruction::AddrSpaceCast: // pointers to global memory are the same
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
      if (To > Width)
        break;
      return emit({MOVE, registerOf(I), registerOf(From)});
    case Instruction::ZExt:
      return emit({ZEXT, registerOf(I), Width, registerOf(From)});
    case Instruction::SExt:
      return emit({SEXT, registerOf(I), Width, registerOf(From)});
    default:
      break;
    }
    fail();
  }

  void writeAddress(const GetElementPtrInst &I) {
    SmallMapVector<Value *, APInt, 4> Parts;
    APInt Fixed(64, 0);
    if (widthOf(I) != 64 || !cast<GEPOperator>(I).collectOffset(Layout, 64, Parts, Fixed))
      return void(fail());
    Register Sum = registerOf(*I.getPointerOperand());
    for (auto &[Index, Size] : Parts)
      Sum = binary(ADD, 64, Sum, binary(MUL, 64, widened(*Index), constant(Size.getZExtValue())));
    emit({ADD, registerOf(I), 64, Sum, constant(Fixed.getZExtValue())});
  }

  // Of a structure passed by value.
  void writeLoad(const LoadInst &I) {
    APInt Offset(64, 0);
    const auto *From = dyn_cast<Argument>(I.getPointerOperand()->stripAndAccumulateConstantOffsets(Layout, Offset, true));
    if (!From || !From->hasByValAttr() || !widthOf(I) || Offset.isNegative())
      return void(fail());
    emit({MOVE, registerOf(I), read(From->getArgNo(), Offset.getZExtValue(), Layout.getTypeStoreSize(I.getType()))});
  }

  void writeCall(const CallInst &I) {
    if (Functions.isOne(I.getCalledOperand()))
      return writeMark(I);
    if (const auto *Assembly = dyn_cast<InlineAsm>(I.getCalledOperand()))
      return writeAssembly(I, Assembly->getAsmString());
    const Function *Callee = I.getCalledFunction();
    if (!Callee)
      return void(fail());
    switch (Callee->getIntrinsicID()) {
    case Intrinsic::assume:
    case Intrinsic::donothing:
      return;
    case Intrinsic::smin:
      return writeChoice(I, SLESS, 0, 1);
    case Intrinsic::smax:
      return writeChoice(I, SLESS, 1, 0);
    case Intrinsic::umin:
      return writeChoice(I, ULESS, 0, 1);
    case Intrinsic::umax:
      return writeChoice(I, ULESS, 1, 0);
    default:
      break;
    }
    StringRef Name = Callee->getName();
    if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
      return void(fail());
    writeSpecialRegister(I, Name);
  }

  // Headers read ids so.
  void writeAssembly(const CallInst &I, StringRef Text) {
    Text = Text.trim(" \t\n;");
    if (!Text.consume_front("mov.u32 $0, %"))
      return void(fail());
    Text.consume_front("%");
    writeSpecialRegister(I, Text);
  }

  void writeSpecialRegister(const CallInst &I, StringRef Name) {
    if (!I.getType()->isIntegerTy(32))
      return void(fail());
    if (Name == "laneid")
      return writeLane(I);
    const auto [Kind, Dimension] = Name.split('.');
    const int First = StringSwitch<int>(Kind).Case("tid", 0).Case("ntid", 3).Case("ctaid", 6).Case("nctaid", 9).Default(-1);
    if (First < 0 || Dimension.size() != 1 || Dimension[0] < 'x' || Dimension[0] > 'z')
      return void(fail());
    emit({MOVE, registerOf(I), id(First + (Dimension[0] - 'x'))});
  }

  void writeChoice(const CallInst &I, Op Less, unsigned IfLess, unsigned IfNot) {
    const unsigned Width = widthOf(I);
    if (Failed)
      return;
    const Register Sides[] = {registerOf(*I.getArgOperand(0)), registerOf(*I.getArgOperand(1))};
    const Register Condition = binary(Less, Width, Sides[0], Sides[1]);
    emit({SELECT, registerOf(I), Condition, Sides[IfLess], Sides[IfNot]});
  }

  void writeLane(const CallInst &I) {
    enum { TidX, TidY, TidZ, SizeX, SizeY };
    const Register Rows = binary(ADD, 32, id(TidY), binary(MUL, 32, id(SizeY), id(TidZ)));
    const Register Thread = binary(ADD, 32, id(TidX), binary(MUL, 32, id(SizeX), Rows));
    emit({AND, registerOf(I), 32, Thread, constant(31)});
  }

  void writeMark(const CallInst &I) {
    if (I.getCalledOperand() == Functions.Generic) // only the hardware knows what it points to
      return void(fail());
    const bool Strided = I.getCalledOperand() == Functions.Strided;
    const Register Pointer = registerOf(*I.getArgOperand(1));
    emit({MARK, Pointer, Strided ? registerOf(*I.getArgOperand(2)) : constant(0),
          Strided ? registerOf(*I.getArgOperand(3)) : constant(1), registerOf(*I.getArgOperand(Strided ? 4 : 2))});
  }

  /* ---- Ends of blocks ---- */

  // Continues in a block, with the values of its phis.
  void enter(const BasicBlock &From, const BasicBlock &To) {
    std::vector<std::pair<Register, Register>> Moves;
    for (const PHINode &Phi : To.phis())
      Moves.emplace_back(registerOf(Phi), registerOf(*Phi.getIncomingValueForBlock(&From)));
    if (Moves.size() > 1) // all at once: one's value may be another's old one
      for (auto &[Phi, Value] : Moves) {
        const Register Kept = temporary();
        emit({MOVE, Kept, Value});
        Value = Kept;
      }
    for (auto &[Phi, Value] : Moves)
      emit({MOVE, Phi, Value});
    emit({JUMP, 0});
    Jumps.emplace_back(Code.size() - 1, &To);
  }

  // A place in the list, filled in with the place of what is written next.
  void land(size_t Place) { Code[Place] = Code.size(); }

  size_t branch(Register Condition) {
    emit({BRANCH, Condition, 0, 0});
    land(Code.size() - 2);
    return Code.size() - 1;
  }

  void writeBranch(const Instruction &I) {
    if (I.getOpcode() != Instruction::Br)
      return void(fail());
    const BasicBlock &Here = *I.getParent();
    if (I.getNumSuccessors() == 1)
      return enter(Here, *I.getSuccessor(0));
    const size_t Other = branch(registerOf(*I.getOperand(0)));
    enter(Here, *I.getSuccessor(0));
    land(Other);
    enter(Here, *I.getSuccessor(1));
  }

  void writeSwitch(const SwitchInst &I) {
    const unsigned Width = widthOf(*I.getCondition());
    for (const auto &Case : I.cases()) {
      const size_t Other =
          branch(binary(EQUAL, Width, registerOf(*I.getCondition()), registerOf(*Case.getCaseValue())));
      enter(*I.getParent(), *Case.getCaseSuccessor());
      land(Other);
    }
    enter(*I.getParent(), *I.getDefaultDest());
  }

  std::string text() {
    std::vector<uint64_t> Body = std::move(Code);
    Code.clear();
    for (auto [Number, To] : Constants)
      emit({CONSTANT, To, Number});
    for (auto [Which, To] : Ids)
      emit({ID, To, Which});
    for (auto &[Place, To] : Reads)
      emit({READ, To, Place.first, Place.second.first, Place.second.second});
    const size_t Start = Code.size();
    for (auto [Place, Block] : Jumps)
      Body[Place] = Places.lookup(Block);
    shiftPlaces(Body, Start);
    Code.insert(Code.end(), Body.begin(), Body.end());
    std::string Text = std::to_string(Next);
    for (uint64_t Number : Code)
      Text += " " + std::to_string(Number);
    return Text;
  }

  static void shiftPlaces(std::vector<uint64_t> &Body, size_t By) {
    static constexpr unsigned Operands[] = {
#define GPUPROF_ADDRESS_OP(name, operands) operands,
#include "gpuprof/address_program.inc"
    };
    for (size_t At = 0; At < Body.size(); At += 1 + Operands[Body[At]])
      if (Body[At] == JUMP)
        Body[At + 1] += By;
      else if (Body[At] == BRANCH)
        Body[At + 2] += By, Body[At + 3] += By;
  }

  const Function &Clone;
  const SectorMarkers &Functions;
  const DataLayout &Layout;
  bool Failed = false;
  Register Next = 0;
  std::vector<uint64_t> Code;
  DenseMap<const Value *, Register> Registers;
  MapVector<uint64_t, Register, std::map<uint64_t, unsigned>> Constants;
  MapVector<unsigned, Register, std::map<unsigned, unsigned>> Ids;
  MapVector<std::pair<unsigned, std::pair<uint64_t, uint64_t>>, Register,
            std::map<std::pair<unsigned, std::pair<uint64_t, uint64_t>>, unsigned>>
      Reads;
  DenseMap<const BasicBlock *, size_t> Places;
  std::vector<std::pair<size_t, const BasicBlock *>> Jumps;
};

} // namespace

std::string addressProgramOf(const Function &Clone, const SectorMarkers &Functions) { return Writer(Clone, Functions).run(); }

} // namespace gpuprof
