// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Every expected number is worked out by hand from the ceilings of the little chip below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/roofline.h"

#include <math.h>
#include <string.h>

/* fp32 100 FLOP/s, fp64 10, bf16 tensor 1000, special 50, DRAM 20 B/s, L1 and shared 200 B/s; no fp16, no L2. */
static const struct gp_ceilings chip = {
    .core = {[GP_CORE_FP32] = 100, [GP_CORE_FP64] = 10},
    .tensor = {[GP_TENSOR_BF16] = 1000},
    .special = 50,
    .bytes = {[GP_LEVEL_DRAM] = 20, [GP_LEVEL_L1] = 200, [GP_LEVEL_SHARED] = 200},
};

static struct gp_work work;
static struct gp_placement p;

static int no_work(void **state) {
  (void)state;
  work = (struct gp_work){
      .l1_bytes = GP_UNKNOWN, .sector_bytes = GP_UNKNOWN, .l2_bytes = GP_UNKNOWN, .dram_bytes = GP_UNKNOWN, .unique_bytes = GP_UNKNOWN, .gpu_ns = GP_UNKNOWN};
  return 0;
}

static void place(void) { gp_roofline_place(&work, &chip, &p); }

static void assert_near(double value, double expected) {
  if (fabs(value - expected) > 1e-9 * fabs(expected))
    fail_msg("%.17g, expected %.17g", value, expected);
}

/* A strided kernel cannot reach L1's peak with the bytes that it asks for. */
static void sectors_move_the_least_time_of_l1(void **state) {
  (void)state;
  work.totals.amount[GP_COST_global_load] = 400; /* asked for: 2 s */
  work.unique_bytes = 20;
  work.sector_bytes = 1600;
  place();
  assert_near(p.model_ns[GP_BY_L1], 8e9);
  assert_int_equal(p.bound, GP_BY_L1);
  work.l1_bytes = 2000; /* by hardware counters */
  place();
  assert_near(p.model_ns[GP_BY_L1], 10e9);
}

static void memory_bound_without_gpu(void **state) {
  (void)state;
  work.totals.amount[GP_COST_fp32_fma] = 40; /* 80 FLOP: 0.8 s */
  work.totals.amount[GP_COST_fp32_add] = 20; /* 20 FLOP: 0.2 s; together 1 s */
  work.totals.amount[GP_COST_global_load] = 300;
  work.totals.amount[GP_COST_global_store] = 100; /* 400 B: 2 s of L1 */
  work.unique_bytes = 100;                        /* 5 s of DRAM */
  place();
  assert_near(p.model_ns[GP_BY_CORE], 1e9);
  assert_near(p.model_ns[GP_BY_L1], 2e9);
  assert_near(p.model_ns[GP_BY_DRAM], 5e9);
  assert_near(p.model_ns[GP_BY_TENSOR], 0);
  assert_near(p.model_ns[GP_BY_L2], GP_UNKNOWN);
  assert_int_equal(p.bound, GP_BY_DRAM);
  assert_near(p.attainable, 20); /* 100 FLOP in 5 s */
  assert_near(p.percent, GP_UNKNOWN);
  assert_near(p.attained, GP_UNKNOWN);
  assert_int_equal(p.status, GP_ROOF_NO_GPU_TIME);
  assert_int_equal(p.without_ceiling, 0);
}

static void precisions_add_up(void **state) {
  (void)state;
  work.totals.amount[GP_COST_fp32_mul] = 100;    /* 1 s */
  work.totals.amount[GP_COST_fp64_fma] = 10;     /* 20 FLOP: 2 s; core together 3 s */
  work.totals.amount[GP_COST_tensor_bf16] = 500; /* 0.5 s */
  work.gpu_ns = 4e9;
  place();
  assert_near(p.model_ns[GP_BY_CORE], 3e9);
  assert_near(p.model_ns[GP_BY_TENSOR], 0.5e9);
  assert_int_equal(p.bound, GP_BY_CORE);
  assert_near(p.attained, 155);           /* 100 + 20 + 500 FLOP in 4 s */
  assert_near(p.attainable, 620.0 / 3);
  assert_near(p.percent, 75);
  assert_int_equal(p.status, GP_ROOF_OK);
}

