/* Softmax of one row on the host, in double, from the equations of softmax.cuh. Plain C++, no CUDA.
 * Bound: SOFTMAX_BOUND of the largest value, and an element's rounding more.
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_SOFTMAX_REFERENCE_H
#define GPUPROF_KERNELS_TRANSFORMER_SOFTMAX_REFERENCE_H

#include <math.h>
#include <stddef.h>

#define SOFTMAX_BOUND 4e-6

/* The logarithm of Σ exp(scale·x). */
inline double log_sum_exp_reference(const float *x, size_t seen, double scale) {
  double largest = -INFINITY, sum = 0;
  for (size_t c = 0; c < seen; ++c)
    largest = fmax(largest, scale * x[c]);
  for (size_t c = 0; c < seen; ++c)
    sum += exp(scale * x[c] - largest);
  return largest + log(sum);
}

inline void softmax_reference(const float *x, size_t seen, size_t columns, double scale, double *y) {
  const double logarithm = log_sum_exp_reference(x, seen, scale);
  for (size_t c = 0; c < columns; ++c)
    y[c] = c < seen ? exp(scale * x[c] - logarithm) : 0;
}

inline void softmax_backward_reference(const float *dy, const float *y, size_t seen, size_t columns,
                                       double scale, double *dx) {
  double sum = 0;
  for (size_t c = 0; c < seen; ++c)
    sum += (double)dy[c] * y[c];
  for (size_t c = 0; c < columns; ++c)
    dx[c] = c < seen ? scale * y[c] * (dy[c] - sum) : 0;
}

#endif
