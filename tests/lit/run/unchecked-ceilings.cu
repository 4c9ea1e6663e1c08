// Ceilings of a chip that no second source confirms say so, and which are derived, in the document and in the report.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_CHIP=h100-nvl GPUPROF_OUTPUT=%t.json %t
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/ceilings.py %t.json | %FileCheck %s
// CHECK: sources: datasheet, not checked derived, not checked
// CHECK-NEXT: end
// RUN: %gpuprof report %t.json | %FileCheck --check-prefix=REPORT %s
// REPORT: ceilings {{.*}}(datasheet and derived, not checked)
__global__ void doubled(float *p) { p[threadIdx.x] *= 2.0f; }

int main() {
  float *p;
  cudaMalloc(&p, 32 * sizeof *p);
  doubled<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
