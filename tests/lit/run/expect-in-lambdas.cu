// `expect` in code compiled for both sides and run by the host only: lambdas, also generic ones, in templates and
// in __host__ __device__ functions, member initialisers, and constexpr functions, where a region is left out.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-warn=no-constexpr-region -Werror -Wall -O0 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/Inputs/directives.py %t.json | %FileCheck --match-full-lines %s
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-warn=no-constexpr-region -Werror -Wall -O2 %s %link -o %t.2
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.2.json %t.2
// RUN: %py %S/Inputs/directives.py %t.2.json | %FileCheck --match-full-lines %s
// CHECK: plain: 1 executions, 1 launches, 32 FLOPs
// CHECK-NEXT:   expected flops 64, items 1, over 0.500
// CHECK-NEXT: generic: 2 executions, 0 launches, 0 FLOPs, calls=2
// CHECK-NEXT:   expected flops 7, items 2, over 0.000
// CHECK-NEXT: initialiser: 1 executions, 0 launches, 0 FLOPs
// CHECK-NEXT:   expected flops 3, items 1, over 0.000
// CHECK-NEXT: both: 1 executions, 0 launches, 0 FLOPs
// CHECK-NEXT:   expected flops 5, items 1, over 0.000
// CHECK-NEXT: around: 1 executions, 0 launches, 0 FLOPs, calls=1
// CHECK-NEXT:   expected flops 11, items 1, over 0.000

__global__ void doubled(float *p) { p[threadIdx.x] *= 2.0f; }

template <class T> T generic(T v) {
  auto add = [&](auto w) {
#pragma gpuprof region("generic")
    {
#pragma gpuprof expect flops(w) items(1)
#pragma gpuprof count("calls", 1)
      v += w;
    }
  };
  add(T(3));
  add(4);
  return v;
}

struct Layer {
  int size;
  int doubled = [this] {
#pragma gpuprof region("initialiser")
    {
#pragma gpuprof expect flops(size) items(1)
      return 2 * size;
    }
  }();
};

// Nothing on the device calls it.
__host__ __device__ float both(float x) {
  auto twice = [=] {
#pragma gpuprof region("both")
    {
#pragma gpuprof expect flops(5) items(1)
      return 2 * x;
    }
  };
  return twice();
}

constexpr int power(int n) {
  int result = 1;
#pragma gpuprof region("power")
  for (int i = 0; i < n; ++i) {
    result *= 2;
  }
  {
#pragma gpuprof region("end")
    {
#pragma gpuprof expect flops(11) items(1)
#pragma gpuprof count("calls", 1)
      ++result;
    }
  }
  return result;
}
static_assert(power(3) == 9, "");

int main() {
  float *p;
  cudaMalloc(&p, 32 * sizeof(float));
  cudaMemset(p, 0, 32 * sizeof(float));
  auto plain = [&] {
#pragma gpuprof region("plain")
    {
#pragma gpuprof expect flops(64) items(1)
      doubled<<<1, 32>>>(p);
    }
  };
  plain();
  volatile int n = 3;
  bool good = generic(1.0) == 8.0;
  good &= Layer{3}.doubled == 6 && both(2) == 4;
#pragma gpuprof region("around")
  good &= power(n) == 9;
  return !good || cudaDeviceSynchronize();
}
