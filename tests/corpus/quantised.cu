// Numbers of 8, 4, 2 and 1 bits: quantising and back, products, and conversions to narrow floats.
#include "corpus.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

enum { N = 1504, ROWS = 19, WIDTH = 96, GROUP = 32 };

__global__ void quantise_scaled(const float *in, signed char *out, int n, float inverse) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (signed char)max(-127, min(127, __float2int_rn(in[i] * inverse)));
}

__global__ void dequantise(const signed char *in, float *out, int n, float scale) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] * scale;
}

/* A scale a row: the largest magnitude first. */
__global__ void quantise_rows(const float *in, signed char *out, float *scale, int width) {
  const float *x = in + blockIdx.x * width;
  float most = 0;
  for (int j = threadIdx.x; j < width; j += 32)
    most = fmaxf(most, fabsf(x[j]));
  for (int d = 16; d > 0; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  float inverse = 127.0f / most;
  for (int j = threadIdx.x; j < width; j += 32)
    out[blockIdx.x * width + j] = (signed char)rintf(x[j] * inverse);
  if (threadIdx.x == 0)
    scale[blockIdx.x] = most / 127.0f;
}

/* Two numbers of four bits a byte. */
__global__ void quantise_nibbles(const float2 *in, unsigned char *out, int pairs, float inverse) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  int low = min(7, max(-8, (int)roundf(in[i].x * inverse))),
      high = min(7, max(-8, (int)roundf(in[i].y * inverse)));
  out[i] = (low & 15) | high << 4;
}

/* Eight weights of four bits a word, a scale a group of 32; a warp a row. */
__global__ void gemv_nibbles(const unsigned *weight, const float *scale, const float *x, float *y,
                             int width) {
  int row = blockIdx.x, lane = threadIdx.x;
  float sum = 0;
  for (int w = lane; w < width / 8; w += 32) {
    unsigned packed = weight[row * (width / 8) + w];
    float part = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
      part += ((int)(packed >> 4 * k & 15) - 8) * x[w * 8 + k];
    sum += part * scale[(row * width + w * 8) / GROUP];
  }
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0)
    y[row] = sum;
}

__global__ void gemm_bytes(const int *a, const int *b, int *c, int rows, int columns, int words) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= columns)
    return;
  int sum = 0;
  for (int w = 0; w < words; w++)
    sum = __dp4a(a[row * words + w], b[column * words + w], sum);
  c[row * columns + column] = sum;
}

__global__ void to_fp8(const float2 *in, __nv_fp8x2_e4m3 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    out[i] = __nv_fp8x2_e4m3(in[i]);
}

__global__ void from_fp8(const __nv_fp8_e5m2 *in, float *out, int n, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = float(in[i]) * scale;
}

__global__ void to_bfloat16(const float *in, __nv_bfloat16 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __float2bfloat16(in[i]);
}

__global__ void to_half2(const float4 *in, __half2 *out, int quarters) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quarters)
    return;
  out[2 * i] = __floats2half2_rn(in[i].x, in[i].y);
  out[2 * i + 1] = __floats2half2_rn(in[i].z, in[i].w);
}

/* Numbers of eight bits as halves, as weights of mixed products are widened: 1024 + x, less 1024. */
__global__ void widen_bytes(const unsigned *in, __half2 *out, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words)
    return;
  unsigned low = __byte_perm(in[i], 0x64646464, 0x4140), high = __byte_perm(in[i], 0x64646464, 0x4342);
  const __half2 base = __float2half2_rn(1024.0f);
  out[2 * i] = __hsub2(*(__half2 *)&low, base);
  out[2 * i + 1] = __hsub2(*(__half2 *)&high, base);
}

/* Four bits likewise, by one logical operation and one fma. */
__global__ void widen_nibbles(const unsigned *in, __half2 *out, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words)
    return;
  const __half2 sixteenth = __float2half2_rn(0.0625f), base = __float2half2_rn(1032.0f),
                high_base = __float2half2_rn(-72.0f);
  for (int k = 0; k < 2; k++) {
    unsigned low, high, q = in[i] >> 8 * k;
    asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;" : "=r"(low) : "r"(q));
    asm("lop3.b32 %0, %1, 0x00f000f0, 0x64006400, 0xea;" : "=r"(high) : "r"(q));
    out[4 * i + 2 * k] = __hsub2(*(__half2 *)&low, base);
    out[4 * i + 2 * k + 1] = __hfma2(*(__half2 *)&high, sixteenth, high_base);
  }
}

