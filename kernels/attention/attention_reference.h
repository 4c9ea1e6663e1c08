/* One row of attention on the host, in double: scores, softmax, values.
 * Bound for each of the three: 2e-5 of the row's largest value (__expf is an approximation, and the tiled kernel
 * sums in another order).
 */
#ifndef GPUPROF_KERNELS_ATTENTION_REFERENCE_H
#define GPUPROF_KERNELS_ATTENTION_REFERENCE_H

#include <math.h>
#include <stddef.h>

#define ATTENTION_BOUND 2e-5

/* `query` is the row's, `key` and `value` its head's; `scores` and `weights` have room for `seen` keys, `output` for
 * `size` values. A causal row r sees r + 1 keys. */
inline void attention_reference(const float *query, const float *key, const float *value, size_t seen,
                                size_t size, double scale, double *scores, double *weights, double *output) {
  double maximum = -INFINITY, total = 0;
  for (size_t j = 0; j < seen; ++j) {
    double score = 0;
    for (size_t i = 0; i < size; ++i)
      score += (double)query[i] * key[j * size + i];
    scores[j] = score * scale;
    maximum = fmax(maximum, scores[j]);
  }
  for (size_t j = 0; j < seen; ++j)
    total += weights[j] = exp(scores[j] - maximum);
  for (size_t i = 0; i < size; ++i)
    output[i] = 0;
  for (size_t j = 0; j < seen; ++j) {
    weights[j] /= total;
    for (size_t i = 0; i < size; ++i)
      output[i] += weights[j] * value[j * size + i];
  }
}

#endif
