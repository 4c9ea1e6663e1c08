// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only header depending on LLVM's versions: each difference between majors is a small named function
// here. Clang differences are in frontend/ClangCompat.h, using the macro below.
#ifndef GPUPROF_COMMON_COMPAT_H
#define GPUPROF_COMMON_COMPAT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#if LLVM_VERSION_MAJOR >= 19
#include "llvm/IR/DebugProgramInstruction.h"
#endif

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

/// True if gpuprof is built for this major of clang and LLVM, or a newer one.
#define GPUPROF_LLVM_AT_LEAST(Major) (LLVM_VERSION_MAJOR >= (Major))

namespace gpuprof::compat {

/// The major version of clang and LLVM used to build gpuprof.
constexpr unsigned Major = LLVM_VERSION_MAJOR;

/// The vectorizer of loads makes a gap between them part of a vector.
constexpr bool FillsGapsOfLoads = Major >= 22;

/// The vectorizer of loops takes a maximum of floats that may be NaN, and crashes at some.
constexpr bool CrashesAtMaxima = Major == 21;

/// The module's target; a string up to LLVM 20.
inline llvm::Triple getTriple(const llvm::Module &M) { return llvm::Triple(M.getTargetTriple()); }

inline void setTriple(llvm::Module &M, const llvm::Triple &T) {
#if LLVM_VERSION_MAJOR >= 21
  M.setTargetTriple(T);
#else
  M.setTargetTriple(T.str());
#endif
}

inline bool isDeviceModule(const llvm::Module &M) { return getTriple(M).isNVPTX(); }

/// Up to LLVM 19 kernels are named by `nvvm.annotations`, since 20 by their calling convention. Both are
/// read: bitcode of an older clang (libraries) may be linked in.
inline bool isKernel(const llvm::Function &F) {
  if (F.getCallingConv() == llvm::CallingConv::PTX_Kernel)
    return true;
  const llvm::NamedMDNode *Annotations = F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return false;
  for (const llvm::MDNode *Node : Annotations->operands()) {
    if (Node->getNumOperands() < 3)
      continue;
    const auto *Value = llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(Node->getOperand(0).get());
    if (!Value || Value->getValue() != &F)
      continue;
    for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2)
      if (const auto *Key = llvm::dyn_cast<llvm::MDString>(Node->getOperand(I)))
        if (Key->getString() == "kernel")
          return true;
  }
  return false;
}

/// Threads of a block and blocks of a multiprocessor in a kernel's launch bounds, as its limit or as its only
/// size; 0: without bounds.
inline std::pair<unsigned, unsigned> launchBounds(const llvm::Function &Kernel) {
  auto Product = [](llvm::StringRef Text) {
    unsigned Result = 0, Number = 0;
    for (; !Text.empty() && !Text.consumeInteger(10, Number); Text.consume_front(","))
      Result = Result ? Result * Number : Number;
    return Result;
  };
  unsigned Threads = Product(Kernel.getFnAttribute("nvvm.maxntid").getValueAsString());
  if (!Threads)
    Threads = Product(Kernel.getFnAttribute("nvvm.reqntid").getValueAsString());
  unsigned Blocks = Product(Kernel.getFnAttribute("nvvm.minctasm").getValueAsString());
  const llvm::NamedMDNode *Annotations = Kernel.getParent()->getNamedMetadata("nvvm.annotations");
  for (unsigned N = 0, End = Annotations ? Annotations->getNumOperands() : 0; N < End; ++N) {
    const llvm::MDNode *Node = Annotations->getOperand(N);
    const auto *About = Node->getNumOperands() ? llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(Node->getOperand(0).get())
                                               : nullptr;
    for (unsigned I = 1; About && About->getValue() == &Kernel && I + 1 < Node->getNumOperands(); I += 2) {
      const auto *Key = llvm::dyn_cast<llvm::MDString>(Node->getOperand(I));
      const auto *Value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(Node->getOperand(I + 1));
      if (!Key || !Value)
        continue;
      const auto Number = static_cast<unsigned>(Value->getZExtValue());
      if (Key->getString().starts_with("maxntid") || Key->getString().starts_with("reqntid"))
        Threads = Threads ? Threads * Number : Number;
      else if (Key->getString() == "minctasm")
        Blocks = Number;
    }
  }
  return {Threads, Blocks};
}

