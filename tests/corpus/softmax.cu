// Softmaxes over rows: by a thread, a warp and a block, in passes and online, with masks, their logarithm,
// backward.
#include "corpus.h"

enum { ROWS = 37, COLUMNS = 200, WARP = 32, BLOCK = 128 };

__device__ float warp_max(float x) {
  for (int d = WARP / 2; d > 0; d /= 2)
    x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

__device__ float warp_sum(float x) {
  for (int d = WARP / 2; d > 0; d /= 2)
    x += __shfl_xor_sync(~0u, x, d);
  return x;
}

__global__ void softmax_naive(const float *in, float *out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const float *x = in + row * columns;
  float most = x[0], sum = 0;
  for (int j = 1; j < columns; j++)
    most = fmaxf(most, x[j]);
  for (int j = 0; j < columns; j++)
    sum += expf(x[j] - most);
  for (int j = 0; j < columns; j++)
    out[row * columns + j] = expf(x[j] - most) / sum;
}

__global__ void softmax_stored(const float *in, float *out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  in += row * columns;
  out += row * columns;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < columns; j++)
    most = in[j] > most ? in[j] : most;
  for (int j = 0; j < columns; j++) {
    float e = expf(in[j] - most);
    out[j] = e;
    sum += e;
  }
  float inverse = 1.0f / sum;
  for (int j = 0; j < columns; j++)
    out[j] *= inverse;
}

__global__ void softmax_online(const float *__restrict__ in, float *__restrict__ out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < columns; j++) {
    float x = in[row * columns + j];
    float now = fmaxf(most, x);
    sum = sum * __expf(most - now) + __expf(x - now);
    most = now;
  }
  for (int j = 0; j < columns; j++)
    out[row * columns + j] = __expf(in[row * columns + j] - most) / sum;
}

__global__ void softmax_warp(const float *__restrict__ in, float *__restrict__ out, int rows, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows)
    return;
  float own[8], most = -INFINITY, sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    int j = k * WARP + lane;
    own[k] = j < columns ? in[row * columns + j] : -INFINITY;
    most = fmaxf(most, own[k]);
  }
  most = warp_max(most);
#pragma unroll
  for (int k = 0; k < 8; k++) {
    own[k] = expf(own[k] - most);
    sum += own[k];
  }
  sum = warp_sum(sum);
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (k * WARP + lane < columns)
      out[row * columns + k * WARP + lane] = own[k] / sum;
}

__global__ void softmax_block(const float *in, float *out, int columns) {
  __shared__ float part[BLOCK];
  const float *x = in + blockIdx.x * columns;
  int t = threadIdx.x;
  float most = -INFINITY;
  for (int j = t; j < columns; j += BLOCK)
    most = fmaxf(most, x[j]);
  part[t] = most;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (t < s)
      part[t] = fmaxf(part[t], part[t + s]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int j = t; j < columns; j += BLOCK)
    sum += expf(x[j] - most);
  part[t] = sum;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (t < s)
      part[t] += part[t + s];
    __syncthreads();
  }
  sum = part[0];
  for (int j = t; j < columns; j += BLOCK)
    out[blockIdx.x * columns + j] = expf(x[j] - most) / sum;
}

/* Two levels: shuffles in warps, then the first warp over the warps' results. */
__device__ float block_all(float x, float *shared, bool largest) {
  int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  x = largest ? warp_max(x) : warp_sum(x);
  if (lane == 0)
    shared[warp] = x;
  __syncthreads();
  x = lane < BLOCK / WARP ? shared[lane] : (largest ? -INFINITY : 0);
  x = largest ? warp_max(x) : warp_sum(x);
  __syncthreads();
  return x;
}

