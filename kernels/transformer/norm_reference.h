/* Layer and RMS normalisation on the host, in double, from the equations of norm.cuh. Plain C++, no CUDA.
 * Bound: NORM_BOUND of the largest value, and an element's rounding more for what is stored as elements.
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_NORM_REFERENCE_H
#define GPUPROF_KERNELS_TRANSFORMER_NORM_REFERENCE_H

#include <math.h>
#include <stddef.h>

#define NORM_BOUND 4e-6

/* One row; `layer`: layer norm, else RMS norm, whose mean is 0 here. */
inline void norm_statistics_reference(const float *x, size_t columns, bool layer, double epsilon,
                                      double *mean, double *rstd) {
  double sum = 0, squares = 0;
  for (size_t c = 0; c < columns; ++c)
    sum += x[c];
  *mean = layer ? sum / (double)columns : 0;
  for (size_t c = 0; c < columns; ++c)
    squares += (x[c] - *mean) * (x[c] - *mean);
  *rstd = 1 / sqrt(squares / (double)columns + epsilon);
}

inline double norm_value_reference(double x, double mean, double rstd, double gamma, double beta) {
  return (x - mean) * rstd * gamma + beta;
}

/* dx of one row; adds the row's share to dgamma and dbeta [columns]. */
inline void norm_backward_reference(const float *dy, const float *x, const float *gamma, size_t columns,
                                    bool layer, double mean, double rstd, double *dx, double *dgamma,
                                    double *dbeta) {
  double first = 0, second = 0;
  for (size_t c = 0; c < columns; ++c) {
    const double normal = (x[c] - mean) * rstd, g = (double)dy[c] * gamma[c];
    first += g;
    second += g * normal;
    dgamma[c] += dy[c] * normal;
    dbeta[c] += dy[c];
  }
  first = layer ? first / (double)columns : 0;
  second /= (double)columns;
  for (size_t c = 0; c < columns; ++c)
    dx[c] = rstd * ((double)dy[c] * gamma[c] - first - (x[c] - mean) * rstd * second);
}

#endif
