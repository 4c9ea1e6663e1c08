// Copies by tensor maps in im2col mode: pixels of images one after the other, as a convolution with padding and strides reads them.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "tensor_maps.h"

enum { Channels = 16, Width = 6, Height = 5, Images = 3, Pixels = 24, Taken = 8, Bytes = Pixels * Taken * 2 };

__global__ void copy(const __grid_constant__ TensorMap map, int c, int w, int h, int n, int right, int down, unsigned short *out) {
  alignas(128) __shared__ unsigned short box[Bytes / 2];
  alignas(8) __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) {
    make_barrier(&barrier, 1);
    expect(&barrier, Bytes);
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                 "[%0], [%2, {%3, %4, %5, %6}], [%1], {%7, %8};" ::"r"(address_of(box)),
                 "r"(address_of(&barrier)), "l"(&map), "r"(c), "r"(w), "r"(h), "r"(n), "h"((unsigned short)right),
                 "h"((unsigned short)down)
                 : "memory");
  }
  __syncthreads();
  wait(&barrier, 0);
  for (int i = threadIdx.x; i < Bytes / 2; i += blockDim.x)
    out[i] = box[i];
}

static Values<unsigned short, Channels * Width * Height * Images> tensor;
static Values<unsigned short, Bytes / 2> box;

// A filter of 3 x 3 with a border of one: its centre goes from pixel to pixel, its corner begins one to the left and above.
static void check(int step, int c, int w, int h, int n, int right, int down) {
  const unsigned long long dimensions[] = {Channels, Width, Height, Images},
                           strides[] = {Channels * 2, Channels * Width * 2, Channels * Width * Height * 2};
  const int lower[] = {-1, -1}, upper[] = {-1, -1};
  const unsigned steps[] = {1, (unsigned)step, (unsigned)step, 1};
  TensorMap map;
  EXPECT(encode_columns(&map, U16, 4, tensor.device, dimensions, strides, lower, upper, Taken, Pixels, steps, 0, Plain, 0, 0) == 0);
  copy<<<1, 32>>>(map, c, w, h, n, right, down, box.device);
  box.read();
  int wrong = 0;
  for (int pixel = 0; pixel < Pixels; pixel++) {
    const int x = w + right, y = h + down;
    const bool inside = x >= 0 && x < Width && y >= 0 && y < Height && n < Images;
    for (int i = 0; i < Taken; i++)
      wrong += box.host[pixel * Taken + i] !=
               (inside ? tensor.host[((n * Height + y) * Width + x) * Channels + c + i] : 0);
    if ((w += step) > Width - 2) {
      w = -1;
      if ((h += step) > Height - 2)
        h = -1, n++;
    }
  }
  if (wrong)
    printf("step %d at %d,%d,%d,%d and %d,%d: %d wrong\n", step, c, w, h, n, right, down, wrong);
  EXPECT(!wrong);
}

int main() {
  for (unsigned i = 0; i < sizeof tensor.host / 2; i++)
    tensor.host[i] = (unsigned short)(i + 1);
  tensor.write();
  check(1, 0, -1, -1, 0, 0, 0);
  check(1, 8, -1, -1, 0, 2, 1);
  check(1, 0, 3, 2, 1, 1, 2);
  check(2, 8, -1, -1, 1, 1, 1);
  check(1, 0, -1, 1, 2, 2, 2);
  return finish();
}
