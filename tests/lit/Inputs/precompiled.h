// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiled by lit.cfg.py. The header is included by its name, so that it is a system header in the device's half too.
#include <cuda_runtime.h>
