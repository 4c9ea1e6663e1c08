/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Translation units compiled with gpuprof, and the data of their device halves in device memory. */
#ifndef GP_UNITS_H
#define GP_UNITS_H

#include "base/device.h"
#include "gpuprof/abi.h"
#include "sheet/sheet.h"

enum gp_unit_state { GP_UNIT_UNREAD, GP_UNIT_READ, GP_UNIT_BROKEN };

struct gp_unit {
  struct gp_unit *next;
  struct gpuprof_host_unit *host; /* null once unregistered */
  char *source, *compiler, *options;
  _Atomic enum gp_unit_state state; /* of the sheet */
  _Atomic uint32_t next_kernel, next_in_sheet; /* start of a search for a kernel */
  struct gp_sheet *_Atomic sheet;   /* kept for ever: counts refer to it; of an earlier unit until this one's is read */
  uint64_t sheet_hash;              /* of its text */
  struct gp_unit *replaces; /* an unregistered one with the same sheet; until gp_kernels_take_over() */
  _Atomic int replaced;             /* by a unit with the same sheet: nothing refers to this one any more */
  uint64_t counters[GP_DEVICES];    /* device address of gpuprof_device_unit.counters, 0 = not known yet */
};

/* All registered and unregistered units, newest first. */
struct gp_unit *gp_units(void);
/* True if memory was lacking for a registration: missing objects may be the lost ones. */
int gp_modules_lost(void);

/* Reads the descriptor and (once) the sheet through the device; no capture may be under way. Returns 0 if the
 * unit's kernels can be counted on `device`; otherwise reports the reason once. Serialised by the caller. */
int gp_unit_attach(struct gp_unit *unit, int device);

#endif
