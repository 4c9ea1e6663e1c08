// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inline-ptx/AsmContext.h"
#include "module/NumericHelpers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuprof::cpu {
// {a, b, c}, or one name.
SmallVector<StringRef> listedNames(StringRef List) {
  List = List.trim();
  if (List.consume_front("{"))
    List.consume_back("}");
  SmallVector<StringRef> Names;
  List.split(Names, ',');
  return Names;
}

// $0… in the text: outputs first, then inputs; a tied input gives its output a first value.
void AsmContext::bindOperands() {
  auto *Text = cast<InlineAsm>(I.getCalledOperand());
  if (auto *Struct = dyn_cast<StructType>(I.getType()))
    Outputs.append(Struct->element_begin(), Struct->element_end());
  else if (!I.getType()->isVoidTy())
    Outputs.push_back(I.getType());
  unsigned Number = 0, Argument = 0;
  for (const InlineAsm::ConstraintInfo &Info : Text->ParseConstraints()) {
    if (Info.Type == InlineAsm::isClobber)
      continue;
    if (Info.Type == InlineAsm::isInput || Info.isIndirect) {
      Value *V = I.getArgOperand(Argument++);
      Registers["$" + std::to_string(Number)] = V;
      unsigned Tied = 0;
      if (!Info.Codes.empty() && !StringRef(Info.Codes[0]).getAsInteger(10, Tied))
        Registers["$" + std::to_string(Tied)] = V;
    }
    ++Number;
  }
}

Value *AsmContext::read(StringRef Name, Type *As) {
  Name = Name.trim();
  if (auto Slot = Slots.find(Name); Slot != Slots.end())
    return reinterpret(B, B.CreateLoad(Slot->second->getAllocatedType(), Slot->second), As);
  if (auto Known = Registers.find(Name); Known != Registers.end())
    return reinterpret(B, Known->second, As);
  if (StringRef Special = Name; Special.consume_front("%") || Special == "WARP_SZ") {
    Value *V = specialRegister(L, B, Special);
    return V ? reinterpret(B, V, As) : nullptr;
  }
  return ptxNumber(B, Name, As);
}

void AsmContext::write(StringRef Name, Value *V) {
  Name = Name.trim();
  if (Name == "_")
    return;
  if (!Slots.empty())
    return assign(Name, V);
  Value *&Register = Registers[Name];
  if (Predicate) {
    Value *Old = Register ? reinterpret(B, Register, V->getType()) : Constant::getNullValue(V->getType());
    V = B.CreateSelect(Predicate, V, Old);
  }
  Register = V;
}

void AsmContext::assign(StringRef Name, Value *V) {
  auto Slot = Slots.find(Name);
  if (Slot == Slots.end()) {
    Failed = true;
    return;
  }
  Type *T = Slot->second->getAllocatedType();
  V = reinterpret(B, V, T);
  if (Predicate)
    V = B.CreateSelect(Predicate, V, B.CreateLoad(T, Slot->second));
  B.CreateStore(V, Slot->second);
}

// [register] or [register+number].
Value *AsmContext::address(StringRef Text, unsigned Space) {
  Text = Text.trim();
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    return nullptr;
  auto [Name, Offset] = Text.split('+');
  int64_t Bytes = 0;
  if (!Offset.empty() && Offset.trim().getAsInteger(0, Bytes))
    return nullptr;
  Value *Base = read(Name, B.getInt64Ty());
  return Base ? B.CreateIntToPtr(B.CreateAdd(Base, B.getInt64(Bytes)), PointerType::get(C, Space)) : nullptr;
}

// The same, in the address space named by the opcode.
Value *AsmContext::address(Op O, StringRef Text) {
  const bool Shared = any_of(O.Opcode, [](StringRef Piece) { return Piece.split(':').first == "shared"; });
  return address(Text, Shared ? AsShared : O.has("global") ? AsGlobal : AsGeneric);
}

// The address operand as a generic pointer: the emulator's memory is flat.
Value *AsmContext::genericAddress(Op O, size_t Operand) {
  Value *Address = Operand < O.Operands.size() ? address(O, O.Operands[Operand]) : nullptr;
  return Address ? B.CreateAddrSpaceCast(Address, B.getPtrTy()) : nullptr;
}

bool AsmContext::readList(StringRef List, Type *As, SmallVectorImpl<Value *> &Values) {
  for (StringRef Name : listedNames(List)) {
    Values.push_back(read(Name, As));
    if (!Values.back())
      return false;
  }
  return true;
}

void AsmContext::writeList(StringRef List, ArrayRef<Value *> Values) {
  for (auto [Name, V] : zip(listedNames(List), Values))
    write(Name, V);
}

bool AsmContext::isPredicate(StringRef Name) const {
  if (AllocaInst *Slot = Slots.lookup(Name))
    return Slot->getAllocatedType()->isIntegerTy(1);
  const Value *Known = Registers.lookup(Name);
  return Known && Known->getType()->isIntegerTy(1);
}

// An operand required to be a constant number.
bool AsmContext::constant(Op O, size_t Operand, int64_t &Number) {
  auto *Known = Operand < O.Operands.size()
                    ? dyn_cast_or_null<ConstantInt>(read(O.Operands[Operand], B.getInt32Ty()))
                    : nullptr;
  if (Known)
    Number = Known->getSExtValue();
  return Known;
}

// The value of `@p` or `@!p`, or null without one; false: no such register.
bool AsmContext::takePredicate(Op O) {
  Predicate = nullptr;
  StringRef Name = O.Predicate;
  if (Name.empty())
    return true;
  const bool Negated = Name.consume_front("!");
  Predicate = read(Name, B.getInt1Ty());
  if (Predicate && Negated)
    Predicate = B.CreateNot(Predicate);
  return Predicate;
}
} // namespace gpuprof::cpu
