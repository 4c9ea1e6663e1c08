// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints C declarations of the structures of device memory, with their required
// offsets; exits with 1 if LLVM's layout of a structure differs from C's.
#include "common/AbiLayout.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"

#include <cstdio>

using namespace gpuprof::abi;

static int Wrong = 0;

static void expect(bool Holds, const char *Structure, const char *Name, const char *What) {
  if (Holds)
    return;
  std::fprintf(stderr, "%s.%s: %s\n", Structure, Name, What);
  Wrong = 1;
}

template <typename Structure> static void compare(const char *Name) {
  llvm::LLVMContext Context;
  const llvm::DataLayout Target("e-i64:64-i128:128-v16:16-v32:32-n16:32:64");
  llvm::StructType *Type = typeOf<Structure>(Context);
  const llvm::StructLayout *Laid = Target.getStructLayout(Type);
  expect(uint64_t(Laid->getSizeInBytes()) == sizeof(typename Layout<Structure>::C), Name, "", "the size is not that of C");
  unsigned I = 0;
  for (const Field &F : Layout<Structure>::Fields) {
    expect(uint64_t(Laid->getElementOffset(I++)) == F.Offset, Name, F.Name, "the offset is not that of C");
    const std::string Text = "@{" + std::string(Name) + "." + F.Name + "}";
    expect(withOffsets("add i64 %p, " + Text + "\n") == "add i64 %p, " + std::to_string(F.Offset) + "\n", Name, F.Name,
           "the text has another offset");
  }
}

template <typename Structure> static void declare(const char *Name) {
  std::printf("%s;\n", declarationOf<Structure>(Name).c_str());
  for (const Field &F : Layout<Structure>::Fields)
    std::printf("_Static_assert(offsetof(struct %s, %s) == %llu, \"\");\n", Name, F.Name, (unsigned long long)F.Offset);
}

int main() {
#define GPUPROF_STRUCTURE(structure) compare<structure>(#structure);
#define GPUPROF_FIELD(structure, c_type, ir_type, name)
#define GPUPROF_ARRAY(structure, c_type, ir_type, count, name)
#define GPUPROF_STRUCTURE_END(structure)
#include "gpuprof/abi_structures.inc"
  declare<device_unit>("device_unit");
  declare<step_control>("step_control");
  declare<step_store>("step_store");
  declare<unique_table>("unique_table");
  declare<warp_bytes>("warp_bytes");
  return Wrong;
}
