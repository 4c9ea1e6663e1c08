// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda-api/runtime/api_table.h"

#include "cuda-api/work/api.h"

#define ENTRY_CPU(name, base) .name = gp_cpu_##base,
#define ENTRY_NOCPU(name, base)
static struct gp_cudart table = {
#define GP_CUDART(name, parameters, arguments, cpu) ENTRY_##cpu(name, name)
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu) ENTRY_##cpu(name, base)
#define GP_CUDART_VERSION(name, base, parameters, arguments, cpu) ENTRY_##cpu(name, name)
#include "exports/cudart.inc"
};

void gp_cpu_api_open(void) { gp_cudart_complete(&table); }

const struct gp_cudart *gp_cpu_api(void) { return &table; }
