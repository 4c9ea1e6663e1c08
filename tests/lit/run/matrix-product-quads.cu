// mma.sync.m8n8k4 of fp16: four products, one for each eight lanes, in all layouts.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.fp16=10240 flops.total=10240
// CHECK: all right
#include "fragments.h"

// By PTX ISA: lanes 4q to 4q + 3 and 16 more than these make product q; a lane below 16 has rows and columns below 4.
static __device__ int line() { return lane_id() % 4 + (lane_id() < 16 ? 0 : 4); }
static __device__ int quad() { return lane_id() / 4 % 4; }

// Four halves: those of the lane's own line, along k, or, across, those of lines 0 to 3 or 4 to 7 at k = lane % 4.
static __device__ void take_quad(unsigned (&r)[2], const unsigned short *lines, bool along) {
  unsigned short h[4];
  for (int i = 0; i < 4; i++) {
    int at = along ? line() * 4 + i : (i + (lane_id() < 16 ? 0 : 4)) * 4 + lane_id() % 4;
    h[i] = lines[quad() * 32 + at];
  }
  r[0] = h[0] | (unsigned)h[1] << 16, r[1] = h[2] | (unsigned)h[3] << 16;
}

static __device__ int place(int i) {
  return ((lane_id() & 1) + (i & 2) + (lane_id() < 16 ? 0 : 4)) * 8 + (i & 4) + (lane_id() & 2) + (i & 1);
}

#define WIDE(layouts, x, y)                                                                                  \
  asm("mma.sync.aligned.m8n8k4." layouts ".f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, "   \
      "{%12,%12,%12,%12,%12,%12,%12,%12};"                                                                   \
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])       \
      : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]), "f"(0.5f));                                              \
  for (int i = 0; i < 8; i++)                                                                                \
    wide[(form * 4 + quad()) * 64 + place(i)] = d[i];                                                        \
  form++;

__global__ void multiply(const unsigned short *a, const unsigned short *b, float *wide, unsigned short *narrow) {
  unsigned rows[2], columns[2], across_a[2], across_b[2], h[4];
  float d[8];
  int form = 0;
  take_quad(rows, a, true), take_quad(columns, b, true);
  take_quad(across_a, a, false), take_quad(across_b, b, false);
  WIDE("row.col", rows, columns)
  WIDE("row.row", rows, across_b)
  WIDE("col.col", across_a, columns)
  WIDE("col.row", across_a, across_b)
  asm("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%8,%8,%8};"
      : "=r"(h[0]), "=r"(h[1]), "=r"(h[2]), "=r"(h[3])
      : "r"(rows[0]), "r"(rows[1]), "r"(columns[0]), "r"(columns[1]), "r"(0));
  for (int i = 0; i < 8; i++)
    narrow[quad() * 64 + line() * 8 + i] = h[i / 2] >> i % 2 * 16 & 0xffff;
}

int main() {
  const unsigned short codes[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400}; // 0 to 4
  Values<unsigned short, 128> a, b;
  Values<float, 1024> wide;
  Values<unsigned short, 256> narrow;
  for (int i = 0; i < 32; i++)
    for (int k = 0; k < 4; k++)
      a.host[i * 4 + k] = codes[small_number(i, k, 5)], b.host[i * 4 + k] = codes[small_number(k, i, 3)];
  a.write(), b.write();
  multiply<<<1, 32>>>(a.device, b.device, wide.device, narrow.device);
  wide.read(), narrow.read();
  for (int q = 0; q < 4; q++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        int sum = 0;
        for (int k = 0; k < 4; k++)
          sum += small_number(8 * q + i, k, 5) * small_number(k, 8 * q + j, 3);
        for (int form = 0; form < 4; form++)
          EXPECT(wide.host[(form * 4 + q) * 64 + i * 8 + j] == sum + 0.5f);
        int exponent = 0;
        while (sum >> (exponent + 1))
          exponent++;
        unsigned half = sum ? (exponent + 15) << 10 | ((sum << 10 >> exponent) & 0x3ff) : 0;
        EXPECT(narrow.host[q * 64 + i * 8 + j] == half);
      }
  return finish();
}
