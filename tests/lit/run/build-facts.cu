// context.builds states how the executed device code was compiled; without optimization a note explains the effect on counts.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %document %t.json | %FileCheck --check-prefix=ONE --implicit-check-not='"sources"' --implicit-check-not='without optimization' %s
// ONE: "builds": [
// ONE-NEXT: {
// ONE-NEXT: "optimization": "O2",
// ONE-NEXT: "architecture": "sm_90",
// ONE-NEXT: "headers": "gpuprof",
// ONE-NEXT: "cuda_version": null,
// ONE-NEXT: "fast_math": "off",
// ONE-NEXT: "contraction": "fast",
// ONE-NEXT: "compiler": "clang {{[0-9.]+}}{{.*}}",
// ONE-NEXT: "plugin_version": "{{[0-9.]+}}"
// ONE-NEXT: }
// ONE-NEXT: ],

// Two units, compiled in two ways; a unit without launches is not listed.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -DOTHER -c -O0 -ffast-math -ffp-contract=off -fplugin-arg-gpuprof-arch=sm_80 %s -o %t.other.o
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -DIDLE -c -O1 %s -o %t.idle.o
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -DWITH_OTHER -c -Os %s -o %t.main.o
// RUN: %clangxx %t.main.o %t.other.o %t.idle.o -o %t.both %link
// RUN: env GPUPROF_OUTPUT=%t.both.json %t.both
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.both.json
// RUN: %document %t.both.json | %FileCheck --check-prefix=BOTH --implicit-check-not='"optimization": "O1"' %s
// BOTH-DAG: "optimization": "Os"
// BOTH-DAG: "optimization": "O0"
// BOTH-DAG: "architecture": "sm_80"
// BOTH-DAG: "fast_math": "on"
// BOTH-DAG: "contraction": "off"
// BOTH-DAG: "sources": [
// BOTH: build-facts.cu: its kernels were compiled without optimization (-O0)
#include "run.h"

#if defined(OTHER)
__global__ void other(float *a) { a[threadIdx.x] += 1; }
void launch_other(float *a) { other<<<1, 32>>>(a); }
#elif defined(IDLE)
__global__ void idle(float *a) { a[threadIdx.x] += 1; }
void launch_idle(float *a) { idle<<<1, 32>>>(a); }
#else
void launch_other(float *a);
__global__ void own(float *a) { a[threadIdx.x] += 1; }
int main() {
  float *a;
  cudaMalloc(&a, 32 * sizeof *a);
  own<<<1, 32>>>(a);
#ifdef WITH_OTHER
  launch_other(a);
#endif
  return cudaDeviceSynchronize();
}
#endif
