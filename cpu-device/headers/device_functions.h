/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CMake finds a toolkit by this file. */
#include "cuda_runtime.h"
