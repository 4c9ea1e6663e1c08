// Normalisations, forward and backward: layer, RMS, group, batch, and batch normalisation folded into a
// product.
#include "corpus.h"
#include <cuda_fp16.h>

enum { ROWS = 29, WIDTH = 192, WARP = 32, BLOCK = 96, GROUPS = 4, CHANNELS = 12, PLACES = 35 };
static constexpr float EPSILON = 1e-5f;

__device__ float warp_sum(float x) {
#pragma unroll
  for (int d = WARP / 2; d > 0; d /= 2)
    x += __shfl_down_sync(~0u, x, d);
  return __shfl_sync(~0u, x, 0);
}

__device__ float block_sum(float x) {
  __shared__ float part[WARP];
  x = warp_sum(x);
  if (threadIdx.x % WARP == 0)
    part[threadIdx.x / WARP] = x;
  __syncthreads();
  float sum = 0;
  for (int w = 0; w < BLOCK / WARP; w++)
    sum += part[w];
  __syncthreads();
  return sum;
}

__global__ void layer_norm_block(const float *in, const float *gamma, const float *beta, float *out,
                                 int width) {
  const float *x = in + blockIdx.x * width;
  float sum = 0, squares = 0;
  for (int j = threadIdx.x; j < width; j += BLOCK) {
    sum += x[j];
    squares += x[j] * x[j];
  }
  float mean = block_sum(sum) / width;
  float variance = block_sum(squares) / width - mean * mean;
  float scale = rsqrtf(variance + EPSILON);
  for (int j = threadIdx.x; j < width; j += BLOCK)
    out[blockIdx.x * width + j] = (x[j] - mean) * scale * gamma[j] + beta[j];
}

__global__ void layer_norm_warp(const float *in, const float *gamma, const float *beta, float *out,
                                float *mean_out, float *scale_out, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
  if (row >= rows)
    return;
  float own[WIDTH / WARP], sum = 0, squares = 0;
#pragma unroll
  for (int k = 0; k < WIDTH / WARP; k++)
    sum += own[k] = in[row * WIDTH + k * WARP + lane];
  float mean = warp_sum(sum) * (1.0f / WIDTH);
#pragma unroll
  for (int k = 0; k < WIDTH / WARP; k++)
    squares += (own[k] - mean) * (own[k] - mean);
  float scale = 1.0f / sqrtf(warp_sum(squares) * (1.0f / WIDTH) + EPSILON);
#pragma unroll
  for (int k = 0; k < WIDTH / WARP; k++) {
    int j = k * WARP + lane;
    out[row * WIDTH + j] = (own[k] - mean) * scale * gamma[j] + beta[j];
  }
  if (lane == 0) {
    mean_out[row] = mean;
    scale_out[row] = scale;
  }
}

/* One pass; threads' moments are joined by the rule of Chan. */
__global__ void layer_norm_welford(const float *in, float *out, int rows, int width) {
  int row = blockIdx.x, lane = threadIdx.x;
  float mean = 0, m2 = 0, n = 0;
  for (int j = lane; j < width; j += WARP) {
    float x = in[row * width + j];
    n += 1;
    float d = x - mean;
    mean += d / n;
    m2 += d * (x - mean);
  }
  for (int d = 1; d < WARP; d *= 2) {
    float other = __shfl_xor_sync(~0u, mean, d), other_m2 = __shfl_xor_sync(~0u, m2, d);
    float delta = other - mean;
    mean = (mean + other) * 0.5f;
    m2 += other_m2 + delta * delta * n * 0.5f;
    n *= 2;
  }
  float scale = rsqrtf(m2 / n + EPSILON);
  for (int j = lane; j < width; j += WARP)
    out[row * width + j] = (in[row * width + j] - mean) * scale;
}

