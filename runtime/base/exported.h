/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Marks functions called by compiled code and programs. */
#ifndef GP_EXPORTED_H
#define GP_EXPORTED_H

#define GP_EXPORT __attribute__((visibility("default")))

#endif
