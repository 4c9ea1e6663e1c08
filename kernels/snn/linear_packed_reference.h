/* The linear layer of weights −1, 0 and +1 on the host. Sums are integers; bound: one rounding, that of the
 * scale. */
#ifndef GPUPROF_KERNELS_LINEAR_PACKED_REFERENCE_H
#define GPUPROF_KERNELS_LINEAR_PACKED_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include <vector>

#define LINEAR_PACKED_BOUND 6e-8

/* Bits of the weights [inputs][outputs] with this sign, as [outputs][ceil(inputs/32)]. */
inline std::vector<unsigned> weight_bits(const signed char *weight, size_t inputs, size_t outputs, int sign) {
  size_t words = (inputs + 31) / 32;
  std::vector<unsigned> bits(outputs * words);
  for (size_t n = 0; n < outputs; ++n)
    for (size_t i = 0; i < inputs; ++i)
      bits[n * words + i / 32] |= (unsigned)(weight[i * outputs + n] == sign) << i % 32;
  return bits;
}

struct LinearPackedResult {
  std::vector<double> current; /* [rows][outputs] */
  uint64_t operations;         /* spikes meeting a weight */
};

inline LinearPackedResult linear_packed_reference(const signed char *spikes, const signed char *weight,
                                                  const float *scale, size_t rows, size_t inputs,
                                                  size_t outputs) {
  LinearPackedResult result = {std::vector<double>(rows * outputs), 0};
  for (size_t r = 0; r < rows; ++r)
    for (size_t n = 0; n < outputs; ++n) {
      long long sum = 0;
      for (size_t i = 0; i < inputs; ++i)
        if (spikes[r * inputs + i] && weight[i * outputs + n]) {
          sum += weight[i * outputs + n];
          ++result.operations;
        }
      result.current[r * outputs + n] = (double)scale[n] * (double)sum;
    }
  return result;
}

#endif
