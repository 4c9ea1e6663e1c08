// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Regions, launches and counts, from the hook to the totals, on the fake device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/launch_hook.h"
#include "report/aggregate.h"
#include "report/reading.h"
#include "sheet/modules.h"
#include "sheet/units.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Kernel 0: group 0 entry, group 1 a loop in region "inner" of kernel region "whole". Kernel 1: plain. */
static const char sheet[] = "gpuprof-sheet\t1\n"
                            "file\t0\tapp.cu\n"
                            "region\t0\t-\tname=whole\tkind=kernel\tfile=app.cu\tline=3\n"
                            "region\t1\t0\tname=inner\tkind=device\tfile=app.cu\tline=5\n"
                            "kernel\t0\tfirst\tgroups=2\tfile=0\tline=3\n"
                            "kernel\t1\tsecond\tgroups=1\n"
                            "cost\t0\t0\t0\t0\t4\tfp32_add=1\tglobal_load=4\n"
                            "cost\t0\t1\t1\t0\t6\tfp32_fma=1\n"
                            "cost\t1\t0\t-\t-\t0\tfp64_mul=3\tglobal_store=8\n"
                            "uncounted\t0\t1\t0\t6\tinline asm\tno such instruction\n"
                            "end\n";
static const char *const names[] = {"first", "second", NULL};
static struct fake_unit unit;
static struct gp_aggregate *result;

static struct gpuprof_region_site outer_site = {"name=outer\tkind=host\tfile=app.cu\tline=30\tphase=forward", NULL};
static struct gpuprof_region_site inner_site = {"name=inner\tkind=host\tfile=app.cu\tline=31", NULL};
static struct gpuprof_region_site warm_site = {"name=warm\tkind=host\tphase=warmup", NULL};

/* Tests share the process: each works below a root region of its own. */
static uint32_t own_root;
static const char *own_name;

static void begin(const char *name) {
  fake = (struct fake_state){.next_unique_bytes = UINT64_MAX};
  own_name = name;
  own_root = gpuprof_region_begin(name);
  assert_int_not_equal(own_root, 0);
}

static void gather(void) {
  if (result)
    gp_aggregate_free(result);
  fake_device.flush();
  result = gp_aggregate_make();
  assert_non_null(result);
}

static void end(void) {
  gpuprof_region_end(own_root);
  gather();
}

static const struct gp_row *child(const struct gp_row *parent, const char *name) {
  for (const struct gp_row *row = parent->children; row; row = row->next)
    if (!strcmp(row->name, name))
      return row;
  return NULL;
}

/* A region below the test's own, by names ended by null. */
static const struct gp_row *row_of(const char *first, const char *second, const char *third) {
  const struct gp_row *row = child(&result->regions, own_name);
  const char *const path[] = {first, second, third};
  for (int i = 0; row && i < 3 && path[i]; i++)
    row = child(row, path[i]);
  assert_non_null(row);
  return row;
}

static uint64_t amount(const struct gp_row *row, enum gp_cost cost) { return row->totals.amount[cost]; }

static void run_first(void *stream, uint64_t threads, uint64_t loops) {
  const uint64_t counts[] = {threads, loops};
  assert_int_equal(fake_launch(&unit, 0, stream, (uint32_t)threads, counts, 2), 0);
}

static void run_second(void *stream, uint64_t threads) {
  assert_int_equal(fake_launch(&unit, 1, stream, (uint32_t)threads, &threads, 1), 0);
}

/* Rows are made while launches go on. */
static void rows_are_of_the_moment_of_reading(void **state) {
  (void)state;
  begin("moment");
  run_first(NULL, 32, 1001);
  gpuprof_count("seen", 1);
  fake_device.flush();
  struct gp_aggregate *read = gp_aggregate_prepare();
  assert_non_null(read);
  assert_int_equal(gp_aggregate_read(read), 0);
  run_first(NULL, 32, 1001);
  run_second(NULL, 7);
  gpuprof_count("seen", 1);
  fake_device.flush();
  assert_int_equal(gp_aggregate_add_up(read, 0), 0);
  const struct gp_row *own = child(&read->regions, own_name);
  assert_int_equal(own->launches, 1);
  assert_int_equal(own->threads, 32);
  assert_int_equal(amount(own, GP_COST_fp32_fma), 1001);
  assert_int_equal(own->values.counters[0].value, 1);
  gp_aggregate_free(read);
  end();
  assert_int_equal(row_of(NULL, NULL, NULL)->launches, 3);
}

