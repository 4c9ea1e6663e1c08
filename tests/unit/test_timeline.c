// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The time line of a made-up GPU: streams, launch latency, and copies whose times come later, never, or after an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/device.h"
#include "base/state.h"
#include "core/kernels.h"
#include "timeline/timeline.h"

static uint64_t begun;

static int current(int *device) {
  *device = 0;
  return 0;
}
static void work_begin(uint64_t id) { begun = id; }
static void work_end(int error) { (void)error; }
static const struct gp_device_ops gpu = {
    .kind = "gpu", .has_time = 1, .current = current, .work_begin = work_begin, .work_end = work_end};

static struct gp_timeline_device line;

static int begin(void **state) {
  (void)state;
  gp_state();
  gp_device_override(&gpu);
  gp_timeline_begin_anew();
  return 0;
}

static void work(int device, uint32_t stream, uint64_t start, uint64_t end) {
  gp_timeline_work(&(struct gp_device_work){
      .kind = GP_WORK_KERNEL, .source = GP_TIME_CUPTI, .device = device, .stream = stream, .start = start, .end = end});
}

static void a_device_without_work_has_no_line(void **state) {
  (void)state;
  assert_false(gp_timeline_read(0, &line));
  assert_false(gp_timeline_read(-1, &line));
  assert_false(gp_timeline_read(GP_DEVICES, &line));
}

static void streams_overlap(void **state) {
  (void)state;
  work(1, 7, 100, 200);
  work(1, 13, 150, 260);
  work(1, 7, 300, 310);
  assert_false(gp_timeline_read(0, &line));
  assert_true(gp_timeline_read(1, &line));
  assert_int_equal(line.sums.busy_ns, 170);
  assert_int_equal(line.sums.several_ns, 50);
  assert_int_equal(line.sums.gaps.total, 40);
  assert_int_equal(line.gaps[0].start, 260);
  assert_int_equal(line.stream_count, 2);
  assert_int_equal(line.streams[0].sums.gaps.total, 100); /* of stream 7 alone */
}

static void too_many_streams_are_told(void **state) {
  (void)state;
  for (uint32_t i = 0; i < GP_TIMELINE_STREAMS + 3; i++)
    work(0, i, 10 * i, 10 * i + 5);
  assert_true(gp_timeline_read(0, &line));
  assert_int_equal(line.stream_count, GP_TIMELINE_STREAMS);
  assert_int_equal(line.stream_more, 3);
  assert_int_equal(line.sums.busy_ns, 5 * (GP_TIMELINE_STREAMS + 3)); /* the device has all */
}

static void latency_is_from_the_end_of_the_call(void **state) {
  (void)state;
  static struct gp_context root, region = {.parent = &root};
  static struct gp_record record = {.context = &region};
  static const uint64_t starts[] = {1500, 900, 1200}; /* the second began within the call */
  for (uint64_t id = 1; id <= 3; id++) {
    const struct gp_issued issued = {.call_end = 1000};
    const struct gp_device_work told = {
        .kind = GP_WORK_KERNEL, .source = GP_TIME_CUPTI, .start = starts[id - 1], .end = starts[id - 1] + 10};
    gp_timeline_work(&told);
    gp_timeline_kernel(id, &record, &issued, told.start, 10, GP_TIME_CUPTI, &told);
  }
  assert_true(gp_timeline_read(0, &line));
  assert_int_equal(line.latency_count, 3);
  assert_int_equal(line.latency_median, 200);
  assert_int_equal(line.latency_max, 500);
  assert_int_equal(line.kernels, 3); /* work that was told is not added twice */
}

static struct gp_copy_sum uploads(void) {
  struct gp_copy_sums sums = {0};
  gp_copies_of(gp_context_root(), &sums);
  return sums.of[GP_COPY_HOST_TO_DEVICE];
}

static uint64_t copy(uint64_t bytes, int error) {
  struct gp_copy_call call = {.name = "cudaMemcpyAsync", .copy = {.direction = GP_COPY_HOST_TO_DEVICE, .bytes = bytes, .count = 1}};
  assert_true(gp_timeline_copy_begin(&call));
  gp_timeline_copy_end(&call, error);
  assert_true(begun & GP_COPY_ID_BIT);
  return begun;
}

static void copies_get_their_times_later(void **state) {
  (void)state;
  const uint64_t first = copy(1000, 0), second = copy(24, 0), failed = copy(1 << 20, 1);
  const struct gp_device_work told = {.kind = GP_WORK_COPY, .source = GP_TIME_CUPTI, .start = 50, .end = 80};
  gp_timeline_copy_time(second, &told);
  gp_timeline_copy_time(second, &told); /* a record of the same call does not count again */
  gp_timeline_copy_time(failed, &told);
  assert_int_equal(uploads().count, 2);
  assert_int_equal(uploads().bytes, 1024);
  assert_int_equal(uploads().timed, 1);
  assert_int_equal(uploads().timed_bytes, 24);
  assert_int_equal(uploads().time_ns, 30);
  gp_timeline_copy_time(first, &told);
  assert_int_equal(uploads().timed, 2);
}

static void work_of_gpuprof_is_told_apart(void **state) {
  (void)state;
  work(0, 7, 100, 200);
  gp_timeline_own_work(0, 40);
  assert_true(gp_timeline_read(0, &line));
  assert_int_equal(line.own_ns, 40);
  assert_int_equal(line.sums.busy_ns, 100);
}

static void time_of_gpuprof_is_known_where_records_tell(void **state) {
  (void)state;
  uint64_t ns, busy;
  assert_false(gp_timeline_own_ns(&ns, &busy)); /* no records */
  work(0, 7, 100, 200);
  assert_true(gp_timeline_own_ns(&ns, &busy));
  assert_int_equal(ns, 0);
  gp_timeline_own_work(0, 40);
  work(1, 7, 100, 200);
  gp_timeline_own_work(1, 2);
  assert_true(gp_timeline_own_ns(&ns, &busy));
  assert_int_equal(ns, 42);
  assert_int_equal(busy, 200);
  gp_timeline_work(&(struct gp_device_work){.kind = GP_WORK_KERNEL, .source = GP_TIME_EVENT, .device = 2, .start = 1, .end = 2});
  assert_false(gp_timeline_own_ns(&ns, &busy));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_device_without_work_has_no_line, begin),
      cmocka_unit_test_setup(streams_overlap, begin),
      cmocka_unit_test_setup(too_many_streams_are_told, begin),
      cmocka_unit_test_setup(latency_is_from_the_end_of_the_call, begin),
      cmocka_unit_test_setup(copies_get_their_times_later, begin),
      cmocka_unit_test_setup(work_of_gpuprof_is_told_apart, begin),
      cmocka_unit_test_setup(time_of_gpuprof_is_known_where_records_tell, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