__global__ void layer_norm_backward(const float *gradient, const float *in, const float *gamma,
                                    const float *means, const float *scales, float *out, int width) {
  int row = blockIdx.x;
  float mean = means[row], scale = scales[row], inner = 0, plain = 0;
  for (int j = threadIdx.x; j < width; j += BLOCK) {
    float g = gradient[row * width + j] * gamma[j];
    plain += g;
    inner += g * (in[row * width + j] - mean) * scale;
  }
  plain = block_sum(plain);
  inner = block_sum(inner);
  for (int j = threadIdx.x; j < width; j += BLOCK) {
    float x = (in[row * width + j] - mean) * scale, g = gradient[row * width + j] * gamma[j];
    out[row * width + j] = scale * (g - (plain + x * inner) / width);
  }
}

/* Gradients of the weights: a column a thread, a part of the rows a block. */
__global__ void layer_norm_backward_weights(const float *gradient, const float *in, const float *means,
                                            const float *scales, float *d_gamma, float *d_beta, int rows,
                                            int width) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= width)
    return;
  float gamma = 0, beta = 0;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    float g = gradient[row * width + j];
    gamma += g * (in[row * width + j] - means[row]) * scales[row];
    beta += g;
  }
  atomicAdd(&d_gamma[j], gamma);
  atomicAdd(&d_beta[j], beta);
}

__global__ void rms_norm(const float *__restrict__ in, const float *__restrict__ gamma,
                         float *__restrict__ out, int width) {
  float squares = 0;
  for (int j = threadIdx.x; j < width; j += BLOCK) {
    float x = in[blockIdx.x * width + j];
    squares += x * x;
  }
  float scale = rsqrtf(block_sum(squares) / width + EPSILON);
  for (int j = threadIdx.x; j < width; j += BLOCK)
    out[blockIdx.x * width + j] = in[blockIdx.x * width + j] * scale * gamma[j];
}

__global__ void rms_norm_residual(float4 *__restrict__ residual, const float4 *__restrict__ in,
                                  const float4 *__restrict__ gamma, float4 *__restrict__ out, int quarters) {
  float squares = 0;
  for (int j = threadIdx.x; j < quarters; j += WARP) {
    float4 x = in[blockIdx.x * quarters + j], r = residual[blockIdx.x * quarters + j];
    r = make_float4(x.x + r.x, x.y + r.y, x.z + r.z, x.w + r.w);
    residual[blockIdx.x * quarters + j] = r;
    squares += r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w;
  }
  float scale = rsqrtf(warp_sum(squares) / (4 * quarters) + EPSILON);
  for (int j = threadIdx.x; j < quarters; j += WARP) {
    float4 r = residual[blockIdx.x * quarters + j], g = gamma[j];
    out[blockIdx.x * quarters + j] =
        make_float4(r.x * scale * g.x, r.y * scale * g.y, r.z * scale * g.z, r.w * scale * g.w);
  }
}

__global__ void rms_norm_backward(const float *gradient, const float *in, const float *gamma, float *out,
                                  int width) {
  int row = blockIdx.x;
  float squares = 0, inner = 0;
  for (int j = threadIdx.x; j < width; j += WARP) {
    float x = in[row * width + j];
    squares += x * x;
    inner += gradient[row * width + j] * gamma[j] * x;
  }
  squares = warp_sum(squares);
  inner = warp_sum(inner);
  float scale = rsqrtf(squares / width + EPSILON), pull = inner * scale * scale * scale / width;
  for (int j = threadIdx.x; j < width; j += WARP)
    out[row * width + j] = gradient[row * width + j] * gamma[j] * scale - in[row * width + j] * pull;
}

__global__ void rms_norm_half2(const __half2 *in, const __half2 *gamma, __half2 *out, int pairs) {
  float squares = 0;
  for (int j = threadIdx.x; j < pairs; j += WARP) {
    float2 x = __half22float2(in[blockIdx.x * pairs + j]);
    squares += x.x * x.x + x.y * x.y;
  }
  float scale = rsqrtf(warp_sum(squares) / (2 * pairs) + EPSILON);
  for (int j = threadIdx.x; j < pairs; j += WARP) {
    float2 x = __half22float2(in[blockIdx.x * pairs + j]);
    out[blockIdx.x * pairs + j] = __hmul2(__floats2half2_rn(x.x * scale, x.y * scale), gamma[j]);
  }
}