/* A library opened meanwhile brings the kernel once more: its counts were not read. */
static void rows_leave_out_instances_since_the_reading(void **state) {
  (void)state;
  begin("opened");
  run_first(NULL, 32, 1001);
  fake_device.flush();
  struct gp_aggregate *read = gp_aggregate_prepare();
  assert_non_null(read);
  assert_int_equal(gp_aggregate_read(read), 0);
  struct gp_kernel *kernel = read->reading->records[0].record.kernel;
  kernel->instances[kernel->instance_count++] = kernel->instances[0];
  assert_int_equal(gp_aggregate_add_up(read, 0), 0);
  assert_int_equal(amount(child(&read->regions, own_name), GP_COST_fp32_fma), 1001);
  kernel->instance_count--;
  gp_aggregate_free(read);
  end();
}

static void counts_times_sheet_are_totals(void **state) {
  (void)state;
  begin("totals");
  run_first(NULL, 32, 1001);
  run_second(NULL, 7);
  end();
  const struct gp_row *own = row_of(NULL, NULL, NULL);
  assert_int_equal(amount(own, GP_COST_fp32_add), 32);
  assert_int_equal(amount(own, GP_COST_fp32_fma), 1001);
  assert_int_equal(amount(own, GP_COST_global_load), 128);
  assert_int_equal(amount(own, GP_COST_fp64_mul), 21);
  assert_int_equal(amount(own, GP_COST_global_store), 56);
  assert_int_equal(gp_totals_flops(&own->totals), 32 + 2002 + 21);
  assert_int_equal(own->launches, 2);
  assert_int_equal(own->threads, 39);
  assert_int_equal(own->executions, 1);
  const struct gp_row *whole = row_of("whole", NULL, NULL), *inner = row_of("whole", "inner", NULL);
  assert_int_equal(amount(whole, GP_COST_fp32_add), 32);
  assert_int_equal(amount(whole, GP_COST_fp32_fma), 1001);
  assert_int_equal(amount(whole, GP_COST_fp64_mul), 0);
  assert_int_equal(whole->launches, 1);
  assert_true(whole->whole_kernel);
  assert_int_equal(amount(inner, GP_COST_fp32_add), 0);
  assert_int_equal(amount(inner, GP_COST_fp32_fma), 1001);
  assert_string_equal(inner->path, "totals/whole/inner");
  assert_string_equal(inner->kind, "device");
  assert_int_equal(own->line_count, 0); /* a line stands in the innermost row */
  assert_int_equal(whole->line_count, 1);
  assert_int_equal(whole->lines[0].line, 4);
  assert_int_equal(whole->lines[0].bytes, 128);
  assert_int_equal(inner->line_count, 1);
  assert_int_equal(inner->lines[0].line, 6);
  assert_int_equal(inner->lines[0].flops, 2002);
  assert_int_equal(result->uncounted_count, 1);
  assert_string_equal(result->uncounted[0].what, "inline asm");
}

