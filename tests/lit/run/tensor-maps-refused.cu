// Tensor maps unusable on any GPU are refused at their creation.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "tensor_maps.h"

enum { Fine = 0, Invalid = 1 };

int main() {
  unsigned char *memory = nullptr;
  OK(cudaMalloc(&memory, 1 << 16));
  TensorMap map;
  auto plane = [&] { return dense(U8, 1, memory, 2, {256, 16}, {64, 16}); };
#define CHECK_MAP(wanted, change)                                                                            \
  do {                                                                                                       \
    Tensor t = plane();                                                                                      \
    change;                                                                                                  \
    const int result = encode(&map, t);                                                                      \
    if (result != (wanted))                                                                                  \
      printf("%s: %d\n", #change, result);                                                                   \
    EXPECT(result == (wanted));                                                                              \
  } while (0)
  CHECK_MAP(Fine, );
  CHECK_MAP(Invalid, t.rank = 0);
  CHECK_MAP(Invalid, t.address = memory + 8);
  CHECK_MAP(Fine, t.address = nullptr); // for a replacing address
  CHECK_MAP(Invalid, t.dimensions[0] = 0);
  CHECK_MAP(Fine, t.dimensions[1] = 1ull << 32);
  CHECK_MAP(Invalid, t.dimensions[1] = (1ull << 32) + 1);
  CHECK_MAP(Invalid, t.strides[0] = 264);
  CHECK_MAP(Invalid, t.strides[0] = 1ull << 40);
  CHECK_MAP(Invalid, t.box[1] = 0);
  CHECK_MAP(Invalid, t.box[1] = 257);
  CHECK_MAP(Fine, (t.box[0] = 256, t.box[1] = 256));
  CHECK_MAP(Invalid, t.box[0] = 8); // bytes
  CHECK_MAP(Invalid, t.steps[1] = 0);
  CHECK_MAP(Invalid, t.steps[1] = 9);
  CHECK_MAP(Fine, t.steps[1] = 8);
  CHECK_MAP(Fine, t.swizzle = Swizzle64);
  CHECK_MAP(Invalid, t.swizzle = Swizzle32); // of rows of 64 bytes
  CHECK_MAP(Invalid, t.swizzle = 7);
  CHECK_MAP(Invalid, t.fill = 1); // NaN among integers
  CHECK_MAP(Fine, (t.fill = 1, t.type = F16, t.dimensions[0] = 128));
  CHECK_MAP(Invalid, t.fill = 2);
  Tensor t = plane();
  EXPECT(encode(&map, t) == Fine && replace_address(&map, memory + 64) == Fine);
  alignas(128) char maps[3 * sizeof map]; // an address refused by copies only
  EXPECT(encode((TensorMap *)(maps + 8), t) == Fine);
  EXPECT(replace_address(&map, memory + 8) == Invalid && replace_address(&map, nullptr) == Invalid);
  return finish();
}
