// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/profiler.h"

#include "cuda/cuda_real.h"
#include "cuda/profiler_types.h"
#include "cuda/tensor_gate.h"
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
/* Metrics that are read together, in the passes of one configuration. */
struct set {
  void *host;
  const char **metrics; /* those available on the chip */
  size_t *places;       /* … and their places in the profiler's results */
  double *values;       /* … and their values */
  size_t count;
  uint8_t *config, *data;
  size_t config_bytes, data_bytes;
};

enum { WITHOUT_TENSORS, ALL, SETS };

struct gp_profiler {
  void *context, *target;
  struct set sets[SETS]; /* an empty one is not used */
  int set;               /* the one in use */
  double *results;       /* of the caller's metrics, then of GP_TENSOR_INSTRUCTIONS */
  size_t wanted;
};

static size_t places_of(const struct gp_profiler *p) { return p->wanted + GP_TENSOR_INSTRUCTIONS; }

static void close_set(struct set *set) {
  if (set->host)
    cupti.host_end(
        &(struct gp_cupti_host_end){GP_CUPTI_BYTES(struct gp_cupti_host_end, host), NULL, set->host});
  free(set->metrics);
  free(set->places);
  free(set->values);
  free(set->config);
  free(set->data);
}

static void close_target(struct gp_profiler *p) {
  if (p->target)
    cupti.disable(&(struct gp_cupti_target){GP_CUPTI_BYTES(struct gp_cupti_target, target), NULL, p->target});
  p->target = NULL;
}

