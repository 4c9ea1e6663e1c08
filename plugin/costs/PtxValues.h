// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of registers of inline PTX, as IR values computed from the statement's operands.
#ifndef GPUPROF_COSTS_PTXVALUES_H
#define GPUPROF_COSTS_PTXVALUES_H

#include "ptx/Ptx.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuprof {

/// An operand type of PTX: f32, b64, u16, f16x2, pred, …
struct PtxType {
  char Letter = 0; // f, b, u, s, or h (bf16), p (pred)
  unsigned Bits = 0;
  unsigned Lanes = 1;
  bool isFloat() const { return Letter == 'f' || Letter == 'h'; }
  bool isSigned() const { return Letter == 's'; }
};

/// "f32", "b64", "u16x2"…; false: no such type.
bool parsePtxType(llvm::StringRef Text, PtxType &T);
/// The last type named by an instruction: modifiers may follow it (`max.s32.relu`, `prmt.b32.f4e`).
bool typeOf(const ptx::Instruction &O, PtxType &T);
llvm::Type *irType(llvm::LLVMContext &C, const PtxType &T);
/// ".reg .b32 r<4>;" declares r0 to r3.
llvm::SmallVector<std::string> namesOf(const ptx::Register &R);
/// The bits of a value as another type of the same or another size.
llvm::Value *reinterpret(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Type *As);
/// A number in the text, as these bits: 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX, 1.5, 16, -1, 0x10U. Null: it is none.
llvm::Value *ptxNumber(llvm::IRBuilderBase &B, llvm::StringRef Text, llvm::Type *As);
/// The comparison of setp and set: eq, ltu, hs, … Null: no such comparison.
llvm::Value *ptxRelation(llvm::IRBuilderBase &B, llvm::StringRef How, const PtxType &T, llvm::Value *X,
                         llvm::Value *Y);

/// Reads a statement without executing it: follows predicates, moves, comparisons and integer arithmetic from
/// its operands on. New IR is inserted at the builder's position; it must be before the statement.
class PtxValues {
public:
  PtxValues(llvm::CallBase &Call, const ptx::Program &Program, llvm::IRBuilderBase &B);

  /// True if control flow goes forward only: each instruction is then executed once at most.
  bool goesForward() const { return Forward; }
  /// Visits the instructions in their order. Executes: i1, set if the thread executes this one; null if it is
  /// no function of the statement's operands. The other functions describe the state at the visited
  /// instruction.
  void walk(llvm::function_ref<void(size_t Index, llvm::Value *Executes)> Visit);

  /// An operand's value; null if it is no function of the statement's operands.
  llvm::Value *read(llvm::StringRef Operand, llvm::Type *As);
  /// The target of "[$1+8]" as a generic pointer; null likewise.
  llvm::Value *address(llvm::StringRef Operand);
  bool isPredicate(llvm::StringRef Register) const { return Predicates.count(Register) != 0; }

private:
  llvm::Value *special(llvm::StringRef Name);
  llvm::Value *raw(llvm::StringRef Operand);
  llvm::Value *predicate(llvm::StringRef Name);
  llvm::Value *both(llvm::Value *X, llvm::Value *Y);
  llvm::Value *either(llvm::Value *X, llvm::Value *Y);
  llvm::Value *negated(llvm::Value *X);
  void execute(const ptx::Instruction &I, llvm::Value *Executes);
  llvm::Value *sourceLaneExists(const ptx::Instruction &I);
  void compare(const ptx::Instruction &I, llvm::Value *Executes);
  llvm::Value *compute(const ptx::Instruction &I);
  llvm::Value *convert(const ptx::Instruction &I);
  llvm::Value *arithmetic(const ptx::Instruction &I, const PtxType &T);
  void write(llvm::StringRef Name, llvm::Value *V, llvm::Value *Executes);

  llvm::CallBase &Call;
  const ptx::Program &Program;
  llvm::IRBuilderBase &B;
  llvm::StringMap<llvm::Value *> Registers; // null: unknown; absent: not written yet
  llvm::StringMap<size_t> Labels;
  llvm::StringMap<char> Predicates; // the names of predicate registers
  bool Forward = true;
};

} // namespace gpuprof
#endif
