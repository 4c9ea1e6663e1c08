/* Batch normalisation of spiking layers: statistics over time steps and samples, applied as an affine map or
 * folded into the weights before it.
 *
 *   statistics   of channel c over all n = rows·inner values:  mean = Σx/n,  variance = Σ(x − mean)²/n
 *                running ← running + momentum·(new − running), with the variance of n − 1 (as PyTorch)
 *   affine       scale = gain·γ/√(variance + ε),  shift = β − mean·scale
 *                gain is 1, or α·θ for threshold-dependent normalisation (tdBN: Zheng et al., AAAI 2021)
 *   apply        y = x·scale + shift
 *   fold         W′ = W·scale,  b′ = b·scale + shift: of a linear layer or convolution with outputs c
 *
 * Training: partials, statistics, affine, apply. Inference: affine from the running statistics, then apply or
 * fold.
 *
 * Shapes: x, y [rows][stride] elements, of which the first columns = channels·inner of each row are used;
 * rows = T·batch, inner = height·width (1 behind a linear layer). A column belongs to channel column/inner.
 * γ, β, mean, variance, scale, shift, bias [channels] floats; weight [channels][inputs] floats. Rows are
 * divided into slices: partials are [slices][stride]. Numerics: a slice's sums are taken about its first
 * value, and slices are merged about the mean, so that a large mean costs no digits. Sums are fp32 in a fixed
 * order: results do not depend on the launch.
 *
 * Closed form: R rows, C columns, K channels, I inner, S slices, B threads a block, elements of E bytes:
 *   partials     add 2·(R−S)·C + S·C, fma (R−S)·C + S·C, div S·C;   global load E·R·C, store 8·S·C
 *   statistics   Q = S·C entries:  fma 2·Q, add 2·Q, mul Q, and a channel: add 2·(B−1) (two sums of a block),
 *                add 2, fma 2, div B + 2 (the mean, in each thread);   global load 12·Q + 8·K, store 16·K;
 *                shared load 2·K·(8·(B−1) + 4·B), store 2·K·(4·(B−1) + 4·B)
 *   affine       add K, mul K, sqrt K, div K, fma K;   global load 16·K, store 8·K
 *   apply        fma R·C;   global load E·R·C + 8·S·C, store E·R·C
 *   fold         mul K·inputs, fma K;   global load 8·K·inputs + 8·K, store 4·K·inputs + 4·K
 */
#ifndef GPUPROF_KERNELS_SNN_BATCH_NORM_CUH
#define GPUPROF_KERNELS_SNN_BATCH_NORM_CUH

#include "neurons.cuh"

struct BatchNormShape {
  size_t rows, stride, channels, inner;
  size_t slice_rows; /* of each slice but the last, possibly shorter one */

  __host__ __device__ size_t columns() const { return channels * inner; }
  __host__ __device__ size_t slices() const { return (rows + slice_rows - 1) / slice_rows; }
  /* The rows of one slice, from `first` on. */
  __host__ __device__ size_t rows_from(size_t first) const {
    return rows - first < slice_rows ? rows - first : slice_rows;
  }
};

/* As many slices as it takes to fill a large GPU, of at least eight rows where there are as many. */
inline BatchNormShape batch_norm_shape(size_t rows, size_t stride, size_t channels, size_t inner) {
  const size_t wanted = ceil_div((size_t)1 << 21, channels * inner), most = ceil_div(rows, 8);
  const size_t slices = wanted < most ? wanted : most;
  const BatchNormShape shape = {rows, stride, channels, inner, ceil_div(rows, slices)};
  return shape;
}

/* gridDim.y is the number of slices. `mean` and `spread` [slices][stride] take each slice's mean and Σ(x −
 * mean)². */
#pragma gpuprof region("batch_norm.partials") phase(forward) category(snn)
template <SnnLayout Layout, typename Element>
__global__ void batch_norm_partials(const Element *__restrict__ x, float *__restrict__ mean,
                                    float *__restrict__ spread, BatchNormShape shape) {
  snn_for_neurons<Element, Layout>(shape.columns(), [=](auto own) {
    const size_t first = blockIdx.y * shape.slice_rows, count = shape.rows_from(first);
    typename decltype(own)::Row row;
    float pivot[own.kLanes], value[own.kLanes], sum[own.kLanes], squares[own.kLanes];
    own.load(row, x + first * shape.stride);
    own.read(row, pivot);
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k)
      sum[k] = squares[k] = 0.0f;
    for (size_t r = 1; r < count; ++r) {
      own.load(row, x + (first + r) * shape.stride);
      own.read(row, value);
#pragma unroll
      for (int k = 0; k < own.kLanes; ++k) {
        const float above = value[k] - pivot[k];
        sum[k] = sum[k] + above;
        squares[k] = fmaf(above, above, squares[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k) {
      const float above = sum[k] / (float)count;
      value[k] = pivot[k] + above;
      squares[k] = fmaf(-sum[k], above, squares[k]);
    }
    own.store_state(mean + blockIdx.y * shape.stride, value);
    own.store_state(spread + blockIdx.y * shape.stride, squares);
  });
}

/* The sum over the block's threads, a power of two of them, in the same order whenever it runs. */
__device__ __forceinline__ float batch_norm_block_sum(float value, float *shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] = shared[threadIdx.x] + shared[threadIdx.x + half];
    __syncthreads();
  }
  const float sum = shared[0];
  __syncthreads();
  return sum;
}

