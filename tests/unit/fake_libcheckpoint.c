// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* CUPTI's checkpoints without a GPU: the program's memory is the test's `fake_program_memory`. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "cuda/profiler_types.h"

static uint64_t *memory(void) { return dlsym(RTLD_DEFAULT, "fake_program_memory"); }

int cuptiCheckpointSave(struct gp_cupti_checkpoint *c) {
  uint64_t *copy = malloc(sizeof *copy);
  *copy = *memory();
  c->private_data = copy;
  return getenv("FAKE_CHECKPOINT_FULL") ? 8 : 0;
}
int cuptiCheckpointRestore(struct gp_cupti_checkpoint *c) {
  *memory() = *(uint64_t *)c->private_data;
  return 0;
}
int cuptiCheckpointFree(struct gp_cupti_checkpoint *c) {
  free(c->private_data);
  return 0;
}
