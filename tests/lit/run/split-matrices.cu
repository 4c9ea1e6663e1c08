// Kernels with matrix instructions are loops over threads, with the results and counts of a stack for each thread: products of
// several types, in loops and in branches of whole warps, one after another; ldmatrix, stmatrix and movmatrix between them.
// RUN: %clangxx -fplugin=%plugin -Rpass-missed=gpuprof %minicuda -I%S/Inputs -O2 %s -o %t.split %link > %t.log 2>&1
// RUN: sh -c '! grep remark: %t.log'
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 4
// CHECK-COUNT-4: {{^[1-9][0-9]*$}}
// CHECK: all right
#include "lanes.h"

enum { THREADS = 96 };

static __device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ void bytes(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Sums handed from one product to the next, rows by ldmatrix, some of them transposed, in a loop.
__global__ void chain(const unsigned *in, int *out, int turns) {
  __shared__ __align__(16) unsigned rows[3][32][4];
  int d[4] = {1, 2, 3, 4}, w = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int turn = 0; turn < turns; turn++) {
    for (int i = 0; i < 4; i++)
      rows[w][lane][i] = in[(turn * 41 + threadIdx.x * 4 + i) % 512];
    __syncthreads();
    unsigned a[4], b[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(shared_address(rows[w][lane])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(shared_address(rows[(w + 1) % 3][lane])));
    bytes(d, a, b);
    b[0] ^= turn;
    bytes(d, a, b);
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(b[1]) : "r"(a[3] + d[0]));
    bytes(d, a, b);
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    out[threadIdx.x * 4 + i] = d[i];
}

// Only some warps multiply; rows go back to shared memory.
__global__ void some(const unsigned *in, int *out) {
  __shared__ __align__(16) unsigned rows[3][32][4];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32, d[4] = {};
  if (w != 1) {
    unsigned a[4] = {in[threadIdx.x], in[threadIdx.x + 7], 0x01020304, in[lane]}, b[2] = {in[5], in[lane * 3]};
    bytes(d, a, b);
    if (w == 2) {
      asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(shared_address(rows[w][lane])),
                   "r"(d[0]), "r"(d[1])
                   : "memory");
      __syncwarp();
      d[2] += rows[2][lane % 16][lane % 4];
    }
  }
  __syncthreads();
  for (int i = 0; i < 4; i++)
    out[threadIdx.x * 4 + i] = d[i];
}

// Doubles, and halves in the form dividing a warp into quads: both in the lanes' layout.
__global__ void others(const unsigned *in, int *out) {
  double a = in[threadIdx.x] % 100, b = threadIdx.x % 9, d[2] = {0.5, 1.5};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(d[0]), "+d"(d[1])
               : "d"(a), "d"(b));
  unsigned h[4] = {0x3c003c00, 0, 0x40003c00, 0}, one = threadIdx.x % 2 ? 0x3c003c00 : 0x40004000;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%5,%4}, {%0,%1,%2,%3};"
               : "+r"(h[0]), "+r"(h[1]), "+r"(h[2]), "+r"(h[3])
               : "r"(one), "r"(0x3c004000));
  out[threadIdx.x * 4] = (int)(2 * (d[0] + d[1]));
  for (int i = 1; i < 4; i++)
    out[threadIdx.x * 4 + i] = h[i] ^ h[0] >> i;
}

// Halves with sums in fp32 and in fp16; a product whose operands all threads have alike.
__global__ void halves(const unsigned *in, int *out) {
  const unsigned codes[4] = {0x3c004000, 0x42003c00, 0xc0004400, 0x00003c00}, *x = codes + threadIdx.x % 2;
  float d[4] = {0, 1, 2, 3};
  unsigned h[2] = {0, 0}, same = in[3] & 0x40004000;
  for (int i = 0; i < 3; i++) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%4}, {%5,%6}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%2,%2,%2}, {%3,%3}, {%0,%1};"
                 : "+r"(h[0]), "+r"(h[1])
                 : "r"(same), "r"(0x3c003c00));
  }
  for (int i = 0; i < 4; i++)
    out[threadIdx.x * 4 + i] = (int)d[i] ^ h[i % 2];
}

static void print(Values<int, THREADS * 4> &out) {
  unsigned sum = 0;
  out.read();
  for (int value : out.host)
    sum = sum * 31 + value;
  printf("%u\n", sum);
}

int main() {
  Values<unsigned, 512> in;
  Values<int, THREADS * 4> out;
  for (int i = 0; i < 512; i++)
    in.host[i] = i * 2654435761u;
  in.write();
  chain<<<1, THREADS>>>(in.device, out.device, 5);
  print(out);
  some<<<1, THREADS>>>(in.device, out.device);
  print(out);
  others<<<1, THREADS>>>(in.device, out.device);
  print(out);
  halves<<<1, THREADS>>>(in.device, out.device);
  print(out);
  return finish();
}
