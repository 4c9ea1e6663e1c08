// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/clocks.h"

#include <dlfcn.h>
#include <stddef.h>

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2 }; /* nvmlClockType_t */

static struct {
  int (*init)(void);
  int (*find)(const char *, void **);
  int (*clock)(void *, int, unsigned *);
  int (*driver)(char *, unsigned);
} nvml;

static void *open_library(void) {
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return NULL;
  *(void **)&nvml.init = dlsym(library, "nvmlInit_v2");
  *(void **)&nvml.find = dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
  *(void **)&nvml.clock = dlsym(library, "nvmlDeviceGetClockInfo");
  *(void **)&nvml.driver = dlsym(library, "nvmlSystemGetDriverVersion");
  return nvml.init && nvml.find && nvml.clock && nvml.driver && !nvml.init() ? library : NULL;
}

void *clocks_open(const char *bus) {
  void *device = NULL;
  return open_library() && !nvml.find(bus, &device) ? device : NULL;
}

static unsigned read_clock(void *device, int which) {
  unsigned mhz = 0;
  return device && !nvml.clock(device, which, &mhz) ? mhz : 0;
}

struct gpu_clocks clocks_now(void *device) {
  return (struct gpu_clocks){read_clock(device, CLOCK_SM), read_clock(device, CLOCK_MEMORY)};
}

const char *clocks_driver(void) {
  static char version[80];
  return nvml.driver && !nvml.driver(version, sizeof version) ? version : "";
}