/// Removes a kernel's launch bounds, and limits of its registers.
inline void removeLaunchBounds(llvm::Function &Kernel) {
  for (llvm::StringRef Name : {"nvvm.maxntid", "nvvm.reqntid", "nvvm.minctasm", "nvvm.maxnreg"})
    Kernel.removeFnAttr(Name);
  llvm::NamedMDNode *Annotations = Kernel.getParent()->getNamedMetadata("nvvm.annotations");
  for (unsigned N = 0, End = Annotations ? Annotations->getNumOperands() : 0; N < End; ++N) {
    const llvm::MDNode *Node = Annotations->getOperand(N);
    const auto *About = Node->getNumOperands() ? llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(Node->getOperand(0).get())
                                               : nullptr;
    if (!About || About->getValue() != &Kernel)
      continue;
    llvm::SmallVector<llvm::Metadata *, 8> Kept = {Node->getOperand(0)};
    for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2) {
      const auto *Key = llvm::dyn_cast<llvm::MDString>(Node->getOperand(I));
      const llvm::StringRef Name = Key ? Key->getString() : llvm::StringRef();
      if (!Name.starts_with("maxntid") && !Name.starts_with("reqntid") && Name != "minctasm" && Name != "maxnreg")
        Kept.append({Node->getOperand(I), Node->getOperand(I + 1)});
    }
    Annotations->setOperand(N, llvm::MDNode::get(Kernel.getContext(), Kept));
  }
}

/// Sets the number of blocks of a kernel's clusters: "x,y,z". LLVM 21 and later read the attribute, 20 the
/// annotation. Before, no GPU receives it; the CPU device still reads the attribute.
inline void setClusterSize(llvm::Function &Kernel, llvm::StringRef Size) {
  Kernel.addFnAttr("nvvm.cluster_dim", Size);
#if LLVM_VERSION_MAJOR < 21
  llvm::LLVMContext &C = Kernel.getContext();
  llvm::SmallVector<llvm::Metadata *, 8> Operands = {llvm::ValueAsMetadata::get(&Kernel)};
  for (const char *Key : {"cluster_dim_x", "cluster_dim_y", "cluster_dim_z"}) {
    unsigned Number = 1;
    Size.consumeInteger(10, Number);
    Size.consume_front(",");
    Operands.push_back(llvm::MDString::get(C, Key));
    Operands.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(C), Number)));
  }
  Kernel.getParent()->getOrInsertNamedMetadata("nvvm.annotations")->addOperand(llvm::MDNode::get(C, Operands));
#endif
}

/// Sets the maximum number of registers of a kernel's threads, unless it has its own. LLVM 21 and later read
/// the attribute, older ones the first annotation.
inline void setMaximumRegisters(llvm::Function &Kernel, unsigned Registers) {
#if LLVM_VERSION_MAJOR >= 21
  if (!Kernel.hasFnAttribute("nvvm.maxnreg"))
    Kernel.addFnAttr("nvvm.maxnreg", std::to_string(Registers));
#else
  llvm::LLVMContext &C = Kernel.getContext();
  Kernel.getParent()->getOrInsertNamedMetadata("nvvm.annotations")->addOperand(llvm::MDNode::get(
      C, {llvm::ValueAsMetadata::get(&Kernel), llvm::MDString::get(C, "maxnreg"),
          llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(C), Registers))}));
#endif
}

/// Sets the maximum number of threads in a block of a kernel without launch bounds, likewise.
inline void setMaximumThreads(llvm::Function &Kernel, unsigned Threads) {
#if LLVM_VERSION_MAJOR >= 21
  Kernel.addFnAttr("nvvm.maxntid", std::to_string(Threads));
#else
  llvm::LLVMContext &C = Kernel.getContext();
  Kernel.getParent()->getOrInsertNamedMetadata("nvvm.annotations")->addOperand(llvm::MDNode::get(
      C, {llvm::ValueAsMetadata::get(&Kernel), llvm::MDString::get(C, "maxntidx"),
          llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(C), Threads))}));
#endif
}

/// True if this LLVM passes cluster sizes to a GPU.
constexpr bool WritesClusterSizes = LLVM_VERSION_MAJOR >= 20;

/// The callback of an extension point; the same for every major.
using ModuleCallback = std::function<void(llvm::ModulePassManager &, llvm::OptimizationLevel)>;

