// gpuprof run --counts-only runs no kernel. It counts launches of any size at once, if their counts
// are a function of the launch. Other kernels are named as unknown; a note names unknown unique bytes.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O2 %s -o %t %link
// RUN: %gpuprof run --counts-only -o %t.json -- %t | %FileCheck %s
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json add counts launches=2 threads=2 flops.fp32.add=2000000000 flops.total=2000000000 bytes.global.load=8000000000 bytes.global.store=8000000000
// RUN: %document %t.json | %FileCheck --check-prefix=JSON %s
// RUN: ! %gpuprof run --counts-only --device gpu -- %t >%t.said 2>&1
// RUN: %FileCheck --check-prefix=MISUSE --input-file=%t.said %s
// CHECK: untouched
// JSON: "what": "launches of choose(int*)"
// JSON: "why": "with GPUPROF_COUNTS_ONLY=1 no kernel runs
// JSON-NEXT: "launches": 1
// JSON: "about": "add(float*, long)"
// JSON-NEXT: "text": "its unique bytes are not known: with GPUPROF_COUNTS_ONLY=1 no kernel runs
// JSON: "about": "choose(int*)"
// JSON-NEXT: "text": "its counts are null: none of its launches is counted (1)
// MISUSE: gpuprof: error: --counts-only runs no kernel: leave out --unique and --device gpu
#include <cstdio>

__global__ void add(float *x, long turns) {
  for (long i = 0; i < turns; ++i)
    x[i & 1023] = x[i & 1023] + 1.0f;
}

__global__ void choose(int *x) {
  if (x[threadIdx.x] > 0)
    x[threadIdx.x] = 0;
}

int main() {
  float *x, value = 7.0f;
  cudaMalloc(&x, 1024 * sizeof value);
  cudaMemcpy(x, &value, sizeof value, cudaMemcpyHostToDevice);
  for (int i = 0; i < 2; ++i)
    add<<<1, 1>>>(x, 1000000000);
  choose<<<1, 32>>>((int *)x);
  cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost);
  puts(value == 7.0f && cudaGetLastError() == cudaSuccess ? "untouched" : "touched");
}