/* A block a group: CHANNELS / GROUPS channels of PLACES numbers. */
__global__ void group_norm(const float *in, const float *gamma, const float *beta, float *out, int channels,
                           int places) {
  int size = channels / GROUPS * places, first = blockIdx.x * size;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < size; i += BLOCK) {
    float x = in[first + i];
    sum += x;
    squares = fmaf(x, x, squares);
  }
  sum = block_sum(sum);
  squares = block_sum(squares);
  float mean = sum / size, scale = rsqrtf(squares / size - mean * mean + EPSILON);
  for (int i = threadIdx.x; i < size; i += BLOCK) {
    int channel = (first + i) / places % channels;
    out[first + i] = (in[first + i] - mean) * scale * gamma[channel] + beta[channel];
  }
}

__global__ void batch_norm_statistics(const float *in, float *mean, float *variance, int batch, int channels,
                                      int places) {
  int channel = blockIdx.x;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < batch * places; i += BLOCK) {
    float x = in[(i / places * channels + channel) * places + i % places];
    sum += x;
    squares += x * x;
  }
  sum = block_sum(sum);
  squares = block_sum(squares);
  if (threadIdx.x == 0) {
    mean[channel] = sum / (batch * places);
    variance[channel] = squares / (batch * places) - mean[channel] * mean[channel];
  }
}

__global__ void batch_norm_apply(const float *in, const float *mean, const float *variance,
                                 const float *gamma, const float *beta, float *out, int n, int channels,
                                 int places) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int c = i / places % channels;
  out[i] = gamma[c] * (in[i] - mean[c]) / sqrtf(variance[c] + EPSILON) + beta[c];
}

__global__ void batch_norm_backward(const float *gradient, const float *in, const float *mean,
                                    const float *variance, const float *gamma, float *out, int batch,
                                    int channels, int places) {
  int c = blockIdx.x, n = batch * places;
  float m = mean[c], inverse = rsqrtf(variance[c] + EPSILON), plain = 0, inner = 0;
  for (int i = threadIdx.x; i < n; i += BLOCK) {
    int at = (i / places * channels + c) * places + i % places;
    plain += gradient[at];
    inner += gradient[at] * (in[at] - m);
  }
  plain = block_sum(plain) / n;
  inner = block_sum(inner) * inverse * inverse / n;
  for (int i = threadIdx.x; i < n; i += BLOCK) {
    int at = (i / places * channels + c) * places + i % places;
    out[at] = (gradient[at] - plain - (in[at] - m) * inner) * inverse * gamma[c];
  }
}

/* A 1 by 1 convolution with batch normalisation folded into its weights. */
__global__ void batch_norm_fold(float *weights, float *bias, const float *mean, const float *variance,
                                const float *gamma, const float *beta, int inputs) {
  int c = blockIdx.x, j = threadIdx.x;
  float scale = gamma[c] * rsqrtf(variance[c] + EPSILON);
  if (j < inputs)
    weights[c * inputs + j] *= scale;
  if (j == 0)
    bias[c] = beta[c] - mean[c] * scale;
}

struct Moments {
  double mean = 0, square = 0;
  template <class At> Moments(int n, At at) {
    for (int i = 0; i < n; i++) {
      mean += at(i) / n;
      square += (double)at(i) * at(i) / n;
    }
  }
  double scale() const { return 1 / std::sqrt(square - mean * mean + EPSILON); }
  double rms_scale() const { return 1 / std::sqrt(square + EPSILON); }
};

