// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/measured_peaks.h"

#include "base/input.h"
#include "base/log.h"
#include "base/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEASURED "the measured ceilings of '%.200s' are not used: "
#define MEASURE_AGAIN "; run 'gpuprof peaks' again"

/* The file has one member or ceiling a line, as tools/peaks/results.c writes it. */
struct peaks_file {
  char schema[32], chip[64], name[128], uuid[64], driver[80];
  double clock_hz; /* the highest of the multiprocessors; 0: not known */
  struct gp_ceilings ceilings;
};

/* ---- Reading ---- */

static void take_text(const char *line, const char *key, char *value, size_t size) {
  const size_t length = strlen(key);
  const char *at = line + strspn(line, " ");
  if (*at != '"' || strncmp(at + 1, key, length) || strncmp(at + 1 + length, "\": \"", 4))
    return;
  at += length + 5;
  snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
}

static double number_of(const char *line, const char *key) {
  const char *at = strstr(line, key);
  double value = 0;
  return at && sscanf(at + strlen(key), "%lf", &value) == 1 && value > 0 ? value : 0;
}

static int index_of(const char *const *names, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (!strcmp(names[i], name))
      return i;
  return -1;
}

static void set(double *rates, unsigned *measured, int index, double per_second) {
  if (index < 0)
    return;
  rates[index] = per_second;
  *measured |= 1u << index;
}

/* Power lowers the clock of long runs of tensor cores: short kernels have the highest. */
static void take_tensor_clock(struct peaks_file *peaks, const char *line) {
  const double clock = number_of(line, "\"clock_hz\": "), boost = clock > 0 ? peaks->clock_hz / clock : 0;
  if (boost > peaks->ceilings.tensor_boost && boost < 10)
    peaks->ceilings.tensor_boost = boost;
}

/* Files of earlier versions have no line of mma.sync beside one that was measured by it. */
static void take_tensor(struct peaks_file *peaks, const char *line, int precision, double rate) {
  struct gp_ceilings *c = &peaks->ceilings;
  set(c->tensor, &c->measured.tensor, precision, rate);
  if (strstr(line, "-wgmma\""))
    c->fastest = "wgmma";
  else
    set(c->mma_sync, &c->measured.mma_sync, precision, rate);
  take_tensor_clock(peaks, line);
}

static void take_ceiling(struct peaks_file *peaks, const char *line) {
  struct gp_ceilings *c = &peaks->ceilings;
  char unit[16], of[16];
  double rate;
  if (sscanf(line, " {\"unit\": \"%15[a-z0-9_]\", \"of\": \"%15[a-z0-9_]\", \"per_second\": %lf", unit, of,
             &rate) != 3 ||
      !(rate > 0) || rate > 1e30)
    return;
  if (!strcmp(unit, "core"))
    set(c->core, &c->measured.core, index_of(gp_core_names, GP_CORE_COUNT, of), rate);
  else if (!strcmp(unit, "tensor"))
    take_tensor(peaks, line, index_of(gp_tensor_names, GP_TENSOR_COUNT, of), rate);
  else if (!strcmp(unit, "mma_sync"))
    set(c->mma_sync, &c->measured.mma_sync, index_of(gp_tensor_names, GP_TENSOR_COUNT, of), rate);
  else if (!strcmp(unit, "integer"))
    set(c->integer, &c->measured.integer, index_of(gp_integer_names, GP_INTEGER_COUNT, of), rate);
  else if (!strcmp(unit, "special"))
    c->special = rate, c->measured.special = 1;
  else
    set(c->bytes, &c->measured.bytes, index_of(gp_level_names, GP_LEVEL_COUNT, unit), rate);
}

static void read_lines(FILE *file, struct peaks_file *peaks) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, file) > 0) {
    take_text(line, "schema", peaks->schema, sizeof peaks->schema);
    take_text(line, "chip", peaks->chip, sizeof peaks->chip);
    take_text(line, "name", peaks->name, sizeof peaks->name);
    take_text(line, "uuid", peaks->uuid, sizeof peaks->uuid);
    take_text(line, "driver", peaks->driver, sizeof peaks->driver);
    if (!strncmp(line, "  \"clock_hz\": ", 14))
      peaks->clock_hz = number_of(line, "\"clock_hz\": ");
    take_ceiling(peaks, line);
  }
  free(line);
}