/// First of all passes, at every level (-O0 too).
inline void atPipelineStart(llvm::PassBuilder &PB, ModuleCallback Callback) {
  PB.registerPipelineStartEPCallback(std::move(Callback));
}

/// Last of all passes, at every level; has a third parameter since LLVM 20.
inline void atOptimizerLast(llvm::PassBuilder &PB, ModuleCallback Callback) {
#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerLastEPCallback(
      [Callback = std::move(Callback)](llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level,
                                       llvm::ThinOrFullLTOPhase) { Callback(MPM, Level); });
#else
  PB.registerOptimizerLastEPCallback(std::move(Callback));
#endif
}

/// The text of an inline assembly; a std::string up to LLVM 20.
inline std::string asmText(const llvm::InlineAsm &Asm) { return std::string(Asm.getAsmString()); }
inline std::string asmConstraints(const llvm::InlineAsm &Asm) {
  return std::string(Asm.getConstraintString());
}

/// True if an intrinsic belongs to one target; a member of Function up to LLVM 19.
inline bool isTargetIntrinsic(llvm::Intrinsic::ID Id) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::isTargetIntrinsic(Id);
#else
  return llvm::Function::isTargetIntrinsic(Id);
#endif
}

/// An `or` of values without a common bit, equal to their sum. LLVM before 18 has no such flag.
inline bool isDisjointOr(const llvm::Instruction &I) {
#if LLVM_VERSION_MAJOR >= 18
  const auto *Or = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&I);
  return Or && Or->isDisjoint();
#else
  (void)I;
  return false;
#endif
}

/// Removes `nofpclass` from a function's or a call's arguments and result. LLVM before 17 has no such attribute.
template <typename Callable> void removeExcludedFloatClasses(Callable &Of) {
#if LLVM_VERSION_MAJOR >= 17
  Of.removeRetAttr(llvm::Attribute::NoFPClass);
  for (unsigned N = 0; N < Of.arg_size(); ++N)
    Of.removeParamAttr(N, llvm::Attribute::NoFPClass);
#else
  (void)Of;
#endif
}

/// The map of variable offsets that GEPOperator::collectOffset fills, with fewer allocations in newer majors.
template <typename Map>
Map offsetsOf(bool (llvm::GEPOperator::*)(const llvm::DataLayout &, unsigned, Map &, llvm::APInt &) const);
using VariableOffsets = decltype(offsetsOf(&llvm::GEPOperator::collectOffset));

/// Gives an instruction a new assignment id for each old one; LLVM up to 18 has no function for it.
inline void remapAssignId(llvm::DenseMap<llvm::DIAssignID *, llvm::DIAssignID *> &Renewed,
                          llvm::Instruction &I) {
#if LLVM_VERSION_MAJOR >= 19
  llvm::at::remapAssignID(Renewed, I);
#else
  auto IdFor = [&Renewed](llvm::DIAssignID *Old) {
    llvm::DIAssignID *&Id = Renewed[Old];
    if (!Id)
      Id = llvm::DIAssignID::getDistinct(Old->getContext());
    return Id;
  };
  if (llvm::MDNode *Id = I.getMetadata(llvm::LLVMContext::MD_DIAssignID))
    I.setMetadata(llvm::LLVMContext::MD_DIAssignID, IdFor(llvm::cast<llvm::DIAssignID>(Id)));
  else if (auto *Assign = llvm::dyn_cast<llvm::DbgAssignIntrinsic>(&I))
    Assign->setAssignId(IdFor(Assign->getAssignID()));
#endif
}

/// Replaces the locations of the debug records attached to an instruction (LLVM 19 and later). Before, debug
/// intrinsics are instructions with a location of their own.
template <typename Replace> void forEachDebugRecordLocation(llvm::Instruction &I, Replace Map) {
#if LLVM_VERSION_MAJOR >= 19
  for (llvm::DbgRecord &Record : I.getDbgRecordRange())
    Record.setDebugLoc(Map(Record.getDebugLoc()));
#else
  (void)I;
  (void)Map;
#endif
}

