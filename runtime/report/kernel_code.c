// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/kernel_code.h"

#include "core/kernels.h"
#include "machine/cubin.h"
#include "machine/fatbin.h"
#include "sheet/modules.h"

#include <stdio.h>
#include <string.h>

/* Why a kernel has no machine code that runs on the architecture, from the least to the most that was found. */
enum problem { NOTHING_MISSING, NO_MODULE, NO_CODE, ONLY_PTX, OTHER_ARCHITECTURES, COMPRESSED };
static const char *const problems[] = {
    [NO_MODULE] = "their library was closed before the document was written",
    [NO_CODE] = "the program has none; compile it with --cuda-gpu-arch=sm_%u, and without --cpu",
    [ONLY_PTX] = "the program has only PTX for them; compile it with --cuda-gpu-arch=sm_%u",
    [OTHER_ARCHITECTURES] = "the program has some for other chips; compile it with --cuda-gpu-arch=sm_%u",
    [COMPRESSED] = "it is compressed; give nvcc the option -no-compress",
};

static _Atomic int missing; /* enum problem: the most telling one of all kernels */

struct search {
  const char *kernel;
  unsigned architecture;
  enum problem problem;
  struct gp_kernel_resources found;
};

static void note(struct search *s, enum problem problem) { s->problem = problem > s->problem ? problem : s->problem; }

static int fits(const struct gp_fatbin_entry *entry, unsigned architecture) {
  return entry->is_specific ? entry->architecture == architecture : gp_architecture_runs_on(entry->architecture, architecture);
}

/* Takes the entry if it is nearer to the architecture than that found before, as the driver does. */
static void try_entry(struct search *s, const struct gp_fatbin_entry *entry) {
  struct gp_cubin cubin;
  struct gp_kernel_resources resources;
  if (entry->kind == GP_FATBIN_PTX)
    note(s, ONLY_PTX);
  else if (!fits(entry, s->architecture))
    note(s, OTHER_ARCHITECTURES);
  else if (entry->is_compressed)
    note(s, COMPRESSED);
  else if (entry->architecture >= s->found.architecture && !gp_cubin_open(&cubin, entry->data, entry->bytes) &&
           !gp_cubin_resources(&cubin, s->kernel, &resources))
    s->found = resources;
}

static int try_module(struct gp_module *module, void *closure) {
  struct search *s = closure;
  const struct gp_function *function = module->functions;
  struct gp_fatbin_entry entry;
  while (function && strcmp(function->name, s->kernel))
    function = function->next;
  if (!function)
    return 0;
  note(s, NO_CODE);
  for (size_t at = 0; gp_fatbin_next(gp_fatbin_of(module->wrapper), &at, &entry);)
    try_entry(s, &entry);
  return s->found.source == GP_RESOURCES_CUBIN;
}

/* The CUDA runtime does not tell of barriers and spills. */
static void add_to_driver(struct gp_kernel_resources *to, const struct gp_kernel_resources *found) {
  to->barriers = found->barriers;
  if (!found->has_spills || to->local != found->local)
    return;
  to->has_spills = 1;
  to->spill_stores = found->spill_stores;
  to->spill_loads = found->spill_loads;
}

static void keep(struct gp_kernel *kernel, const struct gp_kernel_resources *found) {
  gp_records_lock();
  if (kernel->resources.source == GP_RESOURCES_UNKNOWN)
    kernel->resources = *found;
  else if (kernel->resources.registers == found->registers)
    add_to_driver(&kernel->resources, found);
  kernel->code_looked = 1;
  gp_records_unlock();
}

static void look(struct gp_kernel *kernel, unsigned architecture) {
  struct search s = {.kernel = kernel->name, .architecture = architecture, .problem = NO_MODULE};
  gp_modules_each(try_module, &s);
  keep(kernel, &s.found);
  if (kernel->resources.source == GP_RESOURCES_UNKNOWN && (int)s.problem > atomic_load(&missing))
    atomic_store(&missing, (int)s.problem);
}

void gp_kernel_code_learn(unsigned architecture) {
  for (struct gp_kernel *kernel = architecture ? gp_kernels() : NULL; kernel; kernel = kernel->next) {
    gp_records_lock();
    const int is_new = kernel->records && !kernel->code_looked;
    gp_records_unlock();
    if (is_new)
      look(kernel, architecture);
  }
}

const char *gp_kernel_code_missing(char *text, size_t bytes, unsigned architecture) {
  const char *problem = problems[atomic_load(&missing)];
  if (problem)
    snprintf(text, bytes, problem, architecture);
  return problem ? text : NULL;
}