enum { kBatchNormBlock = 256 };

/* A block a channel. */
#pragma gpuprof region("batch_norm.statistics") phase(forward) category(snn)
__global__ void __launch_bounds__(kBatchNormBlock)
    batch_norm_statistics(const float *__restrict__ slice_mean, const float *__restrict__ slice_spread,
                          float *__restrict__ mean, float *__restrict__ variance,
                          float *__restrict__ running_mean, float *__restrict__ running_variance,
                          BatchNormShape shape, float momentum) {
  __shared__ float shared[kBatchNormBlock];
  const size_t column = blockIdx.x * shape.inner, entries = shape.slices() * shape.inner;
  const float count = (float)(shape.rows * shape.inner);
  float sum = 0.0f;
  for (size_t e = threadIdx.x; e < entries; e += blockDim.x) {
    const size_t slice = e / shape.inner, at = slice * shape.stride + column + e % shape.inner;
    sum = fmaf((float)shape.rows_from(slice * shape.slice_rows), slice_mean[at], sum);
  }
  const float channel_mean = batch_norm_block_sum(sum, shared) / count;
  float spread = 0.0f;
  for (size_t e = threadIdx.x; e < entries; e += blockDim.x) {
    const size_t slice = e / shape.inner, at = slice * shape.stride + column + e % shape.inner;
    const float apart = slice_mean[at] - channel_mean;
    const float weighted = (float)shape.rows_from(slice * shape.slice_rows) * apart;
    spread = fmaf(weighted, apart, spread) + slice_spread[at];
  }
  spread = batch_norm_block_sum(spread, shared);
  if (threadIdx.x > 0)
    return;
  const float unbiased = spread / (float)(shape.rows * shape.inner - 1), biased = spread / count;
  const float old_mean = running_mean[blockIdx.x], old_variance = running_variance[blockIdx.x];
  mean[blockIdx.x] = channel_mean;
  variance[blockIdx.x] = biased;
  running_mean[blockIdx.x] = fmaf(momentum, channel_mean - old_mean, old_mean);
  running_variance[blockIdx.x] = fmaf(momentum, unbiased - old_variance, old_variance);
}

/* A thread a channel. */
#pragma gpuprof region("batch_norm.affine") phase(forward) category(snn)
__global__ void batch_norm_affine(const float *__restrict__ gamma, const float *__restrict__ beta,
                                  const float *__restrict__ mean, const float *__restrict__ variance,
                                  float *__restrict__ scale, float *__restrict__ shift, size_t channels,
                                  float gain, float epsilon) {
  const size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels)
    return;
  const float s = gamma[c] * gain / sqrtf(variance[c] + epsilon);
  scale[c] = s;
  shift[c] = fmaf(-mean[c], s, beta[c]);
}

/* gridDim.y is the number of slices. */
#pragma gpuprof region("batch_norm.apply") phase(forward) category(snn)
template <SnnLayout Layout, typename Element>
__global__ void batch_norm_apply(const Element *__restrict__ x, const float *__restrict__ scale,
                                 const float *__restrict__ shift, Element *__restrict__ y,
                                 BatchNormShape shape) {
  snn_for_neurons<Element, Layout>(shape.columns(), [=](auto own) {
    const size_t first = blockIdx.y * shape.slice_rows, count = shape.rows_from(first);
    typename decltype(own)::Row row, next;
    float s[own.kLanes], b[own.kLanes], value[own.kLanes];
    own.load(row, x + first * shape.stride);
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k) {
      const size_t channel = own.at(k) / shape.inner;
      s[k] = scale[channel], b[k] = shift[channel];
    }
    for (size_t r = 0; r < count; ++r) {
      const size_t at = (first + r) * shape.stride;
      if (r + 1 < count)
        own.load(next, x + at + shape.stride); // in flight while this row is computed
      own.read(row, value);
#pragma unroll
      for (int k = 0; k < own.kLanes; ++k)
        value[k] = fmaf(value[k], s[k], b[k]);
      own.store(y + at, value);
      row = next;
    }
  });
}

