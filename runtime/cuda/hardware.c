#include "cuda/hardware.h"

#include "cuda_real.h"
#include "cupti.h"
#include "device_cuda.h"
#include "profiler.h"
#include "roofline.h"
#include "unique.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 64
#define METRICS 96 /* different ones of a plan */

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

/* What the chip does not have adds nothing; a counter of which it has nothing is unknown. */
static double counter_value(size_t counter, const double *values) {
  double sum = GP_UNKNOWN;
  for (size_t i = 0; i < metrics.parts[counter].count; i++) {
    double value = values[metrics.parts[counter].place[i]];
    if (value >= 0)
      sum = (sum < 0 ? 0 : sum) + value;
  }
  return sum;
}

/* ---- Sets of metrics ---- */
/* The operations of tensor cores need as many passes as all else together, twice over. So they are read only
 * for launches in which the pipe of the tensor cores did something, which one more counter of the first set
 * tells. */
#define TENSOR_METRICS "sm__ops_path_tensor_"
#define TENSOR_PIPE "sm__inst_executed_pipe_tensor.sum"

enum set { PLAIN, TENSOR, SETS };
static struct {
  const char *names[METRICS + 1];
  size_t places[METRICS + 1]; /* in metrics.names; METRICS for the tensor pipe's */
  size_t count;
} sets[SETS];

static void add_to_set(enum set set, const char *name, size_t place) {
  sets[set].names[sets[set].count] = name;
  sets[set].places[sets[set].count++] = place;
}

static void divide_metrics(void) {
  if (sets[PLAIN].count || sets[TENSOR].count)
    return;
  for (size_t i = 0; i < metrics.count; i++)
    add_to_set(strncmp(metrics.names[i], TENSOR_METRICS, strlen(TENSOR_METRICS)) ? PLAIN : TENSOR,
               metrics.names[i], i);
  if (sets[PLAIN].count && sets[TENSOR].count)
    add_to_set(PLAIN, TENSOR_PIPE, METRICS);
}

/* ---- Devices ---- */
/* Held while a launch is measured: there is one profiler, and other launches would be in its counters. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  struct gp_profiler *profilers[SETS]; /* null where the set is empty, or the chip has none of it */
  int open, refused;
  char why[256];
} devices[DEVICES];

static const char *open_sets(int device) {
  const char *why = NULL;
  const struct gp_profiler *first = NULL;
  for (int set = 0; set < SETS; set++) {
    if (!sets[set].count)
      continue;
    why = gp_profiler_open(device, first, sets[set].names, sets[set].count, &devices[device].profilers[set]);
    if (why && first)
      return NULL; /* a chip without tensor cores: they are unknown */
    if (why)
      return why;
    first = devices[device].profilers[set];
  }
  return NULL;
}

static const char *open_profilers(int device, const struct gp_hardware_plan *plan) {
  if (devices[device].refused)
    return devices[device].why;
  if (devices[device].open)
    return NULL;
  list_metrics(plan);
  divide_metrics();
  const char *why = open_sets(device);
  devices[device].open = !why;
  devices[device].refused = why != NULL;
  snprintf(devices[device].why, sizeof devices[device].why, "%s", why ? why : "");
  return why ? devices[device].why : NULL;
}

void gp_cuda_hardware_forget(int device) {
  pthread_mutex_lock(&lock);
  for (int set = SETS; device >= 0 && device < DEVICES && set-- > 0;) {
    gp_profiler_close(devices[device].profilers[set]);
    devices[device].profilers[set] = NULL;
    devices[device].open = 0;
  }
  pthread_mutex_unlock(&lock);
}

/* ---- One launch ---- */
struct waiting_run {
  int (*run)(void *closure);
  void *closure;
};

static int run_and_wait(void *closure) {
  const struct waiting_run *r = closure;
  int error = r->run(r->closure);
  int late = gp_device_cuda.synchronize();
  return error ? error : late;
}

/* values[METRICS + 1]: by the places of the set. */
static const char *measure_set(struct gp_profiler *profiler, enum set set, struct waiting_run *run,
                               double *values) {
  double read[METRICS + 1];
  void *checkpoint;
  int error;
  if (gp_device_cuda.synchronize())
    return "earlier work on the device failed";
  const char *why = gp_checkpoint_save(&checkpoint);
  if (why)
    return why;
  why = gp_profiler_read(profiler, run_and_wait, run, &error, read);
  if (!why)
    gp_cupti_launch_measured();
  const char *not_restored = gp_checkpoint_restore(checkpoint);
  for (size_t i = 0; !why && i < sets[set].count; i++)
    values[sets[set].places[i]] = read[i];
  return not_restored ? not_restored : why;
}

static const char *measure(int device, struct waiting_run *run, double *values) {
  struct gp_profiler *const *profilers = devices[device].profilers;
  for (size_t i = 0; i <= METRICS; i++)
    values[i] = GP_UNKNOWN;
  const char *why = profilers[PLAIN] ? measure_set(profilers[PLAIN], PLAIN, run, values) : NULL;
  if (!why && values[METRICS] != 0 && profilers[TENSOR])
    return measure_set(profilers[TENSOR], TENSOR, run, values);
  for (size_t i = 0; values[METRICS] == 0 && i < sets[TENSOR].count; i++)
    values[sets[TENSOR].places[i]] = 0;
  return why;
}

const char *gp_cuda_hardware_measure(const struct gp_hardware_plan *plan, int (*run)(void *closure),
                                     void *closure, struct gp_hardware_sum *sum) {
  struct waiting_run waiting = {run, closure};
  double values[METRICS + 1];
  int device;
  if (gp_unique_wanted())
    return "GPUPROF_UNIQUE=1 runs other kernels in place of the program's; unset it";
  if (!gp_cupti_active())
    return gp_cuda_time_source_reason();
  if (gp_cuda_captures())
    return "it was launched while a graph was captured";
  if (gp_device_cuda.current(&device) || device < 0 || device >= DEVICES)
    return "its device is not known";
  pthread_mutex_lock(&lock);
  const char *why = open_profilers(device, plan);
  if (!why)
    why = measure(device, &waiting, values);
  for (size_t i = 0; !why && i < plan->count; i++)
    sum->value[i] = counter_value(i, values);
  pthread_mutex_unlock(&lock);
  if (!why)
    sum->launches = 1;
  return why;
}