/// Turns constant expressions over these constants, used by instructions, into instructions.
inline void expandConstantUsers(llvm::ArrayRef<llvm::Constant *> Constants) {
#if LLVM_VERSION_MAJOR >= 17
  llvm::convertUsersOfConstantsToInstructions(Constants);
#else
  // The expressions naming a constant directly, each with the instructions using it through any others. LLVM
  // turns all expressions between the two at once.
  llvm::SmallSetVector<llvm::ConstantExpr *, 8> Innermost;
  for (llvm::Constant *C : Constants)
    for (llvm::User *U : C->users())
      if (auto *Expression = llvm::dyn_cast<llvm::ConstantExpr>(U))
        Innermost.insert(Expression);
  for (llvm::ConstantExpr *Expression : Innermost) {
    llvm::SmallSetVector<llvm::User *, 16> Reached;
    Reached.insert(Expression);
    for (unsigned I = 0; I < Reached.size(); ++I)
      if (llvm::isa<llvm::ConstantExpr>(Reached[I]))
        Reached.insert(Reached[I]->user_begin(), Reached[I]->user_end());
    for (llvm::User *U : Reached)
      if (auto *Instruction = llvm::dyn_cast<llvm::Instruction>(U))
        llvm::convertConstantExprsToInstructions(Instruction, Expression);
  }
#endif
}

/// Writes expressions of loops as code; took the data layout in older majors.
template <typename Expander = llvm::SCEVExpander>
Expander scevExpander(llvm::ScalarEvolution &Evolution, const llvm::Module &M) {
  if constexpr (std::is_constructible_v<Expander, llvm::ScalarEvolution &, const char *>)
    return Expander(Evolution, "gpuprof");
  else
    return Expander(Evolution, M.getDataLayout(), "gpuprof");
}

/// A target knowing only the sources of divergence between lanes of a warp.
class LanesTarget : public llvm::TargetTransformInfoImplCRTPBase<LanesTarget> {
public:
  using IsDivergent = bool (*)(const llvm::Value *);
  LanesTarget(const llvm::DataLayout &Layout, IsDivergent Source)
      : TargetTransformInfoImplCRTPBase(Layout), Source(Source) {}

#if LLVM_VERSION_MAJOR >= 22
  bool hasBranchDivergence(const llvm::Function *) const override { return true; }
  llvm::InstructionUniformity getInstructionUniformity(const llvm::Value *V) const override {
    return Source(V) ? llvm::InstructionUniformity::NeverUniform : llvm::InstructionUniformity::Default;
  }
#elif LLVM_VERSION_MAJOR >= 21
  bool hasBranchDivergence(const llvm::Function *) const override { return true; }
  bool isSourceOfDivergence(const llvm::Value *V) const override { return Source(V); }
#else
  bool hasBranchDivergence(const llvm::Function * = nullptr) const { return true; }
  bool isSourceOfDivergence(const llvm::Value *V) const { return Source(V); }
#endif

private:
  IsDivergent Source;
};

/// True if lanes may see different values at a use. This includes a uniform value of a loop left at different
/// times. LLVM 16 says so of the user alone: such a value is then one of a loop without its user.
inline bool isDivergentUse(const llvm::UniformityInfo &Info, const llvm::Use &U) {
#if LLVM_VERSION_MAJOR >= 17
  return Info.isDivergentUse(U);
#else
  const auto *Value = llvm::dyn_cast<llvm::Instruction>(U.get());
  const auto *User = llvm::cast<llvm::Instruction>(U.getUser());
  if (Info.isDivergent(U.get()) || !Value || !Info.isDivergent(User) ||
      Value->getParent() == User->getParent())
    return Info.isDivergent(U.get());
  const llvm::SmallPtrSet<llvm::BasicBlock *, 1> WithoutUser = {
      const_cast<llvm::BasicBlock *>(User->getParent())};
  llvm::SmallVector<llvm::BasicBlock *, 4> After(
      llvm::successors(const_cast<llvm::BasicBlock *>(Value->getParent())));
  return llvm::isPotentiallyReachableFromMany(After, Value->getParent(), &WithoutUser);
#endif
}

/// Such a target in the form needed by analyses; its implementation is passed by value up to LLVM 20.
inline llvm::TargetTransformInfo lanesTarget(const llvm::Function &F, LanesTarget::IsDivergent Source) {
  const llvm::DataLayout &Layout = F.getParent()->getDataLayout();
#if LLVM_VERSION_MAJOR >= 21
  return llvm::TargetTransformInfo(std::make_unique<const LanesTarget>(Layout, Source));
#else
  return llvm::TargetTransformInfo(LanesTarget(Layout, Source));
#endif
}

} // namespace gpuprof::compat

#endif
