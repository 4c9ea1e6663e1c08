/* Currents of a recurrent network on the host, in double. Bound: SYNAPSES_BOUND of the largest current (fp32 sums in
 * another order, once a step).
 */
#ifndef GPUPROF_KERNELS_SYNAPSES_REFERENCE_H
#define GPUPROF_KERNELS_SYNAPSES_REFERENCE_H

#include "connectivity.h"

#define SYNAPSES_BOUND 1e-5

/* `history[t]` are the spikes of step t; the current of step t = history.size(), from those of all steps before. */
inline std::vector<double> synapses_reference(const Connectivity &c,
                                              const std::vector<std::vector<signed char>> &history,
                                              const std::vector<double> &before, double decay, bool delays) {
  std::vector<double> current(before);
  for (double &value : current)
    value *= decay;
  for (int n = 0; n < c.sources(); ++n)
    for (int s = c.offset[n]; s < c.offset[n + 1]; ++s) {
      size_t delay = delays ? c.delay[s] : 1;
      if (delay <= history.size() && history[history.size() - delay][n])
        current[c.target[s]] += c.weight[s];
    }
  return current;
}

#endif
