// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Many regions: paths, depth and counters of the program's own, without a report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/regions.h"
#include "fake_device.h"
#include "sanitized.h"
#include "timeline/host_history.h"
#include "gpuprof.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\twork\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "end\n";
static const char *const names[] = {"work", NULL};
static struct fake_unit unit;

static struct gpuprof_region_site ignored_site = {"kind=ignore", NULL};

static size_t memory_in_use(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static void enter_named(unsigned first, unsigned count) {
  for (unsigned i = first; i < first + count; i++) {
    char name[32];
    snprintf(name, sizeof name, "layer_%u", i);
    gpuprof_region_end(gpuprof_region_begin(name));
  }
}

static void a_new_path_takes_little_memory(void **state) {
  (void)state;
  enum { PATHS = 100000 };
  SKIP_IF(SANITIZED, "sanitizers do not tell what malloc() has given");
  gp_host_history_add((struct gp_host_event){.kind = GP_HOST_WAIT}); /* its memory is no path's, and comes with a slow one */
  const uint32_t around = gpuprof_region_begin("memory");
  enter_named(0, 1000);
  const size_t before = memory_in_use();
  enter_named(1000, PATHS);
  const size_t bytes = (memory_in_use() - before) / PATHS;
  gpuprof_region_end(around);
  assert_in_range(bytes, 100, 400);
  assert_in_range(gp_regions_longest_search(), 1, 20);
}

static void the_same_name_is_the_same_path(void **state) {
  (void)state;
  const uint32_t around = gpuprof_region_begin("the same");
  uint32_t token = gpuprof_region_begin_as("name", "forward", NULL);
  const struct gp_context *context = gp_regions_context();
  gpuprof_region_end(token);
  token = gpuprof_region_begin_as("name", "forward", NULL);
  assert_ptr_equal(gp_regions_context(), context);
  gpuprof_region_end(token);
  token = gpuprof_region_begin_as("name", "backward", NULL);
  assert_ptr_not_equal(gp_regions_context(), context);
  gpuprof_region_end(token);
  gpuprof_region_end(around);
}

/* An unloaded and reopened object brings its sites anew. */
static void a_site_with_the_same_facts_is_the_same_path(void **state) {
  (void)state;
  struct gpuprof_region_site first = {"name=step\tkind=host\tfile=a.cpp\tline=7", NULL}, again = first, other = first;
  other.description = "name=step\tkind=host\tfile=a.cpp\tline=8";
  __gpuprof_region_exit(__gpuprof_region_enter(&first));
  __gpuprof_region_exit(__gpuprof_region_enter(&again));
  __gpuprof_region_exit(__gpuprof_region_enter(&other));
  assert_non_null(first.runtime);
  assert_ptr_equal(first.runtime, again.runtime);
  assert_ptr_not_equal(first.runtime, other.runtime);
}

static void launch(void) {
  const uint64_t threads = 1;
  assert_int_equal(fake_launch(&unit, 0, NULL, 1, &threads, 1), 0);
}

static unsigned depth_of(const struct gp_context *context) {
  unsigned depth = 0;
  for (; context->parent; context = context->parent)
    depth++;
  return depth;
}

static void recursion_deeper_than_paths_counts_for_the_deepest_path(void **state) {
  (void)state;
  enum { DEPTH = 10000 };
  uint32_t tokens[DEPTH];
  for (unsigned i = 0; i < DEPTH; i++) {
    tokens[i] = gpuprof_region_begin("recursion");
    assert_int_equal(tokens[i], i + 1);
    if (i % 100 == 0)
      launch();
  }
  struct gp_context *deepest = gp_regions_context();
  assert_int_equal(depth_of(deepest), GP_DEPTH_MAXIMUM);
  gpuprof_count("at the bottom", 3);
  assert_int_equal(deepest->values->counters->value, 3);
  assert_int_equal(deepest->entered, 1);
  const uint64_t before = deepest->values->time.count;
  for (unsigned i = DEPTH; i-- > 0;)
    gpuprof_region_end(tokens[i]);
  assert_int_equal(deepest->values->time.count, before + 1); /* one execution, whatever was opened deeper */
  assert_ptr_equal(gp_regions_context(), gp_context_root());
}

static void a_step_deeper_than_paths_counts_for_the_deepest_path(void **state) {
  (void)state;
  const uint32_t outermost = gpuprof_region_begin("steps");
  for (unsigned i = 1; i < GP_DEPTH_MAXIMUM; i++)
    gpuprof_region_begin("steps");
  const struct gp_context *deepest = gp_regions_context();
  gpuprof_step(1);
  assert_ptr_equal(gp_regions_context(), deepest);
  gpuprof_step(2);
  assert_ptr_equal(gp_regions_context(), deepest);
  gpuprof_region_end(outermost);
  assert_ptr_equal(gp_regions_context(), gp_context_root());
}

static void ignored_code_is_ignored_at_any_depth(void **state) {
  (void)state;
  const uint32_t outermost = gpuprof_region_begin("deep");
  for (unsigned i = 0; i < 1000; i++)
    gpuprof_region_begin("deep");
  const uint32_t token = __gpuprof_region_enter(&ignored_site);
  assert_true(gp_regions_here().ignored);
  gpuprof_region_begin("inside");
  assert_true(gp_regions_here().ignored);
  __gpuprof_region_exit(token);
  assert_non_null(gp_regions_counted());
  gpuprof_region_end(outermost);
}

static void counters_are_found_by_name_however_many(void **state) {
  (void)state;
  enum { COUNTERS = 100000 };
  const uint32_t token = gpuprof_region_begin("counters");
  for (int round = 0; round < 2; round++)
    for (unsigned i = 0; i < COUNTERS; i++) {
      char name[32];
      snprintf(name, sizeof name, "neuron_%u", i);
      gpuprof_count(name, i);
    }
  const struct gp_user_counter *counter = gp_regions_context()->values->counters;
  unsigned count = 0;
  for (; counter; counter = counter->next) {
    assert_int_equal(counter->value, 2 * count);
    count++;
  }
  assert_int_equal(count, COUNTERS);
  assert_in_range(gp_regions_longest_search(), 1, 20);
  gpuprof_region_end(token);
}

/* Last: then no path is new any more. */
static void beyond_the_bound_of_paths_the_region_around_counts(void **state) {
  (void)state;
  gpuprof_region_end(gpuprof_region_begin("known"));
  const uint32_t around = gpuprof_region_begin("around");
  const struct gp_context *context = gp_regions_context();
  for (unsigned i = 0; i <= GP_CONTEXTS_MAXIMUM; i++)
    gpuprof_step(i);
  assert_ptr_equal(gp_regions_context(), context);
  launch();
  gpuprof_region_end(around);
  const uint32_t token = gpuprof_region_begin("never seen before");
  assert_ptr_equal(gp_regions_context(), gp_context_root());
  launch();
  gpuprof_region_end(token);
  assert_in_range(gp_regions_longest_search(), 1, 24);
}

static int set_up(void **state) {
  (void)state;
  const int failed = fake_begin(&unit, sheet, names);
  fake.time_source = GP_TIME_CUPTI;
  return failed;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_new_path_takes_little_memory),
      cmocka_unit_test(the_same_name_is_the_same_path),
      cmocka_unit_test(a_site_with_the_same_facts_is_the_same_path),
      cmocka_unit_test(recursion_deeper_than_paths_counts_for_the_deepest_path),
      cmocka_unit_test(a_step_deeper_than_paths_counts_for_the_deepest_path),
      cmocka_unit_test(ignored_code_is_ignored_at_any_depth),
      cmocka_unit_test(counters_are_found_by_name_however_many),
      cmocka_unit_test(beyond_the_bound_of_paths_the_region_around_counts),
  };
  const int failed = cmocka_run_group_tests(tests, set_up, NULL);
  fflush(stdout);
  _exit(failed); /* a report on a million paths would take longer than all of this */
}
