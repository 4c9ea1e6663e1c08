// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/HostRegistration.h"

#include "common/AbiLayout.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr StringLiteral StubPrefix = "__device_stub__";
// Formats of the CUDA runtime, as in clang's own registration code.
constexpr uint32_t WrapperMagic = 0x466243b1, WrapperVersion = 1;
constexpr uint32_t FatBinaryMagic = 0xba55ed50;
constexpr uint16_t FatBinaryVersion = 1, FatBinaryHeaderBytes = 16;

GlobalVariable *makeConstant(Module &M, Constant *Value, const Twine &Name) {
  return new GlobalVariable(M, Value->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, Value,
                            Name);
}

struct Variable {
  StringRef Name;
  uint64_t Bytes, Flags;
};

template <typename Structure> Constant *fieldOf(const Use &Row, Structure Name) {
  return cast<Constant>(Row)->getAggregateElement(abi::indexOf(Name));
}

/// The name in a row of a table of kernels or variables.
template <typename Structure> StringRef nameOfRow(const Use &Row) {
  auto *Name = cast<GlobalVariable>(fieldOf(Row, Structure::name)->stripPointerCasts());
  return cast<ConstantDataSequential>(Name->getInitializer())->getAsCString();
}

/// Rows of GPUPROF_CPU_VARIABLE_TABLE, an array of struct gpuprof_cpu_variable.
SmallVector<Variable, 8> cpuVariables(Module &M) {
  SmallVector<Variable, 8> Rows;
  GlobalVariable *Table = M.getNamedGlobal(GPUPROF_CPU_VARIABLE_TABLE);
  for (Use &Row : cast<ConstantArray>(Table->getInitializer())->operands()) {
    auto Number = [&](abi::cpu_variable Name) { return cast<ConstantInt>(fieldOf(Row, Name))->getZExtValue(); };
    Rows.push_back({nameOfRow<abi::cpu_variable>(Row), Number(abi::cpu_variable::bytes), Number(abi::cpu_variable::flags)});
  }
  return Rows;
}

/// The start of the next length of a source name, in a mangled name from `At` on. Other digits belong to
/// literals (Li4E) and substitutions (S1_).
size_t endOfNonNames(StringRef Mangled, size_t At) {
  for (; At < Mangled.size() && !isDigit(Mangled[At]); ++At) {
    StringRef Rest = Mangled.drop_front(At);
    if (Rest.size() > 1 && Rest[0] == 'L' && Rest[1] >= 'a' && Rest[1] <= 'z')
      At += Rest.find('E');
    else if (Rest.size() > 1 && Rest[0] == 'S' && (isDigit(Rest[1]) || (Rest[1] >= 'A' && Rest[1] <= 'Z')))
      At += Rest.find('_');
  }
  return At;
}

/// Adds the table's names with a suffix of static objects, from the host's name to the device's.
template <typename Structure> void addSuffixedNames(Module &M, StringRef Table, StringMap<StringRef> &Names) {
  GlobalVariable *Rows = M.getNamedGlobal(Table);
  auto *Array = Rows ? dyn_cast<ConstantArray>(Rows->getInitializer()) : nullptr;
  if (!Array)
    return;
  for (const Use &Row : Array->operands()) {
    const StringRef Name = nameOfRow<Structure>(Row);
    for (const char *Suffix : {"__static__", "__intern__"})
      if (size_t At = Name.rfind(Suffix); At != StringRef::npos)
        Names[Name.take_front(At)] = Name;
  }
}

/// In relocatable device code (-fgpu-rdc) static objects have a suffix, unique to the unit and missing in
/// host code.
StringMap<StringRef> suffixedNames(Module &M) {
  StringMap<StringRef> Names;
  addSuffixedNames<abi::cpu_kernel>(M, GPUPROF_CPU_KERNEL_TABLE, Names);
  addSuffixedNames<abi::cpu_variable>(M, GPUPROF_CPU_VARIABLE_TABLE, Names);
  return Names;
}

GlobalVariable *shadowOf(Module &M, StringRef DeviceName, const StringMap<StringRef> &Suffixed) {
  for (const auto &Entry : Suffixed)
    if (Entry.second == DeviceName)
      return M.getNamedGlobal(Entry.first());
  return M.getNamedGlobal(DeviceName);
}

} // namespace

