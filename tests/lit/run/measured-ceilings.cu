// The ceilings of a file of `gpuprof peaks` are the roof of the chip that they were measured on, and of no other.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 %s %link -o %t
// RUN: env LD_LIBRARY_PATH=%build/tests/fakes/gpu %gpuprof peaks --only fp32,dram-read,popc --json >%t.peaks
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json GPUPROF_PEAKS=%t.peaks %t
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/ceilings.py %t.json | %FileCheck %s
// CHECK: measured fp32 3.136e+13
// CHECK-NEXT: measured dram 4.443e+12
// CHECK-NEXT: measured popc 3.92e+12
// CHECK-NEXT: sources: datasheet derived measured
// CHECK-NEXT: end
// RUN: %gpuprof report %t.json | %FileCheck --check-prefix=REPORT %s
// REPORT: ceilings {{.*}}measured

// For another chip the file is named, and not taken.
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_CHIP=a100 GPUPROF_OUTPUT=%t.other.json GPUPROF_PEAKS=%t.peaks %t
// RUN: %py %S/Inputs/ceilings.py %t.other.json | %FileCheck --check-prefix=OTHER %s
// OTHER: sources: datasheet derived
// OTHER-NEXT: note: the measured ceilings of '{{.*}}.peaks' are not used: they are of NVIDIA H200, not of this device

// A file that is none is named too; `off` takes none.
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.none.json GPUPROF_PEAKS=%t.json %t
// RUN: %py %S/Inputs/ceilings.py %t.none.json | %FileCheck --check-prefix=NONE %s
// NONE: note: {{.*}} are not used: it is no file of 'gpuprof peaks'
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.off.json GPUPROF_PEAKS=off %t
// RUN: %py %S/Inputs/ceilings.py %t.off.json | %FileCheck --check-prefix=OFF %s
// OFF: sources: datasheet derived
// OFF-NEXT: end
__global__ void doubled(float *p) { p[threadIdx.x] *= 2.0f; }

int main() {
  float *p;
  cudaMalloc(&p, 32 * sizeof *p);
  doubled<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
