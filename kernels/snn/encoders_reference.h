/* Encoders on the host, from the same equations as encoders.cuh. Codes are
 * those of float arithmetic, fixed by IEEE 754, so spikes are equal: bound 0.
 */
#ifndef GPUPROF_KERNELS_SNN_ENCODERS_REFERENCE_H
#define GPUPROF_KERNELS_SNN_ENCODERS_REFERENCE_H

#include "philox.h"

#include <math.h>
#include <stddef.h>

inline float encoder_clamped(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* The probability x as it stands in double: [r·2⁻²⁴ < x]. */
inline bool rate_reference(float x, size_t n, int t, uint64_t seed) {
  return ldexp(philox(n / 4, (uint64_t)t, seed).word[n % 4] >> 8, -24) < encoder_clamped(x);
}
inline bool latency_reference(float x, int t, int steps) {
  return t == (int)floorf(fmaf((float)(steps - 1), 1.0f - encoder_clamped(x), 0.5f));
}
inline bool level_reference(float x, int t, int steps) {
  const unsigned level = (unsigned)floorf(fmaf(encoder_clamped(x), (float)((1u << steps) - 1), 0.5f));
  return level >> (steps - 1 - t) & 1;
}

#endif
