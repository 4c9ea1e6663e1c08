/* Sectors of 32 bytes that a launch touches in one array, for counts that follow from data. Plain C++, no
 * CUDA. Arrays begin at multiples of 256 bytes, as cudaMalloc's do.
 */
#ifndef GPUPROF_KERNELS_SECTORS_H
#define GPUPROF_KERNELS_SECTORS_H

#include <stddef.h>
#include <stdint.h>

#include <vector>

class Sectors {
public:
  void add(uint64_t first_byte, uint64_t bytes) {
    if (bytes == 0)
      return;
    uint64_t first = first_byte / 32, last = (first_byte + bytes - 1) / 32;
    if (touched.size() <= last)
      touched.resize(last + 1);
    for (uint64_t s = first; s <= last; ++s) {
      number += !touched[s];
      touched[s] = true;
    }
  }
  uint64_t bytes() const { return 32 * number; }

private:
  std::vector<bool> touched;
  uint64_t number = 0;
};

/* Bytes of the sectors of an array's first `bytes` bytes. */
inline uint64_t sectors_of(uint64_t bytes) { return (bytes + 31) / 32 * 32; }

#endif
