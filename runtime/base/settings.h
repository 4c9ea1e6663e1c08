/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The GPUPROF_* settings: environment first, then the file named by GPUPROF_CONFIG, then the default. A wrong
 * value gets one message and leaves the default in place. Their list is gpuprof/settings.inc.
 */
#ifndef GP_SETTINGS_H
#define GP_SETTINGS_H

#include "base/log_level.h"

#include <stddef.h>
#include <stdint.h>

/* The way of finding unique bytes on a GPU. */
enum gp_unique {
  GP_UNIQUE_AUTO,   /* by address clones, if their results can be remembered */
  GP_UNIQUE_OFF,    /* not at all */
  GP_UNIQUE_ON,     /* by address clones, and by marking kernels without one; launches are not timed */
  GP_UNIQUE_CLONES, /* by address clones alone, also on the CPU device */
  GP_UNIQUE_HOST,   /* by address formulas alone, also on the CPU device */
  GP_UNIQUE_MARKING /* by marking kernels alone, also on the CPU device */
};

/* CUDA memory used by the program. */
enum gp_memory_setting {
  GP_MEMORY_NOT_SEEN,
  GP_MEMORY_SEEN,
  GP_MEMORY_STACKS /* with the stacks of the callers */
};

#define GP_SETTINGS_CPU_DEVICES 16   /* maximum number of emulated devices */
#define GP_SETTINGS_STEPS (1u << 22) /* maximum lines of counters of one launch */

struct gp_settings {
  char *output;   /* GPUPROF_OUTPUT, a pattern */
  int enable;     /* GPUPROF_ENABLE */
  int journal;    /* GPUPROF_JOURNAL */
  int signals;    /* GPUPROF_SIGNALS */
  char *device;   /* GPUPROF_DEVICE: "gpu", "cpu" or null */
  char *chip;     /* GPUPROF_CHIP or null */
  char *peaks;    /* GPUPROF_PEAKS or null */
  uint64_t warmup; /* GPUPROF_WARMUP */
  uint64_t sample; /* GPUPROF_SAMPLE: each N-th launch is counted; 0 or 1: all */
  char *times_only; /* GPUPROF_TIMES_ONLY or null */
  char *times_file; /* GPUPROF_TIMES_FILE or null */
  uint64_t steps;  /* GPUPROF_STEPS: initial lines of counters */
  char *filter;   /* GPUPROF_FILTER or null: a valid extended regular expression */
  char *trace;    /* GPUPROF_TRACE or null */
  char *hardware; /* GPUPROF_HARDWARE */
  int energy;     /* GPUPROF_ENERGY */
  int watch_memory; /* GPUPROF_WATCH_MEMORY */
  enum gp_unique unique; /* GPUPROF_UNIQUE */
  enum gp_memory_setting memory; /* GPUPROF_MEMORY */
  int strict;            /* GPUPROF_SCHEDULE=strict */
  uint64_t cpu_devices;  /* GPUPROF_CPU_DEVICES: 1 to GP_SETTINGS_CPU_DEVICES */
  uint64_t cpu_workers;  /* GPUPROF_CPU_WORKERS, 0: a thread a core */
  int cpu_zero;          /* GPUPROF_CPU_FILL=zero */
  int counts_only; /* GPUPROF_COUNTS_ONLY */
  char *unique_file; /* GPUPROF_UNIQUE_FILE or null */
  enum gp_level log; /* GPUPROF_LOG */
  char *config;   /* GPUPROF_CONFIG or null */
  char *library;  /* GPUPROF_LIBRARY or null: python/gpuprof reads it */
};

/* The settings of this process, read once. */
const struct gp_settings *gp_settings(void);

/* A message about a setting, held back until the settings are complete (messages need GPUPROF_LOG). */
struct gp_settings_problem {
  char about[64];
  char text[256];
};
#define GP_SETTINGS_PROBLEMS 16

/* Fills *settings from `environment` (entries NAME=value, ended by null) and the file named there. Stores up
 * to GP_SETTINGS_PROBLEMS problems and returns their number. Overwrites *settings. */
size_t gp_settings_load(struct gp_settings *settings, char **environment, struct gp_settings_problem *problems);
void gp_settings_free(struct gp_settings *settings);

/* Replaces %p (process), %r (rank, 0 if none), %h (host), %t (start time, seconds) and %% in a pattern; other
 * text stays. Returns a string to free, or null when out of memory. */
char *gp_settings_expand(const char *pattern, long process, const char *rank, const char *host, long long seconds);

#endif
