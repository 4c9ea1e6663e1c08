/* NVTX ranges in the domain "gpuprof", for any tool that listens. Without NVTX's headers at build time
 * nothing is emitted and gp_nvtx_available() says so.
 */
#ifndef GP_NVTX_H
#define GP_NVTX_H

#include <stdatomic.h>
#include <stdint.h>

struct gpuprof_region_site;

/* 1 if gpuprof was built with NVTX. */
int gp_nvtx_available(void);

/* 1 once it is known that no tool listens: then nothing need be called. */
extern _Atomic int gp_nvtx_silent;
static inline int gp_nvtx_wanted(void) { return !atomic_load_explicit(&gp_nvtx_silent, memory_order_relaxed); }

/* Opens a range on the calling thread. `site` identifies the region and keeps what NVTX knows of it in its
 * `runtime` (null: nothing is kept). `color` is 0xRRGGBB, 0 = the tool's own choice; `category` may be null
 * or empty; `execution` is the number of this execution, shown as the range's payload. */
void gp_nvtx_push(struct gpuprof_region_site *site, const char *name, uint32_t color, const char *category,
                  uint64_t execution);
/* Closes the innermost range that this thread opened. */
void gp_nvtx_pop(void);

#endif
