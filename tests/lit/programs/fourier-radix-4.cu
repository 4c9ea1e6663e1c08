// A Fourier transform of 1024 points by radix 4 after Stockham: five launches from one array into the
// other, forwards and back again.
// RUN: %program
#include "program.h"
#include <complex>
#include <utility>

enum { N = 1024, STAGES = 5 };

__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 operator*(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

template <bool INVERSE> __device__ float2 quarter_turn(float2 a) { // times i, or -i forwards
  return INVERSE ? make_float2(-a.y, a.x) : make_float2(a.y, -a.x);
}

// Of each group of 4 m numbers the transform is known for each 4th, m of them; `root` holds exp(-+2 pi i k /
// N).
template <bool INVERSE> __global__ void stage(const float2 *in, float2 *out, const float2 *root, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, k = t & (m - 1), step = N / (4 * m);
  float2 a = in[t], b = in[t + N / 4], c = in[t + N / 2], d = in[t + 3 * N / 4];
  if (m > 1) {
#pragma gpuprof region("fft4.twiddle")
    {
      b = b * root[k * step];
      c = c * root[2 * k * step];
      d = d * root[3 * k * step];
    }
  }
  float2 sum = a + c, difference = a - c, other_sum = b + d, turned = quarter_turn<INVERSE>(b - d);
  float2 *to = out + 4 * (t - k) + k;
  to[0] = sum + other_sum;
  to[m] = difference + turned;
  to[2 * m] = sum - other_sum;
  to[3 * m] = difference - turned;
}

int main() {
  const double pi = 3.14159265358979323846;
  Buffer<float2> a(N), b(N), forward(N), backward(N);
  Random random;
  for (int k = 0; k < N; k++) {
    a[k] = make_float2(random.symmetric(), random.symmetric());
    forward[k] = make_float2((float)std::cos(2 * pi * k / N), (float)-std::sin(2 * pi * k / N));
    backward[k] = make_float2(forward[k].x, -forward[k].y);
  }
  std::vector<float2> original = a.host;
  a.up();
  forward.up();
  backward.up();
#pragma gpuprof region("fft4.forward")
  for (int m = 1; m < N; m *= 4) {
    stage<false><<<N / 4 / 64, 64>>>(a.device, b.device, forward.device, m);
    std::swap(a.device, b.device);
  }
  a.down();
  for (int k = 0; k < N; k += 37) {
    std::complex<double> sum = 0;
    for (int n = 0; n < N; n++)
      sum += std::complex<double>(original[n].x, original[n].y) * std::polar(1.0, -2 * pi * k * n / N);
    EXPECT(near(a[k].x, sum.real(), 1e-4) && near(a[k].y, sum.imag(), 1e-4));
  }
  for (int m = 1; m < N; m *= 4) {
    stage<true><<<N / 4 / 64, 64>>>(a.device, b.device, backward.device, m);
    std::swap(a.device, b.device);
  }
  a.down();
  for (int n = 0; n < N; n++)
    EXPECT(near(a[n].x / N, original[n].x, 1e-4) && near(a[n].y / N, original[n].y, 1e-4));

  // A butterfly of four: eight complex additions; and, but in the first stage, three complex products.
  const long long fours = STAGES * N / 4, products = 3 * (STAGES - 1) * N / 4;
  counts("region:fft4.forward", {{"flops.fp32.add", 16 * fours},
                                 {"flops.fp32.mul", 2 * products},
                                 {"flops.fp32.fma", 2 * 2 * products},
                                 {"bytes.global.load", 8 * (4 * fours + products)},
                                 {"bytes.global.store", 8 * 4 * fours}});
  counts("stage", {{"flops.fp32.add", 2 * 16 * fours},
                   {"flops.fp32.mul", 2 * 2 * products},
                   {"flops.fp32.fma", 2 * 2 * 2 * products},
                   {"bytes.global.load", 2 * 8 * (4 * fours + products)},
                   {"bytes.global.store", 2 * 8 * 4 * fours}});
  return finish();
}
