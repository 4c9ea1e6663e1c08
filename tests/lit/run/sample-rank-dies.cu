// The all-reduce of samples/multi_gpu: if a rank ends before the others, one of these says so, and all end.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -I%source/samples/multi_gpu -O1 -std=c++17 %s -o %t %link -ldl
// RUN: env GPUPROF_ENABLE=0 timeout 100 %source/samples/multi_gpu/start 4 %t > %t.log 2>&1; test $? = 1
// RUN: %FileCheck %s < %t.log
// CHECK-NOT: wrong
// CHECK: multi_gpu: rank 2 has ended before the others, which cannot go on
// CHECK-NOT: multi_gpu
#include "run.h"
#include "all_reduce.h"

int main() {
  AllReduce all(4);
  float ones[4] = {1, 1, 1, 1}, *data;
  OK(cudaMalloc((void **)&data, sizeof ones));
  OK(cudaMemcpy(data, ones, sizeof ones, cudaMemcpyHostToDevice));
  all.sum(data, 4);
  OK(cudaMemcpy(ones, data, sizeof ones, cudaMemcpyDeviceToHost));
  if (ones[3] != 4)
    puts("wrong");
  if (all.rank() == 2)
    _exit(0);
  all.sum(data, 4);
  puts("wrong: the sum of ranks that are gone");
  return 0;
}
