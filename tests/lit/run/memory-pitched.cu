// cudaMallocPitch, 2D copies to and from it, and a 2D memset of a part.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void transpose(const char *in, size_t pitch, int *out, int width, int height) {
  int x = threadIdx.x, y = threadIdx.y;
  out[x * height + y] = ((const int *)(in + y * pitch))[x];
}

int main() {
  enum { W = 7, H = 5 };
  int host[H][W], back[H][W];
  Values<int, W * H> out;
  char *p;
  size_t pitch;
  for (int i = 0; i < W * H; i++)
    host[i / W][i % W] = i;
  OK(cudaMallocPitch(&p, &pitch, W * sizeof(int), H));
  EXPECT(pitch >= W * sizeof(int) && pitch % 32 == 0);
  OK(cudaMemcpy2D(p, pitch, host, sizeof host[0], W * sizeof(int), H, cudaMemcpyHostToDevice));
  transpose<<<1, dim3(W, H)>>>(p, pitch, out.device, W, H);
  out.read();
  for (int i = 0; i < W * H; i++)
    EXPECT(out.host[i % W * H + i / W] == i);
  OK(cudaMemset2D(p + pitch, pitch, 0xff, 2 * sizeof(int), 3));
  OK(cudaMemcpy2D(back, sizeof back[0], p, pitch, W * sizeof(int), H, cudaMemcpyDeviceToHost));
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      EXPECT(back[y][x] == (y >= 1 && y < 4 && x < 2 ? -1 : host[y][x]));
  EXPECT(cudaMemcpy2D(back, 4, p, pitch, W * sizeof(int), H, cudaMemcpyDeviceToHost) ==
         cudaErrorInvalidPitchValue);
  EXPECT(cudaMemcpy2D(back, 4, p, pitch, W * sizeof(int), 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  return finish();
}
