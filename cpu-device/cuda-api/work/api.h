/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA's runtime functions on the CPU device: gp_cpu_<name>, declared from the table. All work is done when a
 * function returns: a stream is a name, an event a time.
 */
#ifndef GP_CPU_API_H
#define GP_CPU_API_H

#include "exports/cudart_types.h"

#define GP_API_CPU(result, name, parameters) result gp_cpu_##name parameters;
#define GP_API_NOCPU(result, name, parameters)
#define GP_CUDART(name, parameters, arguments, cpu) GP_API_##cpu(int, name, parameters)
#define GP_CUDART_TEXT(name, parameters, arguments, cpu) GP_API_##cpu(const char *, name, parameters)
#define GP_CUDART_VERSION(name, base, parameters, arguments, cpu) GP_API_##cpu(int, name, parameters)
#include "exports/cudart.inc"
#undef GP_API_CPU
#undef GP_API_NOCPU

#endif
