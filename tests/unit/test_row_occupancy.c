// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Occupancy in a document: of the usual launch, with means by launches, and null where it is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/report_occupancy.h"
#include "report/row_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gp_kernel kernel, other;
static struct gp_row row;
static char *text;

static int set_up(void **state) {
  (void)state;
  static char names[2][8] = {"scale", "other"};
  kernel = (struct gp_kernel){.name = names[0],
                              .resources = {.source = GP_RESOURCES_DRIVER,
                                            .architecture = 90,
                                            .registers = 168,
                                            .local = 16,
                                            .has_spills = 1,
                                            .spill_stores = 8,
                                            .spill_loads = 12,
                                            .carveout = GP_CARVEOUT_UNSET}};
  other = (struct gp_kernel){.name = names[1], .resources = kernel.resources};
  row = (struct gp_row){.in_kernel = 1, .whole_kernel = 1};
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  gp_row_shapes_free(row.shapes);
  free(text);
  text = NULL;
  return 0;
}

static void launch(const struct gp_kernel *of, uint32_t threads, uint64_t dynamic, uint32_t blocks) {
  const struct gp_launch l = {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .dynamic_shared_bytes = dynamic};
  const struct gp_launch_shape shape = gp_launch_shape_of(&l);
  struct gp_launch_shapes *shapes = NULL;
  gp_launch_shapes_add(&shapes, &shape);
  gp_row_shapes_add(&row.shapes, of, shapes);
  free(shapes);
  row.launches++;
}

/* The member `occupancy` of the row, on an H200. */
static const char *written(void) {
  const struct gp_device_info device = {.kind = "gpu", .sm_count = 132, .architecture = 90};
  const struct gp_multiprocessors sms = gp_multiprocessors_of(&device, NULL);
  size_t bytes;
  struct gp_json json;
  free(text);
  FILE *stream = open_memstream(&text, &bytes);
  gp_json_begin(&json, stream);
  gp_json_compact(&json, 1);
  gp_json_object(&json, NULL);
  gp_report_occupancy(&json, &sms, &row);
  gp_json_close_object(&json);
  gp_json_end(&json);
  fclose(stream);
  return text;
}

static void assert_written(const char *part) {
  if (!strstr(written(), part))
    fail_msg("no %s in %s", part, text);
}

static void a_launch_has_its_limiter(void **state) {
  (void)state;
  launch(&kernel, 256, 0, 66);
  assert_written("\"theoretical\": 0.125");
  assert_written("\"limiter\": \"registers\",\"blocks_per_sm\": 1,\"block_threads\": 256");
  assert_written("\"registers\": 168,\"local_bytes\": 16,\"spill_store_bytes\": 8,\"spill_load_bytes\": 12,\"static_shared_bytes\": 0,\"architecture\": 90,\"source\": \"driver\"");
  assert_written("\"waves\": 0.5,\"wave_efficiency\": 0.5,\"achieved\": null");
}

static void means_are_by_launches(void **state) {
  (void)state;
  launch(&kernel, 256, 0, 132);
  launch(&kernel, 256, 0, 132);
  launch(&kernel, 256, 0, 132);
  launch(&kernel, 384, 0, 198); /* 12 warps: 0.1875, 1.5 waves */
  assert_written("\"theoretical\": 0.140625,\"theoretical_least\": 0.125,\"theoretical_most\": 0.1875");
  assert_written("\"block_threads\": 256");
  assert_written("\"waves\": 1.125,\"wave_efficiency\": 0.9,"); /* 4.5 of 5 waves */
}

static void waves_of_other_grids_are_not_rounded(void **state) {
  (void)state;
  launch(&kernel, 256, 0, 132);
  launch(&kernel, 256, 0, 264);
  assert_written("\"waves\": 1.5,\"wave_efficiency\": null");
}

static void several_kernels_have_none(void **state) {
  (void)state;
  launch(&kernel, 256, 0, 1);
  launch(&other, 256, 0, 1);
  assert_written("\"theoretical\": null");
  launch(&kernel, 256, 0, 1);
  assert_written("\"theoretical\": null");
}

static void launches_without_a_shape_make_it_unknown(void **state) {
  (void)state;
  launch(&kernel, 256, 0, 1);
  row.launches++;
  assert_written("\"theoretical\": null");
}

static void kernels_without_machine_code_have_none(void **state) {
  (void)state;
  launch(&kernel, 256, 0, 1);
  kernel.resources.source = GP_RESOURCES_UNKNOWN;
  assert_written("\"theoretical\": null");
}

static void shapes_beyond_the_most_are_missed(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= GP_SHAPES_MOST + 3; threads++)
    launch(&kernel, threads, 0, 1);
  assert_int_equal(row.shapes->list->count, GP_SHAPES_MOST);
  assert_int_equal(row.shapes->list->missed, 3);
  assert_written("\"theoretical\": null");
}

static void clusters_are_attributes_of_launches(void **state) {
  (void)state;
  const struct {
    int id, padding;
    uint32_t cluster[16];
  } attributes[] = {{.id = 2}, {.id = 4, .cluster = {2, 4, 1}}};
  const struct gp_launch l = {.grid = {8, 1, 1}, .block = {32, 1, 1}, .attributes = attributes, .attribute_count = 2};
  assert_int_equal(gp_launch_shape_of(&l).cluster, 8);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_launch_has_its_limiter),
      TEST(means_are_by_launches),
      TEST(waves_of_other_grids_are_not_rounded),
      TEST(several_kernels_have_none),
      TEST(launches_without_a_shape_make_it_unknown),
      TEST(kernels_without_machine_code_have_none),
      TEST(shapes_beyond_the_most_are_missed),
      TEST(clusters_are_attributes_of_launches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
