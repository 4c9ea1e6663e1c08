/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvcc's command line as clang's: what 'gpuprof cc' reads before anything else. */
#ifndef GP_TOOL_NVCC_H
#define GP_TOOL_NVCC_H

#include "cc/line.h"
#include "common/options.h"

#include <stdbool.h>

/* What becomes of the inputs. */
enum nvcc_product {
  NVCC_AS_CLANG, /* what clang's options say */
  NVCC_DEVICE_LINK,
  NVCC_LIBRARY,
  NVCC_PTX,
  NVCC_CUBIN,
  NVCC_FATBIN
};

/* -arch=all and -arch=all-major. */
enum nvcc_every { NVCC_NAMED, NVCC_EVERY, NVCC_EVERY_MAJOR };

/* A zero-initialised plan is ready for nvcc_translate(). */
struct nvcc_plan {
  const struct command *self; /* for messages */
  struct line line;           /* clang's arguments */
  enum nvcc_product product;
  enum nvcc_every every;
  bool run, dry_run;                     /* the program, afterwards; print only */
  bool list_real, list_virtual, version; /* print, and do nothing */
  struct line run_arguments, archive_options;
  char *folder; /* of -odir, or null */

  /* While arguments are read. */
  struct line named, codes; /* of -arch and -gencode; of -code */
  struct nvcc_math {
    bool fast;                              /* --use_fast_math */
    const char *ftz, *prec_div, *prec_sqrt; /* "true", "false" or null */
  } math;
  bool has_nvcc_flag, device_debug, device_optimization, one_pass;
  int depth; /* of options files */
};

/* Adds clang's arguments for nvcc's and clang's own, and for those of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS. Returns an exit code, after a message. */
int nvcc_translate(struct nvcc_plan *plan, int argc, char *const *argv);
void nvcc_plan_free(struct nvcc_plan *plan);

/* Adds the words of `template`, which clang gets for a flag of nvcc, each with `value` in place of %. */
void nvcc_add_template(struct line *line, const char *template, const char *value);

/* One for each NVCC_TAKE of the table; `value` is "" for flags without one. They return an exit code. */
#define NVCC_GROUP(title)
#define NVCC_SAME(long, short, value, clang, text)
#define NVCC_MAP(long, short, value, clang, text)
#define NVCC_BOOL(long, short, when_true, when_false, text)
#define NVCC_TAKE(long, short, value, take, clang, text)                                                     \
  int nvcc_take_##take(struct nvcc_plan *plan, const char *given);
#define NVCC_IGNORED(long, short, value, text)
#define NVCC_REFUSED(long, short, value, text)
#include "cc/nvcc_flags.def"

#endif
