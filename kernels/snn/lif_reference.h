/* One LIF step of one neuron on the host, in double. The membrane is a float between two steps, the
 * type of the state; the reference rounds it once a step, like the kernel's fused multiply-add.
 * Bound: equal spikes, and membranes within 1e-6 of the largest.
 */
#ifndef GPUPROF_KERNELS_LIF_REFERENCE_H
#define GPUPROF_KERNELS_LIF_REFERENCE_H

#define LIF_REFERENCE_BOUND 1e-6

/* Returns the spike, and moves the membrane on. */
inline double lif_reference(double leak, double threshold, double reset, float current, float &membrane) {
  double v = (float)(leak * membrane + current);
  bool fired = v >= threshold;
  membrane = (float)(fired ? reset : v);
  return fired ? 1.0 : 0.0;
}

#endif
