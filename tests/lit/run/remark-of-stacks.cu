// -Rpass-missed=gpuprof names a kernel with a stack for each thread, the line of the wait and
// the reason. Kernels run as loops over their threads are not named; without the option none is.
// RUN: %clangxx -fplugin=%plugin %minicuda -Rpass-missed=gpuprof -O2 -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=remark: %s
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 -c %s -o %t.o > %t.log 2>&1
// RUN: sh -c '! grep remark %t.log'
__global__ void whole(int *x) {
  __syncthreads();
  x[threadIdx.x]++;
}

__global__ void named(int *x) {
  // CHECK: remark-of-stacks.cu:[[#@LINE+1]]:{{.*}} remark: threads of kernel named(int*) run on a stack each: it waits in a way
  asm volatile("bar.sync 1, 32;" ::: "memory");
  x[threadIdx.x]++;
}
