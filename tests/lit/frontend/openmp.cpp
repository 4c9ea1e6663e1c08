// Regions around OpenMP constructs and inside them.
// Older clangs print attributes and name outlined functions in another way.
// REQUIRES: llvm-at-least-19
// RUN: %clangxx -fopenmp -fplugin=%plugin -O0 -S -emit-llvm %s -o - | %FileCheck %s
void work(int);

// CHECK-LABEL: define {{.*}}@_Z4loopi(
// CHECK: [[TOKEN:%.*]] = call i32 @__gpuprof_region_enter(ptr [[OUTER:@[^)]*]])
// CHECK: @__kmpc_fork_call
// CHECK: call void @__gpuprof_region_exit(
// CHECK: ret void
// CHECK-LABEL: define internal void @_Z4loopi.omp_outlined(
// CHECK: call i32 @__gpuprof_region_enter(
// CHECK: {{call|invoke}} void @_Z4worki(
// CHECK: call void @__gpuprof_region_exit(
void loop(int n) {
#pragma gpuprof region("whole loop")
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma gpuprof region("iteration")
    work(i);
  }
}
