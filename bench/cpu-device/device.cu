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

/* Inclusive sums within each warp. */
__device__ float scan_of_warp(float sum) {
  const int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    float other = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance)
      sum += other;
  }
  return sum;
}

__global__ void scan_warp(const float *in, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = scan_of_warp(i < count ? in[i] : 0.0f);
  if (i < count)
    out[i] = sum;
}

/* Inclusive sums within each block: of the warps, then of their sums. */
__global__ void scan_block(const float *in, float *out, int count) {
  __shared__ float part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = scan_of_warp(i < count ? in[i] : 0.0f);
  if (lane == 31)
    part[warp] = sum;
  __syncthreads();
  if (warp == 0)
    part[lane] = scan_of_warp(lane < blockDim.x / 32 ? part[lane] : 0.0f);
  __syncthreads();
  if (warp > 0)
    sum += part[warp - 1];
  if (i < count)
    out[i] = sum;
}

/* Rows less their mean, over their deviation, a warp for each row. */
__global__ void normalize_rows(const float *in, float *out, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  in += (size_t)row * columns;
  out += (size_t)row * columns;
  float sum = 0.0f, squares = 0.0f;
  for (int column = lane; column < columns; column += 32) {
    sum += in[column];
    squares = fmaf(in[column], in[column], squares);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    squares += __shfl_xor_sync(0xffffffffu, squares, distance);
  }
  const float mean = sum / columns, scale = 1.0f / sqrtf(squares / columns - mean * mean + 1e-5f);
  for (int column = lane; column < columns; column += 32)
    out[column] = (in[column] - mean) * scale;
}

/* Sums of 2·Radius + 1 neighbours, from a tile with its halo in shared memory. */
__global__ void stencil_line(const float *in, float *out, int count) {
  __shared__ float tile[Block + 2 * Radius];
  int i = blockIdx.x * blockDim.x + threadIdx.x, own = threadIdx.x + Radius;
  tile[own] = i < count ? in[i] : 0.0f;
  if (threadIdx.x < Radius) {
    tile[own - Radius] = i >= Radius ? in[i - Radius] : 0.0f;
    tile[own + Block] = i + Block < count ? in[i + Block] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int k = -Radius; k <= Radius; ++k)
    sum += tile[own + k];
  if (i < count)
    out[i] = sum;
}

/* A step of heat in a plane; its edge stays. */
__global__ void stencil_plane(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * width + x;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[i] = in[i] + 0.2f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4.0f * in[i]);
}

/* The same from a tile with its halo in shared memory. */
__global__ void stencil_tiled(const float *in, float *out, int width, int height) {
  __shared__ float tile[Tile + 2][Tile + 2];
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y, i = y * width + x;
  int column = threadIdx.x + 1, row = threadIdx.y + 1;
  tile[row][column] = in[i];
  if (threadIdx.x == 0 && x > 0)
    tile[row][0] = in[i - 1];
  if (threadIdx.x == Tile - 1 && x < width - 1)
    tile[row][Tile + 1] = in[i + 1];
  if (threadIdx.y == 0 && y > 0)
    tile[0][column] = in[i - width];
  if (threadIdx.y == Tile - 1 && y < height - 1)
    tile[Tile + 1][column] = in[i + width];
  __syncthreads();
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[i] = tile[row][column] + 0.2f * (tile[row][column - 1] + tile[row][column + 1] + tile[row - 1][column] +
                                         tile[row + 1][column] - 4.0f * tile[row][column]);
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
  case ScanWarp:
    scan_warp<<<blocks(size.a), Block>>>(m.in[0], m.out[0], count);
    break;
  case ScanBlock:
    scan_block<<<blocks(size.a), Block>>>(m.in[0], m.out[0], count);
    break;
  case NormalizeRows:
    normalize_rows<<<blocks(32 * size.a), Block>>>(m.in[0], m.out[0], count, size.b);
    break;
  case StencilLine:
    stencil_line<<<blocks(size.a), Block>>>(m.in[0], m.out[0], count);
    break;
  case StencilPlane:
    stencil_plane<<<dim3(count / 32, size.b / 8), square>>>(m.in[0], m.out[0], count, size.b);
    break;
  case StencilTiled:
    stencil_tiled<<<dim3(count / Tile, size.b / Tile), dim3(Tile, Tile)>>>(m.in[0], m.out[0], count, size.b);
    break;
  case MatrixVector:
    matrix_vector<<<blocks(32 * size.a), Block>>>(m.in[0], m.in[1], m.out[0], count, size.b);
    break;
  default:
    matrix_tiled<<<dim3(count / Tile, count / Tile), dim3(Tile, Tile)>>>(m.in[0], m.in[1], m.out[0], count);
  }
  cudaDeviceSynchronize();
}
