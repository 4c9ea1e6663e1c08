/* One parameter's AdamW step on the host, in double, from the equations of adamw.cuh. Plain C++, no CUDA.
 * Bound: ADAMW_BOUND of the largest value, and an element's rounding more.
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_ADAMW_REFERENCE_H
#define GPUPROF_KERNELS_TRANSFORMER_ADAMW_REFERENCE_H

#include <math.h>

#define ADAMW_BOUND 4e-6

struct AdamWReference {
  double rate, beta1, beta2, epsilon, decay;
  int step;
  double gradient_scale;
};

inline void adamw_reference(const AdamWReference &p, double gradient, double *weight, double *first,
                            double *second) {
  const double g = gradient * p.gradient_scale;
  *first = p.beta1 * *first + (1 - p.beta1) * g;
  *second = p.beta2 * *second + (1 - p.beta2) * g * g;
  const double m = *first / (1 - pow(p.beta1, p.step)), v = *second / (1 - pow(p.beta2, p.step));
  *weight = *weight * (1 - p.rate * p.decay) - p.rate * m / (sqrt(v) + p.epsilon);
}

#endif
