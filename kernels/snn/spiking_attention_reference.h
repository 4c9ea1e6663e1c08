/* Spiking self-attention on the host: scores first, then values, in whole numbers. Bound: one rounding, by the scale.
 */
#ifndef GPUPROF_KERNELS_SPIKING_ATTENTION_REFERENCE_H
#define GPUPROF_KERNELS_SPIKING_ATTENTION_REFERENCE_H

#include <stddef.h>

#include <vector>

#define SPIKING_ATTENTION_BOUND 6e-8

/* output [heads][length][size] */
inline std::vector<double> spiking_attention_reference(const signed char *query, const signed char *key,
                                                       const signed char *value, size_t heads, size_t length,
                                                       size_t size, double scale) {
  std::vector<double> output(heads * length * size);
  for (size_t h = 0; h < heads; ++h)
    for (size_t i = h * length; i < (h + 1) * length; ++i)
      for (size_t j = h * length; j < (h + 1) * length; ++j) {
        int score = 0;
        for (size_t d = 0; d < size; ++d)
          score += query[i * size + d] * key[j * size + d];
        for (size_t d = 0; d < size && score; ++d)
          output[i * size + d] += scale * score * value[j * size + d];
      }
  return output;
}

#endif
