// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* PTX's mbarrier objects: words of shared memory counting arrivals, and the outstanding bytes of asynchronous
 * copies. Only lanes of one block, on one worker, use an object. The layout of the word is private to this
 * file. */
#include "engine/emulator.h"
#include "engine/entries.h"

#include <string.h>

struct mbarrier {
  uint64_t expected : 20; /* arrivals of a phase */
  uint64_t pending : 20;  /* arrivals missing in this phase */
  int64_t bytes : 23;     /* bytes expected from copies, minus bytes copied */
  uint64_t phase : 1;
};

static struct mbarrier unpack(uint64_t word) {
  struct mbarrier value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static struct mbarrier load(const void *address) {
  struct mbarrier value;
  memcpy(&value, address, sizeof value);
  return value;
}

static void store(void *address, struct mbarrier value) {
  if (value.pending == 0 && value.bytes == 0) {
    value.phase ^= 1;
    value.pending = value.expected;
  }
  memcpy(address, &value, sizeof value);
}

void __gpuprof_cpu_mbarrier_init(void *address, uint32_t count) {
  const struct mbarrier fresh = {.expected = count, .pending = count};
  memcpy(address, &fresh, sizeof fresh);
}

uint64_t __gpuprof_cpu_mbarrier_arrive(void *address, uint32_t count, uint32_t bytes, uint32_t drop) {
  uint64_t before;
  memcpy(&before, address, sizeof before);
  struct mbarrier value = load(address);
  value.bytes += bytes;
  value.pending -= count;
  if (drop)
    value.expected -= count;
  store(address, value);
  return before;
}

void __gpuprof_cpu_mbarrier_transact(void *address, uint32_t bytes) {
  struct mbarrier value = load(address);
  value.bytes += (int32_t)bytes;
  store(address, value);
}

uint32_t __gpuprof_cpu_mbarrier_pending(uint64_t state) { return unpack(state).pending; }

uint32_t __gpuprof_cpu_mbarrier_test(void *thread, void *address, uint64_t state, uint32_t parity) {
  const uint64_t phase = parity ? state & 1 : unpack(state).phase;
  if (load(address).phase == phase)
    __gpuprof_cpu_yield(thread); /* the asking lane will ask again: others run meanwhile */
  return load(address).phase != phase;
}
