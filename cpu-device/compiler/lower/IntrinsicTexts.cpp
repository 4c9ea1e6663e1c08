// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics of one PTX instruction each, lowered like inline PTX of the program.
#include "lower/IntrinsicTexts.h"
#include "inline-ptx/AsmLowering.h"
#include "module/Lowering.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
struct TextRow {
  const char *Name; // the name behind llvm.nvvm., or its prefix up to a dot
  const char *Text; // $0 is the result, if there is one; the arguments follow
};
constexpr TextRow Texts[] = {
    {"exit", "exit;"},
    {"prmt.f4e", "prmt.b32.f4e $0, $1, $2, $3;"},
    {"prmt.b4e", "prmt.b32.b4e $0, $1, $2, $3;"},
    {"prmt.rc8", "prmt.b32.rc8 $0, $1, 0, $2;"},
    {"prmt.ecl", "prmt.b32.ecl $0, $1, 0, $2;"},
    {"prmt.ecr", "prmt.b32.ecr $0, $1, 0, $2;"},
    {"prmt.rc16", "prmt.b32.rc16 $0, $1, 0, $2;"},
    {"bmsk.clamp", "bmsk.clamp.b32 $0, $1, $2;"},
    {"bmsk.wrap", "bmsk.wrap.b32 $0, $1, $2;"},
    {"sext.clamp", "szext.clamp.s32 $0, $1, $2;"},
    {"sext.wrap", "szext.wrap.s32 $0, $1, $2;"},
    {"zext.clamp", "szext.clamp.u32 $0, $1, $2;"},
    {"zext.wrap", "szext.wrap.u32 $0, $1, $2;"},
    {"fshl.clamp", "shf.l.clamp.b32 $0, $2, $1, $3;"},
    {"fshr.clamp", "shf.r.clamp.b32 $0, $2, $1, $3;"},
    {"barrier.cluster.arrive", "barrier.cluster.arrive;"},
    {"barrier.cluster.wait", "barrier.cluster.wait;"},
    {"barrier.cta.arrive", "barrier.cta.arrive $0, $1;"},
    {"getctarank", "getctarank.u64 $0, $1;"},
    {"mapa", "mapa.u64 $0, $1, $2;"},
    {"is_explicit_cluster", "mov.pred $0, %is_explicit_cluster;"},
    {"pm.event.mask", "pmevent.mask $0;"},
    {"st.bulk", "st.bulk [$0], $1, 0;"},
    {"bf2h.rn", "cvt.rn.f16.bf16 $0, $1;"},
    {"redux.sync.fmin.abs.NaN", "redux.sync.min.abs.NaN.f32 $0, $1, $2;"},
    {"redux.sync.fmin.abs", "redux.sync.min.abs.f32 $0, $1, $2;"},
    {"redux.sync.fmin.NaN", "redux.sync.min.NaN.f32 $0, $1, $2;"},
    {"redux.sync.fmin", "redux.sync.min.f32 $0, $1, $2;"},
    {"redux.sync.fmax.abs.NaN", "redux.sync.max.abs.NaN.f32 $0, $1, $2;"},
    {"redux.sync.fmax.abs", "redux.sync.max.abs.f32 $0, $1, $2;"},
    {"redux.sync.fmax.NaN", "redux.sync.max.NaN.f32 $0, $1, $2;"},
    {"redux.sync.fmax", "redux.sync.max.f32 $0, $1, $2;"},
};

bool has(ArrayRef<StringRef> Parts, StringRef Part) { return is_contained(Parts, Part); }

// Modifiers in PTX's place between opcode and types.
std::string modifiers(ArrayRef<StringRef> Parts) {
  std::string Text;
  for (const char *Known : {"rn", "rz", "rna", "ftz", "satfinite", "relu"})
    if (has(Parts, Known))
      Text += std::string(".") + Known;
  return Text;
}

