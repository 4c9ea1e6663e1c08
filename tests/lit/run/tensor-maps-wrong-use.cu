// Copies by tensor maps, and products of warp groups, impossible on any GPU stop the launch with the reason in a sentence.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: %FileCheck --check-prefix=STOP --input-file=%t.err %s
// CHECK: all right
// STOP: gpuprof: error: copy{{.*}} names a tensor map at {{.*}} where there is none: make it with cuTensorMapEncodeTiled
// STOP: gpuprof: error: copy{{.*}} of 2 dimensions goes by a tensor map of 1
// STOP: gpuprof: error: copy{{.*}} begins at element 3 of its first dimension, which is no multiple of 16 bytes
// STOP: gpuprof: error: copy{{.*}} uses shared memory at {{.*}}, which is no multiple of 128
// STOP: gpuprof: error: copy{{.*}} goes by a tensor map at {{.*}}, which is no multiple of 64
// STOP: gpuprof: error: add{{.*}} a copy to a tensor begins at element -1 of dimension 1
// STOP: gpuprof: error: add{{.*}} a reduction by a tensor map is "add", of elements of CUtensorMapDataType 5
// STOP: gpuprof: error: product{{.*}} wgmma needs all 128 threads of its warp group: of warps 0 to 3 only 96 threads are left
// STOP: gpuprof: error: product{{.*}} a matrix descriptor of wgmma leads out of shared memory
#include "tensor_maps.h"
#include "warp_groups.h"

__global__ void copy(const __grid_constant__ TensorMap map, int x, int offset) {
  alignas(1024) __shared__ unsigned char box[2048];
  alignas(8) __shared__ unsigned long long barrier;
  make_barrier(&barrier, 1);
  load(box + offset, &map, &barrier, x, 0);
}

__global__ void copy_global(const TensorMap *map) {
  alignas(1024) __shared__ unsigned char box[2048];
  alignas(8) __shared__ unsigned long long barrier;
  make_barrier(&barrier, 1);
  load(box, map, &barrier, 0, 0);
}

__global__ void add(const __grid_constant__ TensorMap map, int y) {
  alignas(1024) __shared__ long long box[256];
  box[0] = 0;
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {0, %1}], [%2];" ::"l"(&map), "r"(y),
               "r"(address_of(box))
               : "memory");
  finish_stores();
}

__global__ void product(float *out, unsigned long long wrong) {
  alignas(1024) __shared__ unsigned char matrix[4096];
  float d[4] = {};
  const unsigned long long a = descriptor(matrix, None, 128, 256);
  begin_products();
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(a + wrong));
  end_products();
  out[threadIdx.x] = d[0];
}

int main() {
  auto stopped = [](int wanted) {
    EXPECT(cudaDeviceSynchronize() == wanted);
    OK(cudaDeviceReset());
  };
  TensorMap none = {}, line, plane;
  auto memory = [] {
    void *p = nullptr;
    OK(cudaMalloc(&p, 1 << 16));
    return p;
  };
  EXPECT(encode(&line, dense(U16, 2, memory(), 1, {64}, {64})) == 0);
  EXPECT(encode(&plane, dense(U16, 2, memory(), 2, {64, 8}, {64, 8})) == 0);
  copy<<<1, 1>>>(none, 0, 0);
  stopped(cudaErrorIllegalInstruction);
  copy<<<1, 1>>>(line, 0, 0);
  stopped(cudaErrorIllegalInstruction);
  copy<<<1, 1>>>(plane, 3, 0);
  stopped(cudaErrorIllegalInstruction);
  copy<<<1, 1>>>(plane, 0, 64);
  stopped(cudaErrorMisalignedAddress);
  copy_global<<<1, 1>>>((TensorMap *)((char *)memory() + 32));
  stopped(cudaErrorMisalignedAddress);
  TensorMap unsigned_plane, signed_plane;
  EXPECT(encode(&unsigned_plane, dense(U64, 8, memory(), 2, {64, 8}, {16, 8})) == 0);
  EXPECT(encode(&signed_plane, dense(S64, 8, memory(), 2, {64, 8}, {16, 8})) == 0);
  add<<<1, 1>>>(unsigned_plane, -1);
  stopped(cudaErrorIllegalInstruction);
  add<<<1, 1>>>(signed_plane, 0);
  stopped(cudaErrorIllegalInstruction);
  product<<<1, 96>>>((float *)memory(), 0);
  stopped(cudaErrorLaunchFailure);
  product<<<1, 128>>>((float *)memory(), 0x3c00ull << 16); // far from one eight of k to the next
  stopped(cudaErrorIllegalAddress);
  return finish();
}
