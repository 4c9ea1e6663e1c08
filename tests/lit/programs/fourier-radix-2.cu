// Fourier transforms of 256 points by radix 2: bits reversed on the way in, eight stages in shared memory,
// the roots of unity from a table.
// RUN: %program
#include "program.h"
#include <complex>

enum { BITS = 8, N = 1 << BITS, BATCH = 6 };

__constant__ float2 root[N / 2]; // exp(-2 pi i k / N)

#pragma gpuprof region("fft")
__global__ void fft(const float2 *in, float2 *out) {
  __shared__ float re[N], im[N];
  int t = threadIdx.x, base = blockIdx.x * N;
  for (int i = t; i < N; i += N / 2) {
    float2 x = in[base + i];
    int to = __brev(i) >> (32 - BITS);
    re[to] = x.x;
    im[to] = x.y;
  }
#pragma gpuprof region("fft.stages")
  for (int half = 1; half < N; half *= 2) {
    __syncthreads();
    int k = t & (half - 1), a = 2 * t - k, b = a + half;
    float2 w = root[k * (N / 2 / half)];
    float ar = re[a], ai = im[a], br = re[b], bi = im[b];
    float tr = w.x * br - w.y * bi, ti = w.x * bi + w.y * br;
    re[a] = ar + tr;
    im[a] = ai + ti;
    re[b] = ar - tr;
    im[b] = ai - ti;
  }
  __syncthreads();
  for (int i = t; i < N; i += N / 2)
    out[base + i] = make_float2(re[i], im[i]);
}

int main() {
  const double pi = 3.14159265358979323846;
  float2 roots[N / 2];
  for (int k = 0; k < N / 2; k++)
    roots[k] = make_float2((float)std::cos(2 * pi * k / N), (float)-std::sin(2 * pi * k / N));
  OK(cudaMemcpyToSymbol(root, roots, sizeof roots));
  Buffer<float2> in(N * BATCH), out(N * BATCH);
  Random random;
  for (float2 &x : in.host)
    x = make_float2(random.symmetric(), random.symmetric());
  in.up();
  fft<<<BATCH, N / 2>>>(in.device, out.device);
  out.down();
  for (int b = 0; b < BATCH; b++)
    for (int k = 0; k < N; k += 5) {
      std::complex<double> sum = 0;
      for (int n = 0; n < N; n++)
        sum += std::complex<double>(in[b * N + n].x, in[b * N + n].y) * std::polar(1.0, -2 * pi * k * n / N);
      EXPECT(near(out[b * N + k].x, sum.real(), 1e-4) && near(out[b * N + k].y, sum.imag(), 1e-4));
    }

  // A butterfly: two products, two fused, four additions: the 10 FLOPs of a complex product and two sums.
  const long long butterflies = BATCH * BITS * N / 2;
  counts("fft", {{"flops.fp32.mul", 2 * butterflies},
                 {"flops.fp32.fma", 2 * 2 * butterflies},
                 {"flops.fp32.add", 4 * butterflies},
                 {"bytes.global.load", 8 * BATCH * N},
                 {"bytes.global.store", 8 * BATCH * N},
                 {"bytes.constant.load", 8 * butterflies},
                 {"bytes.shared.load", 16 * butterflies + 8 * BATCH * N},
                 {"bytes.shared.store", 16 * butterflies + 8 * BATCH * N}});
  return finish();
}
