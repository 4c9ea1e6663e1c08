// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sheet/units.h"

#include "base/device.h"
#include "base/log.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

static int refuse(struct gp_unit *unit, const char *why) {
  unit->state = GP_UNIT_BROKEN;
  gp_log(GP_WARN, unit->source, "its kernels are not counted: %s", why);
  return -1;
}

static int device_failed(struct gp_unit *unit, int error) {
  return refuse(unit, gp_device()->error_text(error));
}

/* An unregistered unit with the same source and sheet: its library has been opened again. */
static struct gp_unit *gone_like(const struct gp_unit *unit) {
  for (struct gp_unit *other = gp_units(); other; other = other->next)
    if (!other->host && !other->replaced && other->sheet && other->sheet_hash == unit->sheet_hash &&
        !strcmp(other->source, unit->source))
      return other;
  return NULL;
}

static int parse(struct gp_unit *unit, const char *text, size_t bytes) {
  char problem[256] = "";
  unit->sheet_hash = gp_hash_bytes(text, bytes);
  unit->replaces = gone_like(unit);
  struct gp_sheet *sheet = unit->replaces ? unit->replaces->sheet : gp_sheet_parse(text, bytes, problem, sizeof problem);
  if (!sheet)
    return refuse(unit, problem);
  unit->sheet = sheet;
  return 0;
}

static int read_sheet(struct gp_unit *unit, const struct gpuprof_device_unit *descriptor) {
  if (unit->state == GP_UNIT_READ)
    return 0;
  char *text = malloc(descriptor->sheet_bytes + 1);
  if (!text)
    return refuse(unit, "memory is exhausted");
  int error = gp_device_peek(text, descriptor->sheet, descriptor->sheet_bytes);
  int failed = error ? 0 : parse(unit, text, descriptor->sheet_bytes);
  free(text);
  if (error)
    return device_failed(unit, error);
  if (failed)
    return failed;
  if (unit->sheet->kernel_count != descriptor->kernel_count)
    return refuse(unit, "its cost sheet names another number of kernels than its descriptor");
  unit->state = GP_UNIT_READ;
  return 0;
}

int gp_unit_attach(struct gp_unit *unit, int device) {
  if (unit->state == GP_UNIT_BROKEN || !unit->host || !unit->host->device_unit || device < 0 || device >= GP_DEVICES)
    return -1;
  if (unit->counters[device])
    return 0;
  uint64_t address;
  size_t bytes;
  struct gpuprof_device_unit descriptor;
  int error = gp_device()->symbol(unit->host->device_unit, &address, &bytes);
  if (error)
    return device_failed(unit, error);
  if (bytes < sizeof descriptor)
    return refuse(unit, "its device descriptor is too small; compile it again");
  error = gp_device_peek(&descriptor, address, sizeof descriptor);
  if (error)
    return device_failed(unit, error);
  if (descriptor.abi_version != GPUPROF_ABI_VERSION)
    return refuse(unit, "its device code was compiled with another version of gpuprof; compile it again");
  if (read_sheet(unit, &descriptor))
    return -1;
  unit->counters[device] = descriptor.counters;
  return 0;
}
