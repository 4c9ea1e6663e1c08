/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names for people. */
#ifndef GP_DEMANGLE_H
#define GP_DEMANGLE_H

/* A readable C++ name, to be freed; null if it is none, or the machine has no C++ runtime. */
char *gp_demangle(const char *mangled);

/* Called while a library with kernels is being opened. Keeps the library's C++ runtime for the report, or
 * loads one if there is none. */
void gp_demangle_prepare(void);

#endif
