/* One step of plasticity on the host, in double. Weights and traces go on in double; bound: STDP_BOUND of the largest
 * weight after some tens of steps.
 */
#ifndef GPUPROF_KERNELS_STDP_REFERENCE_H
#define GPUPROF_KERNELS_STDP_REFERENCE_H

#include <math.h>
#include <stddef.h>

#include <vector>

#define STDP_BOUND 1e-5

/* One synapse; `P` has the members of StdpParameters. */
template <class P>
inline double stdp_reference(const P &p, double weight, bool source_fired, bool target_fired,
                             double source_trace, double target_trace) {
  if (source_fired)
    weight = fmin(fmax(weight - (double)p.depress * target_trace, p.least), p.largest);
  if (target_fired)
    weight = fmin(fmax(weight + (double)p.potentiate * source_trace, p.least), p.largest);
  return weight;
}

inline void stdp_traces_reference(const signed char *spikes, std::vector<double> &trace, double decay) {
  for (size_t n = 0; n < trace.size(); ++n)
    trace[n] = decay * (trace[n] + (spikes[n] != 0));
}

#endif
