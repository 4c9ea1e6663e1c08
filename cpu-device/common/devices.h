/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The emulated devices: GPUPROF_CPU_DEVICES of them, by default one. They share the workers and the memory of
 * the machine. Each has a part of the arena, its streams, its own errors and its own copy of every device
 * variable.
 */
#ifndef GP_CPU_DEVICES_H
#define GP_CPU_DEVICES_H

#include "base/settings.h"

#include <stdbool.h>
#include <stddef.h>

enum { GP_CPU_DEVICES = GP_SETTINGS_CPU_DEVICES }; /* at most */

int gp_cpu_device_count(void);
/* The device of the calling thread. */
int gp_cpu_device(void);
/* Sets the device of the calling thread; it must exist. Returns the previous one. */
int gp_cpu_device_set(int device);
bool gp_cpu_device_exists(int device);

/* Compiled kernels know one address of a device variable; it holds the values of one device at a time. Puts
 * the values of `device` there. The caller holds the lock of gp_cpu_exclusive(). */
void gp_cpu_device_enter(int device);
/* Calls f(closure) while no kernel runs and the values of the calling thread's device are in place. With a
 * single device it only calls f: no values are exchanged. */
void gp_cpu_device_do(void (*f)(void *), void *closure);
/* Gives the variables of `device` their initial values: cudaDeviceReset. */
void gp_cpu_device_forget_variables(int device);

#endif
