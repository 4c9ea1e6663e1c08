// One call of inline PTX on its way to IR.
#ifndef GPUPROF_INLINEPTX_ASMLOWERING_H
#define GPUPROF_INLINEPTX_ASMLOWERING_H

#include "costs/PtxValues.h"
#include "lower/Lowering.h"
#include "ptx/Ptx.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {
class AsmLowering {
public:
  AsmLowering(Lowering &L, llvm::CallInst &I) : L(L), I(I), B(&I), C(I.getContext()), At(&I) {}
  bool run();

private:
  using Op = const ptx::Instruction &;
  llvm::Type *irType(const PtxType &T) { return gpuprof::irType(C, T); }
  void bindOperands();
  llvm::Value *read(llvm::StringRef Name, llvm::Type *As);
  void write(llvm::StringRef Name, llvm::Value *V);
  void assign(llvm::StringRef Name, llvm::Value *V);
  bool lower(Op O);
  bool takePredicate(Op O);
  bool straight(const ptx::Program &Program);
  bool branching(const ptx::Program &Program);
  bool makeSlots(const ptx::Program &Program);
  void promoteSlots(llvm::Function &F);
  bool lowerBlocks(const ptx::Program &Program, llvm::BasicBlock *Tail);
  llvm::Value *compute(Op O);
  llvm::Value *floating(Op O, const PtxType &T);
  llvm::Value *integer(Op O, const PtxType &T);
  llvm::Value *integerOfTwo(Op O, const PtxType &T, llvm::Value *X, llvm::Value *Y);
  llvm::Value *product(Op O, const PtxType &T);
  llvm::Value *compare(Op O, const PtxType &T);
  bool setPredicate(Op O, const PtxType &T);
  llvm::Value *set(Op O, const PtxType &T);
  llvm::Value *convert(Op O);
  llvm::Value *convertFloat8(Op O);
  llvm::Value *withCarry(Op O, const PtxType &T, llvm::Value *Sum, llvm::Value *Addend);
  bool move(Op O, const PtxType &T);
  bool vectorMemory(Op O, const PtxType &T, bool IsLoad, llvm::Value *Pointer);
  bool control(Op O);
  bool collective(Op O);
  bool extremeOfFloats(Op O);
  bool matrix(Op O);
  bool mma(Op O);
  bool warpGroup(Op O);
  bool constant(Op O, size_t Operand, int64_t &Number);
  bool groupScales(Op O, size_t Next, bool InRegisters, uint64_t &Flags);
  bool tensorCopy(Op O);
  bool tensorMap(Op O);
  bool tensorPlace(llvm::StringRef Text, unsigned Rank, llvm::StringRef Offsets, llvm::Value *&Map,
                   llvm::Value *&Place);
  bool texture(Op O);
  bool textureAddress(llvm::StringRef Text, unsigned Coordinates, llvm::Value *&Object,
                      llvm::SmallVectorImpl<llvm::Value *> &Place);
  llvm::Value *video(Op O);
  llvm::Value *bits(Op O, const PtxType &T);
  llvm::Value *chooseBySign(Op O, const PtxType &T);
  llvm::Value *logicWithFlag(Op O, llvm::Value *X, llvm::Value *Y, llvm::Value *Z);
  llvm::Value *pack(Op O);
  bool isSpace(Op O);
  bool barrierObject(Op O);
  bool bulkCopy(Op O);
  bool elect(Op O);
  bool advice(Op O);
  bool always(Op O);
  bool underPredicate(Op O);
  bool readList(llvm::StringRef List, llvm::Type *As, llvm::SmallVectorImpl<llvm::Value *> &Values);
  void writeList(llvm::StringRef List, llvm::ArrayRef<llvm::Value *> Values);
  bool atomic(Op O, const PtxType &T);
  bool atomicVector(Op O, const PtxType &T);
  bool updateLater(Op O);
  bool reduceBulk(Op O);
  bool fillBulk(Op O);
  bool blockBarrier(Op O);
  bool cluster(Op O);
  bool multicast(Op O, llvm::Value *To, llvm::Value *From, llvm::Value *Size, llvm::Value *Barrier);
  bool asyncCopy(Op O);
  bool isPredicate(llvm::StringRef Name) const;
  bool arriveAtOnce(Op O);
  bool memory(Op O, const PtxType &T);
  llvm::Value *address(Op O, llvm::StringRef Text);
  llvm::Value *address(llvm::StringRef Text, unsigned Space);
  llvm::Value *genericAddress(Op O, size_t Operand);
  void finish();

  Lowering &L;
  llvm::CallInst &I;
  llvm::IRBuilder<> B;
  llvm::LLVMContext &C;
  llvm::Instruction *At;                     // what new code is put before
  llvm::StringMap<llvm::Value *> Registers;  // by the name in the text
  llvm::StringMap<llvm::AllocaInst *> Slots; // the same of a text with branches: where their values are kept
  bool Failed = false;                       // a register is written that the text does not declare
  llvm::SmallVector<llvm::Type *> Outputs;
  llvm::Value *Predicate = nullptr; // of the current instruction, or null
  llvm::Value *Carry = nullptr;
};
} // namespace gpuprof::cpu
#endif
