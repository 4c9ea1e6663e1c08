// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_occupancy.h"

#include "report/kernel_code.h"
#include "report/report_hardware.h"
#include "report/row_shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Multiprocessors ---- */

struct gp_multiprocessors gp_multiprocessors_of(const struct gp_device_info *device, const struct gp_chip *chip) {
  struct gp_multiprocessors sms = {.architecture = chip ? chip->capability : 0, .count = chip ? chip->sm_count : 0};
  if (device && !strcmp(device->kind, "gpu")) {
    sms.architecture = device->architecture;
    sms.count = device->sm_count;
  }
  sms.limits = gp_sm_limits(sms.architecture);
  return sms;
}

/* ---- One row ---- */

struct summary {
  struct gp_kernel_resources resources;
  const struct gp_launch_shape *usual; /* the shape of most launches */
  struct gp_occupancy of_usual;
  double ratio, least, most; /* mean by launches, and its range */
  double waves;              /* mean by launches */
  double filled;             /* of the block slots of all waves; GP_UNKNOWN */
};

static struct gp_occupancy occupancy_of(const struct gp_sm_limits *sm, const struct gp_kernel_resources *r,
                                        const struct gp_launch_shape *shape) {
  const struct gp_block_use use = {.threads = shape->threads,
                                   .registers = r->registers,
                                   .shared = r->static_shared + shape->dynamic_shared,
                                   .barriers = r->barriers,
                                   .carveout = r->carveout};
  return gp_occupancy_of(sm, &use);
}

static struct gp_kernel_resources resources_of(const struct gp_kernel *kernel) {
  gp_records_lock();
  const struct gp_kernel_resources resources = kernel->resources;
  gp_records_unlock();
  return resources;
}

/* A kernel that was launched fits; if the table says that it does not, the table is wrong. */
static int add_shape(struct summary *s, const struct gp_multiprocessors *sms, const struct gp_launch_shape *shape,
                     double share, double *slots) {
  const struct gp_occupancy o = occupancy_of(sms->limits, &s->resources, shape);
  const double capacity = (double)o.blocks * sms->count;
  if (!o.blocks)
    return -1;
  if (!s->usual || shape->launches > s->usual->launches) {
    s->usual = shape;
    s->of_usual = o;
  }
  s->ratio += share * o.ratio;
  s->least = fmin(s->least, o.ratio);
  s->most = fmax(s->most, o.ratio);
  if (!sms->count)
    return 0;
  s->waves += (double)shape->blocks / capacity * share / (double)shape->launches;
  *slots += shape->blocks_least == shape->blocks_most
                ? share * ceil((double)shape->blocks_most / capacity)
                : INFINITY; /* the waves of each launch are not known */
  return 0;
}

/* Returns 0, or -1 if the occupancy of some launch is not known. */
static int summarise(struct summary *s, const struct gp_multiprocessors *sms, const struct gp_row *row) {
  const struct gp_row_shapes *shapes = row->shapes;
  const uint64_t launches = gp_row_shapes_launches(shapes);
  double slots = 0;
  if (!sms->limits || !launches || launches != row->launches)
    return -1;
  *s = (struct summary){.resources = resources_of(shapes->kernel), .least = INFINITY};
  if (s->resources.source == GP_RESOURCES_UNKNOWN)
    return -1;
  for (uint32_t i = 0; i < shapes->list->count; i++) {
    const struct gp_launch_shape *shape = &shapes->list->shapes[i];
    if (add_shape(s, sms, shape, (double)shape->launches / (double)launches, &slots))
      return -1;
  }
  s->filled = slots > 0 && isfinite(slots) ? s->waves / slots : GP_UNKNOWN;
  return 0;
}

/* ---- JSON ---- */

static void write_ratio(struct gp_json *json, const char *key, double value, int known) {
  if (known && value >= 0)
    gp_json_rounded(json, key, value);
  else
    gp_json_null(json, key);
}

static void write_number(struct gp_json *json, const char *key, uint64_t value, int known) {
  if (known)
    gp_json_unsigned(json, key, value);
  else
    gp_json_null(json, key);
}

static void write_code(struct gp_json *json, const struct gp_kernel_resources *r, int known) {
  static const char *const sources[] = {
      [GP_RESOURCES_UNKNOWN] = NULL, [GP_RESOURCES_DRIVER] = "driver", [GP_RESOURCES_CUBIN] = "machine_code"};
  write_number(json, "registers", r->registers, known);
  write_number(json, "local_bytes", r->local, known);
  write_number(json, "spill_store_bytes", r->spill_stores, known && r->has_spills);
  write_number(json, "spill_load_bytes", r->spill_loads, known && r->has_spills);
  write_number(json, "static_shared_bytes", r->static_shared, known);
  write_number(json, "architecture", r->architecture, known && r->architecture);
  gp_json_text(json, "source", known ? sources[r->source] : NULL);
}

void gp_report_occupancy(struct gp_json *json, const struct gp_multiprocessors *sms, const struct gp_row *row) {
  static const struct gp_launch_shape no_shape;
  struct summary s = {.usual = NULL};
  const int known = (!row->in_kernel || row->whole_kernel) && !summarise(&s, sms, row);
  const struct gp_launch_shape *usual = known ? s.usual : &no_shape;
  const uint64_t cluster = usual->cluster ? usual->cluster : s.resources.cluster;
  const double achieved = gp_hardware_occupancy(row, sms->limits);
  gp_json_object(json, "occupancy");
  write_ratio(json, "theoretical", s.ratio, known);
  write_ratio(json, "theoretical_least", s.least, known);
  write_ratio(json, "theoretical_most", s.most, known);
  gp_json_text(json, "limiter", known ? gp_limiter_names[s.of_usual.limiter] : NULL);
  write_number(json, "blocks_per_sm", s.of_usual.blocks, known);
  write_number(json, "block_threads", usual->threads, known);
  write_number(json, "dynamic_shared_bytes", usual->dynamic_shared, known);
  write_number(json, "cluster_blocks", cluster, known && cluster > 1);
  write_code(json, &s.resources, known);
  write_ratio(json, "waves", s.waves, known && sms->count);
  write_ratio(json, "wave_efficiency", s.filled, known);
  write_ratio(json, "achieved", achieved, achieved >= 0);
  gp_json_text(json, "achieved_source", achieved >= 0 ? "hardware" : NULL);
  gp_json_close_object(json);
}

/* ---- Note ---- */

const char *gp_occupancy_note(const struct gp_device_info *device, const struct gp_chip *chip) {
  static char text[640]; /* guarded by the lock of documents */
  char problem[256];
  const struct gp_multiprocessors sms = gp_multiprocessors_of(device, chip);
  const char *missing = gp_kernel_code_missing(problem, sizeof problem, sms.architecture);
  if (!sms.limits)
    return "null: the limits of this chip's multiprocessors are not known";
  snprintf(text, sizeof text,
           "null for rows of several kernels%s%s; spill_store_bytes and spill_load_bytes are null where local memory is used and the "
           "program has no machine code by CUDA 13 or newer; achieved needs hardware counters (GPUPROF_HARDWARE=bytes)",
           missing ? ", and where there is no machine code that runs on the chip: " : "", missing ? missing : "");
  return text;
}
