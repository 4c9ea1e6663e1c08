// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/chip_rates.h"

#include <fnmatch.h>
#include <math.h>
#include <strings.h>

const char *const gp_core_names[GP_CORE_COUNT] = {"fp64", "fp32", "fp16", "bf16"};
const char *const gp_tensor_names[GP_TENSOR_COUNT] = {"bf16", "fp16", "tf32", "fp64", "fp8", "int8"};
const char *const gp_level_names[GP_LEVEL_COUNT] = {"dram", "l2", "l1", "shared"};
const char *const gp_integer_names[GP_INTEGER_COUNT] = {"multiply_add", "add", "logic", "popc"};

static const struct gp_chip chips[] = {
#define GPUPROF_CHIP(id_, pattern_, name_, fp64_, fp32_, fp16_, bf16_, tensor_bf16_, tensor_fp16_, tensor_tf32_, tensor_fp64_, \
                     tensor_fp8_, tensor_int8_, dram_, sms_, mhz_, shared_, special_, capability_, l2_, source_, \
                     checked_) \
  {.id = id_, \
   .pattern = pattern_, \
   .name = name_, \
   .source = source_, \
   .is_checked = checked_, \
   .core = {fp64_, fp32_, fp16_, bf16_}, \
   .tensor = {tensor_bf16_, tensor_fp16_, tensor_tf32_, tensor_fp64_, tensor_fp8_, tensor_int8_}, \
   .dram = dram_, \
   .l2_mb = l2_, \
   .sm_count = sms_, \
   .boost_mhz = mhz_, \
   .capability = capability_, \
   .shared_bytes_per_clock = shared_, \
   .special_per_clock = special_},
#define GPUPROF_CHIP_DERIVED(id_, pattern_, name_, capability_, sms_, mhz_, tensor_mhz_, sums_fp32_, int8_, dram_, l2_, source_, \
                             checked_) \
  {.id = id_, \
   .pattern = pattern_, \
   .name = name_, \
   .source = source_, \
   .is_checked = checked_, \
   .dram = dram_, \
   .l2_mb = l2_, \
   .sm_count = sms_, \
   .boost_mhz = mhz_, \
   .capability = capability_, \
   .derived = {tensor_mhz_, sums_fp32_, int8_}},
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

const struct gp_chip *gp_chip_of_device(const char *name, unsigned sm_count) {
  const struct gp_chip *chip;
  for (size_t i = 0; (chip = gp_chip(i)); i++)
    if (!fnmatch(chip->pattern, name, 0) && chip->sm_count == sm_count)
      break;
  return chip;
}

/* ---- Ceilings ---- */

/* Numbers of the vendor, one by one. */
static void take_stated(const struct gp_chip *chip, struct gp_ceilings *c) {
  const double clocks = 1e6 * chip->boost_mhz * chip->sm_count;
  c->special = clocks * chip->special_per_clock;
  c->bytes[GP_LEVEL_SHARED] = c->bytes[GP_LEVEL_L1] = clocks * chip->shared_bytes_per_clock;
  for (int i = 0; i < GP_CORE_COUNT; i++)
    c->core[i] = round(1e12 * chip->core[i]);
  for (int i = 0; i < GP_TENSOR_COUNT; i++)
    c->tensor[i] = round(1e12 * chip->tensor[i]);
}

/* Products of floats with sums in fp32, and of integers, may be slower than the multiprocessors of other chips have them. */
static double tensor_share(const struct gp_chip *chip, int type) {
  const unsigned percent = type == GP_TENSOR_FP64   ? 100
                           : type == GP_TENSOR_INT8 ? chip->derived.int8_percent
                                                    : chip->derived.sums_fp32_percent;
  return percent / 100.0;
}

static void derive(const struct gp_chip *chip, const struct gp_chip_rates *rates, struct gp_ceilings *c) {
  const double clocks = 1e6 * chip->boost_mhz * chip->sm_count, tensor_clocks = 1e6 * chip->derived.tensor_mhz * chip->sm_count;
  c->derived.core = c->derived.tensor = ~0u;
  c->special = clocks * rates->special;
  c->bytes[GP_LEVEL_SHARED] = c->bytes[GP_LEVEL_L1] = clocks * rates->shared_bytes;
  for (int i = 0; i < GP_CORE_COUNT; i++)
    c->core[i] = clocks * rates->core[i];
  for (int i = 0; i < GP_TENSOR_COUNT; i++)
    c->tensor[i] = (i == GP_TENSOR_FP64 ? clocks : tensor_clocks) * rates->tensor[i] * tensor_share(chip, i);
}

/* Vendors state tensor rates at a clock that lasts, and with sums in fp32. INT8 tells the clock: it has no such sums. */
static double tensor_boost(const struct gp_chip *chip, const struct gp_chip_rates *rates, const struct gp_ceilings *c) {
  const double stated = c->tensor[GP_TENSOR_INT8];
  if (chip->derived.tensor_mhz)
    return 100.0 * chip->boost_mhz / chip->derived.tensor_mhz / chip->derived.sums_fp32_percent;
  return rates && stated > 0 ? 1e6 * chip->boost_mhz * chip->sm_count * rates->tensor[GP_TENSOR_INT8] / stated : 1;
}

/* Where a faster instruction has the stated rate, that of mma.sync follows from the results of a clock, at the same clock. */
static void take_mma_sync(const struct gp_chip *chip, const struct gp_chip_rates *rates, struct gp_ceilings *c) {
  const struct gp_mma_sync_rates *mma_sync = gp_mma_sync_rates(chip->capability);
  c->fastest = mma_sync ? mma_sync->fastest : NULL;
  for (int i = 0; i < GP_TENSOR_COUNT; i++) {
    const double share = !mma_sync ? 1 : rates && rates->tensor[i] > 0 ? mma_sync->tensor[i] / rates->tensor[i] : 0;
    c->mma_sync[i] = c->tensor[i] * share;
  }
}

const char *gp_tensor_instruction(const struct gp_ceilings *c, int precision) {
  return c->fastest && c->mma_sync[precision] != c->tensor[precision] ? c->fastest : "mma.sync";
}

void gp_chip_ceilings(const struct gp_chip *chip, struct gp_ceilings *c) {
  const struct gp_chip_rates *rates = gp_chip_rates(chip->capability);
  *c = (struct gp_ceilings){.is_unchecked = !chip->is_checked,
                            .derived = {.integer = ~0u, .special = 1, .bytes = 1u << GP_LEVEL_L1 | 1u << GP_LEVEL_SHARED}};
  if (chip->derived.tensor_mhz && rates)
    derive(chip, rates, c);
  else
    take_stated(chip, c);
  take_mma_sync(chip, rates, c);
  c->tensor_boost = tensor_boost(chip, rates, c);
  for (int i = 0; rates && i < GP_INTEGER_COUNT; i++)
    c->integer[i] = 1e6 * chip->boost_mhz * chip->sm_count * rates->integer[i];
  c->bytes[GP_LEVEL_DRAM] = 1e9 * chip->dram;
}
