// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Ceilings that `gpuprof peaks` left for a GPU: taken for that GPU and driver, and for no other. */
#include "report/measured_peaks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define UUID "GPU-00000000-0000-0000-0000-000000000001"

static char folder[] = "/tmp/gpuprof-peaks-XXXXXX";
static char path[256];

static void write_file(const char *name, const char *uuid, const char *driver) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file,
          "{\n  \"schema\": \"gpuprof.peaks\",\n  \"name\": \"%s\",\n  \"chip\": \"h200\",\n  \"uuid\": \"%s\",\n"
          "  \"driver\": \"%s\",\n  \"clock_hz\": 1980000000,\n  \"ceilings\": [\n"
          "    {\"unit\": \"core\", \"of\": \"fp32\", \"per_second\": 6.6e+13, \"by\": \"fp32\"},\n"
          "    {\"unit\": \"tensor\", \"of\": \"int8\", \"per_second\": 1.9e+15, \"by\": \"tensor-int8-wgmma\", \"clock_hz\": 1.65e+09},\n"
          "    {\"unit\": \"mma_sync\", \"of\": \"int8\", \"per_second\": 1.3e+15, \"by\": \"tensor-int8\", \"clock_hz\": 1.65e+09},\n"
          "    {\"unit\": \"tensor\", \"of\": \"fp64\", \"per_second\": null, \"by\": \"tensor-fp64\"},\n"
          "    {\"unit\": \"integer\", \"of\": \"popc\", \"per_second\": 4e+12, \"by\": \"popc\"},\n"
          "    {\"unit\": \"l2\", \"of\": \"bytes\", \"per_second\": 9.3e+12, \"by\": \"l2\"}\n  ]\n}\n",
          name, uuid, driver);
  fclose(file);
}

static struct gp_ceilings applied(const char *driver) {
  struct gp_device_info device = {.kind = "gpu", .name = "NVIDIA H200", .uuid = UUID, .sm_count = 132};
  const struct gp_chip *chip = gp_chip_by_id("h200");
  struct gp_ceilings ceilings;
  snprintf(device.driver, sizeof device.driver, "%s", driver);
  gp_chip_ceilings(chip, &ceilings);
  gp_measured_peaks_apply(&ceilings, &device, chip);
  return ceilings;
}

static int is_measured(const struct gp_ceilings *c) {
  return c->measured.core || c->measured.tensor || c->measured.integer || c->measured.bytes || c->measured.special;
}

static void measured_ceilings_take_the_place_of_the_datasheet(void **state) {
  (void)state;
  write_file("NVIDIA H200", UUID, "580.1");
  const struct gp_ceilings c = applied("580.1");
  assert_true(c.core[GP_CORE_FP32] == 6.6e13 && c.tensor[GP_TENSOR_INT8] == 1.9e15);
  assert_true(c.integer[GP_INTEGER_POPC] == 4e12 && c.bytes[GP_LEVEL_L2] == 9.3e12);
  assert_true(c.tensor[GP_TENSOR_FP64] == 67e12 && c.bytes[GP_LEVEL_DRAM] == 4.8e12);
  assert_true(c.tensor_boost == 1.2); /* 1980 over 1650 MHz */
  assert_int_equal(c.measured.core, 1 << GP_CORE_FP32);
  assert_int_equal(c.measured.tensor, 1 << GP_TENSOR_INT8);
  assert_int_equal(c.measured.bytes, 1 << GP_LEVEL_L2);
  assert_true(c.mma_sync[GP_TENSOR_INT8] == 1.3e15 && c.measured.mma_sync == 1 << GP_TENSOR_INT8);
  assert_string_equal(gp_tensor_instruction(&c, GP_TENSOR_INT8), "wgmma");
}

static void those_of_another_gpu_are_left(void **state) {
  (void)state;
  write_file("NVIDIA H200", "GPU-00000000-0000-0000-0000-000000000002", "580.1");
  struct gp_ceilings c = applied("580.1");
  assert_false(is_measured(&c));
  write_file("NVIDIA H100 80GB HBM3", UUID, "580.1");
  c = applied("580.1");
  assert_false(is_measured(&c));
}

static void those_of_another_driver_are_left(void **state) {
  (void)state;
  write_file("NVIDIA H200", UUID, "580.1");
  struct gp_ceilings c = applied("590.2");
  assert_false(is_measured(&c));
  c = applied(""); /* not known: the device decides */
  assert_true(is_measured(&c));
}

static void other_files_are_left(void **state) {
  (void)state;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("{\"schema\": \"gpuprof.roofline\"}\n", file);
  fclose(file);
  struct gp_ceilings c = applied("580.1");
  assert_false(is_measured(&c));
  remove(path);
  c = applied("580.1");
  assert_false(is_measured(&c));
}

int main(void) {
  char sub[128];
  if (!mkdtemp(folder))
    return 1;
  snprintf(sub, sizeof sub, "%s/gpuprof", folder);
  mkdir(sub, 0777);
  snprintf(path, sizeof path, "%s/peaks-%s.json", sub, UUID);
  setenv("XDG_CACHE_HOME", folder, 1);
  unsetenv("GPUPROF_PEAKS");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measured_ceilings_take_the_place_of_the_datasheet),
      cmocka_unit_test(those_of_another_gpu_are_left),
      cmocka_unit_test(those_of_another_driver_are_left),
      cmocka_unit_test(other_files_are_left),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  remove(sub);
  remove(folder);
  return failed;
}
