/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Known chips and their ceilings. */
#ifndef GP_CHIPS_H
#define GP_CHIPS_H

#include <stddef.h>

enum gp_core { GP_CORE_FP64, GP_CORE_FP32, GP_CORE_FP16, GP_CORE_BF16, GP_CORE_COUNT };
enum gp_tensor {
  GP_TENSOR_BF16, GP_TENSOR_FP16, GP_TENSOR_TF32, GP_TENSOR_FP64, GP_TENSOR_FP8, GP_TENSOR_INT8, GP_TENSOR_COUNT
};
enum gp_memory { GP_LEVEL_DRAM, GP_LEVEL_L2, GP_LEVEL_L1, GP_LEVEL_SHARED, GP_LEVEL_COUNT };
enum gp_integer { GP_INTEGER_MULTIPLY_ADD, GP_INTEGER_ADD, GP_INTEGER_LOGIC, GP_INTEGER_POPC, GP_INTEGER_COUNT };
extern const char *const gp_core_names[GP_CORE_COUNT];
extern const char *const gp_tensor_names[GP_TENSOR_COUNT];
extern const char *const gp_level_names[GP_LEVEL_COUNT];
extern const char *const gp_integer_names[GP_INTEGER_COUNT];

/* Some ceilings: a bit for each. */
struct gp_ceiling_set {
  unsigned core, tensor, mma_sync, integer, bytes;
  int special;
};

/* Everything per second; 0 = unknown. */
struct gp_ceilings {
  int is_unchecked;               /* no second source confirms the row of the chip */
  struct gp_ceiling_set measured; /* on this device */
  struct gp_ceiling_set derived;  /* else: multiprocessors x clock x results a clock; those in neither are the datasheet's */
  double core[GP_CORE_COUNT], tensor[GP_TENSOR_COUNT] /* of the fastest instruction */, mma_sync[GP_TENSOR_COUNT], special,
      integer[GP_INTEGER_COUNT], bytes[GP_LEVEL_COUNT];
  const char *fastest; /* instruction of the tensor cores, where it is not mma.sync; null: mma.sync */
  double tensor_boost; /* how far short kernels, or sums in fp16, may pass the tensor ceilings; below 1: not known */
};

struct gp_chip {
  const char *id, *pattern, *name, *source;
  double core[GP_CORE_COUNT], tensor[GP_TENSOR_COUNT]; /* as stated, 10^12 a second; 0 where they are derived */
  double dram, l2_mb;                                  /* 10^9 bytes a second; 10^6 bytes */
  int is_checked; /* against a second source */
  unsigned sm_count, boost_mhz, capability, shared_bytes_per_clock, special_per_clock;
  struct {
    unsigned tensor_mhz, sums_fp32_percent, int8_percent;
  } derived; /* from chip_rates.inc */
};

/* Chip number `index`; null after the last. */
const struct gp_chip *gp_chip(size_t index);
/* By id, in any case ("h200"); null if there is none. */
const struct gp_chip *gp_chip_by_id(const char *id);
/* By the driver's name of the device ("NVIDIA H200"); null if the table lacks it. */
const struct gp_chip *gp_chip_by_device_name(const char *name);
/* By the driver's name and number of multiprocessors; null if the table lacks it. */
const struct gp_chip *gp_chip_of_device(const char *name, unsigned sm_count);
void gp_chip_ceilings(const struct gp_chip *chip, struct gp_ceilings *ceilings);
/* The instruction that has the tensor ceiling of a precision: "mma.sync", "wgmma", "tcgen05". */
const char *gp_tensor_instruction(const struct gp_ceilings *ceilings, int precision);

#endif