__global__ void softmax_scale_mask(const float *in, const unsigned char *mask, float *out, int columns,
                                   float scale) {
  extern __shared__ float row[];
  __shared__ float part[WARP];
  float most = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j < columns; j += blockDim.x) {
    int at = blockIdx.x * columns + j;
    float x = mask[at] ? in[at] * scale : -10000.0f;
    row[j] = x;
    most = fmaxf(most, x);
  }
  most = block_all(most, part, true);
  for (int j = threadIdx.x; j < columns; j += blockDim.x) {
    float e = __expf(row[j] - most);
    row[j] = e;
    sum += e;
  }
  sum = block_all(sum, part, false);
  float inverse = __fdividef(1.0f, sum);
  for (int j = threadIdx.x; j < columns; j += blockDim.x)
    out[blockIdx.x * columns + j] = row[j] * inverse;
}

__global__ void softmax_causal(const float *in, float *out, int columns) {
  int row = blockIdx.x, seen = row % columns + 1;
  float most = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j < seen; j += WARP)
    most = fmaxf(most, in[row * columns + j]);
  most = warp_max(most);
  for (int j = threadIdx.x; j < seen; j += WARP)
    sum += exp2f((in[row * columns + j] - most) * 1.44269504f);
  sum = warp_sum(sum);
  for (int j = threadIdx.x; j < columns; j += WARP)
    out[row * columns + j] = j < seen ? exp2f((in[row * columns + j] - most) * 1.44269504f) / sum : 0;
}

__global__ void log_softmax(const float *in, float *out, int columns) {
  __shared__ float part[WARP];
  float most = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j < columns; j += BLOCK)
    most = fmaxf(most, in[blockIdx.x * columns + j]);
  most = block_all(most, part, true);
  for (int j = threadIdx.x; j < columns; j += BLOCK)
    sum += expf(in[blockIdx.x * columns + j] - most);
  float log_sum = logf(block_all(sum, part, false)) + most;
  for (int j = threadIdx.x; j < columns; j += BLOCK)
    out[blockIdx.x * columns + j] = in[blockIdx.x * columns + j] - log_sum;
}

__global__ void softmax_backward(const float *y, const float *gradient, float *out, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
  if (row >= rows)
    return;
  float sum = 0;
  for (int j = lane; j < columns; j += WARP)
    sum += y[row * columns + j] * gradient[row * columns + j];
  sum = warp_sum(sum);
  for (int j = lane; j < columns; j += WARP)
    out[row * columns + j] = (gradient[row * columns + j] - sum) * y[row * columns + j];
}

__global__ void log_softmax_backward(const float *log_y, const float *gradient, float *out, int columns) {
  int row = blockIdx.x, lane = threadIdx.x;
  float sum = 0;
  for (int j = lane; j < columns; j += WARP)
    sum += gradient[row * columns + j];
  sum = warp_sum(sum);
  for (int j = lane; j < columns; j += WARP)
    out[row * columns + j] = gradient[row * columns + j] - expf(log_y[row * columns + j]) * sum;
}

__global__ void softmax_float4(const float4 *in, float4 *out, int quarters) {
  float4 own[2];
  float most = -INFINITY, sum = 0;
  for (int k = 0; k < 2; k++) {
    int j = k * WARP + threadIdx.x;
    own[k] = j < quarters ? in[blockIdx.x * quarters + j] : make_float4(-1e30f, -1e30f, -1e30f, -1e30f);
    most = fmaxf(most, fmaxf(fmaxf(own[k].x, own[k].y), fmaxf(own[k].z, own[k].w)));
  }
  most = warp_max(most);
  for (int k = 0; k < 2; k++) {
    own[k].x = __expf(own[k].x - most);
    own[k].y = __expf(own[k].y - most);
    own[k].z = __expf(own[k].z - most);
    own[k].w = __expf(own[k].w - most);
    sum += (own[k].x + own[k].y) + (own[k].z + own[k].w);
  }
  float inverse = __frcp_rn(warp_sum(sum));
  for (int k = 0; k < 2; k++) {
    int j = k * WARP + threadIdx.x;
    if (j < quarters)
      out[blockIdx.x * quarters + j] =
          make_float4(own[k].x * inverse, own[k].y * inverse, own[k].z * inverse, own[k].w * inverse);
  }
}