__global__ void min_max_half2(const __half2 *in, __half2 *out, int pairs) {
  __half2 least = in[threadIdx.x], most = least;
  for (int i = threadIdx.x; i < pairs; i += 32) {
    least = __hmin2(least, in[i]);
    most = __hmax2(most, in[i]);
  }
  for (int d = 16; d > 0; d /= 2) {
    least = __hmin2(least, __shfl_xor_sync(~0u, least, d));
    most = __hmax2(most, __shfl_xor_sync(~0u, most, d));
  }
  if (threadIdx.x == 0) {
    out[0] = least;
    out[1] = most;
  }
}

/* Signs and magnitudes of weights as two masks. */
__global__ void pack_ternary(const float *in, unsigned *plus, unsigned *minus, int n, float threshold) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0;
  unsigned p = __ballot_sync(~0u, v > threshold), m = __ballot_sync(~0u, v < -threshold);
  if (threadIdx.x % 32 == 0 && i < n) {
    plus[i / 32] = p;
    minus[i / 32] = m;
  }
}

/* Rounded to a grid and passed on, as training with quantised weights has it; the gradient beside. */
__global__ void fake_quantise(const float *in, const float *gradient, float *out, float *back, int n,
                              float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float q = roundf(in[i] / scale), bounded = fminf(fmaxf(q, -8.0f), 7.0f);
  out[i] = bounded * scale;
  back[i] = q == bounded ? gradient[i] : 0.0f;
}

/* Rounded up or down at random. */
__global__ void round_stochastic(const float *in, int *out, int n, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned s = (seed ^ i) * 747796405u + 2891336453u;
  s = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
  out[i] = (int)floorf(in[i] + (s >> 8) * 0x1p-24f);
}

