/* Synapses of a network with real connectivity as compressed rows, by source and by target. Plain C++, no CUDA.
 */
#ifndef GPUPROF_KERNELS_CONNECTIVITY_H
#define GPUPROF_KERNELS_CONNECTIVITY_H

#include <stddef.h>
#include <stdint.h>

#include <vector>

/* Row n, the synapses of source n, is [offset[n], offset[n + 1]). Delays are in steps, at least 1. */
struct Connectivity {
  std::vector<int> offset, target;
  std::vector<float> weight;
  std::vector<unsigned char> delay;

  int sources() const { return (int)offset.size() - 1; }
  int synapses() const { return (int)target.size(); }
  int degree(int source) const { return offset[source + 1] - offset[source]; }
};

/* The same synapses by target: row n is those that arrive at n, in the order of sources. `synapse` is the place in
 * Connectivity. */
struct Incoming {
  std::vector<int> offset, source, synapse;

  int degree(int target) const { return offset[target + 1] - offset[target]; }
};

/* Each source has `degree` synapses to targets that `next(n)`, a random number below n, chooses; targets may repeat.
 * Weights are 0 and delays 1: the caller sets them. */
template <class Next> inline Connectivity fixed_out_degree(int sources, int degree, int targets, Next next) {
  Connectivity c;
  for (int n = 0; n <= sources; ++n)
    c.offset.push_back(n * degree);
  for (int s = 0; s < sources * degree; ++s)
    c.target.push_back(next(targets));
  c.weight.assign(c.target.size(), 0.0f);
  c.delay.assign(c.target.size(), 1);
  return c;
}

/* Each pair of a source and a target has a synapse where `chosen()` says so. */
template <class Chosen> inline Connectivity random_pairs(int sources, int targets, Chosen chosen) {
  Connectivity c;
  c.offset.push_back(0);
  for (int n = 0; n < sources; ++n) {
    for (int target = 0; target < targets; ++target)
      if (chosen())
        c.target.push_back(target);
    c.offset.push_back((int)c.target.size());
  }
  c.weight.assign(c.target.size(), 0.0f);
  c.delay.assign(c.target.size(), 1);
  return c;
}

inline Incoming incoming_of(const Connectivity &c, int targets) {
  Incoming in;
  in.offset.assign(targets + 1, 0);
  for (int target : c.target)
    ++in.offset[target + 1];
  for (int n = 0; n < targets; ++n)
    in.offset[n + 1] += in.offset[n];
  in.source.resize(c.target.size());
  in.synapse.resize(c.target.size());
  std::vector<int> place(in.offset);
  for (int n = 0; n < c.sources(); ++n)
    for (int s = c.offset[n]; s < c.offset[n + 1]; ++s) {
      int at = place[c.target[s]]++;
      in.source[at] = n;
      in.synapse[at] = s;
    }
  return in;
}

#endif
