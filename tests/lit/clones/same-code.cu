// A kernel counted by a clone or a twin has the machine code of a build without the plugin: its PTX is the
// same to the byte, with any pragmas. With twins=off a kernel has counters: the comparison can fail.
// Without the plugin clang up to 18 cannot compile device code beside a C library as new as Debian 13's.
// REQUIRES: llvm-at-least-19
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clangxx -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -Wno-unknown-pragmas -O2 -S %s -o %t/plain.s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-count=auto -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o %t/plugin.s
// RUN: %py %S/Inputs/same_kernels.py %t/plain.s %t/plugin.s | %FileCheck %s
// CHECK: 8 kernels are the same
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-twins=off -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o %t/in-kernel.s
// RUN: %py %S/Inputs/same_kernels.py %t/plain.s %t/in-kernel.s --but counted_in_it --but limited | %FileCheck --check-prefix=OFF %s
// OFF: 6 kernels are the same

struct Size {
  int rows, columns;
};

#pragma gpuprof region("add")
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

__global__ void product(const float *a, const float *b, float *c, Size size) {
  __shared__ float tile[16][16];
  float sum = 0.0f;
  for (int k = 0; k < size.columns; k += 16) {
#pragma gpuprof region("product.load")
    {
      tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * size.columns + k + threadIdx.x];
      __syncthreads();
    }
#pragma gpuprof region("product.sum")
    for (int i = 0; i < 16; ++i)
      sum += tile[threadIdx.y][i] * b[(k + i) * size.rows + threadIdx.x];
    __syncthreads();
  }
  c[threadIdx.y * size.rows + threadIdx.x] = sum;
}

#pragma gpuprof region
__global__ void stride(float *x, long n) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    x[i] = sqrtf(x[i]);
#pragma gpuprof count("roots", 1)
  }
}

template <int N> __global__ void unrolled(double *x) {
#pragma gpuprof region
  for (int i = 0; i < N; ++i)
    x[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] + i;
}
template __global__ void unrolled<7>(double *);

__global__ void sum(const int *x, int *total) {
  int mine = x[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(~0u, mine, distance);
  if (threadIdx.x == 0)
    atomicAdd(total, mine);
}

__global__ void counted_in_it(int *x) {
  if (x[threadIdx.x] > 0)
    x[threadIdx.x] = 0;
}

// Predicates and sizes computed by a clone from the operands of inline PTX.
__global__ void copies(const char *in, int rows, int bytes) {
  const unsigned to = 16 * threadIdx.x;
  for (int row = threadIdx.x; row < rows; row += 32)
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2], 16; }" ::"r"(
                     (int)(row % 3 == 0)),
                 "r"(to), "l"(in + 16 * row)
                 : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in), "r"(bytes) : "memory");
}

// Predicates that inline PTX finds itself: statements with counters stand in the twin alone.
__global__ void limited(int *x, float *sums) {
  int *const mine = x + threadIdx.x;
  float sum = 1.0f, last;
  asm volatile("{ .reg .pred q; .reg .s32 v; ld.global.s32 v, [%0]; setp.lt.s32 q, v, 3; @q st.global.s32 [%0], v; }" ::"l"(mine)
               : "memory");
  asm("{ .reg .pred p; .reg .s32 k; ld.global.s32 k, [%3]; L%=: mov.f32 %1, %0; fma.rn.f32 %0, %2, %2, %0; "
      "sub.s32 k, k, 1; setp.gt.s32 p, k, 0; @p bra L%=; }"
      : "+f"(sum), "=f"(last)
      : "f"(sums[0]), "l"(mine));
  sums[threadIdx.x] = sum + last;
}
