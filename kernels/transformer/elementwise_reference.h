/* GELU and SwiGLU on the host, in double, from the equations of elementwise.cuh. Plain C++, no CUDA.
 * Bound: ELEMENTWISE_BOUND of the largest value, and an element's rounding more.
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_ELEMENTWISE_REFERENCE_H
#define GPUPROF_KERNELS_TRANSFORMER_ELEMENTWISE_REFERENCE_H

#include <math.h>

#define ELEMENTWISE_BOUND 4e-6

inline double gelu_reference(double x) {
  return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
inline double gelu_slope_reference(double x) {
  const double t = tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
}
inline double silu_reference(double x) { return x / (1 + exp(-x)); }
inline double silu_slope_reference(double x) {
  const double s = 1 / (1 + exp(-x));
  return s * (1 + x * (1 - s));
}

#endif
