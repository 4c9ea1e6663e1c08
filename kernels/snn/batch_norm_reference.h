/* Batch normalisation on the host, in double, from the same equations as batch_norm.cuh. Plain C++, no CUDA.
 * Bound: BATCH_NORM_BOUND of the largest mean, variance, scale, shift, weight; of applied values, of the
 * largest, and an element's rounding more.
 */
#ifndef GPUPROF_KERNELS_SNN_BATCH_NORM_REFERENCE_H
#define GPUPROF_KERNELS_SNN_BATCH_NORM_REFERENCE_H

#include <math.h>
#include <stddef.h>

#define BATCH_NORM_BOUND 4e-6

/* Mean and variance (of n) of one channel; x is [rows][stride]. */
inline void batch_norm_statistics_reference(const float *x, size_t rows, size_t stride, size_t inner,
                                            size_t channel, double *mean, double *variance) {
  const double count = (double)(rows * inner);
  double sum = 0, spread = 0;
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < inner; ++i)
      sum += x[r * stride + channel * inner + i];
  *mean = sum / count;
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < inner; ++i) {
      const double apart = x[r * stride + channel * inner + i] - *mean;
      spread += apart * apart;
    }
  *variance = spread / count;
}

inline double batch_norm_running_reference(double running, double now, double momentum) {
  return running + momentum * (now - running);
}

inline void batch_norm_affine_reference(double gamma, double beta, double mean, double variance, double gain,
                                        double epsilon, double *scale, double *shift) {
  *scale = gain * gamma / sqrt(variance + epsilon);
  *shift = beta - mean * *scale;
}

/* A folded layer: its weights times scale, and its bias moved likewise. */
inline double batch_norm_folded_weight(double weight, double scale) { return weight * scale; }
inline double batch_norm_folded_bias(double bias, double scale, double shift) { return bias * scale + shift; }

#endif
