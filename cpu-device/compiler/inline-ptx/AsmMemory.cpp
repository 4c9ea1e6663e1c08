// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inline-ptx/AsmMemory.h"
#include "inline-ptx/AsmAtomics.h"
#include "inline-ptx/AsmBarriers.h"
#include "inline-ptx/AsmTensorMaps.h"
#include "module/NumericHelpers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprof::cpu {
// mov.v4.u32 {x, y, z, w}, %tid: w is 0.
bool AsmMemory::moveVector(Op O, const PtxType &T) {
  StringRef To = StringRef(O.Operands[0]).trim(), From = StringRef(O.Operands[1]).trim();
  SmallVector<StringRef> Names;
  To.drop_front().drop_back().split(Names, ',');
  for (size_t N = 0; N != Names.size() && N != 4; ++N) {
    Value *V = N == 3 ? B.getIntN(T.Bits, 0) : read((From + "." + Twine("xyz"[N])).str(), B.getIntNTy(T.Bits));
    if (!V)
      return false;
    write(Names[N], V);
  }
  return true;
}

bool AsmMemory::move(Op O, const PtxType &T) {
  if (O.Operands.size() != 2)
    return false;
  if (O.has("v4") && O.Operands[0].front() == '{' && O.Operands[1].front() == '%')
    return moveVector(O, T);
  StringRef To = StringRef(O.Operands[0]).trim(), From = StringRef(O.Operands[1]).trim();
  auto Pieces = [](StringRef List) {
    SmallVector<StringRef> Names;
    List.drop_front().drop_back().split(Names, ',');
    return Names;
  };
  Type *Whole = B.getIntNTy(T.Bits * T.Lanes);
  if (To.starts_with("{")) {
    SmallVector<StringRef> Names = Pieces(To);
    Value *V = read(From, Whole);
    const unsigned Width = T.Bits / Names.size();
    for (unsigned N = 0; V && N != Names.size(); ++N)
      write(Names[N], B.CreateTrunc(B.CreateLShr(V, N * Width), B.getIntNTy(Width)));
    return V;
  }
  if (From.starts_with("{")) {
    SmallVector<StringRef> Names = Pieces(From);
    const unsigned Width = T.Bits / Names.size();
    Value *All = ConstantInt::get(Whole, 0);
    for (unsigned N = 0; N != Names.size(); ++N) {
      Value *V = read(Names[N], B.getIntNTy(Width));
      if (!V)
        return false;
      All = B.CreateOr(All, B.CreateShl(B.CreateZExt(V, Whole), N * Width));
    }
    write(To, All);
    return true;
  }
  Value *V = read(From, irType(T));
  if (V)
    write(To, V);
  return V;
}

bool AsmMemory::memory(Op O, const PtxType &T) {
  const StringRef Name = O.Opcode[0];
  const size_t Hint = O.has("L2::cache_hint"); // a policy, the last operand
  if (O.has("async"))
    return AsmAtomics(Context).updateLater(O);
  if (O.Operands.size() != 2 + Hint || O.has("param"))
    return false;
  const bool IsLoad = Name == "ld" || Name == "ldu";
  Value *Pointer = address(O, O.Operands[IsLoad ? 1 : 0]);
  if (!Pointer)
    return false;
  if (O.has("v2") || O.has("v4") || O.has("v8"))
    return vectorMemory(O, T, IsLoad, Pointer);
  const bool Ordered = O.has("volatile") || O.has("relaxed") || O.has("acquire") || O.has("release");
  if (IsLoad) {
    write(O.Operands[0], B.CreateLoad(irType(T), Pointer, Ordered));
    return true;
  }
  Value *V = read(O.Operands[1], irType(T));
  if (V)
    B.CreateStore(V, Pointer, Ordered);
  return V;
}

