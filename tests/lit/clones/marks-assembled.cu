// ptxas accepts sector markers, on architectures with and without the lane operations they use.
// REQUIRES: cuda-toolkit
// RUN: for arch in sm_75 sm_90; do %clangxx -fplugin=%plugin %toolkit --cuda-gpu-arch=$arch --cuda-device-only -fplugin-arg-gpuprof-unique=on -O2 -c %s -o %t.$arch && grep -c '_Z7columnsPfii$gpuprof_addresses' %t.$arch && grep -c '_Z7columnsPfii$gpuprof_unique' %t.$arch || exit 1; done
// RUN: %clangxx -fplugin=%plugin %toolkit --cuda-gpu-arch=sm_90 --cuda-device-only -fplugin-arg-gpuprof-unique=on -O2 -S %s -o - | %FileCheck %s
// CHECK: match.all.sync.b64
__global__ void columns(float *x, int rows, int columns) {
  for (int i = 0; i < rows; ++i)
    x[i * (long)columns + threadIdx.x] += 1.0f;
}
