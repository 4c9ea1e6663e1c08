/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NVTX ranges in the domain "gpuprof", for any listening tool: the functions behind core/ranges.h. */
#ifndef GP_NVTX_H
#define GP_NVTX_H

#include <stdint.h>

struct gpuprof_region_site;

void gp_nvtx_push(struct gpuprof_region_site *site, const char *name, uint32_t color, const char *category,
                  uint64_t execution);
void gp_nvtx_pop(void);

/* 1 if gpuprof was built with NVTX. */
int gp_nvtx_available(void);

#endif