static void each_path_has_its_own_counts(void **state) {
  (void)state;
  begin("paths");
  run_first(NULL, 1, 1);
  uint32_t outer = __gpuprof_region_enter(&outer_site);
  run_first(NULL, 10, 10);
  uint32_t inner = __gpuprof_region_enter(&inner_site);
  run_first(NULL, 100, 100);
  __gpuprof_region_exit(inner);
  run_first(NULL, 1000, 1000);
  __gpuprof_region_exit(outer);
  run_first(NULL, 256, 10000);
  end();
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_fp32_fma), 11111);
  assert_int_equal(amount(row_of("outer", NULL, NULL), GP_COST_fp32_fma), 1110);
  assert_int_equal(amount(row_of("outer", "inner", NULL), GP_COST_fp32_fma), 100);
  assert_int_equal(amount(row_of("outer", "whole", NULL), GP_COST_fp32_fma), 1010);
  assert_int_equal(amount(row_of("outer", "whole", "inner"), GP_COST_fp32_fma), 1010);
  assert_int_equal(amount(row_of("whole", NULL, NULL), GP_COST_fp32_fma), 10001);
  assert_string_equal(row_of("outer", "inner", NULL)->phase, "forward");
  assert_int_equal(row_of("outer", NULL, NULL)->line, 30);
  assert_int_equal(row_of("outer", NULL, NULL)->launches, 3);
}

static void one_stream_needs_no_waiting(void **state) {
  (void)state;
  begin("one stream");
  run_first(NULL, 1, 1); /* the first launch reads the sheet */
  int waits = fake.waits;
  for (int i = 0; i < 100; i++) {
    uint32_t token = i % 2 ? __gpuprof_region_enter(&outer_site) : 0;
    run_first(NULL, 1, 2);
    __gpuprof_region_exit(token);
  }
  assert_int_equal(fake.waits, waits);
  int stores = fake.stores;
  for (int i = 0; i < 100; i++)
    run_first(NULL, 1, 0);
  assert_in_range(fake.stores - stores, 0, 1);
  end();
  assert_int_equal(amount(row_of("outer", NULL, NULL), GP_COST_fp32_fma), 100);
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_fp32_fma), 201);
}

/* The fake device runs the newest stream first, so each of these goes wrong without the fences. The host waits for none. */
static void streams_do_not_mix_paths(void **state) {
  (void)state;
  static int a, b;
  begin("streams");
  const int waits = fake.waits;
  for (int round = 0; round < 3; round++) {
    run_first(&a, 1, 1);
    uint32_t outer = __gpuprof_region_enter(&outer_site);
    run_first(&a, 1, 100);
    run_first(&b, 1, 200); /* must not overtake the switch on the other stream */
    __gpuprof_region_exit(outer);
    run_first(&b, 1, 10);
    run_first(&a, 1, 20);
    run_first(&b, 1, 30);
  }
  assert_int_equal(fake.waits, waits);
  assert_true(fake.fences_awaited > 0);
  end();
  assert_int_equal(amount(row_of("outer", NULL, NULL), GP_COST_fp32_fma), 900);
  assert_int_equal(amount(row_of("whole", NULL, NULL), GP_COST_fp32_fma), 183);
}

static void longjmp_out_of_regions_leaves_no_trace(void **state) {
  (void)state;
  begin("longjmp");
  jmp_buf back;
  uint32_t outer = __gpuprof_region_enter(&outer_site);
  if (!setjmp(back)) {
    __gpuprof_region_enter(&inner_site);
    __gpuprof_region_enter(&inner_site);
    longjmp(back, 1);
  }
  __gpuprof_region_exit(outer);
  run_second(NULL, 1);
  end();
  assert_int_equal(row_of("outer", NULL, NULL)->launches, 0);
  assert_int_equal(row_of("outer", "inner", "inner")->executions, 1);
  assert_int_equal(row_of(NULL, NULL, NULL)->launches, 1);
}

static void depth_is_bounded(void **state) {
  (void)state;
  begin("depth");
  uint32_t first = __gpuprof_region_enter(&inner_site);
  for (int i = 0; i < 1000; i++)
    __gpuprof_region_enter(&inner_site);
  run_second(NULL, 5);
  __gpuprof_region_exit(first);
  run_second(NULL, 6);
  end();
  assert_int_equal(amount(row_of("inner", NULL, NULL), GP_COST_fp64_mul), 15);
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_fp64_mul), 33);
}

static void *launch_in_thread(void *stream) {
  uint32_t token = gpuprof_region_begin("thread");
  for (int i = 0; i < 50; i++)
    run_second(stream, 2);
  (void)token; /* never closed: the end of the thread does */
  return NULL;
}

