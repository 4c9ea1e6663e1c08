// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* `scan` of a build that had no header of libclang. */
#include "common/commands.h"
#include "common/say.h"

int run_scan(const struct command *self, const struct arguments *arguments) {
  (void)self;
  (void)arguments;
  return fail("this gpuprof was built without clang-c/Index.h, which 'scan' needs: install libclang-%d-dev and build it again.",
              GPUPROF_LLVM_MAJOR);
}
