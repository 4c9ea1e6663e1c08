/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names for people. */
#ifndef GP_DEMANGLE_H
#define GP_DEMANGLE_H

/* A C++ name as it is written, to be freed; null where it is none, or the machine has no C++ runtime. */
char *gp_demangle(const char *mangled);

/* While a library with kernels is being opened: keeps the C++ runtime that it brought, which may be gone when the report is
 * written; loads one where there is none. */
void gp_demangle_prepare(void);

#endif