static void threads_have_their_own_regions(void **state) {
  (void)state;
  begin("threads");
  run_second(NULL, 1);
  pthread_t threads[2];
  static char streams[2];
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, launch_in_thread, &streams[i]), 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  run_second(NULL, 1);
  end();
  const struct gp_row *thread = child(&result->regions, "thread");
  assert_non_null(thread);
  assert_int_equal(thread->executions, 2);
  assert_int_equal(amount(thread, GP_COST_fp64_mul), 600);
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_fp64_mul), 6);
}

static void *launch_in_own_region(void *name) {
  for (int i = 0; i < 200; i++) {
    uint32_t token = gpuprof_region_begin(name);
    run_first(name, 1, 3);
    run_second(name, 1);
    gpuprof_region_end(token);
    if (i % 50 == 0)
      gpuprof_flush();
  }
  return NULL;
}

/* Four threads fight over the counters of two kernels, each on a stream and in a region of its own. */
static void threads_do_not_mix_paths(void **state) {
  (void)state;
  static char regions[4][8] = {"t0", "t1", "t2", "t3"};
  pthread_t threads[4];
  begin("fight");
  fake.time_source = GP_TIME_EVENT;
  fake.next_duration_ns = 7;
  fake.late_times = 1;
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, launch_in_own_region, regions[i]), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  end();
  for (int i = 0; i < 4; i++) {
    const struct gp_row *row = child(&result->regions, regions[i]);
    assert_non_null(row);
    assert_int_equal(row->executions, 200);
    assert_int_equal(row->launches, 400);
    assert_int_equal(amount(row, GP_COST_fp32_fma), 600);
    assert_int_equal(amount(row, GP_COST_fp64_mul), 600);
    assert_int_equal(row->time.total, 2800);
    assert_int_equal(row->time.parts[0].count, 200);
    assert_int_equal(row->time.parts[0].maximum, 14);
  }
}

static void warmup_phase_is_kept_out(void **state) {
  (void)state;
  begin("with warmup");
  const uint64_t kernel_before = result ? amount(child(&result->kernels, "second"), GP_COST_fp64_mul) : 0;
  uint32_t warm = __gpuprof_region_enter(&warm_site);
  run_second(NULL, 100);
  uint32_t within = __gpuprof_region_enter(&outer_site); /* its own phase does not matter */
  run_second(NULL, 100);
  __gpuprof_region_exit(within);
  __gpuprof_region_exit(warm);
  run_second(NULL, 2);
  end();
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_fp64_mul), 6);
  assert_int_equal(row_of(NULL, NULL, NULL)->launches, 1);
  assert_int_equal(amount(row_of("warm", NULL, NULL), GP_COST_fp64_mul), 600);
  assert_int_equal(amount(child(&result->kernels, "second"), GP_COST_fp64_mul) - kernel_before, 6);
}

static void pausing_stops_the_counters(void **state) {
  (void)state;
  begin("paused");
  run_second(NULL, 1);
  gpuprof_disable();
  assert_int_equal(gpuprof_region_begin("never"), 0);
  run_second(NULL, 50);
  gpuprof_enable();
  run_second(NULL, 2);
  end();
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_fp64_mul), 9);
  assert_int_equal(row_of(NULL, NULL, NULL)->launches, 2);
  assert_null(child(row_of(NULL, NULL, NULL), "never"));
}