static void accumulates_are_work_but_not_of_cores(void **state) {
  (void)state;
  work.totals.amount[GP_COST_fp32_accumulate] = 300;
  work.totals.amount[GP_COST_fp64_accumulate] = 20;
  work.totals.amount[GP_COST_fp32_add] = 100; /* 1 s */
  work.unique_bytes = 10;                     /* 0.5 s of DRAM */
  work.gpu_ns = 2e9;
  place();
  assert_near(p.model_ns[GP_BY_CORE], 1e9);
  assert_int_equal(p.bound, GP_BY_CORE);
  assert_near(p.attained, 210); /* 420 FLOP in 2 s */
  assert_near(p.attainable, 420);
  assert_near(p.percent, 50);
}

static void hardware_bytes_win_over_unique_bytes(void **state) {
  (void)state;
  work.totals.amount[GP_COST_fp32_add] = 1;
  work.unique_bytes = 20;
  work.dram_bytes = 60;
  place();
  assert_near(p.model_ns[GP_BY_DRAM], 3e9);
}

static void special_functions_and_shared_memory_have_roofs(void **state) {
  (void)state;
  work.totals.amount[GP_COST_special] = 100;       /* 2 s */
  work.totals.amount[GP_COST_shared_load] = 500;
  work.totals.amount[GP_COST_shared_atomic] = 100; /* 600 B: 3 s */
  place();
  assert_near(p.model_ns[GP_BY_SPECIAL], 2e9);
  assert_near(p.model_ns[GP_BY_SHARED], 3e9);
  assert_int_equal(p.bound, GP_BY_SHARED);
  assert_near(p.attainable, 0);
  work.totals.amount[GP_COST_shared_load] = 0;
  place();
  assert_int_equal(p.bound, GP_BY_SPECIAL);
}

/* A warp of 32 lanes reads 20 uniform floats (2560 B requested, 80 B moved) and 4 floats a lane (512 B). */
static void what_all_lanes_read_is_moved_once(void **state) {
  (void)state;
  work.totals.amount[GP_COST_shared_load] = 2560 + 500;
  work.totals.amount[GP_COST_shared_store] = 12;
  work.totals.amount[GP_COST_shared_uniform] = 2560;
  work.totals.amount[GP_COST_global_load] = 3200;
  work.totals.amount[GP_COST_global_uniform] = 3200;
  work.unique_bytes = 0;
  place();
  assert_near(p.model_ns[GP_BY_SHARED], 1e9 * (80 + 512) / 200);
  assert_near(p.model_ns[GP_BY_L1], 1e9 * 100 / 200);
  assert_int_equal(p.bound, GP_BY_SHARED);
}

static void without_dram_bytes_a_low_percentage_has_no_bound(void **state) {
  (void)state;
  work.totals.amount[GP_COST_fp32_add] = 100; /* 1 s */
  work.totals.amount[GP_COST_global_load] = 4;
  work.gpu_ns = 2e9;
  place();
  assert_true(p.without_dram);
  assert_int_equal(p.bound, GP_BY_NOTHING);
  assert_near(p.percent, 50); /* of the largest known roof */
  assert_near(p.attainable, 100);
  work.gpu_ns = 11e9;
  place();
  assert_int_equal(p.bound, GP_BY_NOTHING); /* not latency */
  work.gpu_ns = GP_UNKNOWN;
  place();
  assert_int_equal(p.bound, GP_BY_NOTHING);
  assert_near(p.attainable, 100);
}

static void without_dram_bytes_what_fills_the_time_is_the_bound(void **state) {
  (void)state;
  work.totals.amount[GP_COST_fp32_add] = 100;
  work.totals.amount[GP_COST_global_load] = 4;
  work.gpu_ns = 1e9 / 0.6;
  place();
  assert_int_equal(p.bound, GP_BY_CORE);
  work.gpu_ns = 1e9 / 0.599;
  place();
  assert_int_equal(p.bound, GP_BY_NOTHING);
}