int main() {
  Floats in(ROWS * COLUMNS, 4), gradient(ROWS * COLUMNS);
  Buffer<float> out(ROWS * COLUMNS), log_out(ROWS * COLUMNS), back(ROWS * COLUMNS);
  Buffer<unsigned char> mask(ROWS * COLUMNS, 1);
  for (size_t i = 0; i < mask.size(); i++)
    mask[i] = i % 3 != 0;
  mask.up();
  auto softmax = [&](float scale, auto sees) {
    std::vector<double> y(ROWS * COLUMNS);
    for (int r = 0; r < ROWS; r++) {
      double sum = 0;
      for (int j = 0; j < COLUMNS; j++)
        sum += y[r * COLUMNS + j] = sees(r, j) ? std::exp((double)in[r * COLUMNS + j] * scale) : 0;
      for (int j = 0; j < COLUMNS; j++)
        y[r * COLUMNS + j] /= sum;
    }
    return y;
  };
  auto all = softmax(1, [](int, int) { return true; });
  auto as = [](const std::vector<double> &y) { return [&](int i) { return y[i]; }; };

  softmax_naive<<<divided(ROWS, 32), 32>>>(in.device, out.device, ROWS, COLUMNS);
  check("softmax_naive", out, as(all));
  softmax_stored<<<divided(ROWS, 32), 32>>>(in.device, out.device, ROWS, COLUMNS);
  check("softmax_stored", out, as(all));
  softmax_online<<<divided(ROWS, 32), 32>>>(in.device, out.device, ROWS, COLUMNS);
  check("softmax_online", out, as(all));
  softmax_warp<<<divided(ROWS, 4), dim3(32, 4)>>>(in.device, out.device, ROWS, COLUMNS);
  check("softmax_warp", out, as(all));
  softmax_block<<<ROWS, BLOCK>>>(in.device, out.device, COLUMNS);
  check("softmax_block", out, as(all));
  softmax_float4<<<ROWS, 32>>>((const float4 *)in.device, (float4 *)out.device, COLUMNS / 4);
  check("softmax_float4", out, as(all));

  softmax_scale_mask<<<ROWS, BLOCK, COLUMNS * sizeof(float)>>>(in.device, mask.device, out.device, COLUMNS,
                                                               0.5f);
  auto masked = softmax(0.5f, [&](int r, int j) { return mask[r * COLUMNS + j]; });
  check("softmax_scale_mask", out, as(masked));
  softmax_causal<<<ROWS, 32>>>(in.device, out.device, COLUMNS);
  auto causal = softmax(1, [](int r, int j) { return j <= r; });
  check("softmax_causal", out, as(causal));

  log_softmax<<<ROWS, BLOCK>>>(in.device, log_out.device, COLUMNS);
  check("log_softmax", log_out, [&](int i) { return std::log(all[i]); });
  std::vector<double> inner(ROWS), plain(ROWS);
  for (int i = 0; i < ROWS * COLUMNS; i++) {
    inner[i / COLUMNS] += all[i] * gradient[i];
    plain[i / COLUMNS] += gradient[i];
  }
  log_softmax_backward<<<ROWS, 32>>>(log_out.device, gradient.device, back.device, COLUMNS);
  check("log_softmax_backward", back, [&](int i) { return gradient[i] - all[i] * plain[i / COLUMNS]; });
  softmax_block<<<ROWS, BLOCK>>>(in.device, out.device, COLUMNS);
  softmax_backward<<<divided(ROWS, 4), 128>>>(out.device, gradient.device, back.device, ROWS, COLUMNS);
  check("softmax_backward", back, [&](int i) { return (gradient[i] - inner[i / COLUMNS]) * all[i]; });

  // An fma and two operations an element, five sums a lane.
  const long long elements = ROWS * COLUMNS;
  counts("softmax_backward", {{"flops.fp32", elements * 4 + ROWS * 32 * 5},
                              {"bytes.global.load", elements * 16},
                              {"bytes.global.store", elements * 4}});
  return finish();
}
