// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX for waits and bulk copies: mbarrier objects, cp.async.bulk, elect; and hints to the hardware.
#include "inline-ptx/AsmBarriers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprof::cpu {
// mbarrier.init [p], n; .arrive[.expect_tx] state, [p]{, n}; .arrive_drop; .expect_tx [p], n; .complete_tx
// [p], n; .test_wait[.parity] p, [a], state and .try_wait; .pending_count n, state; .inval [p].
bool AsmBarriers::barrierObject(Op O) {
  if (O.Opcode.size() < 2 || O.Operands.empty())
    return false;
  const StringRef What = O.Opcode[1];
  Type *Word = B.getInt32Ty();
  auto Number = [&](size_t Operand, uint32_t Default) -> Value * {
    return Operand < O.Operands.size() ? read(O.Operands[Operand], B.getInt32Ty()) : B.getInt32(Default);
  };
  if (What == "inval")
    return true;
  if (What == "pending_count") {
    Value *State = O.Operands.size() == 2 ? read(O.Operands[1], B.getInt64Ty()) : nullptr;
    if (State)
      write(O.Operands[0], B.CreateCall(L.entry("__gpuprof_cpu_mbarrier_pending"), {State}));
    return State;
  }
  if (What == "init" || What == "expect_tx" || What == "complete_tx") {
    Value *Address = genericAddress(O, 0), *Amount = Number(1, 0);
    if (!Address || !Amount)
      return false;
    if (What == "init")
      B.CreateCall(L.entry("__gpuprof_cpu_mbarrier_init"), {Address, Amount});
    else
      B.CreateCall(L.entry("__gpuprof_cpu_mbarrier_transact"),
                   {Address, What == "expect_tx" ? Amount : B.CreateNeg(Amount)});
    return true;
  }
  // An arrival without a result may leave out its operand.
  const size_t First = StringRef(O.Operands[0]).trim().starts_with("[") ? 0 : 1;
  Value *Address = genericAddress(O, First);
  if (!Address)
    return false;
  if (What == "arrive" || What == "arrive_drop") {
    const bool Expects = O.has("expect_tx");
    Value *Amount = Number(First + 1, Expects ? 0 : 1);
    if (!Amount)
      return false;
    Value *Count = Expects ? B.getInt32(1) : Amount, *Bytes = Expects ? Amount : B.getInt32(0);
    Value *State = B.CreateCall(L.entry("__gpuprof_cpu_mbarrier_arrive"),
                                {Address, Count, Bytes, B.getInt32(What == "arrive_drop")});
    if (First == 1)
      write(O.Operands[0], State);
    return true;
  }
  if ((What == "test_wait" || What == "try_wait") && First == 1 && O.Operands.size() >= 3) {
    const bool Parity = O.has("parity");
    Value *State = read(O.Operands[2], Parity ? Word : B.getInt64Ty());
    if (!State)
      return false;
    Value *Done = B.CreateCall(
        L.entry("__gpuprof_cpu_mbarrier_test"),
        {L.thread(*I.getFunction()), Address, B.CreateZExt(State, B.getInt64Ty()), B.getInt32(Parity)});
    write(O.Operands[0], B.CreateIsNotNull(Done));
    return true;
  }
  return false;
}

// cp.async.bulk.TO.FROM.mbarrier::complete_tx::bytes [to], [from], size, [mbarrier]: copies at once and
// notifies the barrier.
bool AsmBarriers::bulkCopy(Op O) {
  if (O.has("commit_group") || O.has("wait_group") || O.has("prefetch"))
    return true;
  if (O.has("tensor") || O.has("cp_mask") || O.Operands.size() < 3)
    return false;
  SmallVector<unsigned> Spaces;
  for (StringRef Piece : O.Opcode)
    if (Piece == "global" || Piece.split(':').first == "shared")
      Spaces.push_back(Piece == "global" ? AsGlobal : AsShared);
  if (Spaces.size() != 2)
    return false;
  Value *To = address(O.Operands[0], Spaces[0]), *From = address(O.Operands[1], Spaces[1]);
  Value *Size = read(O.Operands[2], B.getInt32Ty());
  if (!To || !From || !Size)
    return false;
  if (O.has("mbarrier::complete_tx::bytes")) {
    Value *Barrier = O.Operands.size() > 3 ? address(O.Operands[3], AsGeneric) : nullptr;
    if (!Barrier)
      return false;
    if (O.has("multicast::cluster"))
      return multicast(O, To, From, Size, Barrier);
    B.CreateCall(L.entry("__gpuprof_cpu_mbarrier_transact"), {Barrier, B.CreateNeg(Size)});
  }
  B.CreateMemCpy(To, Align(16), From, Align(16), B.CreateZExt(Size, B.getInt64Ty()));
  return true;
}