static void times_belong_to_executions(void **state) {
  (void)state;
  begin("times");
  fake.time_source = GP_TIME_CUPTI;
  fake.late_times = 1;
  for (uint64_t i = 1; i <= 3; i++) {
    uint32_t token = __gpuprof_region_enter(&outer_site);
    fake.next_duration_ns = 10 * i;
    run_first(NULL, 1, 1);
    fake.next_duration_ns = 1000 * i;
    run_first(NULL, 1, 1);
    __gpuprof_region_exit(token);
  }
  end();
  const struct gp_row *outer = row_of("outer", NULL, NULL), *whole = row_of("outer", "whole", NULL);
  assert_int_equal(outer->time.total, 6060);
  assert_int_equal(outer->time.timed, 6);
  assert_int_equal(outer->time.source, GP_TIME_CUPTI);
  assert_int_equal(outer->time.part_count, 1);
  assert_int_equal(outer->time.parts[0].count, 3); /* three executions of 1010, 2020, 3030 */
  assert_int_equal(outer->time.parts[0].minimum, 1010);
  assert_int_equal(outer->time.parts[0].maximum, 3030);
  assert_int_equal(whole->time.total, 6060);
  assert_int_equal(whole->time.parts[0].count, 6); /* six launches */
  assert_int_equal(whole->time.parts[0].minimum, 10);
  assert_int_equal(row_of("outer", "whole", "inner")->time.timed, 0);
  assert_int_equal(row_of(NULL, NULL, NULL)->time.parts[0].count, 1);
  assert_int_equal(row_of(NULL, NULL, NULL)->time.parts[0].total, 6060);
}

static void unique_bytes_belong_to_launches(void **state) {
  (void)state;
  begin("unique");
  fake.next_unique_bytes = 320;
  run_first(NULL, 1, 1);
  run_second(NULL, 1);
  end();
  const struct gp_row *own = row_of(NULL, NULL, NULL), *whole = row_of("whole", NULL, NULL);
  assert_int_equal(own->unique_bytes, 640);
  assert_int_equal(own->unique_launches, 2);
  assert_int_equal(whole->unique_bytes, 320);
  assert_int_equal(row_of("whole", "inner", NULL)->unique_launches, 0);
}

static void failed_launches_do_not_count(void **state) {
  (void)state;
  begin("failed");
  run_second(NULL, 1);
  assert_int_equal(fake_launch_failing(&unit, 1, 98), 98);
  assert_int_equal(fake.launches_begun, 2);
  assert_int_equal(fake.launches_ended, 2);
  end();
  assert_int_equal(row_of(NULL, NULL, NULL)->launches, 1);
}

static int told(const char *text) {
  const struct gp_message *message;
  for (size_t i = 0; (message = gp_log_message(i)); i++)
    if (strstr(message->text, text))
      return 1;
  return 0;
}

/* 701: more registers than a block of this size leaves to a thread. */
static void a_launch_refused_for_its_counters_says_what_to_do(void **state) {
  (void)state;
  begin("refused");
  fake.clone_threads = 1; /* a block of one thread fits */
  assert_int_equal(fake_launch_failing(&unit, 1, 701), 701);
  assert_false(told("was refused"));
  fake.block_threads = 1024;
  fake.clone_threads = 768;
  assert_int_equal(fake_launch_failing(&unit, 1, 701), 701);
  end();
  assert_true(told("a launch in blocks of 1024 threads was refused: with its counters it has registers for 768; give it "
                   "__launch_bounds__(1024)"));
}

static void captured_launches_pass_through(void **state) {
  (void)state;
  begin("captured");
  run_second(NULL, 1);
  int stores = fake.stores;
  fake.capturing = 1;
  uint32_t token = __gpuprof_region_enter(&outer_site);
  run_second(NULL, 10);
  __gpuprof_region_exit(token);
  fake.capturing = 0;
  assert_int_equal(fake.stores, stores);
  assert_int_equal(fake.launches_begun, 1);
  end();
  assert_int_equal(row_of(NULL, NULL, NULL)->launches, 1);
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_fp64_mul), 33); /* counted where the counters pointed */
  assert_int_equal(row_of("outer", NULL, NULL)->launches, 0);
}

static void devices_have_their_own_counters(void **state) {
  (void)state;
  begin("devices");
  run_second(NULL, 1);
  fake.device = 3;
  run_second(NULL, 2);
  fake.device = GP_DEVICES;
  run_second(NULL, 4); /* too many devices: the launch goes through, uncounted */
  fake.device = 0;
  end();
  assert_int_equal(row_of(NULL, NULL, NULL)->launches, 2);
}

