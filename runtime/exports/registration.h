/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The registration calls of compiled code: recorded for every device, and passed on to the real libcudart once runtime/cuda
 * has opened it. Thread-safe.
 */
#ifndef GP_REGISTRATION_H
#define GP_REGISTRATION_H

#include "sheet/modules.h"

#include <stddef.h>

void **gp_register_fatbin(void *wrapper);
void gp_register_function(void **handle, const void *host, const char *name);
void gp_register_variable(void **handle, const void *shadow, const char *name, size_t bytes, int constant);
void gp_register_managed(void **handle, void **pointer, const char *name, size_t bytes);
void gp_register_end(void **handle);
void gp_unregister_fatbin(void **handle);
char gp_initialize_module(void **handle);

/* A library needing the registrations, too. */
struct gp_registration_receiver {
  void (*fatbin)(struct gp_module *module);
  void (*function)(const struct gp_module *module, const void *host, const char *name);
  void (*variable)(const struct gp_module *module, const struct gp_variable *variable);
  void (*end)(const struct gp_module *module);
  /* These two take the library's own handle of a module. */
  void (*unregister)(void **real);
  char (*initialize)(void **real);
};

/* Opens the receiver by `open` and gives it all registrations so far, and from then on each one at once. Each
 * reaches it once. Returns 1; a later call waits for the first, does nothing and returns 0. */
int gp_registration_receive(const struct gp_registration_receiver *receiver, void (*open)(void));

#endif
