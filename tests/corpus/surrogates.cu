// Surrogate gradients of a spike: five shapes, in fp32, in pairs of fp16 and of bf16, and through time.
#include "corpus.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { N = 1502, STEPS = 8 };

/* ---- fp32: x is the membrane potential less its threshold ---- */

#define SURROGATE(NAME, EXPRESSION)                                                                          \
  __global__ void surrogate_##NAME(const float *x_in, const float *gradient, float *out, int n) {            \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
    if (i < n) {                                                                                             \
      float x = x_in[i];                                                                                     \
      out[i] = gradient[i] * (EXPRESSION);                                                                   \
    }                                                                                                        \
  }
__device__ float sigmoid_derivative(float x, float alpha) {
  float s = 1.0f / (1.0f + expf(-alpha * x));
  return alpha * s * (1.0f - s);
}
SURROGATE(sigmoid, sigmoid_derivative(x, 4.0f))
SURROGATE(sigmoid_fast, ([](float s) { return (1.0f - s) * s * 4.0f; }(1.0f / (1.0f + __expf(-4.0f * x)))))
SURROGATE(atan, 2.0f / 2 / (1.0f + 1.57079633f * 2.0f * x * (1.57079633f * 2.0f * x)))
SURROGATE(triangle, fmaxf(0.0f, 1.0f - fabsf(x)) * 0.3f)
SURROGATE(gaussian, 0.3989423f * 2 * expf(-0.5f * 4 * x * x))
SURROGATE(rectangle, fabsf(x) < 0.5f ? 1.0f : 0.0f)
SURROGATE(piecewise, x<-1.0f || x> 1.0f ? 0.0f : -1.0f * fabsf(x) + 1.0f)
SURROGATE(fast_sigmoid, 1.0f / ((1.0f + 10.0f * fabsf(x)) * (1.0f + 10.0f * fabsf(x))))
SURROGATE(erf, expf(-x *x * 4.0f) * (2.0f / 1.7724539f))
SURROGATE(log_tanh, 1.0f - tanhf(x) * tanhf(x))

/* ---- fp16 and bf16 in pairs ---- */

__global__ void sigmoid_half2(const __half2 *x, const __half2 *gradient, __half2 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  const __half2 one = __float2half2_rn(1.0f), four = __float2half2_rn(4.0f);
  __half2 s = __h2div(one, __hadd2(h2exp(__hneg2(__hmul2(four, x[i]))), one));
  out[i] = __hmul2(__hmul2(__hmul2(__hsub2(one, s), s), four), gradient[i]);
}

__global__ void atan_half2(const __half2 *x, const __half2 *gradient, __half2 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  const __half2 one = __float2half2_rn(1.0f), pi = __float2half2_rn(3.140625f);
  __half2 y = __hmul2(pi, x[i]);
  out[i] = __h2div(gradient[i], __hfma2(y, y, one));
}

__global__ void triangle_half2(const __half2 *x, const __half2 *gradient, __half2 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  const __half2 one = __float2half2_rn(1.0f), zero = __float2half2_rn(0.0f);
  out[i] = __hmul2(__hmax2(zero, __hsub2(one, __habs2(x[i]))), gradient[i]);
}

__global__ void gaussian_half2(const __half2 *x, const __half2 *gradient, __half2 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  __half2 square = __hmul2(x[i], x[i]);
  out[i] = __hmul2(h2exp(__hmul2(square, __float2half2_rn(-2.0f))), gradient[i]);
}

__global__ void rectangle_half2(const __half2 *x, const __half2 *gradient, __half2 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    out[i] = __hmul2(__hlt2(__habs2(x[i]), __float2half2_rn(0.5f)), gradient[i]);
}

__global__ void sigmoid_bfloat162(const __nv_bfloat162 *x, const __nv_bfloat162 *gradient,
                                  __nv_bfloat162 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  float2 v = __bfloat1622float2(x[i]);
  float a = 1.0f / (1.0f + __expf(-4.0f * v.x)), b = 1.0f / (1.0f + __expf(-4.0f * v.y));
  __nv_bfloat162 s = __floats2bfloat162_rn(a, b), one = __float2bfloat162_rn(1.0f);
  out[i] = __hmul2(__hmul2(__hmul2(s, __hsub2(one, s)), __float2bfloat162_rn(4.0f)), gradient[i]);
}

__global__ void triangle_bfloat162(const __nv_bfloat162 *x, const __nv_bfloat162 *gradient,
                                   __nv_bfloat162 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  __nv_bfloat162 one = __float2bfloat162_rn(1.0f), zero = __float2bfloat162_rn(0.0f);
  out[i] = __hmul2(__hmax2(zero, __hsub2(one, __habs2(x[i]))), gradient[i]);
}

