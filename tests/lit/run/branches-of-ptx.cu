// Inline PTX with labels: a loop, branches forward and back, results that are operands too, and a lock that threads wait for.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { N = 64 };

// The greatest common divisor by Euclid's subtractions.
__global__ void divisor(const unsigned *a, const unsigned *b, unsigned *out) {
  unsigned x = a[threadIdx.x];
  asm("{\n"
      "  .reg .pred %%p<2>;\n"
      "  .reg .u32 y;\n"
      "  mov.u32 y, %1;\n"
      "AGAIN:\n"
      "  setp.eq.u32 %%p0, %0, y;\n"
      "  @%%p0 bra.uni DONE;\n"
      "  setp.gt.u32 %%p1, %0, y;\n"
      "  @!%%p1 bra LESS;\n"
      "  sub.u32 %0, %0, y;\n"
      "  bra AGAIN;\n"
      "LESS: sub.u32 y, y, %0;\n"
      "  bra AGAIN;\n"
      "DONE:\n"
      "}"
      : "+r"(x)
      : "r"(b[threadIdx.x]));
  out[threadIdx.x] = x;
}

// One thread after the other takes the lock and adds one.
__global__ void take_turns(int *lock, int *sum) {
  asm volatile("{\n"
               "  .reg .pred taken;\n"
               "  .reg .b32 before;\n"
               "LAB_WAIT_%=:\n"
               "  atom.global.cas.b32 before, [%0], 0, 1;\n"
               "  setp.eq.s32 taken, before, 0;\n"
               "  @taken bra TAKEN_%=;\n"
               "  bra LAB_WAIT_%=;\n"
               "TAKEN_%=:\n"
               "}" ::"l"(lock)
               : "memory");
  int v = *(volatile int *)sum;
  *(volatile int *)sum = v + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Under a predicate within a loop: memory is touched where it holds.
__global__ void odd_sum(const int *in, int n, int *out) {
  int sum;
  asm volatile("{\n"
               "  .reg .pred odd, more;\n"
               "  .reg .b32 v, i, bit;\n"
               "  .reg .b64 at;\n"
               "  mov.b32 i, 0;\n"
               "  mov.b32 %0, 0;\n"
               "  mov.b64 at, %1;\n"
               "NEXT: and.b32 bit, i, 1;\n"
               "  setp.ne.s32 odd, bit, 0;\n"
               "  mov.b32 v, 0;\n"
               "  @odd ld.global.b32 v, [at];\n"
               "  add.s32 %0, %0, v;\n"
               "  add.s64 at, at, 4;\n"
               "  add.s32 i, i, 1;\n"
               "  setp.lt.s32 more, i, %2;\n"
               "  @more bra NEXT;\n"
               "}"
               : "=r"(sum)
               : "l"(in), "r"(n)
               : "memory");
  *out = sum;
}

static unsigned euclid(unsigned a, unsigned b) { return b ? euclid(b, a % b) : a; }

int main() {
  Values<unsigned, N> a, b, out;
  for (int i = 0; i < N; i++)
    a.host[i] = (i + 1) * 6, b.host[i] = 84 + i % 7 * 3;
  a.write(), b.write();
  divisor<<<1, N>>>(a.device, b.device, out.device);
  out.read();
  for (int i = 0; i < N; i++)
    EXPECT(out.host[i] == euclid(a.host[i], b.host[i]));

  Values<int, 1> lock, sum;
  take_turns<<<4, 32>>>(lock.device, sum.device);
  sum.read();
  EXPECT(sum.host[0] == 4 * 32);

  Values<int, N> in;
  for (int i = 0; i < N; i++)
    in.host[i] = i;
  in.write();
  odd_sum<<<1, 1>>>(in.device, N, sum.device);
  sum.read();
  EXPECT(sum.host[0] == N / 2 * (N / 2));
  return finish();
}
