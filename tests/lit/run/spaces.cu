// Bytes by space: a constant variable, a structure passed by value, a thread's array indexed at run
// time, shared memory through a generic pointer, and global memory through a pointer read from memory.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/Inputs/kernel_has.py %t.json constant bytes.constant.load=128 bytes.global.load=0 bytes.global.store=128 bytes.local.load=0
// RUN: %py %S/Inputs/kernel_has.py %t.json parameter bytes.constant.load=256 bytes.global.load=0 bytes.global.store=256 bytes.local.load=0
// RUN: %py %S/Inputs/kernel_has.py %t.json local bytes.local.store=1024 bytes.local.load=128 bytes.global.load=256 bytes.global.store=128 bytes.constant.load=0
// RUN: %py %S/Inputs/kernel_has.py %t.json generic bytes.shared.store=128 bytes.shared.load=128 bytes.global.store=128 bytes.global.load=0
// RUN: %py %S/Inputs/kernel_has.py %t.json chased bytes.global.load=384 bytes.global.store=0 bytes.global.atomic=128
// RUN: %gpuprof report --format=csv --kernels %t.json | %FileCheck %s
// CHECK: local_load_bytes,local_store_bytes,local_atomic_bytes,constant_load_bytes
#include <stdio.h>

struct Table {
  double values[8];
};
struct Node {
  int *next;
};

__constant__ float weights[32];

__global__ void constant(float *out, int n) { out[threadIdx.x] = weights[(threadIdx.x + n) % 32]; }

__global__ void parameter(Table table, double *out, int n) { out[threadIdx.x] = table.values[(threadIdx.x + n) % 8]; }

__global__ void local(const int *at, const int *in, int *out) {
  int mine[8];
  for (int i = 0; i < 8; ++i)
    mine[i] = in[threadIdx.x] + i;
  out[threadIdx.x] = mine[at[threadIdx.x]];
}

__global__ void generic(float *out, int n) {
  __shared__ float first[32], second[32];
  float *either = n ? first : second;
  either[threadIdx.x] = n;
  __syncthreads();
  out[threadIdx.x] = either[31 - threadIdx.x];
}

__global__ void chased(Node *nodes) { atomicAdd(nodes[threadIdx.x].next, *(volatile int *)nodes[threadIdx.x].next); }

int main() {
  void *memory;
  cudaMalloc(&memory, 4096);
  cudaMemset(memory, 0, 4096);
  Node nodes[32];
  for (int i = 0; i < 32; ++i)
    nodes[i].next = (int *)memory + 512 + i;
  constant<<<1, 32>>>((float *)memory, 3);
  parameter<<<1, 32>>>(Table{}, (double *)memory, 3);
  cudaMemset(memory, 0, 4096);
  local<<<1, 32>>>((int *)memory, (int *)memory + 32, (int *)memory + 64);
  generic<<<1, 32>>>((float *)memory, 1);
  cudaMemcpy(memory, nodes, sizeof nodes, cudaMemcpyHostToDevice);
  chased<<<1, 32>>>((Node *)memory);
  return cudaDeviceSynchronize();
}
