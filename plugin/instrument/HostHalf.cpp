// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/HostHalf.h"
#include "common/AbiLayout.h"
#include "common/Compat.h"
#include "instrument/HostRegistration.h"

#include "gpuprof/abi.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gpuprof {
namespace {

/// Before the program's own constructors (65535): some of these may launch kernels.
constexpr int ConstructorPriority = 101;
/// Clang's constructor runs next. It registers a GPU's kernels and variables, and by atexit() their removal.
/// This early place makes them available to the constructors and destructors of all global objects.
constexpr int RegistrationPriority = ConstructorPriority + 1;
constexpr StringLiteral RegistrationConstructor = "__cuda_module_ctor";

/// Replaces marker calls by calls of the runtime.
class MarkerLowering {
public:
  explicit MarkerLowering(Module &M)
      : M(M), Pointer(PointerType::getUnqual(M.getContext())), Int(Type::getInt32Ty(M.getContext())) {}

  /// True if there were any.
  bool run() {
    Function *Enter = M.getFunction(GPUPROF_MARK_ENTER), *Exit = M.getFunction(GPUPROF_MARK_EXIT);
    bool Changed = Enter && !Enter->use_empty();
    if (Enter)
      lowerCalls(*Enter, [this](CallBase &Call) { lowerEnter(Call); });
    if (Exit)
      lowerCalls(*Exit, [this](CallBase &Call) { lowerExit(Call); });
    return Changed;
  }

private:
  template <class LowerFn> void lowerCalls(Function &Marker, LowerFn Lower) {
    for (User *U : make_early_inc_range(Marker.users()))
      Lower(*cast<CallBase>(U));
    Marker.eraseFromParent();
  }

  void lowerEnter(CallBase &Call) {
    auto *Text = cast<GlobalVariable>(Call.getArgOperand(0)->stripPointerCasts());
    StringRef Description = cast<ConstantDataSequential>(Text->getInitializer())->getAsCString();
    IRBuilder<> Builder(&Call);
    FunctionCallee Enter = M.getOrInsertFunction("__gpuprof_region_enter", nothrow(), Int, Pointer);
    Call.replaceAllUsesWith(Builder.CreateCall(Enter, {site(Description)}));
    Call.eraseFromParent();
    if (Text->use_empty())
      Text->eraseFromParent();
  }

  void lowerExit(CallBase &Call) {
    IRBuilder<> Builder(&Call);
    FunctionCallee Exit =
        M.getOrInsertFunction("__gpuprof_region_exit", nothrow(), Type::getVoidTy(M.getContext()), Int);
    Builder.CreateCall(Exit, {Builder.CreateLoad(Int, Call.getArgOperand(0))});
    Call.eraseFromParent();
  }

  AttributeList nothrow() { return AttributeList().addFnAttribute(M.getContext(), Attribute::NoUnwind); }

  /// struct gpuprof_region_site, one a description: instantiations of a template share it.
  Constant *site(StringRef Description) {
    Constant *&Site = Sites[Description];
    if (Site)
      return Site;
    Constant *Value = abi::ConstantOf<abi::region_site>(M.getContext())
                          .set(abi::region_site::description, makeString(M, Description))
                          .get();
    Site = new GlobalVariable(M, Value->getType(), /*isConstant=*/false, GlobalValue::InternalLinkage, Value,
                              "__gpuprof_site");
    return Site;
  }