// f2tf32.rn.relu, f2f16.rz, ff.to.e4m3x2.rn, f16x2.to.e5m2x2.rn, e4m3x2.to.f16x2.rn.relu.
std::string conversion(ArrayRef<StringRef> Parts) {
  if (has(Parts, "rs"))
    return "";
  if (Parts[0] == "f2tf32")
    return "cvt" + modifiers(Parts) + ".tf32.f32 $0, $1;";
  if (Parts[0] == "f2f16")
    return "cvt" + modifiers(Parts) + ".f16.f32 $0, $1;";
  if (Parts.size() < 4 || Parts[1] != "to" || (!has(Parts, "e4m3x2") && !has(Parts, "e5m2x2")))
    return "";
  const std::string From = Parts[0] == "ff" ? "f32" : Parts[0].str(), To = Parts[2].str();
  const std::string Limit = To == "f16x2" || has(Parts, "satfinite") ? "" : ".satfinite";
  return "cvt" + modifiers(Parts) + Limit + "." + To + "." + From +
         (From == "f32" ? " $0, $1, $2;" : " $0, $1;");
}

// mbarrier.arrive.drop.expect.tx.relaxed.scope.cluster.space.cta and its relatives.
std::string barrierObject(ArrayRef<StringRef> Parts, bool HasResult) {
  const std::string To = HasResult ? "$0, [$1]" : "_, [$0]", Amount = HasResult ? "$2" : "$1";
  if (Parts[1] == "expect" || Parts[1] == "complete")
    return "mbarrier." + Parts[1].str() + "_tx.b64 [$0], $1;";
  if (has(Parts, "wait"))
    return std::string("mbarrier.test_wait") + (has(Parts, "parity") ? ".parity" : "") + ".b64 $0, [$1], $2;";
  if (Parts[1] != "arrive")
    return "";
  return std::string("mbarrier.arrive") + (has(Parts, "drop") ? "_drop" : "") +
         (has(Parts, "expect") ? ".expect_tx" : "") + ".b64 " + To + ", " + Amount + ";";
}

bool isSet(const CallInst &I, unsigned Argument) {
  auto *Flag = dyn_cast<ConstantInt>(I.getArgOperand(Argument));
  return Flag && !Flag->isZero();
}

// "{$3, $4}": `Count` arguments from `First` on.
std::string list(unsigned First, unsigned Count) {
  std::string Text;
  for (unsigned N = 0; N != Count; ++N)
    Text += (N ? ", $" : "{$") + std::to_string(First + N);
  return Text + "}";
}

// cp.async.bulk.tensor.g2s[.cta].tile.2d(to, barrier, map, x, y[, offsets][, blocks], hint, flags of both,
// …); .s2g.tile.2d and .reduce.add.tile.2d(from, map, x, y, hint, its flag).
std::string tensorCopy(ArrayRef<StringRef> Parts, const CallInst &I) {
  unsigned Rank = 0;
  StringRef Last = Parts.back(); // "2d"
  const bool Columns = has(Parts, "im2col"), Load = Parts[4] == "g2s", ToBlock = Load && Parts[5] == "cta";
  if (has(Parts, "w") || has(Parts, "gather4") || has(Parts, "scatter4") || Last.consumeInteger(10, Rank))
    return "";
  const std::string Form = std::to_string(Rank) + "d." + (Columns ? "im2col" : "tile") + ".";
  if (Parts[4] == "prefetch")
    return "prefetch.tensormap [$0];";
  if (!Load) {
    const std::string Operation = Parts[4] == "reduce" ? Parts[5].str() + "." : "";
    return std::string(Operation.empty() ? "cp.async" : "cp.reduce.async") + ".bulk.tensor." + Operation +
           Form + "global.shared::cta.bulk_group [$1, " + list(2, Rank) + "], [$0];";
  }
  const unsigned Offsets = Columns ? Rank - 2 : 0, Blocks = 3 + Rank + Offsets;
  const bool Multicast = !ToBlock && isSet(I, Blocks + 2);
  return "cp.async.bulk.tensor." + Form + "shared::cluster.global.mbarrier::complete_tx::bytes" +
         (Multicast ? ".multicast::cluster" : "") + " [$0], [$2, " + list(3, Rank) + "], [$1]" +
         (Columns ? ", " + list(3 + Rank, Offsets) : "") + (Multicast ? ", $" + std::to_string(Blocks) : "") +
         ";";
}