// …, mask: to each block of the cluster with a set bit.
bool AsmBarriers::multicast(Op O, Value *To, Value *From, Value *Size, Value *Barrier) {
  Value *Mask = O.Operands.size() > 4 ? read(O.Operands[4], B.getInt16Ty()) : nullptr;
  auto Generic = [&](Value *Pointer) { return B.CreateAddrSpaceCast(Pointer, B.getPtrTy()); };
  if (Mask)
    B.CreateCall(L.entry("__gpuprof_cpu_multicast"), {L.thread(*I.getFunction()), Generic(To), Generic(From),
                                                      Size, Barrier, B.CreateZExt(Mask, B.getInt32Ty())});
  return Mask;
}

// bar.sync id{, threads}; bar.arrive id, threads; bar.red.OP.TYPE d, id, {!}p for the whole block.
bool AsmBarriers::blockBarrier(Op O) {
  if (O.Operands.empty())
    return false;
  Type *Word = B.getInt32Ty();
  Value *Thread = L.thread(*I.getFunction());
  if (O.has("red")) {
    const char *const Kinds[] = {"popc", "and", "or"}; // in the order of cpu_entries.inc
    const auto *Kind = find_if(Kinds, [&](const char *K) { return O.has(K); });
    auto *Id = O.Operands.size() == 3 ? dyn_cast_or_null<ConstantInt>(read(O.Operands[1], Word)) : nullptr;
    if (Kind == std::end(Kinds) || !Id || !Id->isZero())
      return false;
    StringRef Name = O.Operands[2];
    const bool Negated = Name.consume_front("!");
    Value *Given = read(Name, B.getInt1Ty());
    if (!Given)
      return false;
    Value *Result = B.CreateCall(L.entry("__gpuprof_cpu_barrier_reduce"),
                                 {Thread, B.getInt32(static_cast<uint32_t>(Kind - Kinds)),
                                  B.CreateZExt(Negated ? B.CreateNot(Given) : Given, Word)});
    write(O.Operands[0], O.has("pred") ? B.CreateIsNotNull(Result) : Result);
    return true;
  }
  Value *Id = read(O.Operands[0], Word);
  Value *Count = O.Operands.size() > 1 ? read(O.Operands[1], Word) : B.getInt32(0);
  if (!Id || !Count || (!O.has("sync") && !O.has("arrive")))
    return false;
  B.CreateCall(L.entry(O.has("sync") ? "__gpuprof_cpu_barrier" : "__gpuprof_cpu_barrier_arrive"),
               {Thread, Id, Count});
  return true;
}

// elect.sync lane|p, mask: the lowest lane of the mask.
bool AsmBarriers::elect(Op O) {
  Value *Mask = O.Operands.size() == 2 ? read(O.Operands[1], B.getInt32Ty()) : nullptr;
  if (!Mask)
    return false;
  Value *Leader = B.CreateIntrinsic(Intrinsic::cttz, {B.getInt32Ty()}, {Mask, B.getFalse()});
  auto [Lane, Flag] = StringRef(O.Operands[0]).split('|');
  write(Lane, Leader);
  if (!Flag.empty())
    write(Flag, B.CreateICmpEQ(Leader, L.load(B, Field::laneid)));
  return true;
}

// barrier.cluster.arrive and .wait; mapa to, address, rank; getctarank rank, address.
bool AsmBarriers::cluster(Op O) {
  const StringRef Name = O.Opcode[0];
  auto Thread = [&] { return L.thread(*I.getFunction()); };
  if (Name == "barrier" && O.has("cluster") && (O.has("arrive") || O.has("wait"))) {
    B.CreateCall(L.entry(O.has("wait") ? "__gpuprof_cpu_cluster_wait" : "__gpuprof_cpu_cluster_arrive"),
                 {Thread()});
    return true;
  }
  const bool Maps = Name == "mapa" && O.Operands.size() == 3;
  if (!Maps && (Name != "getctarank" || O.Operands.size() != 2))
    return false;
  Value *Address = read(O.Operands[1], B.getInt64Ty());
  Value *Rank = Maps ? read(O.Operands[2], B.getInt32Ty()) : nullptr;
  if (!Address || (Maps && !Rank))
    return false;
  write(O.Operands[0], Maps ? B.CreateCall(L.entry("__gpuprof_cpu_cluster_map"), {Thread(), Address, Rank})
                            : B.CreateCall(L.entry("__gpuprof_cpu_cluster_rank"), {Thread(), Address}));
  return true;
}

// Instructions without a result and without a wait.
bool AsmBarriers::advice(Op O) {
  constexpr const char *Names[] = {"prefetch", "prefetchu",     "griddepcontrol", "setmaxnreg",
                                   "discard",  "applypriority", "pmevent"};
  if (is_contained(Names, StringRef(O.Opcode[0])))
    return true;
  if (O.Opcode[0] != "createpolicy" || O.Operands.empty())
    return false;
  write(O.Operands[0], B.getInt64(0)); // a cache policy: its value has no effect
  return true;
}
} // namespace gpuprof::cpu