static void what_asks_for_no_global_bytes_needs_no_dram(void **state) {
  (void)state;
  work.totals.amount[GP_COST_shared_load] = 200;
  place();
  assert_false(p.without_dram);
  assert_near(p.model_ns[GP_BY_DRAM], 0);
  assert_int_equal(p.bound, GP_BY_SHARED);
}

static void far_below_every_roof_is_latency(void **state) {
  (void)state;
  work.totals.amount[GP_COST_fp32_add] = 100; /* 1 s */
  work.gpu_ns = 11e9;
  place();
  assert_near(p.percent, 100.0 / 11);
  assert_int_equal(p.bound, GP_BY_LATENCY);
  work.gpu_ns = 9e9;
  place();
  assert_int_equal(p.bound, GP_BY_CORE);
}

static void faster_than_the_roof_is_no_result(void **state) {
  (void)state;
  work.totals.amount[GP_COST_fp32_add] = 100;
  work.gpu_ns = 0.9e9;
  place();
  assert_int_equal(p.status, GP_ROOF_ABOVE);
  work.gpu_ns = 0.995e9; /* within the tolerance */
  place();
  assert_int_equal(p.status, GP_ROOF_OK);
}

/* Tensor ceilings are of a lower clock: a short kernel may pass them. Other units may not. */
static void short_tensor_kernels_may_pass_their_ceiling(void **state) {
  (void)state;
  struct gp_ceilings boosted = chip;
  boosted.tensor_boost = 1.1;
  work.totals.amount[GP_COST_tensor_bf16] = 1000; /* 1 s */
  work.gpu_ns = 0.92e9;
  gp_roofline_place(&work, &boosted, &p);
  assert_int_equal(p.status, GP_ROOF_OK);
  assert_near(p.percent, 100 / 0.92);
  work.gpu_ns = 0.89e9; /* above the highest clock, too */
  gp_roofline_place(&work, &boosted, &p);
  assert_int_equal(p.status, GP_ROOF_ABOVE);
  work.totals.amount[GP_COST_fp32_add] = 95; /* 0.95 s of the cores */
  work.gpu_ns = 0.92e9;
  gp_roofline_place(&work, &boosted, &p);
  assert_int_equal(p.status, GP_ROOF_ABOVE);
}

/* wgmma 1000 FLOP/s, mma.sync 500: each part of the products takes its own time. */
static void products_of_mma_sync_have_a_roof_of_their_own(void **state) {
  (void)state;
  struct gp_ceilings hopper = chip;
  hopper.mma_sync[GP_TENSOR_BF16] = 500;
  work.totals.amount[GP_COST_tensor_bf16] = 1500; /* 1000 by wgmma: 1 s */
  work.totals.amount[GP_COST_mma_sync_bf16] = 500; /* 1 s */
  work.gpu_ns = 4e9;
  gp_roofline_place(&work, &hopper, &p);
  assert_near(p.model_ns[GP_BY_TENSOR], 2e9);
  assert_near(p.percent, 50);
  assert_false(p.without_mma_sync);
  place(); /* not known: a least time by the other instruction */
  assert_near(p.model_ns[GP_BY_TENSOR], 1.5e9);
  assert_true(p.without_mma_sync);
}

static void work_without_a_ceiling_is_told(void **state) {
  (void)state;
  work.totals.amount[GP_COST_fp16_add] = 10;
  work.totals.amount[GP_COST_fp32_add] = 100;
  work.l2_bytes = 5;
  place();
  assert_int_equal(p.without_ceiling, 1u << GP_BY_CORE | 1u << GP_BY_L2);
  assert_near(p.model_ns[GP_BY_CORE], 1e9); /* of the known parts */
  assert_near(p.model_ns[GP_BY_L2], GP_UNKNOWN);
}

static void nothing_done_has_no_bound(void **state) {
  (void)state;
  work.gpu_ns = 5;
  place();
  assert_int_equal(p.bound, GP_BY_NOTHING);
  assert_null(gp_resource_names[p.bound]);
  assert_near(p.attainable, GP_UNKNOWN);
  assert_near(p.percent, GP_UNKNOWN);
}

