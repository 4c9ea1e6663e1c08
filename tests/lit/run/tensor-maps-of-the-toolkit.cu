// Tensor maps in programs with CUDA's headers: the driver's function by its name, a map in
// constant memory, one in global memory changed by the kernel, and cuda::ptx's copies.
// REQUIRES: cuda-13, llvm-at-least-19
// RUN: %clangxx -fplugin=%plugin %cudaflags -std=c++17 --cuda-gpu-arch=sm_90 -fplugin-arg-gpuprof-arch=sm_90a -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include <cuda.h>
#include <cuda/ptx>
#include "lanes.h"

namespace ptx = cuda::ptx;
enum { Columns = 32, Rows = 8, Size = Columns * Rows };

__constant__ CUtensorMap map_in_constant_memory;

// Rows of the second tensor are added to rows of the first.
__global__ void add(const __grid_constant__ CUtensorMap of_sums, int row) {
  alignas(128) __shared__ int box[Columns * 4];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const int place[2] = {0, row};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &map_in_constant_memory, place, &barrier);
    const uint64_t state =
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof box);
    while (!ptx::mbarrier_try_wait(&barrier, state))
      ;
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &of_sums, place, box);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// The same tensor through a map made by the kernel out of another.
__global__ void copy_to(int *to, CUtensorMap *map, const __grid_constant__ CUtensorMap other) {
  alignas(128) __shared__ CUtensorMap own;
  alignas(128) __shared__ int box[Columns * 4];
  if (threadIdx.x == 0) {
    own = other;
    ptx::tensormap_replace_global_address(ptx::space_shared, &own, to);
  }
  __syncwarp();
  ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, map, &own, ptx::n32_t<128>());
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>());
  for (int i = threadIdx.x; i < Columns * 4; i += 32)
    box[i] = i;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncwarp();
  if (threadIdx.x == 0) {
    const int place[2] = {0, 2};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, map, place, box);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

static CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                          const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static CUtensorMap map_of(int *memory) {
  CUtensorMap map;
  const cuuint64_t dimensions[] = {Columns, Rows}, strides[] = {Columns * 4};
  const cuuint32_t box[] = {Columns, 4}, steps[] = {1, 1};
  EXPECT(encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, memory, dimensions, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  return map;
}

int main() {
  cudaDriverEntryPointQueryResult found;
  OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found));
  EXPECT(found == cudaDriverEntryPointSuccess);
  Values<int, Size> sums, more, copied;
  for (int i = 0; i < Size; i++)
    sums.host[i] = i, more.host[i] = 1000 * i;
  sums.write(), more.write();
  const CUtensorMap of_sums = map_of(sums.device), of_more = map_of(more.device);
  OK(cudaMemcpyToSymbol(map_in_constant_memory, &of_more, sizeof of_more));
  add<<<1, 32>>>(of_sums, 3);
  CUtensorMap *map = nullptr;
  OK(cudaMalloc(&map, sizeof *map));
  copy_to<<<1, 32>>>(copied.device, map, of_sums);
  sums.read(), copied.read();
  for (int i = 0; i < Size; i++) {
    const int row = i / Columns;
    EXPECT(sums.host[i] == (row >= 3 && row < 7 ? 1001 * i : i));
    EXPECT(copied.host[i] == (row >= 2 && row < 6 ? i - 2 * Columns : 0));
  }
  return finish();
}
