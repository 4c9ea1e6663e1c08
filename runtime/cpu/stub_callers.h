/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names the library that called the stub driver. */
#ifndef GP_STUB_CALLERS_H
#define GP_STUB_CALLERS_H

/* Warns once for each function of a known library that needs a GPU. The stub driver calls it. */
void gp_stub_driver_called(void);

#endif