static void layers() {
  const int n = ROWS * WIDTH;
  Floats in(n, 2), gradient(n), gamma(WIDTH), beta(WIDTH), residual(n);
  Buffer<float> out(n), means(ROWS), scales(ROWS), d_gamma(WIDTH), d_beta(WIDTH);
  std::vector<Moments> rows;
  for (int r = 0; r < ROWS; r++)
    rows.emplace_back(WIDTH, [&](int j) { return in[r * WIDTH + j]; });
  auto normal = [&](int i) { return (in[i] - rows[i / WIDTH].mean) * rows[i / WIDTH].scale(); };
  auto layer = [&](int i) { return normal(i) * gamma[i % WIDTH] + beta[i % WIDTH]; };
  auto rms = [&](int i) { return in[i] * rows[i / WIDTH].rms_scale() * gamma[i % WIDTH]; };

  layer_norm_block<<<ROWS, BLOCK>>>(in.device, gamma.device, beta.device, out.device, WIDTH);
  check("layer_norm_block", out, layer, 1e-4);
  layer_norm_warp<<<divided(ROWS, 4), 128>>>(in.device, gamma.device, beta.device, out.device, means.device,
                                             scales.device, ROWS);
  check("layer_norm_warp", out, layer, 1e-4);
  layer_norm_welford<<<ROWS, 32>>>(in.device, out.device, ROWS, WIDTH);
  check("layer_norm_welford", out, normal, 1e-4);
  rms_norm<<<ROWS, BLOCK>>>(in.device, gamma.device, out.device, WIDTH);
  check("rms_norm", out, rms, 1e-4);

  std::vector<double> plain(ROWS), inner(ROWS), inner_rms(ROWS), weight(WIDTH), bias(WIDTH);
  for (int i = 0; i < n; i++) {
    double g = (double)gradient[i] * gamma[i % WIDTH];
    plain[i / WIDTH] += g / WIDTH;
    inner[i / WIDTH] += g * normal(i) / WIDTH;
    inner_rms[i / WIDTH] += g * in[i] / WIDTH;
    weight[i % WIDTH] += gradient[i] * normal(i);
    bias[i % WIDTH] += gradient[i];
  }
  layer_norm_backward<<<ROWS, BLOCK>>>(gradient.device, in.device, gamma.device, means.device, scales.device,
                                       out.device, WIDTH);
  check(
      "layer_norm_backward", out,
      [&](int i) {
        int r = i / WIDTH;
        return rows[r].scale() * ((double)gradient[i] * gamma[i % WIDTH] - plain[r] - normal(i) * inner[r]);
      },
      1e-4);
  layer_norm_backward_weights<<<dim3(divided(WIDTH, 64), 3), 64>>>(
      gradient.device, in.device, means.device, scales.device, d_gamma.device, d_beta.device, ROWS, WIDTH);
  check(
      "layer_norm_backward_weights", d_gamma, [&](int j) { return weight[j]; }, 1e-4);
  check(
      "layer_norm_backward_weights", d_beta, [&](int j) { return bias[j]; }, 1e-4);
  rms_norm_backward<<<ROWS, 32>>>(gradient.device, in.device, gamma.device, out.device, WIDTH);
  check(
      "rms_norm_backward", out,
      [&](int i) {
        double s = rows[i / WIDTH].rms_scale();
        return (double)gradient[i] * gamma[i % WIDTH] * s - in[i] * s * s * s * inner_rms[i / WIDTH];
      },
      1e-4);

  Buffer<__half> in_half(n), gamma_half(WIDTH), out_half(n);
  for (int i = 0; i < n; i++)
    in_half[i] = __float2half(in[i]);
  for (int j = 0; j < WIDTH; j++)
    gamma_half[j] = __float2half(gamma[j]);
  in_half.up();
  gamma_half.up();
  rms_norm_half2<<<ROWS, 32>>>((__half2 *)in_half.device, (__half2 *)gamma_half.device,
                               (__half2 *)out_half.device, WIDTH / 2);
  check("rms_norm_half2", out_half, rms, 4e-3); // three roundings to 11 bits

  auto joined = [&](int i) { return (double)in[i] + residual[i]; };
  std::vector<double> scale_of(ROWS);
  for (int r = 0; r < ROWS; r++)
    scale_of[r] = Moments(WIDTH, [&](int j) { return joined(r * WIDTH + j); }).rms_scale();
  std::vector<double> expected(n);
  for (int i = 0; i < n; i++)
    expected[i] = joined(i) * scale_of[i / WIDTH] * gamma[i % WIDTH];
  rms_norm_residual<<<ROWS, 32>>>((float4 *)residual.device, (float4 *)in.device, (float4 *)gamma.device,
                                  (float4 *)out.device, WIDTH / 4);
  check(
      "rms_norm_residual", out, [&](int i) { return expected[i]; }, 1e-4);
}

