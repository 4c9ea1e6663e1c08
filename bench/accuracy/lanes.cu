// Accesses with addresses shared by lanes of a warp, in the ways of real kernels. Each kernel
// is launched once: a report holds one row for each. Names on the command line choose some.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

namespace {
constexpr int N = 1024; // rows and columns of square matrices
} // namespace

#define LANES_KERNEL(name)                                                                                   \
  __global__ void name(float *__restrict__ out, const float *__restrict__ in, const int *__restrict__ index, \
                       int n)

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

LANES_KERNEL(saxpy_guarded) {
  const int i = self();
  if (i < n)
    out[i] = in[0] * in[i];
}
LANES_KERNEL(grid_stride) {
  for (int i = self(); i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] + in[n];
}
LANES_KERNEL(gemm_naive) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = self();
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[row * n + k] * in[k * n + column];
  out[row * n + column] = sum;
}
LANES_KERNEL(gemm_tiled) {
  __shared__ float a[16][16], b[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    a[y][x] = in[row * n + k + x];
    b[y][x] = in[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  out[row * n + column] = sum;
}
LANES_KERNEL(transpose_padded) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    tile[y][threadIdx.x] = in[(blockIdx.y * 32 + y) * n + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][y];
}
LANES_KERNEL(transpose_conflicts) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
LANES_KERNEL(row_a_thread) {
  const int row = self();
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += in[row * n + k];
  out[row] = sum;
}
LANES_KERNEL(vector_read_by_all) {
  float sum = 0;
  for (int k = 0; k < 256; ++k)
    sum += in[k] * in[n + k];
  out[self()] = sum;
}
LANES_KERNEL(gather) { out[self()] = in[index[self()]]; }
LANES_KERNEL(scatter) { out[index[self()]] = in[self()]; }
LANES_KERNEL(scatter_atomic) { atomicAdd(&out[index[self()]], in[self()]); }
LANES_KERNEL(stencil) {
  const int i = self();
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i] + in[i + 1];
}
LANES_KERNEL(stencil_2d) {
  const int x = self(), y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    out[y * n + x] = in[(y - 1) * n + x] + in[(y + 1) * n + x] + in[y * n + x - 1] + in[y * n + x + 1];
}
LANES_KERNEL(bias_of_column) {
  const int x = self(), y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] += in[x];
}
LANES_KERNEL(bias_of_row) {
  const int x = self(), y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] += in[y];
}
LANES_KERNEL(scores) { // a thread a key, a row of threads a query
  const int key = self(), query = blockIdx.y * blockDim.y + threadIdx.y;
  if (key > query)
    return;
  float sum = 0;
  for (int d = 0; d < 32; ++d)
    sum += in[query * 32 + d] * in[key * 32 + d];
  out[query * n + key] = sum;
}
LANES_KERNEL(part_of_warp) {
  if (threadIdx.x % 32 < 5)
    out[self()] = in[blockIdx.x];
}
LANES_KERNEL(one_lane_stores) {
  float sum = in[self()];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_xor_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0)
    out[self() / 32] = sum;
}
LANES_KERNEL(half_warps) { out[self()] = in[(threadIdx.x % 16) * n + threadIdx.x / 16]; }
LANES_KERNEL(eight_lanes_a_row) {
  const float4 v = reinterpret_cast<const float4 *>(in)[(threadIdx.x / 8) * n + threadIdx.x % 8];
  reinterpret_cast<float4 *>(out)[self()] = v;
}
LANES_KERNEL(quads_share_float2) {
  const float2 v = reinterpret_cast<const float2 *>(in)[self() / 4];
  reinterpret_cast<float2 *>(out)[self()] = v;
}
LANES_KERNEL(shared_broadcast) {
  __shared__ float s[256];
  s[threadIdx.x] = in[self()];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += s[i];
  out[self()] = sum;
}
LANES_KERNEL(shared_of_warp) {
  __shared__ float s[32];
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = in[self()];
  __syncthreads();
  out[self()] = s[threadIdx.x / 32];
}
LANES_KERNEL(shared_stride_2) {
  __shared__ float s[512];
  s[2 * threadIdx.x] = in[self()];
  s[2 * threadIdx.x + 1] = 1.0f;
  __syncthreads();
  out[self()] = s[threadIdx.x & ~1u] + s[threadIdx.x / 2];
}
LANES_KERNEL(shared_histogram) {
  __shared__ int bins[16];
  if (threadIdx.x < 16)
    bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[index[self()] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(reinterpret_cast<int *>(out) + threadIdx.x, bins[threadIdx.x]);
}
LANES_KERNEL(counter_of_all) { atomicAdd(reinterpret_cast<int *>(out), index[self()] & 1); }
__device__ __noinline__ float pick(const float *of, int i) { return of[i & 7]; }
LANES_KERNEL(local_by_pointer) {
  float values[8];
  for (int i = 0; i < 8; ++i)
    values[i] = in[8 * self() + i];
  out[self()] = pick(values, index[self()]) + pick(in, index[self()] >> 3);
}
LANES_KERNEL(local_indexed) {
  float values[8];
  for (int i = 0; i < 8; ++i)
    values[i] = in[8 * self() + i];
  out[self()] = values[index[self()] & 7];
}
LANES_KERNEL(pointers_in_memory) {
  const float *const *rows = reinterpret_cast<const float *const *>(index + N * N);
  out[self()] = rows[blockIdx.x & 3][threadIdx.x];
}
LANES_KERNEL(odd_block) { out[self()] = in[blockIdx.x] + in[self()]; }
LANES_KERNEL(binary_search) {
  int low = 0, high = n;
  const int wanted = index[self()];
  while (low < high) {
    const int middle = (low + high) / 2;
    if (in[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  out[self()] = low;
}
LANES_KERNEL(rows_of_lengths) {
  float sum = 0;
  const int length = index[self()] & 31;
  for (int k = 0; k < length; ++k)
    sum += in[k] + in[self() + k * n];
  out[self()] = sum;
}
LANES_KERNEL(bytes_of_lanes) {
  reinterpret_cast<char *>(out)[self()] = reinterpret_cast<const char *>(in)[self()];
}

namespace {

struct Row {
  const char *Name;
  void (*Kernel)(float *, const float *, const int *, int);
  dim3 Grid, Block;
  int Elements;
};
#define ROW(name, grid, block, elements)                                                                     \
  { #name, name, dim3 grid, dim3 block, elements }
const Row Rows[] = {
    ROW(saxpy_guarded, (4), (256), 1000),
    ROW(grid_stride, (4), (256), 5000),
    ROW(gemm_naive, (4, 4), (16, 16), 50),
    ROW(gemm_tiled, (4, 4), (16, 16), 64),
    ROW(transpose_padded, (4, 4), (32, 8), N),
    ROW(transpose_conflicts, (1), (32, 32), N),
    ROW(row_a_thread, (4), (128), N),
    ROW(vector_read_by_all, (16), (256), N),
    ROW(gather, (64), (256), N),
    ROW(scatter, (64), (256), N),
    ROW(scatter_atomic, (64), (256), N),
    ROW(stencil, (8), (256), 2000),
    ROW(stencil_2d, (4, 16), (16, 4), 60),
    ROW(bias_of_column, (4, 16), (16, 16), N),
    ROW(bias_of_row, (4, 16), (16, 16), N),
    ROW(scores, (8, 16), (8, 8), N),
    ROW(part_of_warp, (16), (256), N),
    ROW(one_lane_stores, (16), (256), N),
    ROW(half_warps, (16), (256), N),
    ROW(eight_lanes_a_row, (16), (256), N),
    ROW(quads_share_float2, (16), (256), N),
    ROW(shared_broadcast, (16), (256), N),
    ROW(shared_of_warp, (16), (256), N),
    ROW(shared_stride_2, (16), (256), N),
    ROW(shared_histogram, (16), (256), N),
    ROW(counter_of_all, (16), (256), N),
    ROW(local_by_pointer, (16), (256), N),
    ROW(local_indexed, (16), (256), N),
    ROW(pointers_in_memory, (16), (256), N),
    ROW(odd_block, (16), (50), N),
    ROW(binary_search, (16), (256), N),
    ROW(rows_of_lengths, (16), (256), N),
    ROW(bytes_of_lanes, (16), (256), N),
};

bool chosen(const char *name, int count, char **names) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(names[i], name))
      return true;
  return count == 0;
}

bool failed(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error != cudaSuccess;
}

} // namespace

int main(int argc, char **argv) {
  // Rows of matrices, and behind the indices four addresses of rows.
  const size_t elements = 3 * size_t(N) * N;
  std::vector<float> input(elements);
  std::vector<int> indices(size_t(N) * N + 8);
  for (size_t i = 0; i < elements; ++i)
    input[i] = static_cast<float>(i % 1021);
  for (size_t i = 0; i < size_t(N) * N; ++i)
    indices[i] = static_cast<int>((i * 7919 / 3) % 509);
  float *in = nullptr, *out = nullptr;
  int *index = nullptr;
  if (failed(cudaMalloc(&in, elements * sizeof(float)), "cudaMalloc") ||
      failed(cudaMalloc(&out, elements * sizeof(float)), "cudaMalloc") ||
      failed(cudaMalloc(&index, indices.size() * sizeof(int)), "cudaMalloc"))
    return 1;
  for (int row = 0; row < 4; ++row) {
    float *at = in + row * N;
    memcpy(&indices[size_t(N) * N + 2 * row], &at, sizeof at);
  }
  if (failed(cudaMemcpy(in, input.data(), elements * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy") ||
      failed(cudaMemcpy(index, indices.data(), indices.size() * sizeof(int), cudaMemcpyHostToDevice),
             "cudaMemcpy") ||
      failed(cudaMemset(out, 0, elements * sizeof(float)), "cudaMemset"))
    return 1;
  for (const Row &row : Rows)
    if (chosen(row.Name, argc - 1, argv + 1)) {
      row.Kernel<<<row.Grid, row.Block>>>(out, in, index, row.Elements);
      if (failed(cudaGetLastError(), row.Name) || failed(cudaDeviceSynchronize(), row.Name))
        return 1;
    }
  return 0;
}
