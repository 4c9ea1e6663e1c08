// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/profiler.h"

#include "cuda/cuda_real.h"
#include "cuda/profiler_types.h"
#include "sheet/costs.h"
#include "timeline/thread_facts.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The libraries ---- */
static struct {
  int (*initialize)(struct gp_cupti_plain *);
  int (*chip)(struct gp_cupti_chip *);
  int (*availability)(struct gp_cupti_availability *);
  int (*host)(struct gp_cupti_host *);
  int (*host_end)(struct gp_cupti_host_end *);
  int (*add_metrics)(struct gp_cupti_add_metrics *);
  int (*config_size)(struct gp_cupti_config *);
  int (*config)(struct gp_cupti_config *);
  int (*evaluate)(struct gp_cupti_evaluate *);
  int (*enable)(struct gp_cupti_enable *);
  int (*disable)(struct gp_cupti_target *);
  int (*start)(struct gp_cupti_target *);
  int (*stop)(struct gp_cupti_stop *);
  int (*decode)(struct gp_cupti_decode *);
  int (*data_size)(struct gp_cupti_data_size *);
  int (*data_begin)(struct gp_cupti_data *);
  int (*data_info)(struct gp_cupti_data_info *);
  int (*set_config)(struct gp_cupti_set_config *);
  int (*save)(struct gp_cupti_checkpoint *);
  int (*restore)(struct gp_cupti_checkpoint *);
  int (*release)(struct gp_cupti_checkpoint *);
  int (*current_context)(void **context);
} cupti;

struct function {
  const char *name;
  void *slot;
};
static const struct function profiler_functions[] = {
    {"cuptiProfilerInitialize", &cupti.initialize},
    {"cuptiDeviceGetChipName", &cupti.chip},
    {"cuptiProfilerGetCounterAvailability", &cupti.availability},
    {"cuptiProfilerHostInitialize", &cupti.host},
    {"cuptiProfilerHostDeinitialize", &cupti.host_end},
    {"cuptiProfilerHostConfigAddMetrics", &cupti.add_metrics},
    {"cuptiProfilerHostGetConfigImageSize", &cupti.config_size},
    {"cuptiProfilerHostGetConfigImage", &cupti.config},
    {"cuptiProfilerHostEvaluateToGpuValues", &cupti.evaluate},
    {"cuptiRangeProfilerEnable", &cupti.enable},
    {"cuptiRangeProfilerDisable", &cupti.disable},
    {"cuptiRangeProfilerStart", &cupti.start},
    {"cuptiRangeProfilerStop", &cupti.stop},
    {"cuptiRangeProfilerDecodeData", &cupti.decode},
    {"cuptiRangeProfilerGetCounterDataSize", &cupti.data_size},
    {"cuptiRangeProfilerCounterDataImageInitialize", &cupti.data_begin},
    {"cuptiRangeProfilerGetCounterDataInfo", &cupti.data_info},
    {"cuptiRangeProfilerSetConfig", &cupti.set_config},
};
static const struct function checkpoint_functions[] = {
    {"cuptiCheckpointSave", &cupti.save},
    {"cuptiCheckpointRestore", &cupti.restore},
    {"cuptiCheckpointFree", &cupti.release},
};

static const char *load_from(const char *const *names, const struct function *functions, size_t count,
                             const char *missing, const char *old) {
  static const char *const folders[] = {"extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib",
                                        "../cuda_cupti/lib",  NULL};
  void *library = gp_cuda_open_library(names, folders);
  if (!library)
    return missing;
  for (size_t i = 0; i < count; i++)
    if (!(*(void **)functions[i].slot = dlsym(library, functions[i].name)))
      return old;
  return NULL;
}

