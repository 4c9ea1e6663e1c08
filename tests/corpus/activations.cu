// Element by element: activations and their gradients, rotary embedding, dropout, and kernels made of
// templates and lambdas.
#include "corpus.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { N = 3001, HEADS = 3, LENGTH = 21, WIDTH = 32 };

__global__ void gelu_tanh(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = in[i];
    out[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
  }
}

__global__ void gelu_erf(const float *in, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] * 0.5f * (1.0f + erff(in[i] * 0.70710678f));
}

__global__ void gelu_backward(const float *in, const float *gradient, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], cube = 0.044715f * x * x * x;
  float inside = 0.7978845608f * (x + cube), t = tanhf(inside), c = coshf(inside);
  float local = 0.5f * (1.0f + t) + x * 0.5f / (c * c) * 0.7978845608f * (1.0f + 3.0f * 0.044715f * x * x);
  out[i] = local * gradient[i];
}

__global__ void silu(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] / (1.0f + __expf(-in[i]));
}

__global__ void swiglu(const float2 *gate, const float2 *up, float2 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) {
    float2 g = gate[i], u = up[i];
    out[i] = make_float2(g.x / (1.0f + expf(-g.x)) * u.x, g.y / (1.0f + expf(-g.y)) * u.y);
  }
}

__global__ void swiglu_backward(const float *gate, const float *up, const float *gradient, float *d_gate,
                                float *d_up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 1.0f / (1.0f + expf(-gate[i])), g = gradient[i];
  d_up[i] = g * gate[i] * s;
  d_gate[i] = g * up[i] * s * (1.0f + gate[i] * (1.0f - s));
}

__global__ void relu_backward(const float *in, const float *gradient, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] > 0 ? gradient[i] : 0;
}

__global__ void leaky_relu(float *x, int n, float slope) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] < 0)
    x[i] *= slope;
}

__global__ void residual_add(const float4 *__restrict__ a, const float4 *__restrict__ b,
                             float4 *__restrict__ out, int quarters) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < quarters) {
    float4 x = a[i], y = b[i];
    out[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  }
}

__global__ void bias_gelu(float *x, const float *bias, int rows, int width) {
  for (int j = threadIdx.x; j < width; j += blockDim.x) {
    float y = x[blockIdx.x * width + j] + bias[j];
    x[blockIdx.x * width + j] = y / (1.0f + __expf(-1.702f * y));
  }
}

/* Neighbouring elements rotate by an angle falling with the place in the head. */
__global__ void rotary_embedding(float *q, const float *cosine, const float *sine, int length) {
  int head = blockIdx.y, position = blockIdx.x, d = threadIdx.x;
  float2 *pair = (float2 *)(q + (head * length + position) * WIDTH) + d;
  float c = cosine[position * (WIDTH / 2) + d], s = sine[position * (WIDTH / 2) + d];
  float2 x = *pair;
  *pair = make_float2(x.x * c - x.y * s, x.x * s + x.y * c);
}

/* Halves of a head turn together, and the angle is computed. */
__global__ void rotary_computed(float *q, int length, float base) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, half = WIDTH / 2;
  if (i >= HEADS * length * half)
    return;
  int d = i % half, position = i / half % length;
  float *x = q + i / half * WIDTH + d;
  float c, s, angle = position * exp2f(-(float)d / half * log2f(base));
  sincosf(angle, &s, &c);
  float low = x[0], high = x[half];
  x[0] = low * c - high * s;
  x[half] = high * c + low * s;
}

/* Philox 4x32-10 by hand. */
struct Philox {
  unsigned x[4];
};
__host__ __device__ static Philox philox(unsigned counter, unsigned key0) {
  Philox r = {{counter, 0, 0, 0}};
  unsigned key[2] = {key0, 0xcafef00du};
  for (int round = 0; round < 10; round++) {
    unsigned long long a = 0xD2511F53ull * r.x[0], b = 0xCD9E8D57ull * r.x[2];
    r = {{(unsigned)(b >> 32) ^ r.x[1] ^ key[0], (unsigned)b, (unsigned)(a >> 32) ^ r.x[3] ^ key[1],
          (unsigned)a}};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return r;
}

__global__ void dropout_philox(const float *in, float *out, unsigned char *kept, int n, unsigned limit,
                               float scale, unsigned seed) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  Philox r = philox(thread, seed);
  for (int k = 0; k < 4; k++) {
    int i = thread * 4 + k;
    if (i < n) {
      bool keep = r.x[k] >= limit;
      kept[i] = keep;
      out[i] = keep ? in[i] * scale : 0;
    }
  }
}

__global__ void axpy_half2(__half2 a, const __half2 *x, __half2 *y, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    y[i] = __hfma2(a, x[i], y[i]);
}

__global__ void axpy_bfloat162(__nv_bfloat162 a, const __nv_bfloat162 *x, __nv_bfloat162 *y, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    y[i] = __hfma2(a, x[i], y[i]);
}

