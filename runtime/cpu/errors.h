/* CUDA's error numbers and how they are kept: the last error of a thread, and the one that a stopped kernel
 * leaves behind for the whole process.
 */
#ifndef GP_CPU_ERRORS_H
#define GP_CPU_ERRORS_H

enum gp_cpu_error {
#define GP_CPU_ERROR(identifier, number, name, text) GP_ERROR_##identifier = number,
#include "cpu/errors.inc"
};

/* The error of a stopped kernel if there is one, else `error`; becomes the thread's last error unless 0.
 * Every CUDA function of the CPU device returns through this. */
int gp_cpu_result(int error);
/* A kernel was stopped: from now on every function of CUDA returns this error, until cudaDeviceReset. */
void gp_cpu_break(int error);
int gp_cpu_broken(void);
void gp_cpu_mend(void);
/* The thread's last error; `forget`: and makes it 0. */
int gp_cpu_last_error(int forget);
const char *gp_cpu_error_name(int error);
const char *gp_cpu_error_text(int error);

#endif
