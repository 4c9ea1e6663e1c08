// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* CUPTI's range profiler without a GPU; a part of the fake libcupti. Tests set the values of metrics. Refusals:
 * FAKE_PROFILER_REFUSES=FUNCTION:ERROR   the function with this end of its name fails with the error
 *   metrics with "stsm" in their name      as on a chip without the instruction
 * A refused metric spoils its host object, and CUPTI takes metrics only all at once, as the real one does. Operations
 * of tensor cores take a pass each, except for those of fp64, and all other metrics two.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/profiler_types.h"

static struct {
  char name[96];
  double value;
} metrics[64];
static int metric_count, counting, kernels_seen, open_hosts;

struct host {
  int spoiled, configured, passes;
};

/* ---- Called by tests ---- */
void fake_metric(const char *name, double value) {
  int place = 0;
  while (place < metric_count && strcmp(metrics[place].name, name))
    place++;
  metric_count += place == metric_count;
  snprintf(metrics[place].name, sizeof metrics->name, "%s", name);
  metrics[place].value = value;
}
int fake_open_hosts(void) { return open_hosts; }
/* Told by the fake CUDA runtime at every launch. */
void fake_profiler_launch(void) { kernels_seen += counting; }
int fake_profiler_counting(void) { return counting; }

static int refused(const char *function) {
  const char *wanted = getenv("FAKE_PROFILER_REFUSES");
  size_t length = wanted ? strcspn(wanted, ":") : 0, whole = strlen(function);
  if (!length || whole < length || strncmp(function + whole - length, wanted, length))
    return 0;
  return atoi(wanted + length + 1);
}

/* ---- The host's half ---- */
int cuptiProfilerInitialize(struct gp_cupti_plain *p) {
  (void)p;
  return refused(__func__);
}
int cuptiDeviceGetChipName(struct gp_cupti_chip *p) {
  p->name = "GH100";
  return refused(__func__);
}
int cuptiProfilerGetCounterAvailability(struct gp_cupti_availability *p) {
  if (p->image)
    memset(p->image, 1, p->image_bytes);
  p->image_bytes = 16;
  return refused(__func__);
}
int cuptiProfilerHostInitialize(struct gp_cupti_host *p) {
  if (strcmp(p->chip, "GH100") || !p->availability[15])
    return 1;
  p->host = calloc(1, sizeof(struct host));
  open_hosts++;
  return refused(__func__);
}
int cuptiProfilerHostDeinitialize(struct gp_cupti_host_end *p) {
  free(p->host);
  open_hosts--;
  return 0;
}
int cuptiProfilerHostConfigAddMetrics(struct gp_cupti_add_metrics *p) {
  struct host *host = p->host;
  if (host->spoiled || host->configured)
    return 999;
  int others = 0;
  for (size_t i = 0; i < p->count; i++) {
    const int is_tensor = strstr(p->names[i], "ops_path_tensor") && !strstr(p->names[i], "fp64");
    host->spoiled |= strstr(p->names[i], "stsm") != NULL;
    host->passes += is_tensor;
    others |= !is_tensor;
  }
  host->passes += 2 * others;
  host->configured = !host->spoiled;
  return host->spoiled;
}
int cuptiProfilerHostGetConfigImageSize(struct gp_cupti_config *p) {
  p->image_bytes = 8;
  return 0;
}
int cuptiProfilerHostGetConfigImage(struct gp_cupti_config *p) {
  memset(p->image, 2, 8);
  p->image[1] = (uint8_t)((struct host *)p->host)->passes;
  return 0;
}
int cuptiProfilerHostEvaluateToGpuValues(struct gp_cupti_evaluate *p) {
  if (!((struct host *)p->host)->configured || p->data[0] != 4)
    return 1;
  for (size_t i = 0; i < p->count; i++) {
    p->values[i] = 0;
    for (int m = 0; m < metric_count; m++)
      if (!strcmp(p->names[i], metrics[m].name))
        p->values[i] = metrics[m].value;
  }
  return 0;
}

/* ---- The target's half: data is 3 while a launch is counted, 4 once it is decoded ---- */
static struct gp_cupti_set_config config; /* a target keeps the first one */
static size_t sized; /* by the last question for a size: images are initialized for its metrics */
static int is_configured, passes_made;

int fake_passes(void) { return passes_made; }

int cuptiRangeProfilerEnable(struct gp_cupti_enable *p) {
  p->target = &config;
  is_configured = 0;
  return refused(__func__);
}
int cuptiRangeProfilerDisable(struct gp_cupti_target *p) {
  (void)p;
  return 0;
}
int cuptiRangeProfilerGetCounterDataSize(struct gp_cupti_data_size *p) {
  sized = p->data_bytes = 32 + p->count;
  return 0;
}
int cuptiRangeProfilerCounterDataImageInitialize(struct gp_cupti_data *p) {
  memset(p->data, 3, p->data_bytes);
  return p->data_bytes == sized ? 0 : 999;
}
int cuptiRangeProfilerSetConfig(struct gp_cupti_set_config *p) {
  const int is_kept = is_configured && memcmp(config.config, p->config, p->config_bytes) != 0;
  if (!is_configured)
    config = *p;
  is_configured = 1;
  return is_kept || p->config[0] != 2 || p->range != GP_CUPTI_RANGE_AUTO ||
         p->replay != GP_CUPTI_REPLAY_KERNEL;
}
int cuptiRangeProfilerStart(struct gp_cupti_target *p) {
  (void)p;
  counting = 1;
  kernels_seen = 0;
  return refused(__func__);
}
int cuptiRangeProfilerStop(struct gp_cupti_stop *p) {
  p->all_passes_done = 1;
  passes_made += kernels_seen * config.config[1];
  counting = 0;
  return refused(__func__);
}
int cuptiRangeProfilerDecodeData(struct gp_cupti_decode *p) {
  p->ranges_dropped = 0;
  memset(config.data, 4, config.data_bytes);
  return refused(__func__);
}
int cuptiRangeProfilerGetCounterDataInfo(struct gp_cupti_data_info *p) {
  p->ranges = (size_t)kernels_seen;
  return 0;
}
