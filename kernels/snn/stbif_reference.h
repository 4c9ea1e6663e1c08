/* One ST-BIF neuron on the host, in double, from the same equations as stbif.cuh.
 * Forward: inputs, threshold, start and give_back that are multiples of 2⁻⁸ make every sum exact in float too, so the kernel
 * must be equal. Backward: reads the kernel's potential and trace, so that both take the same side of every threshold;
 * bound: 2e-5 of the largest gradient (__expf is an approximation).
 */
#ifndef GPUPROF_KERNELS_STBIF_REFERENCE_H
#define GPUPROF_KERNELS_STBIF_REFERENCE_H

#include <math.h>
#include <stddef.h>

#define STBIF_FORWARD_BOUND 0.0
#define STBIF_BACKWARD_BOUND 2e-5

struct StbifReference {
  double threshold, membrane_start, trace_start, trace_min, trace_max, give_back;
  double amplitude, sharpness;             /* of the surrogate of the potential */
  double level_amplitude, level_sharpness; /* of the surrogate of the trace */

  double surrogate(double x) const { return amplitude * exp(-x * x * sharpness); }
  double level_surrogate(double x) const { return level_amplitude * exp(-x * x * level_sharpness); }
};

/* Arrays of floats are columns of [steps][stride]; results are [steps]. Returns the membrane after the last step. */
inline double stbif_forward_reference(const StbifReference &p, int steps, size_t stride, const float *input,
                                      double *output, double *potential, double *trace) {
  double v = p.membrane_start, traced = p.trace_start;
  for (int t = 0; t < steps; ++t) {
    double h = v + input[t * stride], spike = 0;
    if (h >= p.threshold && traced < p.trace_max)
      spike = 1;
    else if (h < 0 && traced > p.trace_min)
      spike = -1;
    v = h - p.threshold * spike - (t < p.trace_max ? p.give_back : 0);
    traced += spike;
    output[t] = p.threshold * spike;
    potential[t] = h;
    trace[t] = traced;
  }
  return v;
}

/* The definition in plain C, from level and prefire. The last three arguments settle what rounding would turn: where h
 * lies within `tie` of θ or of 0, the kernel's spike (its `output` over θ) is taken. Columns are [steps][stride] of floats, results [steps].
 * Bound for kernels with inputs of any value: STBIF_DEFINITION_BOUND of the largest, and an element's rounding more. */
#define STBIF_DEFINITION_BOUND 4e-6

inline double stbif_definition(double threshold, double prefire, int level, bool symmetric, int steps, size_t stride,
                               const float *input, double *spike, double *potential, double *trace, double tie,
                               const float *output) {
  const int trace_max = symmetric ? level / 2 - 1 : level - 1, trace_min = symmetric ? -(level / 2) : 0;
  double v = (0.5 + prefire) * threshold;
  int traced = 0;
  for (int t = 0; t < steps; ++t) {
    const double h = v + input[t * stride];
    int fired = 0;
    if (h >= threshold && traced < trace_max)
      fired = 1;
    if (h < 0 && traced > trace_min)
      fired = -1;
    if ((fabs(h - threshold) <= tie && traced < trace_max) || (fabs(h) <= tie && traced > trace_min))
      fired = (int)lrint(output[t * stride] / threshold);
    v = h - fired * threshold;
    if (t < trace_max)
      v -= prefire * threshold / trace_max;
    traced += fired;
    spike[t] = fired;
    potential[t] = h;
    trace[t] = traced;
  }
  return v;
}

/* Returns the gradient of the trace before the first step. */
inline double stbif_backward_reference(const StbifReference &p, int steps, size_t stride,
                                       const float *output_gradient, const float *potential,
                                       const float *trace, double *input_gradient) {
  double membrane_gradient = 0, trace_gradient = 0;
  for (int t = steps - 1; t >= 0; --t) {
    double h = potential[t * stride], before = t > 0 ? trace[(t - 1) * stride] : p.trace_start;
    double by_potential = 0, by_trace = 0;
    if (p.trace_max - before > 0)
      by_potential += p.surrogate(h - p.threshold);
    if (before - p.trace_min > 0)
      by_potential += p.surrogate(-h);
    if (h >= p.threshold)
      by_trace -= p.level_surrogate(p.trace_max - before);
    if (-h > 0)
      by_trace -= p.level_surrogate(before - p.trace_min);
    double u = output_gradient[t * stride] - p.threshold * membrane_gradient + trace_gradient;
    double gradient = u * by_potential + membrane_gradient;
    trace_gradient = u * by_trace + trace_gradient;
    membrane_gradient = gradient;
    input_gradient[t] = gradient;
  }
  return trace_gradient;
}

#endif
