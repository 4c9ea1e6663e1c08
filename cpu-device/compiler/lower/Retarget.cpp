// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes an nvptx64 module an x86-64 one, ahead of all other stages.
#include "lower/Retarget.h"
#include "common/Compat.h"
#include "lower/LibraryNames.h"
#include "module/Lowering.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// The attributes kept of a parameter: those deciding how it is passed, and those still true after sector
// marks are added.
AttributeSet keepParameter(LLVMContext &C, AttributeSet Old) {
  AttrBuilder B(C);
  constexpr Attribute::AttrKind Kept[] = {Attribute::ByVal,  Attribute::StructRet, Attribute::ZExt,
                                          Attribute::SExt,   Attribute::Alignment, Attribute::NoAlias,
                                          Attribute::NoUndef};
  for (Attribute::AttrKind Kind : Kept)
    if (Old.hasAttribute(Kind))
      B.addAttribute(Old.getAttribute(Kind));
  return AttributeSet::get(C, B);
}

AttributeList keepParameters(LLVMContext &C, AttributeList Old, unsigned Count, AttributeSet OfFunction) {
  SmallVector<AttributeSet> Parameters;
  for (unsigned I = 0; I != Count; ++I)
    Parameters.push_back(keepParameter(C, Old.getParamAttrs(I)));
  return AttributeList::get(C, OfFunction, keepParameter(C, Old.getRetAttrs()), Parameters);
}

// Features of the host's functions: functions with different features are not inlined into one another.
AttrBuilder hostAttributes(const Module &Host, LLVMContext &C) {
  AttrBuilder B(C);
  constexpr const char *Kept[] = {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                                  "min-legal-vector-width"};
  for (const Function &F : Host) {
    if (F.isDeclaration() || !F.hasFnAttribute("target-cpu"))
      continue;
    for (const char *Name : Kept)
      if (F.hasFnAttribute(Name))
        B.addAttribute(F.getFnAttribute(Name));
    if (F.hasFnAttribute(Attribute::UWTable))
      B.addAttribute(F.getFnAttribute(Attribute::UWTable));
    break;
  }
  return B;
}

void resetAttributes(Function &F, const AttrBuilder &OfHost, bool IsKernel) {
  LLVMContext &C = F.getContext();
  AttrBuilder B(C, AttributeSet());
  if (!F.isDeclaration()) {
    B.merge(OfHost);
    B.addAttribute(Attribute::NoUnwind);
    constexpr Attribute::AttrKind Kept[] = {Attribute::NoInline, Attribute::AlwaysInline,
                                            Attribute::OptimizeNone, Attribute::Cold};
    for (Attribute::AttrKind Kind : Kept)
      if (!IsKernel && F.hasFnAttribute(Kind))
        B.addAttribute(Kind);
    if (IsKernel)
      B.addAttribute(Attribute::AlwaysInline);
  }
  F.setAttributes(keepParameters(C, F.getAttributes(), F.arg_size(), AttributeSet::get(C, B)));
}

bool isDeviceConvention(CallingConv::ID Convention) {
  return Convention == CallingConv::PTX_Kernel || Convention == CallingConv::PTX_Device;
}

void resetCalls(Function &F) {
  for (Instruction &I : instructions(F)) {
    // Constant on a GPU during a launch; the optimiser here looks beyond one launch.
    I.setMetadata(LLVMContext::MD_invariant_load, nullptr);
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    if (isDeviceConvention(Call->getCallingConv()))
      Call->setCallingConv(CallingConv::C);
    Function *Callee = Call->getCalledFunction();
    if (!Callee || !Callee->isIntrinsic())
      Call->setAttributes(
          keepParameters(F.getContext(), Call->getAttributes(), Call->arg_size(), AttributeSet()));
  }
}

// Scopes of CUDA memory orders mean nothing to another target: every access has system scope.
void resetScopes(Function &F) {
  for (Instruction &I : instructions(F)) {
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isAtomic())
      Load->setSyncScopeID(SyncScope::System);
    else if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->isAtomic())
      Store->setSyncScopeID(SyncScope::System);
    else if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
      Update->setSyncScopeID(SyncScope::System);
    else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      Exchange->setSyncScopeID(SyncScope::System);
    else if (auto *Fence = dyn_cast<FenceInst>(&I))
      Fence->setSyncScopeID(SyncScope::System);
  }
}

