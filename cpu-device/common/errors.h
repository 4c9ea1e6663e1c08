/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA's error numbers and their storage: the last error of a thread, and a device's error after a stopped
 * kernel.
 */
#ifndef GP_CPU_ERRORS_H
#define GP_CPU_ERRORS_H

enum gp_cpu_error {
#define GP_CPU_ERROR(identifier, number, name, text) GP_ERROR_##identifier = number,
#include "common/errors.inc"
};

/* The error of a stopped kernel of the thread's device if there is one, or else `error`. Becomes the thread's
 * last error unless 0. CUDA functions needing a working device return through this. */
int gp_cpu_result(int error);
/* The same for functions without need of a device: queries of devices and versions. */
int gp_cpu_answer(int error);
/* Not permitted: both return cudaErrorNotPermitted while a stream calls a function of the program on this
 * thread. */
void gp_cpu_permit(int permitted);
/* A kernel of `device` was stopped. All functions needing the device return this error until cudaDeviceReset.
 * The first error is kept. */
void gp_cpu_break(int device, int error);
/* The error of the thread's device; 0: nothing has stopped it. */
int gp_cpu_broken(void);
void gp_cpu_mend(int device);
/* The thread's last error; `forget` resets it to 0. */
int gp_cpu_last_error(int forget);
void gp_cpu_set_last_error(int error);
const char *gp_cpu_error_name(int error);
const char *gp_cpu_error_text(int error);

#endif