// ld.v4.f32 {a,b,c,d}, [p]: one access of the whole vector.
bool AsmMemory::vectorMemory(Op O, const PtxType &T, bool IsLoad, Value *Pointer) {
  StringRef List = StringRef(O.Operands[IsLoad ? 0 : 1]).trim();
  SmallVector<StringRef> Names;
  if (!List.consume_front("{") || !List.consume_back("}") || T.Lanes != 1)
    return false;
  List.split(Names, ',');
  auto *Whole = FixedVectorType::get(irType(T), static_cast<unsigned>(Names.size()));
  if (IsLoad) {
    Value *All = B.CreateLoad(Whole, Pointer);
    for (unsigned N = 0; N != Names.size(); ++N)
      write(Names[N], B.CreateExtractElement(All, N));
    return true;
  }
  Value *All = PoisonValue::get(Whole);
  for (unsigned N = 0; N != Names.size(); ++N) {
    Value *V = read(Names[N], irType(T));
    if (!V)
      return false;
    All = B.CreateInsertElement(All, V, N);
  }
  B.CreateStore(All, Pointer);
  return true;
}

// isspacep.shared p, a.
bool AsmMemory::isSpace(Op O) {
  Value *Address =
      O.Opcode[0] == "isspacep" && O.Operands.size() == 2 ? read(O.Operands[1], B.getInt64Ty()) : nullptr;
  const StringRef Space = O.Opcode.back();
  if (!Address)
    return false;
  Value *Holds = isInSpace(L, B, B.CreateIntToPtr(Address, B.getPtrTy()), Space);
  if (Holds)
    write(O.Operands[0], Holds);
  return Holds;
}

// cp.async copies at once; waits for it return immediately.
bool AsmMemory::asyncCopy(Op O) {
  if (O.has("tensor"))
    return AsmTensorMaps(Context).tensorCopy(O);
  if (O.has("reduce"))
    return AsmAtomics(Context).reduceBulk(O);
  if (!O.has("async"))
    return false;
  if (O.has("bulk"))
    return AsmBarriers(Context).bulkCopy(O);
  // Arrives when the copies are done: now. Without .noinc the pending count is raised first: no net change.
  if (O.has("mbarrier"))
    return O.has("noinc") ? arriveAtOnce(O) : true;
  if (O.has("commit_group") || O.has("wait_group") || O.has("wait_all"))
    return true;
  const size_t Hint = O.has("L2::cache_hint"), Count = O.Operands.size() - Hint;
  if (O.Operands.size() < 3 || (Count != 3 && Count != 4))
    return false;
  Value *To = address(O.Operands[0], AsShared), *From = address(O.Operands[1], AsGlobal);
  Value *Given = Count == 4 ? read(O.Operands[3], B.getInt64Ty()) : nullptr;
  auto *Size = dyn_cast_or_null<ConstantInt>(read(O.Operands[2], B.getInt64Ty()));
  if (Given && Size && Context.isPredicate(O.Operands[3])) // the source is ignored
    Given = B.CreateSelect(B.CreateIsNotNull(Given), B.getInt64(0), Size);
  return To && From && Size && (Count == 3 || Given) && copyNow(B, To, From, Size->getZExtValue(), Given);
}

bool AsmMemory::arriveAtOnce(Op O) {
  Value *Address = genericAddress(O, 0);
  if (Address)
    B.CreateCall(L.entry("__gpuprof_cpu_mbarrier_arrive"),
                 {Address, B.getInt32(1), B.getInt32(0), B.getInt32(0)});
  return Address;
}

bool copyNow(IRBuilder<> &B, Value *To, Value *From, uint64_t Bytes, Value *Given) {
  if (Bytes != 4 && Bytes != 8 && Bytes != 16)
    return false;
  if (auto *Known = dyn_cast_or_null<ConstantInt>(Given); Known && Known->getZExtValue() == Bytes)
    Given = nullptr;
  if (Given) { // bytes read from the source; the rest is filled with zeros
    B.CreateMemSet(To, B.getInt8(0), Bytes, Align(Bytes));
    B.CreateMemCpy(To, Align(1), From, Align(1), B.CreateZExtOrTrunc(Given, B.getInt64Ty()));
    return true;
  }
  Type *Whole = B.getIntNTy(static_cast<unsigned>(8 * Bytes));
  B.CreateAlignedStore(B.CreateAlignedLoad(Whole, From, Align(Bytes)), To, Align(Bytes));
  return true;
}
} // namespace gpuprof::cpu
