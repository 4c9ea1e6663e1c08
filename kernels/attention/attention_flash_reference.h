/* One row of attention on the host, in double, for any range of keys: what the kernels on tensor cores must compute.
 * Bounds, with r the rounding of an element (2^-11 or 2^-8): outputs within 2·r of the largest value, since the weights of a
 * row and the output are rounded. Logarithms of sums within 2e-5 + 2e-6 of the largest.
 */
#ifndef GPUPROF_KERNELS_ATTENTION_FLASH_REFERENCE_H
#define GPUPROF_KERNELS_ATTENTION_FLASH_REFERENCE_H

#include <math.h>
#include <stddef.h>

/* Keys begin … end − 1 of a row. */
struct AttentionKeys {
  long begin, end;
};

/* The keys that a row sees (attention_shape.h has the rule). */
inline AttentionKeys attention_keys(long row, long queries, long keys, long left, long right) {
  const long own = row + keys - queries;
  const long begin = own - left > 0 ? own - left : 0, end = own + right + 1 < keys ? own + right + 1 : keys;
  return {begin, end > begin ? end : begin};
}

/* Softmax weights of a row over its keys, in `weights` by key; returns the logarithm of the sum of exponentials, −∞ where
 * the row sees no key. `key` is its head's. */
inline double attention_row_weights(const float *query, const float *key, AttentionKeys seen, size_t size,
                                    double scale, double *weights) {
  double maximum = -INFINITY, total = 0;
  for (long j = seen.begin; j < seen.end; ++j) {
    double score = 0;
    for (size_t i = 0; i < size; ++i)
      score += (double)query[i] * key[j * size + i];
    weights[j] = score * scale;
    maximum = fmax(maximum, weights[j]);
  }
  for (long j = seen.begin; j < seen.end; ++j)
    total += weights[j] = exp(weights[j] - maximum);
  for (long j = seen.begin; j < seen.end; ++j)
    weights[j] /= total;
  return maximum + log(total);
}

/* The sum of a head's values by weights. */
inline void attention_row_values(const double *weights, const float *value, AttentionKeys seen, size_t size,
                                 double *output) {
  for (size_t i = 0; i < size; ++i)
    output[i] = 0;
  for (long j = seen.begin; j < seen.end; ++j)
    for (size_t i = 0; i < size; ++i)
      output[i] += weights[j] * value[j * size + i];
}

/* Gradients that a row adds: to its own query, and to its head's keys and values. `weights` are the row's. */
inline void attention_row_backward(const double *weights, const float *query, const float *key,
                                   const float *value, const float *output_gradient, AttentionKeys seen,
                                   size_t size, double scale, double *query_gradient, double *key_gradient,
                                   double *value_gradient, double *change) {
  double delta = 0;
  for (long j = seen.begin; j < seen.end; ++j) {
    change[j] = 0;
    for (size_t i = 0; i < size; ++i)
      change[j] += (double)output_gradient[i] * value[j * size + i];
    delta += weights[j] * change[j];
  }
  for (long j = seen.begin; j < seen.end; ++j) {
    const double score_gradient = scale * weights[j] * (change[j] - delta);
    for (size_t i = 0; i < size; ++i) {
      query_gradient[i] += score_gradient * key[j * size + i];
      key_gradient[j * size + i] += score_gradient * query[i];
      value_gradient[j * size + i] += weights[j] * output_gradient[i];
    }
  }
}

#endif
