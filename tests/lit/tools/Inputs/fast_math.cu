// One operation a kernel.
#include <cmath>
#include <cstdio>
#define KERNEL(name, value)                                                                                  \
  __global__ void name(float *p) {                                                                           \
    float x = p[threadIdx.x], y = p[threadIdx.x + 32];                                                       \
    p[threadIdx.x] = value;                                                                                  \
  }
#define KERNELS(X)                                                                                           \
  X(quotient, x / y)                                                                                         \
  X(exponential, expf(y))                                                                                    \
  X(logarithm, std::log(y))                                                                                  \
  X(power, powf(x, y))                                                                                       \
  X(sine, sinf(y))                                                                                           \
  X(tangent, tanf(y))                                                                                        \
  X(hyperbolic, tanhf(y))                                                                                    \
  X(inverse_root, 1.0f / sqrtf(y))                                                                           \
  X(product_and_sum, x * y + 1.0f)                                                                           \
  X(infinite, isinf(x) && x == INFINITY ? 3.0f : 2.0f)
KERNELS(KERNEL)

int main() {
  float *p;
  cudaMallocManaged(&p, 64 * sizeof *p);
  for (int i = 0; i < 64; ++i)
    p[i] = 0.5f;
#define LAUNCH(name, value) name<<<1, 32>>>(p), cudaDeviceSynchronize(), p[0] = INFINITY;
  KERNELS(LAUNCH)
  infinite<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  printf("infinity is %g\n", p[0]);
}