int main() {
  const int blocks = divided(N, 128);
  Floats in(N, 2), gradient(N);
  for (float &x : in.host)
    x = std::round(x * 64) / 64 + 1.0f / 256; // never half way
  in.up();
  Buffer<signed char> bytes(N), row_bytes(ROWS * WIDTH);
  Buffer<float> out(N), back(N), scales(ROWS);
  quantise_scaled<<<blocks, 128>>>(in.device, bytes.device, N, 32.0f);
  check("quantise_scaled", bytes, [&](int i) { return std::nearbyint(in[i] * 32); });
  dequantise<<<4, 128>>>(bytes.device, out.device, N, 0.03125f);
  check("dequantise", out, [&](int i) { return bytes[i] * 0.03125; });
  Floats rows(ROWS * WIDTH);
  quantise_rows<<<ROWS, 32>>>(rows.device, row_bytes.device, scales.device, WIDTH);
  scales.down(), row_bytes.down();
  for (int i = 0; i < ROWS * WIDTH; i++)
    EXPECT(std::fabs(row_bytes[i] * scales[i / WIDTH] - rows[i]) <= scales[i / WIDTH] * 0.51);
  Buffer<unsigned char> nibbles(N / 2);
  quantise_nibbles<<<divided(N / 2, 64), 64>>>((float2 *)in.device, nibbles.device, N / 2, 4.0f);
  check("quantise_nibbles", nibbles, [&](int i) {
    auto four = [](float x) { return std::min(7, std::max(-8, (int)std::round(x * 4))) & 15; };
    return four(in[2 * i]) | four(in[2 * i + 1]) << 4;
  });
  Buffer<unsigned> weight(ROWS * WIDTH / 8);
  Buffer<float> y(ROWS);
  Floats scale(ROWS * WIDTH / GROUP), x(WIDTH);
  Random random;
  for (auto &w : weight.host)
    w = random.next();
  weight.up();
  gemv_nibbles<<<ROWS, 32>>>(weight.device, scale.device, x.device, y.device, WIDTH);
  check("gemv_nibbles", y, [&](int row) {
    double s = 0;
    for (int j = 0; j < WIDTH; j++)
      s += ((int)(weight[(row * WIDTH + j) / 8] >> j % 8 * 4 & 15) - 8) * (double)x[j] *
           scale[(row * WIDTH + j) / GROUP];
    return s;
  });
  Whole<signed char> a(10 * 40, -9, 9), b(30 * 40, -9, 9);
  Buffer<int> c(10 * 30);
  gemm_bytes<<<dim3(1, 10), 32>>>((int *)a.device, (int *)b.device, c.device, 10, 30, 10);
  check("gemm_bytes", c, [&](int i) {
    int s = 0;
    for (int k = 0; k < 40; k++)
      s += a[i / 30 * 40 + k] * b[i % 30 * 40 + k];
    return s;
  });

  Buffer<__nv_fp8_e4m3> narrow(N);
  Buffer<__nv_fp8_e5m2> wide(N);
  for (int i = 0; i < N; i++)
    wide[i] = __nv_fp8_e5m2((float)(i % 4 + 4) * 0.25f);
  wide.up();
  to_fp8<<<divided(N / 2, 64), 64>>>((float2 *)in.device, (__nv_fp8x2_e4m3 *)narrow.device, N / 2);
  check(
      "to_fp8", narrow, [&](int i) { return in[i]; }, 0.04);
  from_fp8<<<blocks, 128>>>(wide.device, out.device, N, 3.0f);
  check("from_fp8", out, [](int i) { return (i % 4 + 4) * 0.75; });
  Buffer<__nv_bfloat16> brief(N);
  Buffer<__half> half(N), widened(4 * 100), more(8 * 100);
  to_bfloat16<<<blocks, 128>>>(in.device, brief.device, N);
  check(
      "to_bfloat16", brief, [&](int i) { return in[i]; }, 4e-3);
  to_half2<<<divided(N / 4, 64), 64>>>((float4 *)in.device, (__half2 *)half.device, N / 4);
  check(
      "to_half2", half, [&](int i) { return in[i]; }, 1e-3);
  Buffer<unsigned> words(100);
  for (auto &w : words.host)
    w = random.next();
  words.up();
  widen_bytes<<<2, 64>>>(words.device, (__half2 *)widened.device, 100);
  check("widen_bytes", widened, [&](int i) { return words[i / 4] >> i % 4 * 8 & 255; });
  widen_nibbles<<<2, 64>>>(words.device, (__half2 *)more.device, 100);
  check("widen_nibbles", more, [&](int i) { // pairs of a word's nibbles 0 and 4, 1 and 5, 2 and 6, 3 and 7
    return (int)(words[i / 8] >> (i % 8 / 2 + i % 2 * 4) * 4 & 15) - 8;
  });
  Buffer<__half> ends(4);
  min_max_half2<<<1, 32>>>((__half2 *)half.device, (__half2 *)ends.device, N / 2);
  check("min_max_half2", ends, [&](int e) {
    float found = half[e % 2];
    for (int i = e % 2; i < N; i += 2)
      found = e < 2 ? std::fmin(found, (float)half[i]) : std::fmax(found, (float)half[i]);
    return found;
  });
  Buffer<unsigned> plus(N / 32), minus(N / 32);
  pack_ternary<<<blocks, 128>>>(in.device, plus.device, minus.device, N, 0.5f);
  plus.down(), minus.down();
  for (int i = 0; i < N; i++)
    EXPECT((plus[i / 32] >> i % 32 & 1) == (in[i] > 0.5f) &&
           (minus[i / 32] >> i % 32 & 1) == (in[i] < -0.5f));
  fake_quantise<<<blocks, 128>>>(in.device, gradient.device, out.device, back.device, N, 0.125f);
  auto rounded = [&](int i) { return std::round(in[i] * 8); };
  check("fake_quantise", out, [&](int i) { return std::fmin(7, std::fmax(-8, rounded(i))) * 0.125; });
  check("fake_quantise", back, [&](int i) { return std::fabs(rounded(i) + 0.5) < 8 ? gradient[i] : 0; });
  Buffer<int> whole(N);
  round_stochastic<<<blocks, 128>>>(in.device, whole.device, N, 99);
  whole.down();
  for (int i = 0; i < N; i++)
    EXPECT(whole[i] == std::floor(in[i]) || whole[i] == std::floor(in[i]) + 1);

  counts("quantise_scaled", {{"flops.fp32.mul", N}, {"bytes.global.load", 4 * N}, {"bytes.global.store", N}});
  counts("dequantise", {{"flops.fp32.mul", N}, {"bytes.global.load", N}, {"bytes.global.store", 4 * N}});
  counts("gemm_bytes", {{"bytes.global.load", 8 * 10 * 30 * 10}, {"bytes.global.store", 4 * 10 * 30}});
  counts("to_fp8", {{"bytes.global.load", 4 * N}, {"bytes.global.store", N}});
  counts("to_bfloat16", {{"bytes.global.load", 4 * N}, {"bytes.global.store", 2 * N}});
  counts("to_half2", {{"bytes.global.load", 4 * N}, {"bytes.global.store", 2 * N}});
  counts("widen_bytes", {{"flops.fp16", 400}, {"bytes.global.load", 400}, {"bytes.global.store", 800}});
  // A word is read again after the first stores, possible changes of it.
  counts("widen_nibbles", {{"flops.fp16.add", 400},
                           {"flops.fp16.fma", 800},
                           {"bytes.global.load", 800},
                           {"bytes.global.store", 1600}});
  counts("pack_ternary", {{"bytes.global.load", 4 * N}, {"bytes.global.store", N / 4}});
  return finish();
}
