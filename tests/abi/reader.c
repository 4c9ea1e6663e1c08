// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Stands in for the runtime: prints the values handed over by the compiled code of host.ll. */
#include "gpuprof/abi.h"

#include <stdio.h>

void work(void);

void __gpuprof_register_unit(struct gpuprof_host_unit *unit) {
  printf("unit: version %u, CUDA %u, source '%s', compiler '%s', options '%s'\n", unit->abi_version, unit->cuda_version, unit->source,
         unit->compiler, unit->options);
  printf("fatbin %d, device unit %d, kernels %d, %llu, variables %d, %llu, runtime %d\n", !!unit->fatbin_wrapper, !!unit->device_unit,
         !!unit->cpu_kernels, (unsigned long long)unit->cpu_kernel_count, !!unit->cpu_variables,
         (unsigned long long)unit->cpu_variable_count, !!unit->runtime);
}

void __gpuprof_unregister_unit(struct gpuprof_host_unit *unit) { printf("unit '%s' ends\n", unit->source); }

uint32_t __gpuprof_region_enter(struct gpuprof_region_site *site) {
  printf("region '%s', runtime %d\n", site->description, !!site->runtime);
  return 1;
}

void __gpuprof_region_exit(uint32_t token) { printf("region %u ends\n", token); }

int main(void) {
  work();
  return 0;
}