static const char *load(void) {
  static const char *const profilers[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so", NULL};
  static const char *const checkpoints[] = {"libcheckpoint.so", NULL};
  *(void **)&cupti.current_context = gp_cuda_symbol("cuCtxGetCurrent");
  if (!cupti.current_context)
    return "the driver has no cuCtxGetCurrent";
  const char *why =
      load_from(profilers, profiler_functions, sizeof profiler_functions / sizeof *profiler_functions,
                "libcupti.so.13 was not found beside the CUDA toolkit; set CUDA_PATH to the toolkit",
                "this libcupti has no range profiler; set CUDA_PATH to a toolkit from CUDA 12.6 on");
  if (why)
    return why;
  return load_from(
      checkpoints, checkpoint_functions, sizeof checkpoint_functions / sizeof *checkpoint_functions,
      "libcheckpoint.so, which comes with CUPTI, was not found; set CUDA_PATH to a toolkit that has it",
      "this libcheckpoint.so has no checkpoints; set CUDA_PATH to a newer toolkit");
}

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static const char *load_problem;
static void load_once(void) { load_problem = load(); }

/* ---- Errors ---- */
static const char *explain(const char *step, int error) {
  struct gp_thread_facts *own = gp_thread_facts();
  switch (error) {
  case GP_CUPTI_ERROR_PRIVILEGES:
  case GP_CUPTI_ERROR_VIRTUALIZED_PRIVILEGES:
    return "the driver allows them to administrators only; run as root, or have the module option "
           "NVreg_RestrictProfilingToAdminUsers=0 set for the nvidia driver";
  case GP_CUPTI_ERROR_VIRTUALIZED:
    return "this virtual machine does not pass them on; run on a host, or have profiling enabled for the "
           "virtual GPU";
  case GP_CUPTI_ERROR_MIG:
    return "a part of a GPU (MIG) does not give them; run on a whole one";
  }
  if (!own)
    return "CUPTI refused it";
  free(own->explanation);
  if (asprintf(&own->explanation, "CUPTI refused to %s (error %d); see 'gpuprof doctor'", step, error) < 0)
    own->explanation = NULL;
  return own->explanation ? own->explanation : "CUPTI refused it";
}

/* ---- One device ---- */
struct gp_profiler {
  void *host, *target;
  const char **metrics; /* those available on the chip */
  size_t *places;       /* … and their places in the caller's list */
  double *values;       /* … and their values */
  size_t count, wanted;
  uint8_t *config, *data;
  size_t config_bytes, data_bytes;
};

void gp_profiler_close(struct gp_profiler *p) {
  if (!p)
    return;
  if (p->target)
    cupti.disable(&(struct gp_cupti_target){GP_CUPTI_BYTES(struct gp_cupti_target, target), NULL, p->target});
  if (p->host)
    cupti.host_end(
        &(struct gp_cupti_host_end){GP_CUPTI_BYTES(struct gp_cupti_host_end, host), NULL, p->host});
  free(p->metrics);
  free(p->places);
  free(p->values);
  free(p->config);
  free(p->data);
  free(p);
}

/* One unknown name makes CUPTI refuse a whole list, and spoils the host object: names are tried one by
 * one. */
static int chip_has(struct gp_cupti_host host, const char *const *metric) {
  if (cupti.host(&host))
    return 0;
  struct gp_cupti_add_metrics add = {GP_CUPTI_BYTES(struct gp_cupti_add_metrics, count), NULL, host.host,
                                     metric, 1};
  struct gp_cupti_host_end end = {GP_CUPTI_BYTES(struct gp_cupti_host_end, host), NULL, host.host};
  int error = cupti.add_metrics(&add);
  cupti.host_end(&end);
  return !error;
}

static const char *choose_metrics(struct gp_profiler *p, struct gp_cupti_host host,
                                  const char *const *metrics) {
  for (size_t i = 0; i < p->wanted; i++) {
    if (!chip_has(host, &metrics[i]))
      continue;
    p->metrics[p->count] = metrics[i];
    p->places[p->count++] = i;
  }
  if (!p->count)
    return "the chip has none of the counters that were asked for; 'ncu --query-metrics' lists what it has";
  struct gp_cupti_add_metrics add = {GP_CUPTI_BYTES(struct gp_cupti_add_metrics, count), NULL, p->host,
                                     p->metrics, p->count};
  int error = cupti.add_metrics(&add);
  return error ? explain("read these counters together", error) : NULL;
}

static const char *open_host(struct gp_profiler *p, int device, void *context, const char *const *metrics) {
  struct gp_cupti_plain all = {GP_CUPTI_BYTES(struct gp_cupti_plain, private_data), NULL};
  struct gp_cupti_chip chip = {GP_CUPTI_BYTES(struct gp_cupti_chip, name), NULL, (size_t)device, NULL};
  struct gp_cupti_availability available = {GP_CUPTI_BYTES(struct gp_cupti_availability, image), NULL,
                                            context, 0, NULL};
  int error = cupti.initialize(&all);
  if (error)
    return explain("start its profiler", error);
  if ((error = cupti.chip(&chip)))
    return explain("name the chip", error);
  if ((error = cupti.availability(&available)))
    return explain("say which counters there are", error);
  available.image = malloc(available.image_bytes);
  if (!available.image)
    return "memory is exhausted";
  struct gp_cupti_host host = {GP_CUPTI_BYTES(struct gp_cupti_host, host),
                               NULL,
                               GP_CUPTI_PROFILER_RANGES,
                               chip.name,
                               available.image,
                               NULL};
  struct gp_cupti_host own = host;
  error = cupti.availability(&available);
  if (!error)
    error = cupti.host(&own);
  p->host = own.host;
  const char *why = error ? explain("say which counters there are", error) : choose_metrics(p, host, metrics);
  free(available.image);
  return why;
}

static const char *make_config(struct gp_profiler *p) {
  struct gp_cupti_config size = {GP_CUPTI_BYTES(struct gp_cupti_config, image_bytes), NULL, p->host, 0, NULL};
  int error = cupti.config_size(&size);
  if (error)
    return explain("plan the passes", error);
  p->config_bytes = size.image_bytes;
  p->config = malloc(size.image_bytes);
  if (!p->config)
    return "memory is exhausted";
  struct gp_cupti_config config = {GP_CUPTI_BYTES(struct gp_cupti_config, image), NULL, p->host,
                                   p->config_bytes, p->config};
  return (error = cupti.config(&config)) ? explain("plan the passes", error) : NULL;
}

static const char *open_target(struct gp_profiler *p, void *context) {
  struct gp_cupti_enable enable = {GP_CUPTI_BYTES(struct gp_cupti_enable, target), NULL, context, NULL};
  int error = cupti.enable(&enable);
  p->target = enable.target;
  if (error)
    return explain("open the counters", error);
  struct gp_cupti_data_size size = {
      GP_CUPTI_BYTES(struct gp_cupti_data_size, data_bytes), NULL, p->target, p->metrics, p->count, 1, 1, 0};
  if ((error = cupti.data_size(&size)))
    return explain("make room for the counters", error);
  p->data_bytes = size.data_bytes;
  p->data = malloc(size.data_bytes);
  return p->data ? NULL : "memory is exhausted";
}

const char *gp_profiler_open(int device, const char *const *metrics, size_t count,
                             struct gp_profiler **profiler) {
  pthread_once(&loaded, load_once);
  void *context = NULL;
  if (load_problem)
    return load_problem;
  if (cupti.current_context(&context) || !context)
    return "there is no current CUDA context";
  struct gp_profiler *p = calloc(1, sizeof *p);
  if (!p)
    return "memory is exhausted";
  p->wanted = count;
  p->metrics = calloc(count, sizeof *p->metrics);
  p->places = calloc(count, sizeof *p->places);
  p->values = calloc(count, sizeof *p->values);
  const char *why =
      p->metrics && p->places && p->values ? open_host(p, device, context, metrics) : "memory is exhausted";
  if (!why)
    why = make_config(p);
  if (!why)
    why = open_target(p, context);
  if (why)
    gp_profiler_close(p);
  else
    *profiler = p;
  return why;
}

/* ---- One launch ---- */
static const char *begin(struct gp_profiler *p) {
  struct gp_cupti_data data = {GP_CUPTI_BYTES(struct gp_cupti_data, data), NULL, p->target, p->data_bytes,
                               p->data};
  struct gp_cupti_set_config config = {.bytes =
                                           GP_CUPTI_BYTES(struct gp_cupti_set_config, target_nesting_level),
                                       .target = p->target,
                                       .config_bytes = p->config_bytes,
                                       .config = p->config,
                                       .data_bytes = p->data_bytes,
                                       .data = p->data,
                                       .range = GP_CUPTI_RANGE_AUTO,
                                       .replay = GP_CUPTI_REPLAY_KERNEL,
                                       .ranges_per_pass = 1,
                                       .nesting_levels = 1,
                                       .least_nesting_level = 1,
                                       .target_nesting_level = 1};
  struct gp_cupti_target target = {GP_CUPTI_BYTES(struct gp_cupti_target, target), NULL, p->target};
  int error = cupti.data_begin(&data);
  if (!error)
    error = cupti.set_config(&config);
  if (!error)
    error = cupti.start(&target);
  return error ? explain("start counting", error) : NULL;
}

static const char *end(struct gp_profiler *p) {
  struct gp_cupti_stop stop = {.bytes = GP_CUPTI_BYTES(struct gp_cupti_stop, all_passes_done),
                               .target = p->target};
  struct gp_cupti_decode decode = {GP_CUPTI_BYTES(struct gp_cupti_decode, ranges_dropped), NULL, p->target,
                                   0};
  struct gp_cupti_data_info info = {GP_CUPTI_BYTES(struct gp_cupti_data_info, ranges), NULL, p->data,
                                    p->data_bytes, 0};
  int error = cupti.stop(&stop);
  if (!error)
    error = cupti.decode(&decode);
  if (!error)
    error = cupti.data_info(&info);
  if (error)
    return explain("read the counters", error);
  if (info.ranges != 1 || decode.ranges_dropped)
    return "CUPTI saw another number of kernels than one";
  struct gp_cupti_evaluate evaluate = {GP_CUPTI_BYTES(struct gp_cupti_evaluate, values),
                                       NULL,
                                       p->host,
                                       p->data,
                                       p->data_bytes,
                                       0,
                                       p->metrics,
                                       p->count,
                                       p->values};
  return (error = cupti.evaluate(&evaluate)) ? explain("read the counters", error) : NULL;
}

const char *gp_profiler_read(struct gp_profiler *p, int (*run)(void *closure), void *closure, int *error,
                             double *values) {
  for (size_t i = 0; i < p->wanted; i++)
    values[i] = GP_UNKNOWN;
  *error = 0;
  const char *why = begin(p);
  if (why)
    return why;
  *error = run(closure);
  why = end(p);
  if (*error)
    return "the launch failed";
  for (size_t i = 0; !why && i < p->count; i++)
    values[p->places[i]] = p->values[i];
  return why;
}

/* ---- Checkpoints ---- */
const char *gp_checkpoint_save(void **checkpoint) {
  struct gp_cupti_checkpoint *c = calloc(1, sizeof *c);
  if (!c)
    return "memory is exhausted";
  c->bytes = GP_CUPTI_BYTES(struct gp_cupti_checkpoint, private_data);
  int error = cupti.current_context(&c->context);
  if (!error)
    error = cupti.save(c);
  if (error) {
    free(c);
    return explain("save the device's memory", error);
  }
  *checkpoint = c;
  return NULL;
}

const char *gp_checkpoint_restore(void *checkpoint) {
  int error = cupti.restore(checkpoint);
  cupti.release(checkpoint);
  free(checkpoint);
  return error ? explain("put the device's memory back", error) : NULL;
}
