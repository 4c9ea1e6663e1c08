// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/chips.h"

#include <fnmatch.h>
#include <math.h>
#include <strings.h>

const char *const gp_core_names[GP_CORE_COUNT] = {"fp64", "fp32", "fp16", "bf16"};
const char *const gp_tensor_names[GP_TENSOR_COUNT] = {"bf16", "fp16", "tf32", "fp64", "fp8", "int8"};
const char *const gp_level_names[GP_LEVEL_COUNT] = {"dram", "l2", "l1", "shared"};

static const struct gp_chip chips[] = {
#define GPUPROF_CHIP(id, pattern, name, fp64, fp32, fp16, bf16, tensor_bf16, tensor_fp16, tensor_tf32, tensor_fp64,    \
                     tensor_fp8, tensor_int8, dram, sms, mhz, shared, special)                                         \
  {id,                                                                                                                 \
   pattern,                                                                                                            \
   name,                                                                                                               \
   {fp64, fp32, fp16, bf16},                                                                                           \
   {tensor_bf16, tensor_fp16, tensor_tf32, tensor_fp64, tensor_fp8, tensor_int8},                                      \
   dram,                                                                                                               \
   sms,                                                                                                                \
   mhz,                                                                                                                \
   shared,                                                                                                             \
   special},
#include "report/chips.inc"
};

const struct gp_chip *gp_chip(size_t index) { return index < sizeof chips / sizeof *chips ? &chips[index] : NULL; }

const struct gp_chip *gp_chip_by_id(const char *id) {
  const struct gp_chip *chip;
  for (size_t i = 0; (chip = gp_chip(i)); i++)
    if (!strcasecmp(chip->id, id))
      break;
  return chip;
}

const struct gp_chip *gp_chip_by_device_name(const char *name) {
  const struct gp_chip *chip;
  for (size_t i = 0; (chip = gp_chip(i)); i++)
    if (!fnmatch(chip->pattern, name, 0))
      break;
  return chip;
}

void gp_chip_ceilings(const struct gp_chip *chip, struct gp_ceilings *c) {
  double clocks = 1e6 * chip->boost_mhz * chip->sm_count;
  *c = (struct gp_ceilings){.source = "datasheet", .special = clocks * chip->special_per_clock};
  for (int i = 0; i < GP_CORE_COUNT; i++)
    c->core[i] = round(1e12 * chip->core[i]);
  for (int i = 0; i < GP_TENSOR_COUNT; i++)
    c->tensor[i] = round(1e12 * chip->tensor[i]);
  c->bytes[GP_LEVEL_DRAM] = 1e9 * chip->dram;
  c->bytes[GP_LEVEL_SHARED] = c->bytes[GP_LEVEL_L1] = clocks * chip->shared_bytes_per_clock;
}