/* Like those of the CPU device: the unit is the same on all of them. */
static void devices_of_one_memory_do_not_mix_paths(void **state) {
  (void)state;
  begin("one memory");
  for (int round = 0; round < 6; round++) {
    fake.device = round % 2;
    uint32_t region = gpuprof_region_begin(round % 2 ? "on device one" : "on device nought");
    run_first((void *)(uintptr_t)(1 + round % 2), 32, round % 2 ? 100 : 7);
    gpuprof_region_end(region);
  }
  fake.device = 0;
  end();
  assert_int_equal(amount(row_of("on device nought", NULL, NULL), GP_COST_fp32_fma), 3 * 7);
  assert_int_equal(amount(row_of("on device one", NULL, NULL), GP_COST_fp32_fma), 3 * 100);
}

static void without_memory_launches_go_on(void **state) {
  (void)state;
  begin("memory");
  fake.fail_allocation = 1;
  run_second(NULL, 3);
  end();
  assert_int_equal(row_of(NULL, NULL, NULL)->launches, 1);
  assert_int_equal(row_of(NULL, NULL, NULL)->uncounted_launches, 1);
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_fp64_mul), 0);
}

static void own_counters_and_expectations_add_up(void **state) {
  (void)state;
  begin("counters");
  for (int i = 0; i < 2; i++) {
    uint32_t token = __gpuprof_region_enter(&outer_site);
    gpuprof_expect(100, 50, -1);
    gpuprof_count("tiles", 3);
    gpuprof_step(i);
    __gpuprof_region_exit(token);
  }
  gpuprof_count("tiles", -1);
  end();
  const struct gp_row *outer = row_of("outer", NULL, NULL), *own = row_of(NULL, NULL, NULL);
  assert_true(outer->expected_flops == 200 && outer->expected_bytes == 100 && outer->expected_items == 0);
  assert_true(own->expected_flops == 0);
  assert_int_equal(outer->values.counter_count, 1);
  assert_string_equal(outer->values.counters[0].name, "tiles");
  assert_int_equal(outer->values.counters[0].value, 6);
  assert_int_equal(row_of("outer", "step_0", NULL)->executions, 1);
  assert_int_equal(row_of("outer", "step_1", NULL)->executions, 1);
  assert_int_equal(own->values.counters[0].value, 5);
}

static int was_said(const char *about, const char *part) {
  const struct gp_message *m;
  for (size_t i = 0; (m = gp_log_message(i)); i++)
    if (!strcmp(m->about, about) && strstr(m->text, part))
      return 1;
  return 0;
}

static void unloaded_units_keep_their_counts(void **state) {
  (void)state;
  static struct fake_unit plugin;
  static const char *const kernels[] = {"loaded", NULL};
  begin("unload");
  for (int i = 0; i < 2; i++) {
    fake_register(&plugin, "gpuprof-sheet\t1\nkernel\t0\tloaded\tgroups=1\ncost\t0\t0\t-\t-\t0\tinteger=2\nend\n", kernels);
    uint64_t threads = 8;
    fake_launch(&plugin, 0, NULL, 8, &threads, 1);
    fake_device.synchronize();
    fake_unregister(&plugin);
  }
  end();
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_integer), 32);
  const struct gp_row *kernel = child(&result->kernels, "loaded");
  assert_non_null(kernel);
  assert_int_equal(kernel->launches, 2);
  assert_int_equal(amount(kernel, GP_COST_integer), 32);
}

static void kernels_in_several_units_are_one(void **state) {
  (void)state;
  static struct fake_unit a, b;
  static const char *const kernels[] = {"inlined", NULL};
  static const char text[] = "gpuprof-sheet\t1\nkernel\t0\tinlined\tgroups=1\ncost\t0\t0\t-\t-\t0\tcompare=1\nend\n";
  begin("copies");
  fake_register(&a, text, kernels);
  fake_register(&b, text, kernels);
  gp_modules_register_function(b.handle, &a.functions[0], "inlined"); /* the linker kept one stub */
  uint64_t threads = 4;
  fake_launch(&a, 0, NULL, 4, &threads, 1);
  fake_device.synchronize();
  assert_int_not_equal(a.counters[0], 0);
  assert_int_not_equal(b.counters[0], 0); /* whichever module the device takes, it counts */
  end();
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_compare), 4);
}