// The device's optimiser has processed `#pragma unroll`. The host's optimiser would retry unrolling left
// undone, and warn.
void dropUnrolling(Function &F) {
  LLVMContext &C = F.getContext();
  for (BasicBlock &Block : F) {
    Instruction *Latch = Block.getTerminator();
    MDNode *Old = Latch->getMetadata(LLVMContext::MD_loop);
    if (!Old)
      continue;
    SmallVector<Metadata *> Kept{nullptr}; // its own first operand
    for (const MDOperand &Operand : drop_begin(Old->operands())) {
      const auto *Node = dyn_cast<MDNode>(Operand);
      const auto *Name = Node && Node->getNumOperands() ? dyn_cast<MDString>(Node->getOperand(0)) : nullptr;
      constexpr const char *Requests[] = {"llvm.loop.unroll.enable", "llvm.loop.unroll.full",
                                          "llvm.loop.unroll.count"};
      if (!Name || !is_contained(Requests, Name->getString()))
        Kept.push_back(Operand);
    }
    if (Kept.size() == Old->getNumOperands())
      continue;
    MDNode *New = MDNode::getDistinct(C, Kept);
    New->replaceOperandWith(0, New);
    Latch->setMetadata(LLVMContext::MD_loop, New);
  }
}

// A number in nvvm.annotations, or the product of several; LLVM up to 20 wrote them.
uint32_t annotatedNumber(const Function &F, StringRef Prefix) {
  uint64_t Product = 0;
  const NamedMDNode *Annotations = F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return 0;
  for (const MDNode *Node : Annotations->operands()) {
    const auto *Of = dyn_cast_or_null<ValueAsMetadata>(Node->getOperand(0).get());
    for (unsigned I = 1; Of && Of->getValue() == &F && I + 1 < Node->getNumOperands(); I += 2)
      if (const auto *Key = dyn_cast<MDString>(Node->getOperand(I));
          Key && Key->getString().starts_with(Prefix))
        if (const auto *Value = mdconst::dyn_extract<ConstantInt>(Node->getOperand(I + 1)))
          Product = (Product ? Product : 1) * Value->getZExtValue();
  }
  return static_cast<uint32_t>(Product);
}

// "x,y,z", possibly without the last ones; empty: the function has no such attribute.
SmallVector<uint32_t, 3> numbersOf(const Function &F, StringRef Name) {
  SmallVector<uint32_t, 3> Numbers;
  SmallVector<StringRef> Texts;
  F.getFnAttribute(Name).getValueAsString().split(Texts, ',', -1, false);
  for (StringRef Text : Texts)
    if (uint32_t Value = 0; !Text.trim().getAsInteger(10, Value))
      Numbers.push_back(Value);
  return Numbers;
}

// The limits of __launch_bounds__, from an attribute or, in older LLVMs, an annotation.
uint32_t boundOf(const Function &F, StringRef Attribute, StringRef Annotation) {
  uint32_t Product = 0;
  for (uint32_t Number : numbersOf(F, Attribute))
    Product = (Product ? Product : 1) * Number;
  return Product ? Product : annotatedNumber(F, Annotation);
}

Kernel describe(const Function &F) {
  Kernel K;
  K.Name = F.getName().str();
  K.MaximumThreads = boundOf(F, "nvvm.maxntid", "maxntid");
  K.MaximumCluster = boundOf(F, "nvvm.maxclusterrank", "maxclusterrank");
  copy(numbersOf(F, "nvvm.cluster_dim"), K.Cluster);
  K.File = F.getParent()->getSourceFileName();
  if (const DISubprogram *Program = F.getSubprogram()) {
    K.File = Program->getFilename().str();
    K.Line = Program->getLine();
  }
  for (const Argument &A : F.args()) {
    K.ByVal.push_back(A.getParamByValType());
    K.Written.push_back(A.hasByValAttr() && !A.onlyReadsMemory());
  }
  return K;
}