/* ---- Does it fit? ---- */

static int is_other_device(const struct peaks_file *peaks, const struct gp_device_info *gpu,
                           const struct gp_chip *chip) {
  if (gpu)
    return strcmp(peaks->uuid, gpu->uuid) || strcmp(peaks->name, gpu->name);
  return !chip || strcmp(peaks->chip, chip->id);
}

/* Says why the file is of no use here. */
static int fits(const struct peaks_file *peaks, const char *path, const struct gp_device_info *gpu,
                const struct gp_chip *chip) {
  if (strcmp(peaks->schema, "gpuprof.peaks"))
    gp_remark("ceilings", MEASURED "it is no file of 'gpuprof peaks'", path);
  else if (is_other_device(peaks, gpu, chip))
    gp_remark("ceilings", MEASURED "they are of %s, not of this device", path,
              peaks->name[0] ? peaks->name : "another chip");
  else if (gpu && peaks->driver[0] && gpu->driver[0] && strcmp(peaks->driver, gpu->driver))
    gp_remark("ceilings", MEASURED "they are of driver %s, and this is %s" MEASURE_AGAIN, path, peaks->driver,
              gpu->driver);
  else
    return 1;
  return 0;
}

/* ---- Taking it ---- */

static void take_each(double *to, unsigned *to_measured, const double *from, unsigned measured, int count) {
  for (int i = 0; i < count; i++)
    if (measured & 1u << i)
      set(to, to_measured, i, from[i]);
}

static void take(struct gp_ceilings *to, const struct gp_ceilings *from) {
  take_each(to->core, &to->measured.core, from->core, from->measured.core, GP_CORE_COUNT);
  take_each(to->tensor, &to->measured.tensor, from->tensor, from->measured.tensor, GP_TENSOR_COUNT);
  take_each(to->mma_sync, &to->measured.mma_sync, from->mma_sync, from->measured.mma_sync, GP_TENSOR_COUNT);
  if (!to->fastest)
    to->fastest = from->fastest;
  take_each(to->integer, &to->measured.integer, from->integer, from->measured.integer, GP_INTEGER_COUNT);
  take_each(to->bytes, &to->measured.bytes, from->bytes, from->measured.bytes, GP_LEVEL_COUNT);
  if (from->tensor_boost > to->tensor_boost)
    to->tensor_boost = from->tensor_boost;
  if (from->measured.special)
    to->special = from->special, to->measured.special = 1;
}

/* Where `gpuprof peaks` leaves it. Returns 0, or -1 without such a place. */
static int default_path(char *path, size_t size, const char *uuid) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache && *cache == '/')
    return snprintf(path, size, "%s/gpuprof/peaks-%s.json", cache, uuid) < (int)size ? 0 : -1;
  return home && *home && snprintf(path, size, "%s/.cache/gpuprof/peaks-%s.json", home, uuid) < (int)size
             ? 0
             : -1;
}

static void apply_file(struct gp_ceilings *ceilings, const char *path, const struct gp_device_info *gpu,
                       const struct gp_chip *chip, int is_asked_for) {
  struct peaks_file peaks = {0};
  FILE *file = gp_input_open(path);
  if (!file) {
    if (is_asked_for)
      gp_remark("ceilings", MEASURED "it cannot be read: %s", path, strerror(errno));
    return;
  }
  read_lines(file, &peaks);
  fclose(file);
  if (fits(&peaks, path, gpu, chip))
    take(ceilings, &peaks.ceilings);
}

void gp_measured_peaks_apply(struct gp_ceilings *ceilings, const struct gp_device_info *device,
                             const struct gp_chip *chip) {
  const char *wanted = gp_settings()->peaks;
  const struct gp_device_info *gpu = device && !strcmp(device->kind, "gpu") ? device : NULL;
  char path[4096];
  if (wanted && !strcmp(wanted, "off"))
    return;
  if (wanted && strcmp(wanted, "auto"))
    apply_file(ceilings, wanted, gpu, chip, 1);
  else if (gpu && gpu->uuid[0] && !default_path(path, sizeof path, gpu->uuid))
    apply_file(ceilings, path, gpu, chip, 0);
}
