/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* new and delete in device code: clang's own, implemented with the device's malloc and free. They come with
 * <new>, included by many of the standard library's headers, too. */
#ifndef GPUPROF_MINICUDA_NEW_H
#define GPUPROF_MINICUDA_NEW_H

#include <new>

#endif
