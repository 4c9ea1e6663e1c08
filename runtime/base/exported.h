/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Marks what compiled code and programs call. */
#ifndef GP_EXPORTED_H
#define GP_EXPORTED_H

#define GP_EXPORT __attribute__((visibility("default")))

#endif