  Module &M;
  PointerType *Pointer;
  Type *Int;
  StringMap<Constant *> Sites;
};

/// The descriptor's host shadow; its name is mangled if the front end's `static` variable was.
GlobalVariable *findDeviceUnit(Module &M) {
  for (GlobalVariable &G : M.globals())
    if (G.getName().contains(GPUPROF_UNIT_VARIABLE) && !G.isDeclaration())
      return &G;
  return nullptr;
}

/// A table of cpu-device/compiler and its length, null and 0 without one.
std::pair<Constant *, uint64_t> findTable(Module &M, StringRef Name) {
  GlobalVariable *Table = M.getNamedGlobal(Name);
  if (!Table)
    return {ConstantPointerNull::get(PointerType::getUnqual(M.getContext())), 0};
  return {Table, cast<ArrayType>(Table->getValueType())->getNumElements()};
}

/// The module's struct gpuprof_host_unit.
GlobalVariable *makeUnit(Module &M, const HostOptions &O, Constant *FatBinary, GlobalVariable *DeviceUnit) {
  auto Kernels = findTable(M, GPUPROF_CPU_KERNEL_TABLE), Variables = findTable(M, GPUPROF_CPU_VARIABLE_TABLE);
  using Unit = abi::host_unit;
  abi::ConstantOf<Unit> Fields(M.getContext());
  Fields.set(Unit::abi_version, uint64_t(GPUPROF_ABI_VERSION))
      .set(Unit::cuda_version, uint64_t(O.CudaVersion))
      .set(Unit::source, makeString(M, M.getSourceFileName()))
      .set(Unit::compiler, makeString(M, O.Compiler))
      .set(Unit::options, makeString(M, O.Options))
      .set(Unit::cpu_kernels, Kernels.first)
      .set(Unit::cpu_kernel_count, Kernels.second)
      .set(Unit::cpu_variables, Variables.first)
      .set(Unit::cpu_variable_count, Variables.second);
  if (FatBinary)
    Fields.set(Unit::fatbin_wrapper, FatBinary);
  if (DeviceUnit)
    Fields.set(Unit::device_unit, static_cast<Constant *>(DeviceUnit));
  Constant *Value = Fields.get();
  return new GlobalVariable(M, Value->getType(), /*isConstant=*/false, GlobalValue::InternalLinkage, Value,
                            "__gpuprof_host_unit");
}

/// An empty internal function void() with a `ret`.
Function *makeFunction(Module &M, StringRef Name) {
  auto *Type = FunctionType::get(Type::getVoidTy(M.getContext()), false);
  Function *F = Function::Create(Type, GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  ReturnInst::Create(M.getContext(), BasicBlock::Create(M.getContext(), "", F));
  return F;
}

/// Clang gives its constructor the priority of the program's own constructors, and a place behind them.
void registerEarly(Module &M) {
  GlobalVariable *List = M.getNamedGlobal("llvm.global_ctors");
  auto *Entries = List && List->hasInitializer() ? dyn_cast<ConstantArray>(List->getInitializer()) : nullptr;
  if (!Entries)
    return;
  SmallVector<Constant *, 8> Changed;
  for (Use &Operand : Entries->operands()) {
    auto *Entry = cast<ConstantStruct>(Operand);
    SmallVector<Constant *, 3> Fields{Entry->getOperand(0), Entry->getOperand(1), Entry->getOperand(2)};
    if (Fields[1]->stripPointerCasts()->getName() == RegistrationConstructor)
      Fields[0] = ConstantInt::get(Fields[0]->getType(), RegistrationPriority);
    Changed.push_back(ConstantStruct::get(Entry->getType(), Fields));
  }
  List->setInitializer(ConstantArray::get(Entries->getType(), Changed));
}

void addUnit(Module &M, const HostOptions &O, GlobalVariable *DeviceUnit) {
  Constant *FatBinary = M.getNamedGlobal("__cuda_fatbin_wrapper");
  bool Register = !FatBinary && M.getNamedGlobal(GPUPROF_CPU_VARIABLE_TABLE);
  if (Register)
    FatBinary = makeEmptyFatBinary(M);
  GlobalVariable *Unit = makeUnit(M, O, FatBinary, DeviceUnit);

  Type *Void = Type::getVoidTy(M.getContext());
  Type *Pointer = Unit->getType();
  Function *Constructor = makeFunction(M, "__gpuprof_constructor"),
           *Destructor = makeFunction(M, "__gpuprof_destructor");
  IRBuilder<> AtStart(Constructor->getEntryBlock().getTerminator()),
      AtEnd(Destructor->getEntryBlock().getTerminator());
  AtStart.CreateCall(M.getOrInsertFunction("__gpuprof_register_unit", Void, Pointer), {Unit});
  if (Register)
    registerWithCuda(M, FatBinary, AtStart, AtEnd);
  AtEnd.CreateCall(M.getOrInsertFunction("__gpuprof_unregister_unit", Void, Pointer), {Unit});
  registerEarly(M);
  appendToGlobalCtors(M, Constructor, ConstructorPriority);
  appendToGlobalDtors(M, Destructor, ConstructorPriority);
}

} // namespace

Constant *makeString(Module &M, StringRef Text) {
  Constant *Value = ConstantDataArray::getString(M.getContext(), Text);
  auto *Global =
      new GlobalVariable(M, Value->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, Value, "");
  Global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Global->setAlignment(Align(1));
  return Global;
}

PreservedAnalyses HostHalfPass::run(Module &M, ModuleAnalysisManager &) {
  bool HasRegions = MarkerLowering(M).run();
  GlobalVariable *DeviceUnit = findDeviceUnit(M);
  if (!HasRegions && !DeviceUnit)
    return PreservedAnalyses::none();
  addUnit(M, Options, DeviceUnit);
  return PreservedAnalyses::none();
}

void registerHostPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "gpuprof-host")
          return false;
        MPM.addPass(HostHalfPass({"opt", "", 0}));
        return true;
      });
}

} // namespace gpuprof