void gp_profiler_close(struct gp_profiler *p) {
  if (!p)
    return;
  close_target(p);
  for (int i = 0; i < SETS; i++)
    close_set(&p->sets[i]);
  free(p->results);
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

static void add_metric(struct set *set, const char *metric, size_t place) {
  set->metrics[set->count] = metric;
  set->places[set->count++] = place;
}

/* Without a metric of the tensor pipe, or without operations of it, there is one set only. */
static void add_instructions(struct gp_profiler *p, struct gp_cupti_host host) {
  struct set *set = &p->sets[WITHOUT_TENSORS];
  int known = set->count < p->sets[ALL].count;
  for (int i = 0; i < GP_TENSOR_INSTRUCTIONS; i++) {
    const char *metric = gp_tensor_metric((enum gp_tensor_instructions)i);
    if (known && chip_has(host, &metric))
      add_metric(set, metric, p->wanted + (size_t)i);
    else
      known &= i == GP_TENSOR_HALVES;
  }
  if (!known)
    set->count = 0;
}

static const char *choose_metrics(struct gp_profiler *p, struct gp_cupti_host host,
                                  const char *const *metrics, int gated) {
  for (size_t i = 0; i < p->wanted; i++) {
    if (!chip_has(host, &metrics[i]))
      continue;
    add_metric(&p->sets[ALL], metrics[i], i);
    if (!gp_tensor_is_gated(metrics[i]))
      add_metric(&p->sets[WITHOUT_TENSORS], metrics[i], i);
  }
  if (gated)
    add_instructions(p, host);
  else
    p->sets[WITHOUT_TENSORS].count = 0;
  return p->sets[ALL].count ? NULL
                            : "the chip has none of the counters that were asked for; 'ncu --query-metrics' "
                              "lists what it has";
}

static const char *make_config(struct set *set) {
  struct gp_cupti_add_metrics add = {GP_CUPTI_BYTES(struct gp_cupti_add_metrics, count), NULL, set->host,
                                     set->metrics, set->count};
  struct gp_cupti_config size = {GP_CUPTI_BYTES(struct gp_cupti_config, image_bytes), NULL, set->host, 0,
                                 NULL};
  int error = cupti.add_metrics(&add);
  if (error)
    return explain("read these counters together", error);
  if ((error = cupti.config_size(&size)))
    return explain("plan the passes", error);
  set->config_bytes = size.image_bytes;
  set->config = malloc(size.image_bytes);
  if (!set->config)
    return "memory is exhausted";
  struct gp_cupti_config config = {GP_CUPTI_BYTES(struct gp_cupti_config, image), NULL, set->host,
                                   set->config_bytes, set->config};
  return (error = cupti.config(&config)) ? explain("plan the passes", error) : NULL;
}

static const char *open_hosts(struct gp_profiler *p, struct gp_cupti_host host) {
  const char *why = NULL;
  for (int i = 0; !why && i < SETS; i++) {
    struct gp_cupti_host own = host;
    struct set *set = &p->sets[i];
    if (!set->count)
      continue;
    const int error = cupti.host(&own);
    set->host = own.host;
    why = error ? explain("say which counters there are", error) : make_config(set);
  }
  return why;
}

static const char *open_host(struct gp_profiler *p, int device, const char *const *metrics, int gated) {
  struct gp_cupti_plain all = {GP_CUPTI_BYTES(struct gp_cupti_plain, private_data), NULL};
  struct gp_cupti_chip chip = {GP_CUPTI_BYTES(struct gp_cupti_chip, name), NULL, (size_t)device, NULL};
  struct gp_cupti_availability available = {GP_CUPTI_BYTES(struct gp_cupti_availability, image), NULL,
                                            p->context, 0, NULL};
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
  const struct gp_cupti_host host = {GP_CUPTI_BYTES(struct gp_cupti_host, host),
                                     NULL,
                                     GP_CUPTI_PROFILER_RANGES,
                                     chip.name,
                                     available.image,
                                     NULL};
  error = cupti.availability(&available);
  const char *why =
      error ? explain("say which counters there are", error) : choose_metrics(p, host, metrics, gated);
  if (!why)
    why = open_hosts(p, host);
  free(available.image);
  return why;
}

static const char *make_room(struct gp_profiler *p, struct set *set) {
  struct gp_cupti_data_size size = {GP_CUPTI_BYTES(struct gp_cupti_data_size, data_bytes),
                                    NULL,
                                    p->target,
                                    set->metrics,
                                    set->count,
                                    1,
                                    1,
                                    0};
  const int error = cupti.data_size(&size);
  if (error)
    return explain("make room for the counters", error);
  free(set->data);
  set->data_bytes = size.data_bytes;
  set->data = malloc(size.data_bytes);
  return set->data ? NULL : "memory is exhausted";
}

/* A target keeps its first configuration, and initializes images for the metrics of the last question for a size. A new
 * one costs as much as the first launch of all. */
static const char *use_set(struct gp_profiler *p, int set) {
  struct gp_cupti_enable enable = {GP_CUPTI_BYTES(struct gp_cupti_enable, target), NULL, p->context, NULL};
  close_target(p);
  const int error = cupti.enable(&enable);
  p->target = enable.target;
  p->set = set;
  const char *why = error ? explain("open the counters", error) : make_room(p, &p->sets[set]);
  if (why)
    close_target(p);
  return why;
}

static struct gp_profiler *make_profiler(size_t wanted) {
  struct gp_profiler *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->wanted = wanted;
  p->results = calloc(places_of(p), sizeof *p->results);
  int is_made = p->results != NULL;
  for (int i = 0; i < SETS; i++) {
    struct set *set = &p->sets[i];
    set->metrics = calloc(places_of(p), sizeof *set->metrics);
    set->places = calloc(places_of(p), sizeof *set->places);
    set->values = calloc(places_of(p), sizeof *set->values);
    is_made &= set->metrics && set->places && set->values;
  }
  if (is_made)
    return p;
  gp_profiler_close(p);
  return NULL;
}

const char *gp_profiler_open(int device, const char *const *metrics, size_t count, int gated,
                             struct gp_profiler **profiler) {
  pthread_once(&loaded, load_once);
  void *context = NULL;
  if (load_problem)
    return load_problem;
  if (cupti.current_context(&context) || !context)
    return "there is no current CUDA context";
  struct gp_profiler *p = make_profiler(count);
  if (!p)
    return "memory is exhausted";
  p->context = context;
  const char *why = open_host(p, device, metrics, gated);
  if (!why)
    why = use_set(p, p->sets[WITHOUT_TENSORS].count ? WITHOUT_TENSORS : ALL);
  if (why)
    gp_profiler_close(p);
  else
    *profiler = p;
  return why;
}

/* ---- One launch ---- */
static const char *begin(struct gp_profiler *p, struct set *set) {
  struct gp_cupti_data data = {GP_CUPTI_BYTES(struct gp_cupti_data, data), NULL, p->target, set->data_bytes,
                               set->data};
  struct gp_cupti_set_config config = {.bytes =
                                           GP_CUPTI_BYTES(struct gp_cupti_set_config, target_nesting_level),
                                       .target = p->target,
                                       .config_bytes = set->config_bytes,
                                       .config = set->config,
                                       .data_bytes = set->data_bytes,
                                       .data = set->data,
                                       .range = GP_CUPTI_RANGE_AUTO,
                                       .replay = GP_CUPTI_REPLAY_KERNEL,
                                       .ranges_per_pass = 1,
                                       .nesting_levels = 1,
                                       .least_nesting_level = 1,
                                       .target_nesting_level = 1};
  int error = cupti.data_begin(&data);
  if (!error)
    error = cupti.set_config(&config);
  return error ? explain("start counting", error) : NULL;
}

/* The memory is put back also where the launch, or CUPTI, has failed. */
static const char *launch_and_count(struct gp_profiler *p, const struct gp_profiled *work, int *error) {
  struct gp_cupti_target target = {GP_CUPTI_BYTES(struct gp_cupti_target, target), NULL, p->target};
  struct gp_cupti_stop stop = {.bytes = GP_CUPTI_BYTES(struct gp_cupti_stop, all_passes_done),
                               .target = p->target};
  const int refused = cupti.start(&target);
  if (refused)
    return explain("start counting", refused);
  *error = work->run(work->closure);
  const int failed = cupti.stop(&stop);
  const char *not_undone = work->undo(work->closure);
  if (*error)
    return "the launch failed";
  return not_undone ? not_undone : failed ? explain("read the counters", failed) : NULL;
}

static const char *evaluate(struct gp_profiler *p, struct set *set) {
  struct gp_cupti_decode decode = {GP_CUPTI_BYTES(struct gp_cupti_decode, ranges_dropped), NULL, p->target,
                                   0};
  struct gp_cupti_data_info info = {GP_CUPTI_BYTES(struct gp_cupti_data_info, ranges), NULL, set->data,
                                    set->data_bytes, 0};
  int error = cupti.decode(&decode);
  if (!error)
    error = cupti.data_info(&info);
  if (error)
    return explain("read the counters", error);
  if (info.ranges != 1 || decode.ranges_dropped)
    return "CUPTI saw another number of kernels than one";
  struct gp_cupti_evaluate evaluate = {GP_CUPTI_BYTES(struct gp_cupti_evaluate, values),
                                       NULL,
                                       set->host,
                                       set->data,
                                       set->data_bytes,
                                       0,
                                       set->metrics,
                                       set->count,
                                       set->values};
  return (error = cupti.evaluate(&evaluate)) ? explain("read the counters", error) : NULL;
}

static const char *read_set(struct gp_profiler *p, const struct gp_profiled *work, int *error) {
  struct set *set = &p->sets[p->set];
  for (size_t i = 0; i < places_of(p); i++)
    p->results[i] = GP_UNKNOWN;
  const char *why = begin(p, set);
  if (!why)
    why = launch_and_count(p, work, error);
  if (!why)
    why = evaluate(p, set);
  for (size_t i = 0; !why && i < set->count; i++)
    p->results[set->places[i]] = set->values[i];
  return why;
}

/* A program with one kernel for tensor cores mostly has several, and changing the set takes longer than some launches:
 * all its further launches are read with all metrics. */
static const char *read_tensors(struct gp_profiler *p, const struct gp_profiled *work, int *error) {
  const struct set *all = &p->sets[ALL];
  if (gp_tensor_is_executed(p->results + p->wanted)) {
    const char *why = use_set(p, ALL);
    return why ? why : read_set(p, work, error);
  }
  for (size_t i = 0; i < all->count; i++)
    if (gp_tensor_is_gated(all->metrics[i]))
      p->results[all->places[i]] = 0;
  return NULL;
}

const char *gp_profiler_read(struct gp_profiler *p, const struct gp_profiled *work, int *error,
                             double *values) {
  *error = 0;
  const char *why = p->target ? NULL : use_set(p, p->set); /* it was refused when the set was changed */
  if (!why)
    why = read_set(p, work, error);
  if (!why && p->set == WITHOUT_TENSORS)
    why = read_tensors(p, work, error);
  for (size_t i = 0; i < p->wanted; i++)
    values[i] = why ? GP_UNKNOWN : p->results[i];
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
  const int error = cupti.restore(checkpoint);
  return error ? explain("put the device's memory back", error) : NULL;
}

void gp_checkpoint_free(void *checkpoint) {
  cupti.release(checkpoint);
  free(checkpoint);
}
