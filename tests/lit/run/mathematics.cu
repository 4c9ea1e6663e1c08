// Device functions of mathematics against the host's.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"
#include <cmath>

enum { FUNCTIONS = 32 };

__global__ void compute(float x, double *out) {
  double d = x;
  int i = 0;
  out[i++] = expf(x), out[i++] = exp2f(x), out[i++] = logf(x), out[i++] = log2f(x), out[i++] = log10f(x);
  out[i++] = sinf(x), out[i++] = cosf(x), out[i++] = tanf(x), out[i++] = tanhf(x), out[i++] = sqrtf(x);
  out[i++] = rsqrtf(x), out[i++] = powf(x, 1.5f), out[i++] = fabsf(-x), out[i++] = floorf(-x), out[i++] = ceilf(x);
  out[i++] = fmodf(x, 0.7f), out[i++] = erff(x), out[i++] = cbrtf(x), out[i++] = atan2f(x, 2.0f), out[i++] = log1pf(x);
  out[i++] = exp(d), out[i++] = log(d), out[i++] = sqrt(d), out[i++] = pow(d, 2.5), out[i++] = fma(d, d, 1.0);
  out[i++] = __expf(x), out[i++] = __logf(x), out[i++] = __fdividef(x, 3.0f), out[i++] = fminf(x, 1.0f);
  out[i++] = fmaxf(x, 1.0f), out[i++] = roundf(-x), out[i++] = hypotf(x, 2.0f);
}

int main() {
  const float inputs[] = {0.25f, 0.9f, 1.3f, 2.75f};
  double *out, host[FUNCTIONS];
  OK(cudaMalloc(&out, sizeof host));
  for (float x : inputs) {
    double d = x;
    const double expected[FUNCTIONS] = {
        std::exp(d),        std::exp2(d),  std::log(d),  std::log2(d),       std::log10(d),    std::sin(d),
        std::cos(d),        std::tan(d),   std::tanh(d), std::sqrt(d),       1 / std::sqrt(d), std::pow(d, 1.5),
        d,                  std::floor(-d), std::ceil(d), std::fmod(d, 0.7), std::erf(d),      std::cbrt(d),
        std::atan2(d, 2.0), std::log1p(d), std::exp(d),  std::log(d),        std::sqrt(d),     std::pow(d, 2.5),
        d * d + 1,          std::exp(d),   std::log(d),  d / 3,              std::fmin(d, 1),  std::fmax(d, 1),
        std::round(-d),     std::hypot(d, 2)};
    compute<<<1, 1>>>(x, out);
    OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < FUNCTIONS; i++)
      if (!(std::fabs(host[i] - expected[i]) <= 2e-6 * (1 + std::fabs(expected[i])))) {
        std::printf("function %d of %g is %.9g, expected %.9g\n", i, x, host[i], expected[i]);
        failures++;
      }
  }
  return finish();
}