/* It reads the sheet of its file, and may come while a kernel of another file waits for it. */
static void a_first_launch_waits_for_nothing(void **state) {
  (void)state;
  static struct fake_unit other;
  static int a, b;
  static const char *const kernels[] = {"first", NULL};
  begin("first");
  fake_register(&other, "gpuprof-sheet\t1\nkernel\t0\tfirst\tgroups=1\ncost\t0\t0\t-\t-\t0\tcompare=1\nend\n", kernels);
  run_first(&a, 1, 1);
  const int waits = fake.waits;
  uint64_t threads = 4;
  fake_launch(&other, 0, &b, 4, &threads, 1);
  assert_int_equal(fake.waits, waits);
  end();
  assert_int_equal(amount(row_of(NULL, NULL, NULL), GP_COST_compare), 4);
}

static void broken_units_are_told_and_run(void **state) {
  (void)state;
  static struct fake_unit broken, old;
  static const char *const kernels[] = {"broken", NULL};
  begin("broken");
  fake_register(&broken, "gpuprof-sheet\t1\nkernel\t0\tbroken\n", kernels);
  uint64_t threads = 1;
  assert_int_equal(fake_launch(&broken, 0, NULL, 1, &threads, 1), 0);
  assert_true(was_said("fake.cu", "its kernels are not counted: line 2 of the cost sheet"));
  old.host.abi_version = GPUPROF_ABI_VERSION + 1;
  __gpuprof_register_unit(&old.host);
  assert_null(old.host.runtime);
  assert_true(was_said("", "compile it again with the gpuprof that is installed"));
  end();
  assert_int_equal(row_of(NULL, NULL, NULL)->launches, 1);
  assert_int_equal(row_of(NULL, NULL, NULL)->uncounted_launches, 1);
}

static void unreadable_counters_are_told(void **state) {
  (void)state;
  begin("unreadable");
  run_second(NULL, 1);
  gpuprof_region_end(own_root);
  fake.fail_read = 1;
  gather();
  fake.fail_read = 0;
  assert_true(was_said("second", "its counts are missing, since they could not be read from the device: a fake error"));
}

static int set_up(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_of_the_moment_of_reading),
      cmocka_unit_test(rows_leave_out_instances_since_the_reading),
      cmocka_unit_test(counts_times_sheet_are_totals),
      cmocka_unit_test(each_path_has_its_own_counts),
      cmocka_unit_test(one_stream_needs_no_waiting),
      cmocka_unit_test(streams_do_not_mix_paths),
      cmocka_unit_test(longjmp_out_of_regions_leaves_no_trace),
      cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(threads_have_their_own_regions),
      cmocka_unit_test(threads_do_not_mix_paths),
      cmocka_unit_test(warmup_phase_is_kept_out),
      cmocka_unit_test(pausing_stops_the_counters),
      cmocka_unit_test(times_belong_to_executions),
      cmocka_unit_test(unique_bytes_belong_to_launches),
      cmocka_unit_test(failed_launches_do_not_count),
      cmocka_unit_test(a_launch_refused_for_its_counters_says_what_to_do),
      cmocka_unit_test(captured_launches_pass_through),
      cmocka_unit_test(devices_have_their_own_counters),
      cmocka_unit_test(devices_of_one_memory_do_not_mix_paths),
      cmocka_unit_test(without_memory_launches_go_on),
      cmocka_unit_test(own_counters_and_expectations_add_up),
      cmocka_unit_test(unloaded_units_keep_their_counts),
      cmocka_unit_test(kernels_in_several_units_are_one),
      cmocka_unit_test(a_first_launch_waits_for_nothing),
      cmocka_unit_test(broken_units_are_told_and_run),
      cmocka_unit_test(unreadable_counters_are_told),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