static void channels() {
  const int batch = 3, n = batch * CHANNELS * PLACES, inputs = 20;
  Floats in(n, 2), gradient(n), gamma(CHANNELS), beta(CHANNELS), weights(CHANNELS * inputs);
  Buffer<float> out(n), mean(CHANNELS), variance(CHANNELS), bias(CHANNELS);
  const int size = CHANNELS / GROUPS * PLACES;
  std::vector<Moments> groups, wholes;
  for (int g = 0; g < n / size; g++)
    groups.emplace_back(size, [&](int i) { return in[g * size + i]; });
  auto place = [&](int c, int i) { return (i / PLACES * CHANNELS + c) * PLACES + i % PLACES; };
  for (int c = 0; c < CHANNELS; c++)
    wholes.emplace_back(batch * PLACES, [&](int i) { return in[place(c, i)]; });
  auto channel = [](int i) { return i / PLACES % CHANNELS; };
  group_norm<<<n / size, BLOCK>>>(in.device, gamma.device, beta.device, out.device, CHANNELS, PLACES);
  check(
      "group_norm", out,
      [&](int i) {
        const Moments &m = groups[i / size];
        return (in[i] - m.mean) * m.scale() * gamma[channel(i)] + beta[channel(i)];
      },
      1e-4);
  batch_norm_statistics<<<CHANNELS, BLOCK>>>(in.device, mean.device, variance.device, batch, CHANNELS,
                                             PLACES);
  check(
      "batch_norm_statistics", mean, [&](int c) { return wholes[c].mean; }, 1e-4);
  check(
      "batch_norm_statistics", variance,
      [&](int c) { return wholes[c].square - wholes[c].mean * wholes[c].mean; }, 1e-4);
  batch_norm_apply<<<divided(n, 128), 128>>>(in.device, mean.device, variance.device, gamma.device,
                                             beta.device, out.device, n, CHANNELS, PLACES);
  auto normal = [&](int i) { return (in[i] - wholes[channel(i)].mean) * wholes[channel(i)].scale(); };
  check(
      "batch_norm_apply", out, [&](int i) { return normal(i) * gamma[channel(i)] + beta[channel(i)]; }, 1e-4);
  std::vector<double> plain(CHANNELS), inner(CHANNELS);
  for (int i = 0; i < n; i++) {
    plain[channel(i)] += gradient[i] / (double)(batch * PLACES);
    inner[channel(i)] += gradient[i] * normal(i) / (batch * PLACES);
  }
  batch_norm_backward<<<CHANNELS, BLOCK>>>(gradient.device, in.device, mean.device, variance.device,
                                           gamma.device, out.device, batch, CHANNELS, PLACES);
  check(
      "batch_norm_backward", out,
      [&](int i) {
        int c = channel(i);
        return (gradient[i] - plain[c] - normal(i) * inner[c]) * wholes[c].scale() * gamma[c];
      },
      1e-4);
  std::vector<float> before = weights.host;
  batch_norm_fold<<<CHANNELS, 32>>>(weights.device, bias.device, mean.device, variance.device, gamma.device,
                                    beta.device, inputs);
  check(
      "batch_norm_fold", weights,
      [&](int i) { return before[i] * gamma[i / inputs] * wholes[i / inputs].scale(); }, 1e-4);
}

int main() {
  layers();
  channels();
  return finish();
}