/* In place; gridDim.y is the number of channels, a thread takes a weight. */
#pragma gpuprof region("batch_norm.fold") phase(forward) category(snn)
__global__ void batch_norm_fold(float *__restrict__ weight, float *__restrict__ bias,
                                const float *__restrict__ scale, const float *__restrict__ shift,
                                size_t inputs) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y;
  if (i >= inputs)
    return;
  const float s = scale[channel];
  weight[channel * inputs + i] = weight[channel * inputs + i] * s;
  if (i == 0)
    bias[channel] = fmaf(bias[channel], s, shift[channel]);
}

/* ---- Cost ---- */

inline uint64_t batch_norm_grid_blocks(SnnLayout layout, const BatchNormShape &shape, uint64_t element_bytes,
                                       uint64_t block) {
  return snn_blocks(shape.columns(), layout, element_bytes, block);
}

inline ClosedForm batch_norm_partials_cost(SnnLayout layout, const BatchNormShape &shape,
                                           uint64_t element_bytes, uint64_t block) {
  ClosedForm cost = {};
  const uint64_t columns = shape.columns(), slices = shape.slices(), inside = (shape.rows - slices) * columns;
  cost.launches = 1;
  cost.threads = batch_norm_grid_blocks(layout, shape, element_bytes, block) * block * slices;
  cost.add = 2 * inside + slices * columns;
  cost.fma = inside + slices * columns;
  cost.div = slices * columns;
  cost.global_load = element_bytes * shape.rows * columns;
  cost.global_store = 8 * slices * columns;
  cost.unique = row_sector_bytes(columns, shape.stride, shape.rows, element_bytes) +
                2 * row_sector_bytes(columns, shape.stride, slices, 4);
  return cost;
}

inline ClosedForm batch_norm_statistics_cost(const BatchNormShape &shape) {
  ClosedForm cost = {};
  const uint64_t channels = shape.channels, block = kBatchNormBlock,
                 entries = shape.slices() * shape.columns();
  cost.launches = 1;
  cost.threads = channels * block;
  cost.add = 2 * entries + channels * (2 * (block - 1) + 2);
  cost.mul = entries;
  cost.fma = 2 * entries + 2 * channels;
  cost.div = channels * (block + 2); // each thread has the mean
  cost.global_load = 12 * entries + 8 * channels;
  cost.global_store = 16 * channels;
  cost.shared_load = 2 * channels * (8 * (block - 1) + 4 * block);
  cost.shared_store = 2 * channels * (4 * (block - 1) + 4 * block);
  cost.unique =
      2 * row_sector_bytes(shape.columns(), shape.stride, shape.slices(), 4) + 4 * sector_bytes(channels);
  return cost;
}

inline ClosedForm batch_norm_affine_cost(uint64_t channels, uint64_t block) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = ceil_div(channels, block) * block;
  cost.add = cost.mul = cost.sqrt = cost.div = cost.fma = channels;
  cost.global_load = 16 * channels;
  cost.global_store = 8 * channels;
  cost.unique = 6 * sector_bytes(channels);
  return cost;
}

inline ClosedForm batch_norm_apply_cost(SnnLayout layout, const BatchNormShape &shape, uint64_t element_bytes,
                                        uint64_t block) {
  ClosedForm cost = {};
  const uint64_t values = shape.rows * shape.columns();
  cost.launches = 1;
  cost.threads = batch_norm_grid_blocks(layout, shape, element_bytes, block) * block * shape.slices();
  cost.fma = values;
  cost.global_load = element_bytes * values + 8 * shape.slices() * shape.columns();
  cost.global_store = element_bytes * values;
  cost.unique = 2 * row_sector_bytes(shape.columns(), shape.stride, shape.rows, element_bytes) +
                2 * sector_bytes(shape.channels);
  return cost;
}

inline ClosedForm batch_norm_fold_cost(uint64_t channels, uint64_t inputs, uint64_t block) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = ceil_div(inputs, block) * block * channels;
  cost.mul = channels * inputs;
  cost.fma = channels;
  cost.global_load = 8 * channels * inputs + 8 * channels;
  cost.global_store = 4 * channels * inputs + 4 * channels;
  cost.unique = sector_bytes(channels * inputs) + 3 * sector_bytes(channels);
  return cost;
}

#endif