/* Products and logic have a pipe each, sums use both; population counts have a third. */
static void integers_have_a_roof(void **state) {
  (void)state;
  struct gp_ceilings ceilings = {0};
  struct gp_work work = {.l2_bytes = GP_UNKNOWN, .dram_bytes = GP_UNKNOWN, .unique_bytes = 0, .gpu_ns = 2e9};
  struct gp_placement p;
  ceilings.integer[GP_INTEGER_MULTIPLY_ADD] = ceilings.integer[GP_INTEGER_LOGIC] = 100;
  ceilings.integer[GP_INTEGER_POPC] = 10;
  work.totals.amount[GP_COST_least_multiply] = 50;
  gp_roofline_place(&work, &ceilings, &p);
  assert_near(p.model_ns[GP_BY_INTEGER], 0.5e9);
  work.totals.amount[GP_COST_least_logic] = 60;
  gp_roofline_place(&work, &ceilings, &p);
  assert_near(p.model_ns[GP_BY_INTEGER], 0.6e9);
  work.totals.amount[GP_COST_least_add] = 70;
  gp_roofline_place(&work, &ceilings, &p);
  assert_near(p.model_ns[GP_BY_INTEGER], 0.9e9);
  work.totals.amount[GP_COST_least_popc] = 15;
  gp_roofline_place(&work, &ceilings, &p);
  assert_near(p.model_ns[GP_BY_INTEGER], 1.5e9);
  assert_int_equal(p.bound, GP_BY_INTEGER);
  assert_near(p.percent, 75);
  ceilings.integer[GP_INTEGER_POPC] = 0; /* not known for the chip */
  gp_roofline_place(&work, &ceilings, &p);
  assert_near(p.model_ns[GP_BY_INTEGER], GP_UNKNOWN);
  assert_int_equal(p.bound, GP_BY_NOTHING);
}

static void intensity_needs_bytes(void **state) {
  (void)state;
  assert_near(gp_roofline_intensity(10, 4), 2.5);
  assert_near(gp_roofline_intensity(10, 0), GP_UNKNOWN);
  assert_near(gp_roofline_intensity(10, GP_UNKNOWN), GP_UNKNOWN);
}

