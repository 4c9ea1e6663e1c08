// A region without counted code in the compiled kernel keeps its row, and a note gives the reason: its product
// is part of an enclosing sum's fma, all of it was folded, it only waits, or no thread reached it. Totals stay.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/Inputs/rows_and_notes.py %t.json | %FileCheck --match-full-lines %s
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O3 %s %link -o %t.clone
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.clone.json %t.clone
// RUN: %py %S/Inputs/rows_and_notes.py %t.clone.json | %FileCheck --match-full-lines %s
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// CHECK: kernel: 1 executions, 1 launches, 256 FLOPs
// CHECK-NEXT: kernel/sum: null executions, 1 launches, 256 FLOPs
// CHECK-NEXT: kernel/sum/product: null executions, 1 launches, 0 FLOPs
// CHECK-NEXT:   its products are part of fused multiply-adds, which count for the region of the sum
// CHECK-NEXT: kernel/never: null executions, 1 launches, 0 FLOPs
// CHECK-NEXT: kernel/folded: null executions, 1 launches, 0 FLOPs
// CHECK-NEXT:   the optimiser left its kernel no instruction that is this region's alone: its work was folded, or is part of instructions that count for 'kernel'
// CHECK-NEXT: kernel/folded/inner: null executions, 1 launches, 0 FLOPs
// CHECK-NEXT:   the optimiser left its kernel no instruction that is this region's alone: its work was folded, or is part of instructions that count for 'kernel'
// CHECK-NEXT: kernel/waits: null executions, 1 launches, 0 FLOPs
// CHECK-NEXT:   it has no instruction that counts as work (docs/user/costs.md)
// CHECK-NEXT: nothing: 1 executions, 1 launches, 0 FLOPs
// CHECK-NEXT:   it has no instruction that counts as work (docs/user/costs.md)
// CHECK-NEXT: bare: null executions, 1 launches, 0 FLOPs
// CHECK-NEXT:   the optimiser left its kernel no instruction that is this region's alone: its work was folded, or is part of instructions that count for the kernel
// CHECK-NOT: {{.}}

#pragma gpuprof region("product")
__device__ float product(float a, float b) { return a * b; }

#pragma gpuprof region("inner")
__device__ float two() { return 2.0f; }

#pragma gpuprof region("folded")
__device__ float folded() { return two() * 3.0f; }

#pragma gpuprof region("kernel")
__global__ void kernel(float *p, int n) {
  int i = threadIdx.x;
  float s;
#pragma gpuprof region("sum")
  s = p[i] + product(p[i + 32], p[i + 64]) + product(p[i + 96], p[i + 128]) + product(p[i + 160], p[i + 192]) +
      product(p[i + 224], p[i + 256]);
  if (folded() > 5.0f)
    p[i] = s;
#pragma gpuprof region("waits")
  __syncthreads();
  if (n < 0) {
#pragma gpuprof region("never")
    p[i] = p[i + n] / 3.0f;
  }
}

#pragma gpuprof region("nothing")
__global__ void nothing() {}

#pragma gpuprof region("bare")
__device__ float bare() { return 8.0f; }

__global__ void without_region(float *p) { p[threadIdx.x] = bare(); }

int main() {
  float *p;
  cudaMalloc(&p, 32 * 9 * sizeof(float));
  cudaMemset(p, 0, 32 * 9 * sizeof(float));
  kernel<<<1, 32>>>(p, 32);
  nothing<<<1, 32>>>();
  without_region<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