__global__ void mix_half(const __half *x, const __half *y, __half *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __hadd(__hmul(x[i], y[i]), __hsub(x[i], y[i]));
}

/* An operation as a type. */
struct Scaled {
  float by;
  __device__ float operator()(float x) const { return x * by; }
};
struct Clamped {
  __device__ float operator()(float x) const { return fminf(fmaxf(x, -0.5f), 0.5f); }
};
template <class Operation, int EACH> __global__ void apply(float *x, int n, Operation operation) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * EACH;
#pragma unroll
  for (int k = 0; k < EACH; k++)
    if (first + k < n)
      x[first + k] = operation(x[first + k]);
}

template <class Body> __global__ void for_each(int n, Body body) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    body(i);
}

__global__ void hard_swish(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * __saturatef(in[i] * (1.0f / 6) + 0.5f);
}

__global__ void soft_plus(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] > 20 ? in[i] : log1pf(expf(in[i]));
}

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

int main() {
  const int blocks = divided(N, 128);
  Floats in(N, 3), other(N, 2), gradient(N), third(N, 1);
  Buffer<float> out(N), more(N);
  auto inside = [&](int i) { return 0.7978845608 * (in[i] + 0.044715 * std::pow(in[i], 3)); };
  gelu_tanh<<<blocks, 128>>>(in.device, out.device, N);
  check("gelu_tanh", out, [&](int i) { return 0.5 * in[i] * (1 + std::tanh(inside(i))); });
  gelu_erf<<<5, 128>>>(in.device, out.device, N);
  check("gelu_erf", out, [&](int i) { return 0.5 * in[i] * (1 + std::erf(in[i] * 0.70710678)); });
  gelu_backward<<<blocks, 128>>>(in.device, gradient.device, out.device, N);
  check(
      "gelu_backward", out,
      [&](int i) {
        double x = in[i], t = std::tanh(inside(i));
        return gradient[i] *
               (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608 * (1 + 3 * 0.044715 * x * x));
      },
      1e-4);
  silu<<<blocks, 128>>>(in.device, out.device, N);
  check("silu", out, [&](int i) { return in[i] * sigmoid(in[i]); });
  swiglu<<<divided(N / 2, 64), 64>>>((float2 *)in.device, (float2 *)other.device, (float2 *)out.device,
                                     N / 2);
  check("swiglu", out, [&](int i) { return i < N / 2 * 2 ? in[i] * sigmoid(in[i]) * other[i] : out[i]; });
  swiglu_backward<<<blocks, 128>>>(in.device, other.device, gradient.device, out.device, more.device, N);
  check("swiglu_backward", out, [&](int i) {
    double s = sigmoid(in[i]);
    return gradient[i] * other[i] * s * (1 + in[i] * (1 - s));
  });
  check("swiglu_backward", more, [&](int i) { return gradient[i] * in[i] * sigmoid(in[i]); });
  relu_backward<<<blocks, 128>>>(in.device, gradient.device, out.device, N);
  check("relu_backward", out, [&](int i) { return in[i] > 0 ? gradient[i] : 0; });
  std::vector<float> before = third.host;
  leaky_relu<<<blocks, 128>>>(third.device, N, 0.125f);
  check("leaky_relu", third, [&](int i) { return before[i] < 0 ? before[i] * 0.125f : before[i]; });
  long long negative = 0;
  for (float x : before)
    negative += x < 0;
  residual_add<<<divided(N / 4, 128), 128>>>((float4 *)in.device, (float4 *)other.device,
                                             (float4 *)out.device, N / 4);
  check("residual_add", out, [&](int i) { return i < N / 4 * 4 ? in[i] + other[i] : out[i]; });
  before = more.host;
  bias_gelu<<<N / 60, 64>>>(more.device, other.device, N / 60, 60);
  check("bias_gelu", more, [&](int i) {
    double y = before[i] + other[i % 60];
    return i < N / 60 * 60 ? y * sigmoid(1.702 * y) : before[i];
  });
  hard_swish<<<blocks, 128>>>(in.device, out.device, N);
  check("hard_swish", out, [&](int i) { return in[i] * std::fmin(1, std::fmax(0, in[i] / 6.0 + 0.5)); });
  soft_plus<<<blocks, 128>>>(in.device, out.device, N);
  check("soft_plus", out, [&](int i) { return std::log1p(std::exp(in[i])); });

  Floats cosine(LENGTH * WIDTH / 2), sine(LENGTH * WIDTH / 2), q(HEADS * LENGTH * WIDTH);
  before = q.host;
  rotary_embedding<<<dim3(LENGTH, HEADS), WIDTH / 2>>>(q.device, cosine.device, sine.device, LENGTH);
  check("rotary_embedding", q, [&](int i) {
    int angle = i / WIDTH % LENGTH * (WIDTH / 2) + i % WIDTH / 2;
    double c = cosine[angle], s = sine[angle];
    return i % 2 ? before[i - 1] * s + before[i] * c : before[i] * c - before[i + 1] * s;
  });
  before = q.host;
  rotary_computed<<<divided(HEADS * LENGTH * WIDTH / 2, 64), 64>>>(q.device, LENGTH, 10000.0f);
  check(
      "rotary_computed", q,
      [&](int i) {
        int d = i % WIDTH, half = WIDTH / 2;
        double angle = i / WIDTH % LENGTH * std::pow(10000.0, -(double)(d % half) / half);
        return d < half ? before[i] * std::cos(angle) - before[i + half] * std::sin(angle)
                        : before[i] * std::cos(angle) + before[i - half] * std::sin(angle);
      },
      1e-4);

  Buffer<unsigned char> kept(N);
  dropout_philox<<<divided(divided(N, 4), 64), 64>>>(in.device, out.device, kept.device, N, 1u << 30, 1.25f,
                                                     7);
  check("dropout_philox", kept, [&](int i) { return philox(i / 4, 7).x[i % 4] >= 1u << 30; });
  check("dropout_philox", out, [&](int i) { return kept[i] ? in[i] * 1.25 : 0; });

  Buffer<__half> x(N), y(N), z(N);
  Buffer<__nv_bfloat16> xb(N), yb(N);
  for (int i = 0; i < N; i++) { // quarters, exact
    x[i] = __float2half((float)(i % 9) / 4);
    y[i] = __float2half((float)(i % 7 - 3) / 4);
    xb[i] = __float2bfloat16((float)(i % 9) / 4);
    yb[i] = __float2bfloat16((float)(i % 7 - 3) / 4);
  }
  x.up(), y.up(), xb.up(), yb.up();
  auto sum = [&](int i) { return i < N / 2 * 2 ? 0.5 * (i % 9) / 4 + (i % 7 - 3) / 4.0 : (i % 7 - 3) / 4.0; };
  mix_half<<<blocks, 128>>>(x.device, y.device, z.device, N);
  check("mix_half", z,
        [&](int i) { return (i % 9) / 4.0 * (i % 7 - 3) / 4.0 + (i % 9) / 4.0 - (i % 7 - 3) / 4.0; });
  axpy_half2<<<divided(N / 2, 96), 96>>>(__float2half2_rn(0.5f), (__half2 *)x.device, (__half2 *)y.device,
                                         N / 2);
  check("axpy_half2", y, sum);
  axpy_bfloat162<<<divided(N / 2, 96), 96>>>(__float2bfloat162_rn(0.5f), (__nv_bfloat162 *)xb.device,
                                             (__nv_bfloat162 *)yb.device, N / 2);
  check("axpy_bfloat162", yb, sum);

  before = other.host;
  apply<Scaled, 4><<<divided(N, 4 * 64), 64>>>(other.device, N, Scaled{0.75f});
  check("apply<Scaled>", other, [&](int i) { return before[i] * 0.75f; });
  apply<Clamped, 2><<<divided(N, 2 * 64), 64>>>(other.device, N, Clamped());
  check("apply<Clamped>", other, [&](int i) { return std::fmin(0.5, std::fmax(-0.5, before[i] * 0.75)); });
  const float *from = in.device;
  float *to = out.device;
  for_each<<<3, 128>>>(N, [=] __device__(int i) { to[i] = from[i] * from[i] - 1; });
  check("for_each", out, [&](int i) { return in[i] * in[i] - 1; });

  long long positive = 0;
  for (float x : in.host)
    positive += x > 0;
  counts("relu_backward", {{"bytes.global.load", 4 * N + 4 * positive}, {"bytes.global.store", 4 * N}});
  counts("leaky_relu",
         {{"flops.fp32.mul", negative}, {"bytes.global.load", 4 * N}, {"bytes.global.store", 4 * negative}});
  counts("residual_add", {{"flops.fp32.add", N / 4 * 4},
                          {"bytes.global.load", 8 * (N / 4 * 4)},
                          {"bytes.global.store", N / 4 * 16}});
  // A product and an fma for each of the two numbers of a pair.
  counts("rotary_embedding", {{"flops.fp32", HEADS * LENGTH * WIDTH * 3},
                              {"bytes.global.load", HEADS * LENGTH * WIDTH / 2 * 16},
                              {"bytes.global.store", HEADS * LENGTH * WIDTH * 4}});
  // The factor is a structure, passed in constant memory.
  counts("axpy_half2", {{"flops.fp16.fma", N / 2 * 4},
                        {"bytes.constant.load", N / 2 * 4},
                        {"bytes.global.load", N / 2 * 8},
                        {"bytes.global.store", N / 2 * 4}});
  counts("axpy_bfloat162", {{"flops.bf16.fma", N / 2 * 4},
                            {"bytes.constant.load", N / 2 * 4},
                            {"bytes.global.load", N / 2 * 8},
                            {"bytes.global.store", N / 2 * 4}});
  // Each of 384 threads reads the lambda's two pointers once.
  counts("for_each", {{"flops.fp32.fma", 2 * N},
                      {"bytes.constant.load", 384 * 16},
                      {"bytes.global.load", 4 * N},
                      {"bytes.global.store", 4 * N}});
  return finish();
}