static void chips_are_found_and_have_ceilings(void **state) {
  (void)state;
  static const struct {
    const char *device, *id;
  } names[] = {{"NVIDIA H200", "h200"},           {"NVIDIA H100 80GB HBM3", "h100"},
               {"NVIDIA A100-SXM4-80GB", "a100-80"}, {"NVIDIA A100-SXM4-40GB", "a100"},
               {"Tesla T4", "t4"},                {"Tesla V100-SXM2-16GB", "v100"},
               {"NVIDIA GeForce RTX 4090", "rtx4090"}, {"NVIDIA L40S", "l40s"},
               {"NVIDIA B200", "b200"},
               {"NVIDIA H200 NVL", "h200-nvl"},
               {"NVIDIA H100 PCIe", "h100-pcie"},
               {"NVIDIA A100 80GB PCIe", "a100-80-pcie"},
               {"NVIDIA GB200", "gb200"},
               {"NVIDIA A10G", "a10g"},
               {"NVIDIA A10", "a10"},
               {"NVIDIA L40", "l40"},
               {"Tesla V100-PCIE-32GB", "v100-pcie"},
               {"GeForce RTX 2080 Ti", "rtx2080ti"},
               {"NVIDIA GeForce RTX 3060 Ti", "rtx3060ti"},
               {"NVIDIA GeForce RTX 4080 SUPER", "rtx4080super"},
               {"NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"},
               {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000"},
               {"Orin (nvgpu)", "orin"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const struct gp_chip *found = gp_chip_by_device_name(names[i].device);
    assert_non_null(found);
    assert_string_equal(found->id, names[i].id);
  }
  static const char *const others[] = {"NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 2080 with Max-Q Design",
                                       "NVIDIA A100-SXM4-40GB MIG 1g.5gb", "NVIDIA T400", ""};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_null(gp_chip_by_device_name(others[i]));
  assert_ptr_equal(gp_chip_by_id("H200"), gp_chip_by_device_name("NVIDIA H200"));
  assert_null(gp_chip_by_id("h20"));
  struct gp_ceilings c;
  gp_chip_ceilings(gp_chip_by_id("h200"), &c);
  assert_near(c.core[GP_CORE_FP32], 66.9e12);
  assert_near(c.tensor[GP_TENSOR_BF16], 989.5e12);
  assert_near(c.bytes[GP_LEVEL_DRAM], 4.8e12);
  assert_near(c.bytes[GP_LEVEL_SHARED], 132 * 1.98e9 * 128);
  assert_near(c.special, 132 * 1.98e9 * 16);
  assert_near(c.bytes[GP_LEVEL_L2], 0);
}

/* A name with several numbers of multiprocessors, and parts of a GPU. */
static void chips_of_one_name_differ_by_multiprocessors(void **state) {
  (void)state;
  assert_string_equal(gp_chip_of_device("NVIDIA GeForce RTX 3080", 68)->id, "rtx3080");
  assert_string_equal(gp_chip_of_device("NVIDIA GeForce RTX 3080", 70)->id, "rtx3080-12");
  assert_string_equal(gp_chip_of_device("Orin", 14)->id, "orin-32");
  assert_null(gp_chip_of_device("Orin", 8));
  assert_null(gp_chip_of_device("NVIDIA H200", 16));
}

/* The fp32 peak of a datasheet is lanes × 2 × clock × SMs: the clocks and SM counts of the table must agree with it. */
static void clocks_agree_with_peaks(void **state) {
  (void)state;
  const struct gp_chip *chip;
  for (size_t i = 0; (chip = gp_chip(i)); i++) {
    struct gp_ceilings c;
    gp_chip_ceilings(chip, &c);
    if (!chip->boost_mhz)
      continue;
    double per_lane = 2e6 * chip->boost_mhz * chip->sm_count, lanes = c.core[GP_CORE_FP32] / per_lane;
    if (fabs(lanes - 64) > 1 && fabs(lanes - 128) > 1)
      fail_msg("%s would have %g lanes", chip->id, lanes);
  }
}

/* Figures that vendors print, of chips whose rates are derived. */
static void derived_rates_are_those_of_datasheets(void **state) {
  (void)state;
  static const struct {
    const char *id;
    double fp32, tensor, int8; /* 10^12 a second */
  } printed[] = {{"a30", 10.3, 165, 330},      {"a40", 37.4, 149.7, 299.3}, {"a10", 31.2, 125, 250},     {"a10g", 35, 70, 140},
                 {"l4", 30.3, 121, 242},       {"l40", 90.5, 181, 362},     {"h100-pcie", 51.2, 756, 1513}, {"h100-nvl", 60, 835, 1671},
                 {"rtx-6000-ada", 91.1, 364, 728}, {"rtx5090", 104.8, 209.5, 838}, {"rtx4080", 48.7, 97.5, 390}, {"v100-pcie", 14.1, 112, 0},
                 {"orin", 5.3, 42.6, 85}};
  for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
    struct gp_ceilings c;
    gp_chip_ceilings(gp_chip_by_id(printed[i].id), &c);
    const double wanted[] = {printed[i].fp32, printed[i].tensor, printed[i].int8};
    const double found[] = {c.core[GP_CORE_FP32], c.tensor[GP_TENSOR_FP16], c.tensor[GP_TENSOR_INT8]};
    for (int j = 0; j < 3; j++)
      if (fabs(found[j] / 1e12 - wanted[j]) > 0.01 * wanted[j])
        fail_msg("%s: %g, printed is %g", printed[i].id, found[j] / 1e12, wanted[j]);
  }
}

/* A row that no second source confirms says so. Numbers that differ between devices of one name are unknown. */
static void what_is_not_known_is_told(void **state) {
  (void)state;
  struct gp_ceilings c;
  gp_chip_ceilings(gp_chip_by_id("h100-nvl"), &c);
  assert_true(c.is_unchecked && c.derived.core && c.derived.tensor && c.derived.integer && c.derived.special);
  assert_int_equal(c.derived.bytes, 1u << GP_LEVEL_L1 | 1u << GP_LEVEL_SHARED);
  assert_near(c.tensor_boost, 1785.0 / 1545);
  gp_chip_ceilings(gp_chip_by_id("h100"), &c);
  assert_true(!c.is_unchecked && !c.derived.core && !c.derived.tensor && c.derived.integer);
  assert_true(fabs(c.tensor_boost - 1980.0 / 1830) < 1e-3);
  gp_chip_ceilings(gp_chip_by_id("rtx3060ti"), &c); /* GDDR6 or GDDR6X */
  assert_true(c.bytes[GP_LEVEL_DRAM] == 0);
  assert_string_equal(gp_chip_by_device_name("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition")->id, "rtx-pro-6000-max-q");
  assert_null(gp_chip_by_device_name("NVIDIA RTX PRO 6000 Blackwell Server Edition")); /* its clock is not known */
}

/* Where mma.sync is the fastest, its ceiling is the datasheet's; Hopper's was measured, Blackwell's is not known. */
static void chips_have_a_ceiling_of_mma_sync(void **state) {
  (void)state;
  struct gp_ceilings c;
  gp_chip_ceilings(gp_chip_by_id("a100"), &c);
  assert_string_equal(gp_tensor_instruction(&c, GP_TENSOR_BF16), "mma.sync");
  assert_near(c.mma_sync[GP_TENSOR_BF16], 312e12);
  gp_chip_ceilings(gp_chip_by_id("h200"), &c);
  assert_string_equal(gp_tensor_instruction(&c, GP_TENSOR_BF16), "wgmma");
  assert_true(fabs(c.mma_sync[GP_TENSOR_BF16] / 659e12 - 1) < 0.01);
  assert_true(fabs(c.mma_sync[GP_TENSOR_TF32] / 329e12 - 1) < 0.01);
  assert_true(fabs(c.mma_sync[GP_TENSOR_INT8] / 1316e12 - 1) < 0.01);
  assert_string_equal(gp_tensor_instruction(&c, GP_TENSOR_FP64), "mma.sync");
  gp_chip_ceilings(gp_chip_by_id("b200"), &c);
  assert_string_equal(gp_tensor_instruction(&c, GP_TENSOR_BF16), "tcgen05");
  assert_true(c.mma_sync[GP_TENSOR_BF16] == 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, no_work)
  const struct CMUnitTest tests[] = {
      TEST(sectors_move_the_least_time_of_l1),
      TEST(memory_bound_without_gpu),
      TEST(precisions_add_up),
      TEST(hardware_bytes_win_over_unique_bytes),
      TEST(accumulates_are_work_but_not_of_cores),
      TEST(special_functions_and_shared_memory_have_roofs),
      TEST(what_all_lanes_read_is_moved_once),
      TEST(without_dram_bytes_a_low_percentage_has_no_bound),
      TEST(without_dram_bytes_what_fills_the_time_is_the_bound),
      TEST(what_asks_for_no_global_bytes_needs_no_dram),
      TEST(far_below_every_roof_is_latency),
      TEST(faster_than_the_roof_is_no_result),
      TEST(short_tensor_kernels_may_pass_their_ceiling),
      TEST(products_of_mma_sync_have_a_roof_of_their_own),
      TEST(work_without_a_ceiling_is_told),
      TEST(nothing_done_has_no_bound),
      TEST(integers_have_a_roof),
      TEST(intensity_needs_bytes),
      TEST(chips_are_found_and_have_ceilings),
      TEST(chips_of_one_name_differ_by_multiprocessors),
      TEST(clocks_agree_with_peaks),
      TEST(derived_rates_are_those_of_datasheets),
      TEST(what_is_not_known_is_told),
      TEST(chips_have_a_ceiling_of_mma_sync),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
