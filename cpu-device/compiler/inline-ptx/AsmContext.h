// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State shared by the families of instructions while one statement of inline PTX becomes IR.
#ifndef GPUPROF_INLINEPTX_ASMCONTEXT_H
#define GPUPROF_INLINEPTX_ASMCONTEXT_H

#include "costs/PtxValues.h"
#include "module/Lowering.h"
#include "ptx/Ptx.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {

/// The registers of a statement, and the insertion point of its IR.
class AsmContext {
public:
  using Op = const ptx::Instruction &;
  AsmContext(Lowering &L, llvm::CallInst &I) : L(L), I(I), B(&I), C(I.getContext()), At(&I) {}

  llvm::Type *irType(const PtxType &T) { return gpuprof::irType(C, T); }
  void bindOperands();
  /// A register or number as a value of type `As`; null: unknown.
  llvm::Value *read(llvm::StringRef Name, llvm::Type *As);
  /// Writes a register, if the instruction's predicate holds.
  void write(llvm::StringRef Name, llvm::Value *V);
  bool readList(llvm::StringRef List, llvm::Type *As, llvm::SmallVectorImpl<llvm::Value *> &Values);
  void writeList(llvm::StringRef List, llvm::ArrayRef<llvm::Value *> Values);
  bool isPredicate(llvm::StringRef Name) const;
  bool constant(Op O, size_t Operand, int64_t &Number);
  llvm::Value *address(Op O, llvm::StringRef Text);
  llvm::Value *address(llvm::StringRef Text, unsigned Space);
  llvm::Value *genericAddress(Op O, size_t Operand);
  bool takePredicate(Op O);

  Lowering &L;
  llvm::CallInst &I;
  llvm::IRBuilder<> B;
  llvm::LLVMContext &C;
  llvm::Instruction *At;                     // new code is inserted before it
  llvm::StringMap<llvm::Value *> Registers;  // by the name in the text
  llvm::StringMap<llvm::AllocaInst *> Slots; // for a text with branches: the variables of its registers
  bool Failed = false;                       // a written register is not declared in the text
  llvm::SmallVector<llvm::Type *> Outputs;
  llvm::Value *Predicate = nullptr; // of the current instruction, or null
  llvm::Value *Carry = nullptr;

private:
  void assign(llvm::StringRef Name, llvm::Value *V);
};

/// A family of instructions: a context under its own names.
class AsmFamily {
public:
  using Op = AsmContext::Op;
  explicit AsmFamily(AsmContext &Context)
      : Context(Context), L(Context.L), I(Context.I), B(Context.B), C(Context.C) {}

protected:
  llvm::Type *irType(const PtxType &T) { return Context.irType(T); }
  llvm::Value *read(llvm::StringRef Name, llvm::Type *As) { return Context.read(Name, As); }
  void write(llvm::StringRef Name, llvm::Value *V) { Context.write(Name, V); }
  bool readList(llvm::StringRef List, llvm::Type *As, llvm::SmallVectorImpl<llvm::Value *> &Values) {
    return Context.readList(List, As, Values);
  }
  void writeList(llvm::StringRef List, llvm::ArrayRef<llvm::Value *> Values) {
    Context.writeList(List, Values);
  }
  llvm::Value *address(Op O, llvm::StringRef Text) { return Context.address(O, Text); }
  llvm::Value *address(llvm::StringRef Text, unsigned Space) { return Context.address(Text, Space); }
  llvm::Value *genericAddress(Op O, size_t Operand) { return Context.genericAddress(O, Operand); }

  AsmContext &Context;
  Lowering &L;
  llvm::CallInst &I;
  llvm::IRBuilder<> &B;
  llvm::LLVMContext &C;
};

/// The names in "{a, b, c}", or one name.
llvm::SmallVector<llvm::StringRef> listedNames(llvm::StringRef List);

} // namespace gpuprof::cpu
#endif
