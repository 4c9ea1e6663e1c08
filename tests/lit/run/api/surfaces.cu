// Surfaces: results of reads and writes within and beyond their bounds. Older clangs do not declare them.
// REQUIRES: cuda-13, llvm-at-least-22
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/surfaces.txt %t.out
#include "table.h"

__global__ void surface(cudaSurfaceObject_t s, float *out) {
  out[0] = surf2Dread<float>(s, 4, 1);
  surf2Dwrite(out[0] + 1, s, 8, 1);
  out[1] = surf2Dread<float>(s, 8, 1);
  out[2] = surf2Dread<float>(s, 400, 1, cudaBoundaryModeZero);
  out[3] = surf2Dread<float>(s, 400, 1, cudaBoundaryModeClamp);
  surf2Dwrite(77.0f, s, -4, 9, cudaBoundaryModeZero);
  out[4] = surf2Dread<float>(s, 0, 2, cudaBoundaryModeZero);
}

int main() {
  float *out, host[12];
  cudaMalloc(&out, 64 * sizeof(float));
  for (int i = 0; i < 12; i++)
    host[i] = (i * 37 % 64) * 1.0625f - 9.3f;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array, line;
  cudaMallocArray(&line, &format, 8, 0, 0);
  cudaMallocArray(&array, &format, 4, 3, cudaArraySurfaceLoadStore | cudaArrayTextureGather);
  cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 3, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  cudaSurfaceObject_t s;
  resource.res.array.array = array;
  CALL(cudaCreateSurfaceObject(&s, &resource));
  surface<<<1, 1>>>(s, out);
  show_values("surface", out, 5);
  CALL(cudaDestroySurfaceObject(s));
  CALL(cudaDestroySurfaceObject(0));
  resource.res.array.array = line;
  CALL(cudaCreateSurfaceObject(&s, &resource));
  return 0;
}
