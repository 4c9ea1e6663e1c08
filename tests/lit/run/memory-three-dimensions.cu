// cudaMalloc3D and cudaMemcpy3D of a part of a volume.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

int main() {
  enum { X = 6, Y = 5, Z = 4 };
  int host[Z][Y][X], back[Z][Y][X] = {};
  for (int i = 0; i < X * Y * Z; i++)
    (&host[0][0][0])[i] = i;
  cudaPitchedPtr volume;
  cudaExtent whole = make_cudaExtent(X * sizeof(int), Y, Z);
  OK(cudaMalloc3D(&volume, whole));
  cudaMemcpy3DParms to = {}, from = {};
  to.srcPtr = make_cudaPitchedPtr(host, X * sizeof(int), X, Y), to.dstPtr = volume, to.extent = whole,
  to.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&to));
  from.srcPtr = volume, from.dstPtr = make_cudaPitchedPtr(back, X * sizeof(int), X, Y);
  from.srcPos = make_cudaPos(sizeof(int), 2, 1), from.extent = make_cudaExtent(3 * sizeof(int), 2, 2),
  from.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&from));
  for (int z = 0; z < Z; z++)
    for (int y = 0; y < Y; y++)
      for (int x = 0; x < X; x++)
        EXPECT(back[z][y][x] == (x < 3 && y < 2 && z < 2 ? host[z + 1][y + 2][x + 1] : 0));
  return finish();
}
