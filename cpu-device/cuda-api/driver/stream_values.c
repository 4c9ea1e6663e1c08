// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Waits of streams for words of memory, and writes to them (cuStreamWaitValue32 and its kin). A stream's work
 * is done when the call returns. A wait therefore ends at once, or after another thread of the program has
 * written the word.
 */
#include "base/log.h"
#include "common/errors.h"
#include "cuda-api/driver/cpu_driver.h"
#include "cuda-api/work/stream.h"
#include "cuda-api/work/work.h"

#include <stdatomic.h>
#include <time.h>

enum { GREATER_OR_EQUAL, EQUAL, AND, NOR, CONDITIONS = 3, FLUSH = 1 << 30 };
enum { PATIENCE_SECONDS = 5, STEP_NS = 20000 };

static uint64_t read_word(const void *address, unsigned bytes) {
  return bytes == 4 ? atomic_load((const _Atomic uint32_t *)address)
                    : atomic_load((const _Atomic uint64_t *)address);
}

/* CUDA's definition; greater or equal is cyclic. */
static bool holds(uint64_t word, uint64_t value, unsigned condition, unsigned bytes) {
  const uint64_t all = bytes == 4 ? UINT32_MAX : UINT64_MAX, sign = (all >> 1) + 1;
  switch (condition) {
  case GREATER_OR_EQUAL:
    return !((word - value) & sign);
  case EQUAL:
    return word == value;
  case AND:
    return (word & value) != 0;
  default:
    return (~(word | value) & all) != 0;
  }
}

static int check(void *handle, const void *address, unsigned bytes) {
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  if (error)
    return error;
  if (stream->capture)
    return GP_ERROR_NOT_SUPPORTED; /* it would be a node of a kind missing in graphs here */
  return !address || (uintptr_t)address % bytes || !gp_memory_is_known(address) ? GP_ERROR_INVALID_VALUE : 0;
}

int gp_driver_wait_value(void *stream, const void *address, uint64_t value, unsigned flags, unsigned bytes) {
  const unsigned condition = flags & CONDITIONS;
  int error =
      flags & ~(unsigned)(CONDITIONS | FLUSH) ? GP_ERROR_INVALID_VALUE : check(stream, address, bytes);
  if (error || gp_cpu_broken())
    return gp_cpu_result(error);
  for (long waited = 0; !holds(read_word(address, bytes), value, condition, bytes); waited += STEP_NS) {
    if (waited > PATIENCE_SECONDS * 1000000000l) {
      gp_log(GP_ERROR, "cuStreamWaitValue",
             "the word has not got its value for %d seconds: the CPU device does a stream's work at once, so "
             "that "
             "what the calling thread does later cannot end the wait; write the value before, or by another "
             "thread",
             PATIENCE_SECONDS);
      return gp_cpu_result(GP_ERROR_NOT_SUPPORTED);
    }
    nanosleep(&(struct timespec){0, STEP_NS}, NULL);
  }
  return gp_cpu_result(0);
}

/* Since their second version, these functions take no writes without a barrier. */
int gp_driver_write_value(void *stream, void *address, uint64_t value, unsigned flags, unsigned bytes) {
  int error = flags ? GP_ERROR_INVALID_VALUE : check(stream, address, bytes);
  if (error || gp_cpu_broken())
    return gp_cpu_result(error);
  if (bytes == 4)
    atomic_store((_Atomic uint32_t *)address, (uint32_t)value);
  else
    atomic_store((_Atomic uint64_t *)address, value);
  return gp_cpu_result(0);
}

/* CUstreamBatchMemOpParams */
struct operation {
  int type;
  void *address;
  uint64_t value;
  unsigned flags;
  uint64_t room[2];
};
_Static_assert(sizeof(struct operation) == 48, "as CUDA's union");
enum { WAIT_32 = 1, WRITE_32, FLUSH_WRITES, WAIT_64, WRITE_64, BARRIER };

static int do_operation(void *stream, const struct operation *o) {
  switch (o->type) {
  case WAIT_32:
    return gp_driver_wait_value(stream, o->address, (uint32_t)o->value, o->flags, 4);
  case WAIT_64:
    return gp_driver_wait_value(stream, o->address, o->value, o->flags, 8);
  case WRITE_32:
    return gp_driver_write_value(stream, o->address, o->value, o->flags, 4);
  case WRITE_64:
    return gp_driver_write_value(stream, o->address, o->value, o->flags, 8);
  case FLUSH_WRITES:
  case BARRIER:
    return 0;
  default:
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  }
}

int gp_driver_batch_values(void *stream, unsigned count, const void *list, unsigned flags) {
  enum { MOST = 256 };
  if (!list || count > MOST || flags)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = 0;
  for (unsigned i = 0; i < count && !error; i++)
    error = do_operation(stream, (const struct operation *)list + i);
  return error;
}
