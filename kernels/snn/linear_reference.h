/* The linear layer and its gradients on the host, in double. Weights come as double: half ones are converted
 * before. Bound: LINEAR_BOUND of the largest value for up to 2¹³ summands (fp32 sums in another order).
 */
#ifndef GPUPROF_KERNELS_LINEAR_REFERENCE_H
#define GPUPROF_KERNELS_LINEAR_REFERENCE_H

#include <stddef.h>

#include <vector>

#define LINEAR_BOUND 1e-5

/* current [rows][outputs] */
inline std::vector<double> linear_reference(const signed char *spikes, const std::vector<double> &weight,
                                            size_t rows, size_t inputs, size_t outputs) {
  std::vector<double> current(rows * outputs);
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < inputs; ++i)
      if (spikes[r * inputs + i])
        for (size_t n = 0; n < outputs; ++n)
          current[r * outputs + n] += spikes[r * inputs + i] * weight[i * outputs + n];
  return current;
}

/* dX [rows][inputs] */
inline std::vector<double> linear_input_gradient_reference(const float *gradient,
                                                           const std::vector<double> &weight, size_t rows,
                                                           size_t inputs, size_t outputs) {
  std::vector<double> result(rows * inputs);
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < inputs; ++i)
      for (size_t n = 0; n < outputs; ++n)
        result[r * inputs + i] += gradient[r * outputs + n] * weight[i * outputs + n];
  return result;
}

/* dW [inputs][outputs] */
inline std::vector<double> linear_weight_gradient_reference(const signed char *spikes, const float *gradient,
                                                            size_t rows, size_t inputs, size_t outputs) {
  std::vector<double> result(inputs * outputs);
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < inputs; ++i)
      if (spikes[r * inputs + i])
        for (size_t n = 0; n < outputs; ++n)
          result[i * outputs + n] += spikes[r * inputs + i] * (double)gradient[r * outputs + n];
  return result;
}

#endif
