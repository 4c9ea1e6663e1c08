// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/hardware_counters.h"

#include "base/locks.h"
#include "clones/addresses.h"
#include "cuda/cuda_real.h"
#include "cuda/cupti.h"
#include "cuda/device_cuda.h"
#include "cuda/profiler.h"
#include "exports/captures.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 64
#define METRICS 96 /* maximum number of different metrics of a plan */

/* ---- The plan as a list of metrics ---- */
/* Counter i is the sum of the metrics of parts[i], places in `names`. */
static struct {
  const char *names[METRICS];
  size_t count;
  struct {
    size_t count;
    unsigned char place[8];
  } parts[GP_HARDWARE_MOST];
} metrics;

static int place_of(const char *name, size_t length) {
  for (size_t i = 0; i < metrics.count; i++)
    if (!strncmp(metrics.names[i], name, length) && !metrics.names[i][length])
      return (int)i;
  char *copy = metrics.count < METRICS ? strndup(name, length) : NULL;
  if (!copy)
    return -1;
  metrics.names[metrics.count] = copy;
  return (int)metrics.count++;
}

static void list_metrics(const struct gp_hardware_plan *plan) {
  if (metrics.count)
    return;
  for (size_t i = 0; i < plan->count; i++)
    for (const char *name = plan->counters[i].metrics; *name;) {
      size_t length = strcspn(name, "+");
      int place = place_of(name, length);
      if (place >= 0 && metrics.parts[i].count < sizeof metrics.parts[i].place)
        metrics.parts[i].place[metrics.parts[i].count++] = (unsigned char)place;
      name += length + (name[length] == '+');
    }
}

/* Metrics missing on the chip add nothing; a counter without any metric is unknown. */
static double counter_value(size_t counter, const double *values) {
  double sum = GP_UNKNOWN;
  for (size_t i = 0; i < metrics.parts[counter].count; i++) {
    double value = values[metrics.parts[counter].place[i]];
    if (value >= 0)
      sum = (sum < 0 ? 0 : sum) + value;
  }
  return sum;
}

/* ---- Devices ---- */
/* Held while a launch is measured: there is one profiler, and it would count other launches, too. */
GP_MUTEX(lock, GP_LOCK_HARDWARE)
static struct {
  struct gp_profiler *profiler;
  int refused;
  char why[256];
} devices[DEVICES];

static const char *open_profiler(int device, const struct gp_hardware_plan *plan) {
  if (devices[device].refused)
    return devices[device].why;
  if (devices[device].profiler)
    return NULL;
  list_metrics(plan);
  const char *why =
      gp_profiler_open(device, metrics.names, metrics.count, plan->check, &devices[device].profiler);
  if (!why)
    return NULL;
  devices[device].refused = 1;
  snprintf(devices[device].why, sizeof devices[device].why, "%s", why);
  return devices[device].why;
}

void gp_cuda_hardware_forget(int device) {
  pthread_mutex_lock(&lock);
  if (device >= 0 && device < DEVICES) {
    gp_profiler_close(devices[device].profiler);
    devices[device].profiler = NULL;
  }
  pthread_mutex_unlock(&lock);
}

/* ---- One launch ---- */
struct measured_launch {
  int (*run)(void *closure);
  void *closure, *checkpoint;
};

static int run_and_wait(void *closure) {
  const struct measured_launch *launch = closure;
  int error = launch->run(launch->closure);
  int late = gp_device_cuda.synchronize();
  return error ? error : late;
}

static const char *put_back(void *closure) {
  return gp_checkpoint_restore(((struct measured_launch *)closure)->checkpoint);
}

static const char *measure(struct gp_profiler *profiler, struct measured_launch *launch, double *values) {
  const struct gp_profiled work = {run_and_wait, put_back, launch};
  int error;
  if (gp_device_cuda.synchronize())
    return "earlier work on the device failed";
  const char *why = gp_checkpoint_save(&launch->checkpoint);
  if (why)
    return why;
  why = gp_profiler_read(profiler, &work, &error, values);
  gp_checkpoint_free(launch->checkpoint);
  return why;
}

const char *gp_cuda_undo(const char *(*run)(void *closure), void *closure) {
  void *checkpoint;
  if (gp_captures())
    return "it was launched while a graph was captured";
  pthread_mutex_lock(&lock);
  const char *why = gp_device_cuda.synchronize() ? "earlier work on the device failed" : gp_checkpoint_save(&checkpoint);
  if (!why) {
    why = run(closure);
    const int late = gp_device_cuda.synchronize();
    const char *not_restored = gp_checkpoint_restore(checkpoint);
    gp_checkpoint_free(checkpoint);
    why = why ? why : late ? "the device reports an error" : not_restored;
  }
  pthread_mutex_unlock(&lock);
  return why;
}

const char *gp_cuda_hardware_measure(const struct gp_hardware_plan *plan, int (*run)(void *closure),
                                     void *closure, struct gp_hardware_sum *sum) {
  struct measured_launch launch = {run, closure, NULL};
  double values[METRICS];
  int device;
  if (gp_addresses_untimed())
    return "GPUPROF_UNIQUE=1 runs other kernels in place of the program's; unset it";
  if (!gp_cupti_active())
    return gp_cuda_time_source_reason();
  if (gp_captures())
    return "it was launched while a graph was captured";
  if (gp_device_cuda.current(&device) || device < 0 || device >= DEVICES)
    return "its device is not known";
  pthread_mutex_lock(&lock);
  const char *why = open_profiler(device, plan);
  if (!why)
    why = measure(devices[device].profiler, &launch, values);
  for (size_t i = 0; !why && i < plan->count; i++)
    sum->value[i] = counter_value(i, values);
  pthread_mutex_unlock(&lock);
  if (!why)
    sum->launches = 1;
  return why;
}