__global__ void rectangle_bfloat162(const __nv_bfloat162 *x, const __nv_bfloat162 *gradient,
                                    __nv_bfloat162 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    out[i] = __hmul2(__hle2(__habs2(x[i]), __float2bfloat162_rn(0.5f)), gradient[i]);
}

/* One number at a time. */
__global__ void sigmoid_half(const __half *x, const __half *gradient, __half *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half one = __float2half(1.0f),
         s = __hdiv(one, __hadd(one, hexp(__hneg(__hmul(__float2half(4.0f), x[i])))));
  out[i] = __hmul(__hmul(__hmul(__float2half(4.0f), s), __hsub(one, s)), gradient[i]);
}

/* ---- through time: the shape is a type ---- */

struct Sigmoid {
  __device__ float operator()(float x) const { return sigmoid_derivative(x, 4.0f); }
};
struct Atan {
  __device__ float operator()(float x) const { return 1.0f / (1.0f + x * x * 9.8696044f); }
};
struct Triangle {
  __device__ float operator()(float x) const { return fmaxf(0.0f, 1.0f - fabsf(x)); }
};

/* Hard reset as part of the gradient; potentials before the reset are given. */
template <class Shape>
__global__ void through_time(const float *h, const float *gradient, float *out, int n, int steps, float decay,
                             float threshold) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float carried = 0;
  for (int t = steps - 1; t >= 0; t--) {
    float over = h[t * n + i] - threshold, spike = over >= 0.0f ? 1.0f : 0.0f, shape = Shape()(over);
    float to_h = gradient[t * n + i] * shape + carried * (1.0f - spike - h[t * n + i] * shape);
    out[t * n + i] = to_h;
    carried = to_h * decay;
  }
}

__global__ void through_time_half2(const __half2 *h, const __half2 *gradient, __half2 *out, int pairs,
                                   int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  const __half2 one = __float2half2_rn(1.0f), zero = __float2half2_rn(0.0f), half = __float2half2_rn(0.5f);
  __half2 carried = zero;
  for (int t = steps - 1; t >= 0; t--) {
    __half2 over = __hsub2(h[t * pairs + i], one);
    __half2 shape = __hmax2(zero, __hsub2(one, __habs2(over)));
    carried = __hfma2(gradient[t * pairs + i], shape, __hmul2(carried, half));
    out[t * pairs + i] = carried;
  }
}

static double sigmoid(double x) { return 1 / (1 + std::exp(-4 * x)); }
static double fourth(double x) { return 4 * sigmoid(x) * (1 - sigmoid(x)); }

