/* Event lists and bits of spikes on the host. Bound: equal; the order of compact_events is free. */
#ifndef GPUPROF_KERNELS_EVENTS_REFERENCE_H
#define GPUPROF_KERNELS_EVENTS_REFERENCE_H

#include <stddef.h>

#include <vector>

/* Events of one row, in the order of inputs. */
inline std::vector<int> events_reference(const signed char *spikes, size_t inputs) {
  std::vector<int> events;
  for (size_t i = 0; i < inputs; ++i)
    if (spikes[i])
      events.push_back(spikes[i] < 0 ? ~(int)i : (int)i);
  return events;
}

/* Bits of `number` spikes, `stride` apart. */
inline std::vector<unsigned> bits_reference(const signed char *spikes, size_t number, size_t stride) {
  std::vector<unsigned> words((number + 31) / 32);
  for (size_t i = 0; i < number; ++i)
    words[i / 32] |= (unsigned)(spikes[i * stride] != 0) << i % 32;
  return words;
}

#endif
