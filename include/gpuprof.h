/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof's functions for programs: regions, nominal work and counters of their own, where a pragma does not fit.
 * For C and C++; link with -lgpuprof. All functions are thread-safe, cheap, and do nothing when profiling is off.
 * None of them ever stops the program or prints on stdout.
 */
#ifndef GPUPROF_H
#define GPUPROF_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a region on the calling thread: kernels launched until it is closed count for it. Returns a token for
 * gpuprof_region_end(), 0 when profiling is off. Regions nest. */
uint32_t gpuprof_region_begin(const char *name);
/* The same with a phase ("forward", "backward", "warmup", …) and a category; each may be null. */
uint32_t gpuprof_region_begin_as(const char *name, const char *phase, const char *category);
/* Closes the region of this token, with all regions opened within it and still open (a
 * longjmp or a forgotten end does no harm). Call it on the thread of the region's beginning. */
void gpuprof_region_end(uint32_t token);

/* States the nominal work of this execution of the innermost open region: the algorithm's need
 * on paper. The report shows executed over nominal. 0 or less: not stated. Several calls add up. */
void gpuprof_expect(double flops, double bytes, double items);
/* Adds to a counter of your own in the innermost open region. */
void gpuprof_count(const char *name, int64_t amount);
/* Begins time step or iteration `step` of the innermost open region. Work up to the
 * next step, or to the end of the region, belongs to a region step_N within it. */
void gpuprof_step(int64_t step);

/* Pauses and resumes profiling in the whole process. GPUPROF_ENABLE=0 has the last word. */
void gpuprof_disable(void);
void gpuprof_enable(void);
/* Writes the report as it stands now (it is written at the end of the program anyway). Returns 0, or -1 if it could not
 * be written or profiling is off. */
int gpuprof_flush(void);
/* Writes the report as the last one. For a process that ends without exit handlers where libgpuprof was opened late, such as
 * a worker of Python by os._exit(). What runs afterwards may be missing in the report. */
void gpuprof_finish(void);

enum gpuprof_state { GPUPROF_OFF, GPUPROF_PAUSED, GPUPROF_ON };
struct gpuprof_status {
  enum gpuprof_state state;
  uint64_t launches;   /* kernel launches seen so far */
  uint64_t problems;   /* messages so far: they stand in the report */
  const char *version; /* of gpuprof */
  const char *device;  /* "gpu" or "cpu"; null until a device was used */
};
/* Fills *status. */
void gpuprof_status(struct gpuprof_status *status);

#ifdef __cplusplus
}

namespace gpuprof {
/* A region with the lifetime of this object. */
class Region {
public:
  explicit Region(const char *name, const char *phase = nullptr, const char *category = nullptr)
      : token(gpuprof_region_begin_as(name, phase, category)) {}
  ~Region() { gpuprof_region_end(token); }
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;

private:
  uint32_t token;
};
} // namespace gpuprof
#endif
#endif