// The same function with the thread's state as first parameter.
Function *makeBody(Function &F) {
  LLVMContext &C = F.getContext();
  SmallVector<Type *> Parameters{PointerType::get(C, 0)};
  Parameters.append(F.getFunctionType()->param_begin(), F.getFunctionType()->param_end());
  auto *Body = Function::Create(FunctionType::get(F.getReturnType(), Parameters, false),
                                GlobalValue::InternalLinkage, F.getName() + ".body", F.getParent());
  Body->splice(Body->begin(), &F);
  Body->setSubprogram(F.getSubprogram());
  F.setSubprogram(nullptr);
  Body->getArg(0)->setName("thread");
  for (Argument &A : F.args()) {
    Argument *New = Body->getArg(A.getArgNo() + 1);
    New->takeName(&A);
    A.replaceAllUsesWith(New);
    // Parameters of struct type arrive as plain pointers: the entry function makes copies as needed.
    if (!A.hasByValAttr())
      Body->addParamAttrs(New->getArgNo(), AttrBuilder(C, F.getAttributes().getParamAttrs(A.getArgNo())));
  }
  F.replaceAllUsesWith(PoisonValue::get(F.getType()));
  F.eraseFromParent();
  return Body;
}

void collectKernels(Lowering &L) {
  SmallVector<Function *> Found;
  for (Function &F : L.M)
    if (!F.isDeclaration() && compat::isKernel(F))
      Found.push_back(&F);
  for (Function *F : Found) {
    Kernel K = describe(*F);
    K.Body = makeBody(*F);
    for (unsigned I = 0; I != K.ByVal.size(); ++I)
      if (K.ByVal[I])
        L.ParameterPointers.insert(K.Body->getArg(I + 1));
    L.Kernels.push_back(std::move(K));
  }
}

void dropDeviceMetadata(Module &M) {
  for (const char *Name : {"nvvm.annotations", "nvvmir.version", "llvm.ident", "opencl.ocl.version",
                           "llvm.commandline", "llvm.errno.tbaa"})
    if (NamedMDNode *Node = M.getNamedMetadata(Name))
      M.eraseNamedMetadata(Node);
  for (const char *Name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable *List = M.getGlobalVariable(Name, true))
      List->eraseFromParent();
  // Two modules are linked only if their flags agree; only the device's debug format is needed.
  NamedMDNode *Flags = M.getModuleFlagsMetadata();
  if (!Flags)
    return;
  SmallVector<MDNode *> Kept;
  for (MDNode *Flag : Flags->operands())
    if (auto *Name = dyn_cast<MDString>(Flag->getOperand(1));
        Name && Name->getString() == "Debug Info Version")
      Kept.push_back(Flag);
  Flags->clearOperands();
  for (MDNode *Flag : Kept)
    Flags->addOperand(Flag);
}
// Drops inline functions of headers unreachable from kernels: their code needs no translation and no
// warnings.
void dropUnused(Lowering &L) {
  SmallPtrSet<const Function *, 8> Bodies;
  for (const Kernel &K : L.Kernels)
    Bodies.insert(K.Body);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : make_early_inc_range(L.M)) {
      F.removeDeadConstantUsers();
      if (F.isDeclaration() || !F.use_empty() || Bodies.contains(&F) || isForOtherUnits(F))
        continue;
      F.eraseFromParent();
      Changed = true;
    }
  }
}
} // namespace

Error retarget(Lowering &L) {
  const Module &Host = L.Host;
  Module &M = L.M;
  for (GlobalAlias &Alias : make_early_inc_range(M.aliases())) {
    Alias.replaceAllUsesWith(Alias.getAliasee());
    Alias.eraseFromParent();
  }
  collectKernels(L);
  dropDeviceMetadata(M);
  dropUnused(L);
  M.setDataLayout(Host.getDataLayout());
  M.setTargetTriple(Host.getTargetTriple());
  const AttrBuilder OfHost = hostAttributes(Host, M.getContext());
  SmallPtrSet<const Function *, 8> Bodies;
  for (const Kernel &K : L.Kernels)
    Bodies.insert(K.Body);
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    if (isDeviceConvention(F.getCallingConv()))
      F.setCallingConv(CallingConv::C);
    resetAttributes(F, OfHost, Bodies.contains(&F));
    resetCalls(F);
    resetScopes(F);
    dropUnrolling(F);
  }
  return Error::success();
}
} // namespace gpuprof::cpu