// tensormap.replace.box.dim(map, number, value) and its relatives.
std::string tensorField(ArrayRef<StringRef> Parts, const CallInst &I) {
  std::string Field;
  for (StringRef Part : Parts.drop_front(2))
    if (!Part.starts_with("p")) // address space of the map's address
      Field += (Field.empty() ? "" : "_") + Part.str();
  const bool Wide = I.getArgOperand(I.arg_size() - 1)->getType()->isIntegerTy(64);
  return "tensormap.replace.tile." + Field + ".b1024." + (Wide ? "b64" : "b32") + " [$0], $1" +
         (I.arg_size() > 2 ? ", $2;" : ";");
}

// cp.async.bulk.global.to.shared.cluster(to, barrier, from, size, …) and its relatives.
std::string bulkCopy(StringRef Name, const CallInst &I) {
  constexpr unsigned IsMulticast = 6; // index among its arguments; the mask is the fourth
  if (Name == "cp.async.bulk.global.to.shared.cluster" && I.arg_size() > IsMulticast && isSet(I, IsMulticast))
    return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$2], "
           "$3, [$1], $4;";
  if (Name == "cp.async.bulk.global.to.shared.cluster" || Name == "cp.async.bulk.global.to.shared.cta")
    return "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$2], $3, [$1];";
  if (Name == "cp.async.bulk.shared.cta.to.cluster")
    return "cp.async.bulk.shared::cta.shared::cta.mbarrier::complete_tx::bytes [$0], [$2], $3, [$1];";
  if (Name == "cp.async.bulk.shared.cta.to.global")
    return "cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2;";
  return Name == "cp.async.bulk.prefetch.L2" ? "prefetch.global.L2 [$0];" : "";
}

std::string textOf(StringRef Name, ArrayRef<StringRef> Parts, const CallInst &I) {
  for (const TextRow &Row : Texts)
    if (StringRef Rest = Name; Rest.consume_front(Row.Name) && (Rest.empty() || Rest.starts_with(".")))
      return Row.Text;
  if (Parts[0] == "flo")
    return std::string("bfind") + (isSet(I, 1) ? ".shiftamt" : "") + (Parts[1] == "s" ? ".s" : ".u") +
           std::to_string(I.getArgOperand(0)->getType()->getIntegerBitWidth()) + " $0, $1;";
  if (Parts[0] == "idp2a" && Parts.size() == 3)
    return std::string("dp2a.") + (isSet(I, 2) ? "hi." : "lo.") + (Parts[1] == "s" ? "s32." : "u32.") +
           (Parts[2] == "s" ? "s32" : "u32") + " $0, $1, $2, $4;";
  if (Parts[0] == "mbarrier")
    return barrierObject(Parts, !I.getType()->isVoidTy());
  if (Name.starts_with("cp.async.bulk.tensor."))
    return tensorCopy(Parts, I);
  if (Name.starts_with("cp.async.bulk"))
    return bulkCopy(Name, I);
  if (Name.starts_with("tensormap.replace."))
    return tensorField(Parts, I);
  return conversion(Parts);
}
} // namespace

bool lowerIntrinsicByText(Lowering &L, CallInst &I, ArrayRef<StringRef> Parts) {
  StringRef Name = I.getCalledFunction()->getName();
  Name.consume_front("llvm.nvvm.");
  const std::string Text = textOf(Name, Parts, I);
  if (Text.empty())
    return false;
  std::string Constraints;
  SmallVector<Value *> Arguments(I.args());
  for (unsigned N = 0; N != Arguments.size() + !I.getType()->isVoidTy(); ++N)
    Constraints += std::string(N ? "," : "") + (N == 0 && !I.getType()->isVoidTy() ? "=r" : "r");
  IRBuilder<> B(&I);
  auto *Asm = InlineAsm::get(I.getFunctionType(), Text, Constraints, true);
  CallInst *Call = B.CreateCall(I.getFunctionType(), Asm, Arguments);
  I.replaceAllUsesWith(Call);
  if (lowerAsm(L, *Call)) {
    I.eraseFromParent();
    return true;
  }
  Call->replaceAllUsesWith(&I);
  Call->eraseFromParent();
  return false;
}
} // namespace gpuprof::cpu
