/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The used part of CUPTI's range profiler and checkpoints: the parameter block of each function. CUPTI
 * derives a caller's known fields from the block's size: each block is the whole one of CUDA 13.
 */
#ifndef GP_CUPTI_PROFILER_TYPES_H
#define GP_CUPTI_PROFILER_TYPES_H

#include <stddef.h>
#include <stdint.h>

enum {
  GP_CUPTI_ERROR_VIRTUALIZED = 33,
  GP_CUPTI_ERROR_PRIVILEGES = 35,
  GP_CUPTI_ERROR_VIRTUALIZED_PRIVILEGES = 40,
  GP_CUPTI_ERROR_MIG = 43,

  GP_CUPTI_PROFILER_RANGES = 0, /* CUpti_ProfilerType */
  GP_CUPTI_RANGE_AUTO = 1,      /* CUpti_ProfilerRange: one range a kernel */
  GP_CUPTI_REPLAY_KERNEL = 2    /* CUpti_ProfilerReplayMode */
};

struct gp_cupti_plain { /* cuptiProfilerInitialize */
  size_t bytes;
  void *private_data;
};
struct gp_cupti_chip { /* cuptiDeviceGetChipName */
  size_t bytes;
  void *private_data;
  size_t device;
  const char *name; /* out */
};
struct gp_cupti_availability { /* cuptiProfilerGetCounterAvailability */
  size_t bytes;
  void *private_data, *context;
  size_t image_bytes; /* in and out */
  uint8_t *image;
};

/* ---- The host's half: selection and meaning of counters ---- */
struct gp_cupti_host { /* cuptiProfilerHostInitialize */
  size_t bytes;
  void *private_data;
  int type;
  const char *chip;
  const uint8_t *availability;
  void *host; /* out */
};
struct gp_cupti_host_end { /* cuptiProfilerHostDeinitialize */
  size_t bytes;
  void *private_data, *host;
};
struct gp_cupti_add_metrics { /* cuptiProfilerHostConfigAddMetrics */
  size_t bytes;
  void *private_data, *host;
  const char *const *names;
  size_t count;
};
struct gp_cupti_config { /* cuptiProfilerHostGetConfigImageSize and …GetConfigImage */
  size_t bytes;
  void *private_data, *host;
  size_t image_bytes; /* out of the first, in to the second */
  uint8_t *image;     /* second only */
};
struct gp_cupti_evaluate { /* cuptiProfilerHostEvaluateToGpuValues */
  size_t bytes;
  void *private_data, *host;
  const uint8_t *data;
  size_t data_bytes, range;
  const char *const *names;
  size_t count;
  double *values;
};

/* ---- The target's half: work on the device. First fields: `target` is the range profiler's object ---- */
struct gp_cupti_enable { /* cuptiRangeProfilerEnable */
  size_t bytes;
  void *private_data, *context;
  void *target; /* out */
};
struct gp_cupti_target { /* cuptiRangeProfilerDisable, …Start */
  size_t bytes;
  void *private_data, *target;
};
struct gp_cupti_stop { /* cuptiRangeProfilerStop */
  size_t bytes;
  void *private_data, *target;
  size_t pass, nesting_level;
  uint8_t all_passes_done;
};
struct gp_cupti_decode { /* cuptiRangeProfilerDecodeData */
  size_t bytes;
  void *private_data, *target;
  size_t ranges_dropped;
};
struct gp_cupti_data_size { /* cuptiRangeProfilerGetCounterDataSize */
  size_t bytes;
  void *private_data, *target;
  const char *const *names;
  size_t count, ranges;
  uint32_t tree_nodes;
  size_t data_bytes; /* out */
};
struct gp_cupti_data { /* cuptiRangeProfilerCounterDataImageInitialize */
  size_t bytes;
  void *private_data, *target;
  size_t data_bytes;
  uint8_t *data;
};
struct gp_cupti_data_info { /* cuptiRangeProfilerGetCounterDataInfo */
  size_t bytes;
  void *private_data;
  const uint8_t *data;
  size_t data_bytes, ranges; /* ranges: out */
};
struct gp_cupti_set_config { /* cuptiRangeProfilerSetConfig */
  size_t bytes;
  void *private_data, *target;
  size_t config_bytes;
  const uint8_t *config;
  size_t data_bytes;
  uint8_t *data;
  int range, replay;
  size_t ranges_per_pass;
  uint16_t nesting_levels, least_nesting_level;
  size_t pass;
  uint16_t target_nesting_level;
};

/* CUpti_Checkpoint */
struct gp_cupti_checkpoint {
  size_t bytes;
  void *context;
  size_t reserve_device_mb, reserve_host_mb;
  uint8_t allow_overwrite, optimizations;
  void *private_data;
};

/* CUPTI's size of a block: up to the end of its last field, without padding. */
#define GP_CUPTI_BYTES(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

#endif
