// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/nvml.h"

#include "base/device.h"
#include "cuda/device_cuda.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { NVML_SUCCESS = 0, NVML_NOT_SUPPORTED = 3, NVML_NO_PERMISSION = 4, NVML_INSUFFICIENT_SIZE = 7, NVML_GPU_IS_LOST = 15 };

/* nvmlProcessInfo_t. */
struct process {
  unsigned pid;
  unsigned long long memory;
  unsigned instance, compute_instance;
};
#define PROCESSES 64

static struct {
  int (*initialize)(void);
  int (*by_uuid)(const char *uuid, void **device);
  int (*energy)(void *device, unsigned long long *millijoules);
  int (*processes)(void *device, unsigned *count, struct process *list); /* may be null: an older driver */
} nvml;

static const char *load_problem;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static const char *load(void) {
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "libnvidia-ml.so.1 was not found; it comes with the driver, and a container needs its utilities";
  *(void **)&nvml.initialize = dlsym(library, "nvmlInit_v2");
  *(void **)&nvml.by_uuid = dlsym(library, "nvmlDeviceGetHandleByUUID");
  *(void **)&nvml.energy = dlsym(library, "nvmlDeviceGetTotalEnergyConsumption");
  *(void **)&nvml.processes = dlsym(library, "nvmlDeviceGetComputeRunningProcesses_v3");
  if (!nvml.initialize || !nvml.by_uuid || !nvml.energy)
    return "this libnvidia-ml.so.1 has no counter of energy; install a newer driver";
  return nvml.initialize() ? "NVML does not start; 'nvidia-smi' says why" : NULL;
}

static void load_once(void) { load_problem = load(); }

static const char *explain(int error) {
  switch (error) {
  case NVML_NOT_SUPPORTED:
    return "this GPU has no counter of energy; those from Volta on have one";
  case NVML_NO_PERMISSION:
    return "the driver does not permit reading it; run as a user who may";
  case NVML_GPU_IS_LOST:
    return "the GPU has fallen off the bus";
  }
  return "NVML refuses to read it; 'nvidia-smi -q -d POWER' may say why";
}

/* ---- Devices ---- */

/* The sampling thread's own: */
static void *handles[GP_DEVICES];
static unsigned looks[GP_DEVICES];
#define LOOKS_PER_LIST 32 /* other processes come seldom */

/* CUDA's numbers differ from NVML's: the identifier is the same. */
static const char *find(int device) {
  struct gp_device_info info;
  if (gp_device_cuda.describe(device, &info))
    return "the device could not be described";
  if (!nvml.by_uuid(info.uuid, &handles[device]) && handles[device])
    return NULL;
  handles[device] = NULL;
  return "NVML does not know the device; a part of a GPU (MIG) has no counter of its own";
}

/* Processes see each other by numbers of another name space in a container: all but one are others. */
static unsigned other_processes(void *handle) {
  static struct process list[PROCESSES];
  unsigned count = PROCESSES;
  const int error = nvml.processes ? nvml.processes(handle, &count, list) : NVML_NOT_SUPPORTED;
  if (error && error != NVML_INSUFFICIENT_SIZE)
    return 0;
  return count > 1 ? count - 1 : 0;
}

const char *gp_nvml_energy(int device, uint64_t *millijoules, unsigned *others) {
  unsigned long long value = 0;
  pthread_once(&loaded, load_once);
  if (load_problem)
    return load_problem;
  const char *problem = handles[device] ? NULL : find(device);
  if (problem)
    return problem;
  const int error = nvml.energy(handles[device], &value);
  *millijoules = value;
  *others = error || looks[device]++ % LOOKS_PER_LIST ? 0 : other_processes(handles[device]);
  return error ? explain(error) : NULL;
}
