// Reductions by tensor maps by type of elements: unsupported ones are illegal instructions, as on an H200.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>/dev/null | %FileCheck %s
// CHECK: add min max and or xor inc dec
// CHECK-NEXT: U8 - - - - - - - -
// CHECK-NEXT: U16 - - - - - - - -
// CHECK-NEXT: U32 + + + + + + + +
// CHECK-NEXT: S32 + + + + + + - -
// CHECK-NEXT: U64 + + + + + + - -
// CHECK-NEXT: S64 - + + - - - - -
// CHECK-NEXT: F16 + + + - - - - -
// CHECK-NEXT: F32 + - - - - - - -
// CHECK-NEXT: F64 + - - - - - - -
// CHECK-NEXT: BF16 + + + - - - - -
// CHECK-NEXT: F32_FTZ + - - - - - - -
// CHECK-NEXT: TF32 + - - - - - - -
// CHECK-NEXT: TF32_FTZ + - - - - - - -
// CHECK-NEXT: all right
#include "tensor_maps.h"

__global__ void reduce(const __grid_constant__ TensorMap map, int operation) {
  alignas(1024) __shared__ unsigned char box[256];
  for (int i = 0; i < 256; i++)
    box[i] = 0;
  send(&map, box, 0, 0, operation);
  finish_stores();
}

int main() {
  static const char *const names[] = {"U8",  "U16", "U32",  "S32",     "U64",  "S64",     "F16",
                                      "F32", "F64", "BF16", "F32_FTZ", "TF32", "TF32_FTZ"};
  static const int bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  printf("add min max and or xor inc dec\n");
  for (int type = U8; type <= TF32_FTZ; type++) {
    printf("%s", names[type]);
    for (int operation = 1; operation <= 8; operation++) {
      unsigned char *memory = nullptr;
      OK(cudaMalloc(&memory, 1 << 10));
      TensorMap map;
      EXPECT(encode(&map, dense(type, bytes[type], memory, 2, {16, 4}, {16, 1})) == 0);
      reduce<<<1, 1>>>(map, operation);
      const cudaError_t error = cudaDeviceSynchronize();
      EXPECT(error == cudaSuccess || error == cudaErrorIllegalInstruction);
      printf(error ? " -" : " +");
      OK(cudaDeviceReset());
    }
    printf("\n");
  }
  return finish();
}
