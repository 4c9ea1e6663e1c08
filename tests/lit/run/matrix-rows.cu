// ldmatrix of 1, 2 and 4 matrices, plain and transposed; stmatrix stores the registers of ldmatrix; movmatrix transposes.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json take launches=1 bytes.shared.load=1920 bytes.shared.store=1024
// CHECK: all right
#include "lanes.h"

typedef unsigned short Element;

// Registers of the lane: 4 of the four matrices, 4 of them transposed, 2 of the first two, 1 of the first, 1 of its transpose.
__global__ void take(unsigned *registers, Element *copy) {
  alignas(16) __shared__ Element matrices[4 * 64], again[4 * 64];
  for (int i = lane_id(); i < 256; i += 32)
    matrices[i] = i * 5 + 1;
  __syncwarp();
  unsigned row = (unsigned)__cvta_generic_to_shared(&matrices[lane_id() * 8]), *out = registers + 12 * lane_id();
  unsigned to = (unsigned)__cvta_generic_to_shared(&again[lane_id() * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3]) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(out[4]), "=r"(out[5]), "=r"(out[6]), "=r"(out[7]) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(out[8]), "=r"(out[9]) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(out[10]) : "r"(row));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out[11]) : "r"(out[10]));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};"
               ::"r"(to), "r"(out[4]), "r"(out[5]), "r"(out[6]), "r"(out[7]) : "memory");
  __syncwarp();
  for (int i = lane_id(); i < 256; i += 32)
    copy[i] = again[i];
}

static unsigned pair(int low, int high) { return (low * 5 + 1) | (high * 5 + 1) << 16; }

int main() {
  Values<unsigned, 12 * 32> registers;
  Values<Element, 256> copy;
  take<<<1, 32>>>(registers.device, copy.device);
  registers.read(), copy.read();
  for (int lane = 0; lane < 32; lane++) {
    const unsigned *own = registers.host + 12 * lane;
    const int row = lane / 4, column = lane % 4 * 2;
    for (int m = 0; m < 4; m++) {
      EXPECT(own[m] == pair(m * 64 + row * 8 + column, m * 64 + row * 8 + column + 1));
      EXPECT(own[4 + m] == pair(m * 64 + column * 8 + row, m * 64 + (column + 1) * 8 + row));
    }
    EXPECT(own[8] == own[0] && own[9] == own[1] && own[10] == own[0] && own[11] == own[4]);
  }
  for (int i = 0; i < 256; i++)
    EXPECT(copy.host[i] == i * 5 + 1);
  return finish();
}
