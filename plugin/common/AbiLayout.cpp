// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/AbiLayout.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace gpuprof::abi {
namespace {

Type *typeOf(LLVMContext &Context, const Field &F) {
  Type *Element = F.Type == Field::i32   ? static_cast<Type *>(Type::getInt32Ty(Context))
                  : F.Type == Field::i64 ? static_cast<Type *>(Type::getInt64Ty(Context))
                                         : static_cast<Type *>(PointerType::get(Context, 0));
  return F.Count ? ArrayType::get(Element, F.Count) : Element;
}

ArrayRef<Field> fieldsOf(StringRef Structure) {
#define GPUPROF_STRUCTURE(structure)                                                                         \
  if (Structure == #structure)                                                                               \
    return Layout<structure>::Fields;
#define GPUPROF_FIELD(structure, c_type, ir_type, name)
#define GPUPROF_ARRAY(structure, c_type, ir_type, count, name)
#define GPUPROF_STRUCTURE_END(structure)
#include "gpuprof/abi_structures.inc"
  return {};
}

uint64_t offsetOf(StringRef Structure, StringRef Name) {
  for (const Field &F : fieldsOf(Structure))
    if (Name == F.Name)
      return F.Offset;
  llvm_unreachable("a field that abi_structures.inc does not list");
}

} // namespace

StructType *makeType(LLVMContext &Context, ArrayRef<Field> Fields) {
  SmallVector<Type *, 24> Types;
  for (const Field &F : Fields)
    Types.push_back(typeOf(Context, F));
  return StructType::get(Context, Types);
}

ConstantFields::ConstantFields(LLVMContext &Context, ArrayRef<Field> Fields)
    : Type(makeType(Context, Fields)), Values(Fields.size()) {}

void ConstantFields::set(unsigned Index, Constant *Value) {
  assert(!Values[Index] && "a field is set twice");
  assert(Value->getType() == Type->getElementType(Index) && "not the field's type");
  Values[Index] = Value;
}

void ConstantFields::set(unsigned Index, uint64_t Value) {
  set(Index, ConstantInt::get(Type->getElementType(Index), Value));
}

Constant *ConstantFields::get() const {
  SmallVector<Constant *, 12> All(Values);
  for (unsigned I = 0; I != All.size(); ++I)
    if (!All[I])
      All[I] = Constant::getNullValue(Type->getElementType(I));
  return ConstantStruct::get(Type, All);
}

std::string withOffsets(StringRef Text) {
  std::string Result;
  while (true) {
    auto [Before, Rest] = Text.split("@{");
    Result += Before;
    if (Rest.empty())
      return Result;
    auto [Place, After] = Rest.split('}');
    auto [Structure, Name] = Place.split('.');
    Result += std::to_string(offsetOf(Structure, Name));
    Text = After;
  }
}

} // namespace gpuprof::abi
