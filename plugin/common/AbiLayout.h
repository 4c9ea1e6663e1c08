// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structures of abi_structures.inc on the compiler's side: fields by name, LLVM types, offsets, constants, declarations.
#ifndef GPUPROF_COMMON_ABILAYOUT_H
#define GPUPROF_COMMON_ABILAYOUT_H

#include "gpuprof/abi.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <string>

namespace llvm {
class Constant;
class LLVMContext;
class StructType;
} // namespace llvm

namespace gpuprof::abi {

/// One field of a structure.
struct Field {
  enum Kind { i32, i64, ptr };
  const char *Name;
  Kind Type;
  unsigned Count; // elements of an array, 0: not an array
  uint64_t Offset;
};

// One enumeration for each structure: abi::host_unit::source is the number of this field.
#define GPUPROF_STRUCTURE(structure) enum class structure : unsigned {
#define GPUPROF_FIELD(structure, c_type, ir_type, name) name,
#define GPUPROF_ARRAY(structure, c_type, ir_type, count, name) name,
#define GPUPROF_STRUCTURE_END(structure) };
#include "gpuprof/abi_structures.inc"

/// The fields of a structure, in order.
template <typename Structure> struct Layout;
#define GPUPROF_STRUCTURE(structure)                                                                         \
  template <> struct Layout<structure> {                                                                     \
    using C = gpuprof_##structure;                                                                           \
    static constexpr Field Fields[] = {
#define GPUPROF_FIELD(structure, c_type, ir_type, name) {#name, Field::ir_type, 0, offsetof(C, name)},
#define GPUPROF_ARRAY(structure, c_type, ir_type, count, name)                                               \
  {#name, Field::ir_type, count, offsetof(C, name)},
#define GPUPROF_STRUCTURE_END(structure)                                                                     \
  };                                                                                                         \
  }                                                                                                          \
  ;
#include "gpuprof/abi_structures.inc"

template <typename Structure> constexpr unsigned indexOf(Structure Name) { return static_cast<unsigned>(Name); }

/// Bytes before the field, in the target's layout: all targets of gpuprof lay these structures out alike.
template <typename Structure> constexpr uint64_t offsetOf(Structure Name) {
  return Layout<Structure>::Fields[indexOf(Name)].Offset;
}

llvm::StructType *makeType(llvm::LLVMContext &Context, llvm::ArrayRef<Field> Fields);

/// The structure as a literal LLVM type.
template <typename Structure> llvm::StructType *typeOf(llvm::LLVMContext &Context) {
  return makeType(Context, Layout<Structure>::Fields);
}

/// A constant of a structure with fields set in any order; unset fields are zero.
class ConstantFields {
public:
  ConstantFields(llvm::LLVMContext &Context, llvm::ArrayRef<Field> Fields);
  void set(unsigned Index, llvm::Constant *Value);
  void set(unsigned Index, uint64_t Value);
  llvm::Constant *get() const;

private:
  llvm::StructType *Type;
  llvm::SmallVector<llvm::Constant *, 12> Values;
};

template <typename Structure> class ConstantOf {
public:
  explicit ConstantOf(llvm::LLVMContext &Context) : Fields(Context, Layout<Structure>::Fields) {}
  template <typename Value> ConstantOf &set(Structure Name, Value Given) {
    Fields.set(indexOf(Name), Given);
    return *this;
  }
  llvm::Constant *get() const { return Fields.get(); }

private:
  ConstantFields Fields;
};

/// The text with each @{structure.field} replaced by the field's offset in bytes.
std::string withOffsets(llvm::StringRef Text);

/// The declaration in C of a structure of device memory, for sources without <stdint.h>. Inline, since the
/// front end does not link the IR half.
template <typename Structure> std::string declarationOf(llvm::StringRef Name) {
  std::string Text = "struct " + Name.str() + " {";
  for (const Field &F : Layout<Structure>::Fields)
    Text += std::string(F.Type == Field::i32 ? " unsigned " : " unsigned long long ") + F.Name +
            (F.Count ? "[" + std::to_string(F.Count) + "];" : ";");
  return Text + " }";
}

} // namespace gpuprof::abi
#endif
