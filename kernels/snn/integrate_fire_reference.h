/* Integrate-and-fire neurons on the host, in double, from the same equations as integrate_fire.cuh.
 * Forward: a double and a float may fall on different sides of the threshold where h lies on it. So the
 * reference takes the kernel's decision where its own h lies within `tie` of the threshold, and its own
 * everywhere else. Bounds, relative to the largest potential: membranes INTEGRATE_FIRE_FORWARD_BOUND;
 * potentials the same, and an element's rounding more. `tie` is as much. Spikes are equal. Backward: reads
 * the kernel's potentials, so that both decide alike. Bound: INTEGRATE_FIRE_BACKWARD_BOUND of the largest
 * gradient (__expf and __fdividef are approximations), and an element's rounding more.
 */
#ifndef GPUPROF_KERNELS_SNN_INTEGRATE_FIRE_REFERENCE_H
#define GPUPROF_KERNELS_SNN_INTEGRATE_FIRE_REFERENCE_H

#include <math.h>
#include <stddef.h>

#define INTEGRATE_FIRE_FORWARD_BOUND 4e-6
#define INTEGRATE_FIRE_BACKWARD_BOUND 2e-5

struct IntegrateFireReference {
  bool leaky, decay_input, soft, detach;
  double leak, threshold, reset;
  bool sigmoid; /* the surrogate; else atan */
  double alpha;

  double charge(double v, double x) const {
    const double above_rest = soft ? v : v - reset;
    return !leaky ? v + x : decay_input ? v + leak * (x - above_rest) : v - leak * above_rest + x;
  }
  double surrogate(double u) const {
    if (sigmoid) {
      const double s = 1 / (1 + exp(-alpha * u));
      return alpha * s * (1 - s);
    }
    const double scaled = M_PI / 2 * alpha * u;
    return alpha / 2 / (1 + scaled * scaled);
  }
};

/* Arrays are columns of [steps][stride]; `spike` is the kernel's, `decided` and `potential` are [steps].
 * Moves `membrane` on. */
inline void integrate_fire_forward_reference(const IntegrateFireReference &p, int steps, size_t stride,
                                             const float *input, const float *spike, double tie,
                                             double *membrane, double *decided, double *potential) {
  double v = *membrane;
  for (int t = 0; t < steps; ++t) {
    const double h = p.charge(v, input[t * stride]);
    const double fired = fabs(h - p.threshold) <= tie ? spike[t * stride] : h >= p.threshold;
    v = p.soft ? h - p.threshold * fired : fired != 0 ? p.reset : h;
    decided[t] = fired;
    potential[t] = h;
  }
  *membrane = v;
}

/* `membrane_gradient` is of the membrane after the last step, then of the one before the first. */
inline void integrate_fire_backward_reference(const IntegrateFireReference &p, int steps, size_t stride,
                                              const float *spike_gradient, const float *potential,
                                              double *membrane_gradient, double *input_gradient) {
  double g_v = *membrane_gradient;
  for (int t = steps - 1; t >= 0; --t) {
    const double h = potential[t * stride], slope = p.surrogate(h - p.threshold);
    const double fired = h >= p.threshold;
    double through = p.soft ? 1 : 1 - fired;
    if (!p.detach)
      through += p.soft ? -p.threshold * slope : (p.reset - h) * slope;
    const double g_h = spike_gradient[t * stride] * slope + g_v * through;
    input_gradient[t] = p.leaky && p.decay_input ? g_h * p.leak : g_h;
    g_v = p.leaky ? g_h * (1 - p.leak) : g_h;
  }
  *membrane_gradient = g_v;
}

#endif
