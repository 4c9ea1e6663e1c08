/* The kernels of the benchmark, in CUDA: those of kernels/, and the usual ones of every course. */
#include "bench.h"

#include "attention/attention_naive.cuh"
#include "attention/attention_tiled.cuh"
#include "snn/lif.cuh"
#include "snn/stbif.cuh"

#include <cuda_runtime.h>

__global__ void vector_add(const float *a, const float *b, float *c, int count) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < count)
    c[i] = a[i] + b[i];
}

/* The sum of each block's elements, by halves, in shared memory. */
__global__ void reduce_shared(const float *in, float *out, int count) {
  __shared__ float part[Block];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < count ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width)
      part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

/* The same by shuffles: each warp, then the first warp over the warps' sums. */
__global__ void reduce_shuffle(const float *in, float *out, int count) {
  __shared__ float part[Block / 32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < count ? in[i] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < Block / 32 ? part[threadIdx.x] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0)
      out[blockIdx.x] = sum;
  }
}

/* Inclusive sums within each block, by doubling distances (Hillis and Steele). */
__global__ void scan_shared(const float *in, float *out, int count) {
  __shared__ float part[2][Block];
  int i = blockIdx.x * blockDim.x + threadIdx.x, from = 0;
  part[0][threadIdx.x] = i < count ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    float sum = part[from][threadIdx.x];
    if (threadIdx.x >= distance)
      sum += part[from][threadIdx.x - distance];
    part[1 - from][threadIdx.x] = sum;
    from = 1 - from;
    __syncthreads();
  }
  if (i < count)
    out[i] = part[from][threadIdx.x];
}

/* c = a·b of square matrices whose edge is a multiple of Tile. */
__global__ void matrix_tiled(const float *a, const float *b, float *c, int edge) {
  __shared__ float of_a[Tile][Tile], of_b[Tile][Tile];
  int column = blockIdx.x * Tile + threadIdx.x, row = blockIdx.y * Tile + threadIdx.y;
  float sum = 0.0f;
  for (int first = 0; first < edge; first += Tile) {
    of_a[threadIdx.y][threadIdx.x] = a[row * edge + first + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * edge + column];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum = fmaf(of_a[threadIdx.y][k], of_b[k][threadIdx.x], sum);
    __syncthreads();
  }
  c[row * edge + column] = sum;
}

/* y = a·x, a warp for each row. */
__global__ void matrix_vector(const float *a, const float *x, float *y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int column = lane; column < columns; column += 32)
    sum = fmaf(a[(size_t)row * columns + column], x[column], sum);
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    y[row] = sum;
}

static unsigned blocks(size_t threads) { return (unsigned)((threads + Block - 1) / Block); }

void run_device(Kernel kernel, Size size, const Memory &m) {
  const int count = (int)size.a;
  const dim3 square(32, 8), rows((count + 31) / 32, (count + 7) / 8, size.b);
  switch (kernel) {
  case VectorAdd:
    vector_add<<<blocks(size.a), Block>>>(m.in[0], m.in[1], m.out[0], count);
    break;
  case LifStep:
    lif_step<<<blocks(size.a), Block>>>(m.in[0], m.out[0], m.out[1], size.a, {0.9375f, 1.0f, 0.0f});
    break;
  case StbifForward:
    stbif_forward<<<blocks(size.a), Block>>>(m.in[0], m.out[0], m.out[1], m.out[2], m.out[3], size.a, size.b,
                                             0.5625f, 0.0f, {0.75f, -4.0f, 3.0f, 0.0625f});
    break;
  case StbifBackward:
    stbif_backward<<<blocks(size.a), Block>>>(m.in[0], m.in[1], m.in[2], m.out[0], m.out[1], size.a, size.b, 0.0f,
                                              {0.75f, -4.0f, 3.0f, 0.0625f}, {1.5f, -2.0f}, {1.5f, -2.0f});
    break;
  case AttentionScores:
    attention_scores<<<rows, square>>>(m.in[0], m.in[1], m.out[0], count, Row, 0.125f);
    break;
  case AttentionValues:
    attention_values<<<dim3(Row / 32, rows.y, rows.z), square>>>(m.in[2], m.in[1], m.out[0], count, Row);
    break;
  case AttentionSoftmax:
    attention_softmax<<<count * size.b, Block>>>(m.out[0], count);
    break;
  case AttentionTiled:
    attention_tiled<Row><<<dim3((count + kTiledRows - 1) / kTiledRows, size.b), kTiledRows>>>(
        m.in[0], m.in[1], m.in[2], m.out[0], count, 0.125f, 0);
    break;
  case ReduceShared:
    reduce_shared<<<blocks(size.a), Block>>>(m.in[0], m.out[0], count);
    break;
  case ReduceShuffle:
    reduce_shuffle<<<blocks(size.a), Block>>>(m.in[0], m.out[0], count);
    break;
  case ScanShared:
    scan_shared<<<blocks(size.a), Block>>>(m.in[0], m.out[0], count);
    break;
  case MatrixVector:
    matrix_vector<<<blocks(32 * size.a), Block>>>(m.in[0], m.in[1], m.out[0], count, size.b);
    break;
  default:
    matrix_tiled<<<dim3(count / Tile, count / Tile), dim3(Tile, Tile)>>>(m.in[0], m.in[1], m.out[0], count);
  }
  cudaDeviceSynchronize();
}