int main() {
  const int blocks = divided(N, 128), pairs = N / 2, half_blocks = divided(pairs, 96);
  Floats x(N, 1.5f), gradient(N);
  for (float &v : x.host)
    v = std::round(v * 64) / 64 + 1.0f / 128; // exact in 16 bits, and on no edge
  for (float &v : gradient.host)
    v = std::round(v * 16) / 16;
  x.up(), gradient.up();
  Buffer<float> out(N);
  auto shape = [&](const char *name, auto kernel, auto expected) {
    kernel<<<blocks, 128>>>(x.device, gradient.device, out.device, N);
    check(name, out, [&](int i) { return gradient[i] * expected((double)x[i]); });
  };
  auto triangle = [](double x) { return std::fmax(0, 1 - std::fabs(x)); };
  auto rectangle = [](double x) { return (double)(std::fabs(x) < 0.5); };
  shape("sigmoid", surrogate_sigmoid, fourth);
  shape("sigmoid_fast", surrogate_sigmoid_fast, fourth);
  shape("atan", surrogate_atan, [](double x) { return 1 / (1 + std::pow(M_PI * x, 2)); });
  shape("triangle", surrogate_triangle, [&](double x) { return triangle(x) * 0.3; });
  shape("gaussian", surrogate_gaussian, [](double x) { return 0.7978846 * std::exp(-2 * x * x); });
  shape("rectangle", surrogate_rectangle, rectangle);
  shape("piecewise", surrogate_piecewise, triangle);
  shape("fast_sigmoid", surrogate_fast_sigmoid,
        [](double x) { return 1 / std::pow(1 + 10 * std::fabs(x), 2); });
  shape("erf", surrogate_erf, [](double x) { return std::exp(-4 * x * x) * 2 / 1.7724539; });
  shape("log_tanh", surrogate_log_tanh, [](double x) { return 1 - std::pow(std::tanh(x), 2); });

  Buffer<__half> hx(N), hg(N), hout(N);
  Buffer<__nv_bfloat16> bx(N), bg(N), bout(N);
  for (int i = 0; i < N; i++) {
    hx[i] = __float2half(x[i]), hg[i] = __float2half(gradient[i]);
    bx[i] = __float2bfloat16(x[i]), bg[i] = __float2bfloat16(gradient[i]);
  }
  hx.up(), hg.up(), bx.up(), bg.up();
  auto narrow = [&](const char *name, auto kernel, auto expected) {
    kernel<<<half_blocks, 96>>>((__half2 *)hx.device, (__half2 *)hg.device, (__half2 *)hout.device, pairs);
    check(
        name, hout, [&](int i) { return gradient[i] * expected((double)x[i]); }, 5e-3);
  };
  narrow("sigmoid_half2", sigmoid_half2, fourth);
  narrow("atan_half2", atan_half2, [](double x) { return 1 / (1 + std::pow(M_PI * x, 2)); });
  narrow("triangle_half2", triangle_half2, triangle);
  narrow("gaussian_half2", gaussian_half2, [](double x) { return std::exp(-2 * x * x); });
  narrow("rectangle_half2", rectangle_half2, rectangle);
  sigmoid_half<<<blocks, 128>>>(hx.device, hg.device, hout.device, N);
  check(
      "sigmoid_half", hout, [&](int i) { return gradient[i] * fourth(x[i]); }, 5e-3);
  auto broad = [&](const char *name, auto kernel, auto expected) {
    kernel<<<half_blocks, 96>>>((__nv_bfloat162 *)bx.device, (__nv_bfloat162 *)bg.device,
                                (__nv_bfloat162 *)bout.device, pairs);
    check(
        name, bout, [&](int i) { return gradient[i] * expected((double)__bfloat162float(bx[i])); }, 3e-2);
  };
  broad("sigmoid_bfloat162", sigmoid_bfloat162, fourth);
  broad("triangle_bfloat162", triangle_bfloat162, triangle);
  rectangle_bfloat162<<<half_blocks, 96>>>((__nv_bfloat162 *)bx.device, (__nv_bfloat162 *)bg.device,
                                           (__nv_bfloat162 *)bout.device, pairs);
  check(
      "rectangle_bfloat162", bout,
      [&](int i) { return std::fabs(__bfloat162float(bx[i])) <= 0.5f ? gradient[i] : 0; }, 1e-2);

  const int places = N / STEPS;
  auto through = [&](const char *name, auto kernel, auto shape_of) {
    kernel<<<divided(places, 64), 64>>>(x.device, gradient.device, out.device, places, STEPS, 0.5f, 0.25f);
    std::vector<double> expected(places * STEPS);
    for (int i = 0; i < places; i++) {
      double carried = 0;
      for (int t = STEPS - 1; t >= 0; t--) {
        double over = x[t * places + i] - 0.25, s = shape_of(over);
        carried = gradient[t * places + i] * s + carried * (1 - (over >= 0) - x[t * places + i] * s);
        expected[t * places + i] = carried;
        carried *= 0.5;
      }
    }
    check(name, out, [&](int i) { return i < places * STEPS ? expected[i] : (double)out[i]; });
  };
  through("through_time<Sigmoid>", through_time<Sigmoid>, fourth);
  through("through_time<Atan>", through_time<Atan>, [](double x) { return 1 / (1 + x * x * 9.8696044); });
  through("through_time<Triangle>", through_time<Triangle>, triangle);
  const int half_places = places / 2;
  through_time_half2<<<divided(half_places, 64), 64>>>((__half2 *)hx.device, (__half2 *)hg.device,
                                                       (__half2 *)hout.device, half_places, STEPS);
  hout.down();
  for (int i = 0; i < 2 * half_places; i++) {
    double carried = 0;
    for (int t = STEPS - 1; t >= 0; t--) {
      int at = t * 2 * half_places + i;
      carried = gradient[at] * triangle(x[at] - 1.0) + carried * 0.5;
      EXPECT(near(__half2float(hout[at]), carried, 1e-2));
    }
  }

  counts("surrogate_triangle",
         {{"flops.fp32", 3 * N}, {"bytes.global.load", 8 * N}, {"bytes.global.store", 4 * N}});
  counts("triangle_half2",
         {{"flops.fp16", 4 * pairs}, {"bytes.global.load", 8 * pairs}, {"bytes.global.store", 4 * pairs}});
  counts("triangle_bfloat162",
         {{"flops.bf16", 4 * pairs}, {"bytes.global.load", 8 * pairs}, {"bytes.global.store", 4 * pairs}});
  counts("rectangle_half2",
         {{"flops.fp16", 2 * pairs}, {"bytes.global.load", 8 * pairs}, {"bytes.global.store", 4 * pairs}});
  return finish();
}
