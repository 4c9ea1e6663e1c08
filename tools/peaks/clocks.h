/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Clocks and the driver's version by NVML, where its library is. */
#ifndef GP_TOOL_CLOCKS_H
#define GP_TOOL_CLOCKS_H

struct gpu_clocks {
  unsigned sm_mhz, memory_mhz; /* 0: not known */
};

/* Finds the GPU of a PCI address. Returns null without NVML. */
void *clocks_open(const char *bus);
struct gpu_clocks clocks_now(void *device);
/* "580.159.03", or "" */
const char *clocks_driver(void);

#endif
