/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bodies of exported functions that pass their call on to the device in use, and measure it where the host waits in it, or copies. */
#ifndef GP_FORWARD_H
#define GP_FORWARD_H

#include "core/host_waits.h"
#include "exports/copy_list.h"
#include "exports/cuda_functions.h"
#include "exports/driver_functions.h"

/* Which functions wait, by their names: constants, so that the others are compiled to one jump. */
static const struct {
#define GP_CUDART(name, parameters, arguments, cpu) unsigned char name;
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu) unsigned char name;
#include "exports/cudart.inc"
} gp_runtime_waits = {
#define GP_WAITS(function) .function = GP_WAITS_ALWAYS,
#define GP_MAY_WAIT(function) .function = GP_WAITS_IF_LONG,
#include "exports/cudart_waits.inc"
};

static const struct {
#define GP_DRIVER(name, parameters, arguments, cpu) unsigned char name;
#include "exports/driver_functions.inc"
} gp_driver_waits = {
#define GP_WAITS(function) .function = GP_WAITS_ALWAYS,
#define GP_MAY_WAIT(function) .function = GP_WAITS_IF_LONG,
#include "exports/driver_waits.inc"
};

#define GP_CUDART_FORWARD(name, arguments)                                                                   \
  struct gp_host_wait gp_wait;                                                                               \
  gp_host_wait_begin(&gp_wait, #name, (enum gp_waits)gp_runtime_waits.name);                                 \
  struct gp_copied gp_copied;                                                                                \
  const int gp_copies = GP_COPIES(name);                                                                     \
  const int gp_result = gp_cudart()->name arguments;                                                         \
  if (gp_copies)                                                                                             \
    gp_copied_end(&gp_copied, gp_result);                                                                    \
  gp_host_wait_end(&gp_wait, (enum gp_waits)gp_runtime_waits.name);                                          \
  return gp_result;

#define GP_DRIVER_FORWARD(name, parameters, arguments)                                                       \
  static int(*_Atomic known) parameters;                                                                     \
  int(*forwarded) parameters = known;                                                                        \
  if (!forwarded) {                                                                                          \
    *(void **)&forwarded = gp_cuda_functions()->driver(#name);                                               \
    known = forwarded;                                                                                       \
  }                                                                                                          \
  struct gp_host_wait gp_wait;                                                                               \
  gp_host_wait_begin(&gp_wait, #name, (enum gp_waits)gp_driver_waits.name);                                  \
  struct gp_copied gp_copied;                                                                                \
  const int gp_copies = GP_COPIES(name);                                                                     \
  const int gp_result = forwarded ? forwarded arguments : gp_driver_missing(#name);                          \
  if (gp_copies)                                                                                             \
    gp_copied_end(&gp_copied, gp_result);                                                                    \
  gp_host_wait_end(&gp_wait, (enum gp_waits)gp_driver_waits.name);                                           \
  return gp_result;

#endif
