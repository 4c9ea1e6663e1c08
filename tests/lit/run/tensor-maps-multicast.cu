// A copy by a tensor map to both blocks of a cluster at once, both signalled; blocks outside of the mask keep their values.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "clusters.h"
#include "tensor_maps.h"

enum { Size = 2, Blocks = 2 * Size, Width = 32, Half = 16, Columns = 48, Rows = Size * Half, BoxBytes = Rows * Width * 2 };

// Each block brings its half of the rows to the blocks of the mask; every cluster has columns of its own.
__global__ void to_both(const __grid_constant__ TensorMap map, unsigned char *out, int mask) {
  alignas(1024) __shared__ unsigned char box[BoxBytes];
  alignas(8) __shared__ unsigned long long barrier;
  const int rank = (int)cluster_rank(), named = mask >> rank & 1;
  for (int i = threadIdx.x; i < BoxBytes; i += blockDim.x)
    box[i] = 0xab;
  if (threadIdx.x == 0) {
    make_barrier(&barrier, 1);
    if (named)
      expect(&barrier, BoxBytes);
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  cluster_sync();
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address_of(box + rank * (BoxBytes / Size))),
                 "l"(&map), "r"((int)blockIdx.x / Size * Width), "r"(rank * Half), "r"(address_of(&barrier)),
                 "h"((short)mask)
                 : "memory");
  if (named)
    wait(&barrier, 0);
  cluster_sync(); // the other block's data arrived, also in wrong places
  for (int i = threadIdx.x; i < BoxBytes; i += blockDim.x)
    out[blockIdx.x * BoxBytes + i] = box[i];
}

int main() {
  static Values<unsigned short, Rows * Columns> tensor;
  static Values<unsigned char, Blocks * BoxBytes> out;
  for (int i = 0; i < Rows * Columns; i++)
    tensor.host[i] = (unsigned short)(i * 7 + 1);
  tensor.write();
  Tensor t = dense(U16, 2, tensor.device, 2, {Columns, Rows}, {Width, Half});
  t.swizzle = Swizzle64;
  TensorMap map;
  EXPECT(encode(&map, t) == 0);
  for (int mask = 1; mask < 1 << Size; mask++) {
    OK(launch_clusters(Size, Blocks, 32, 0, to_both, map, out.device, mask));
    out.read();
    int wrong = 0;
    for (int block = 0; block < Blocks; block++)
      for (int i = 0; i < BoxBytes / 2; i++) {
        const int column = block / Size * Width + i % Width, there = i * 2 ^ (i * 2 >> 7 & 3) << 4;
        unsigned short wanted = 0xabab, found;
        if (mask >> block % Size & 1)
          wanted = column < Columns ? tensor.host[i / Width * Columns + column] : 0;
        memcpy(&found, out.host + block * BoxBytes + there, sizeof found);
        wrong += found != wanted;
      }
    if (wrong)
      printf("mask %d: %d wrong\n", mask, wrong);
    EXPECT(!wrong);
  }
  return finish();
}