// The device name of a kernel from the name of its launch stub, e.g. _Z3addPf from _Z18__device_stub__addPf;
// empty for any other function.
static std::string kernelOfStub(StringRef Stub) {
  size_t At = Stub.find(StubPrefix);
  if (At == StringRef::npos)
    return "";
  StringRef After = Stub.drop_front(At + StubPrefix.size());
  if (At == 0)
    return After.str();
  // Mangled: the name's length precedes it. Names are skipped from the front, because digits before the
  // length may belong to the preceding name (_ZN12_GLOBAL__N_117__device_stub__ ends a name in 1).
  size_t Begin = 0, End = 0;
  while (End < At) {
    Begin = endOfNonNames(Stub, End);
    End = Stub.find_first_not_of("0123456789", Begin);
    unsigned Length;
    if (End > At || Stub.slice(Begin, End).getAsInteger(10, Length))
      return "";
    if (End == At)
      return (Stub.take_front(Begin) + Twine(Length - StubPrefix.size()) + After).str();
    End += Length;
  }
  return "";
}

Constant *makeEmptyFatBinary(Module &M) {
  LLVMContext &Context = M.getContext();
  Type *Int16 = Type::getInt16Ty(Context), *Int32 = Type::getInt32Ty(Context),
       *Int64 = Type::getInt64Ty(Context);
  Constant *Header = ConstantStruct::getAnon(
      {ConstantInt::get(Int32, FatBinaryMagic), ConstantInt::get(Int16, FatBinaryVersion),
       ConstantInt::get(Int16, FatBinaryHeaderBytes), ConstantInt::get(Int64, 0)});
  GlobalVariable *Data = makeConstant(M, Header, "__gpuprof_fatbin");
  Data->setAlignment(Align(8));
  Constant *Wrapper =
      ConstantStruct::getAnon({ConstantInt::get(Int32, WrapperMagic), ConstantInt::get(Int32, WrapperVersion),
                               Data, ConstantPointerNull::get(PointerType::getUnqual(Context))});
  return makeConstant(M, Wrapper, "__gpuprof_fatbin_wrapper");
}

void registerWithCuda(Module &M, Constant *FatBinary, IRBuilder<> &AtStart, IRBuilder<> &AtEnd) {
  Type *Void = AtStart.getVoidTy(), *Int = AtStart.getInt32Ty(), *Size = AtStart.getInt64Ty();
  PointerType *Pointer = AtStart.getPtrTy();
  Constant *Null = ConstantPointerNull::get(Pointer);
  auto *Handle = new GlobalVariable(M, Pointer, /*isConstant=*/false, GlobalValue::InternalLinkage, Null,
                                    "__gpuprof_fatbin_handle");
  CallInst *Opened =
      AtStart.CreateCall(M.getOrInsertFunction("__cudaRegisterFatBinary", Pointer, Pointer), {FatBinary});
  AtStart.CreateStore(Opened, Handle);

  FunctionCallee RegisterFunction =
      M.getOrInsertFunction("__cudaRegisterFunction", Int, Pointer, Pointer, Pointer, Pointer, Int, Pointer,
                            Pointer, Pointer, Pointer, Pointer);
  SmallVector<std::pair<Function *, std::string>, 8> Stubs;
  for (Function &F : M)
    if (std::string Kernel = kernelOfStub(F.getName()); !F.isDeclaration() && !Kernel.empty())
      Stubs.push_back({&F, Kernel});
  const StringMap<StringRef> Suffixed = suffixedNames(M);
  for (auto &[Stub, Kernel] : Stubs) {
    auto Found = Suffixed.find(Kernel);
    Constant *Name = makeString(M, Found == Suffixed.end() ? StringRef(Kernel) : Found->second);
    AtStart.CreateCall(RegisterFunction,
                       {Opened, Stub, Name, Name, AtStart.getInt32(~0u), Null, Null, Null, Null, Null});
  }

  FunctionCallee RegisterVariable = M.getOrInsertFunction("__cudaRegisterVar", Void, Pointer, Pointer,
                                                          Pointer, Pointer, Int, Size, Int, Int);
  for (const Variable &V : cpuVariables(M)) {
    GlobalVariable *Shadow = shadowOf(M, V.Name, Suffixed);
    if (!Shadow)
      continue; // the host never names it
    Constant *Name = makeString(M, V.Name);
    Constant *IsConstant = AtStart.getInt32(V.Flags & GPUPROF_CPU_VARIABLE_CONSTANT ? 1 : 0);
    AtStart.CreateCall(RegisterVariable, {Opened, Shadow, Name, Name, AtStart.getInt32(0),
                                          AtStart.getInt64(V.Bytes), IsConstant, AtStart.getInt32(0)});
  }
  AtStart.CreateCall(M.getOrInsertFunction("__cudaRegisterFatBinaryEnd", Void, Pointer), {Opened});
  AtEnd.CreateCall(M.getOrInsertFunction("__cudaUnregisterFatBinary", Void, Pointer),
                   {AtEnd.CreateLoad(Pointer, Handle)});
}

} // namespace gpuprof
