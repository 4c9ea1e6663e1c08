// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* NVML without a GPU. A test sets what the counter answers; FAKE_NVML_ERROR is the error of each call. */
#include <stdlib.h>
#include <string.h>

static unsigned long long millijoules;
static unsigned processes = 1, starts;

void fake_nvml_set(unsigned long long value, unsigned count) {
  millijoules = value;
  processes = count;
}

static int error(void) { return getenv("FAKE_NVML_ERROR") ? atoi(getenv("FAKE_NVML_ERROR")) : 0; }

int nvmlInit_v2(void) { return starts++ ? 999 : 0; }

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device) {
  static int handle;
  *device = &handle;
  return strcmp(uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff") ? 6 : 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *value) {
  *value = millijoules;
  return device ? error() : 2;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *list) {
  (void)device, (void)list;
  *count = processes;
  return 0;
}
