// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kernel times from CUPTI records, on a fake CUPTI. The test
 * includes the file under test, to see the times handed to the core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/wait.h>

#include "fakes.h"

#define gp_cupti_start tested_start
#define gp_cupti_active tested_active
#define gp_cupti_is_unproven tested_is_unproven
#define gp_cupti_launch_begin tested_launch_begin
#define gp_cupti_launch_end tested_launch_end
#define gp_cupti_flush tested_flush
#define gp_cupti_idle tested_idle
#define gp_cupti_keep_graphs tested_keep_graphs
#define gp_cuda_time_source_reason tested_reason
#define gp_cupti_work_begin tested_work_begin
#define gp_cupti_work_end tested_work_end
#define gp_cupti_own_stream tested_own_stream
#define gp_cupti_tell_others tested_tell_others
#define gp_cupti_watch_writes tested_watch_writes
#define gp_launch_time_of_work seen_launch_time
#define gp_timeline_copy_time seen_copy_time
#include "../../runtime/cuda/cupti.c"

static struct { uint64_t id, start, duration; } seen[64];
static int seen_count;

void seen_launch_time(uint64_t id, const struct gp_device_work *work) {
  assert_int_equal(work->source, GP_TIME_CUPTI);
  seen[seen_count].id = id;
  seen[seen_count].start = work->start;
  seen[seen_count++].duration = work->end - work->start;
}

static struct gp_device_work copied;
static uint64_t copied_id;
void seen_copy_time(uint64_t id, const struct gp_device_work *work) {
  copied_id = id;
  copied = *work;
}

static void (*fake_copy)(const void *, size_t);
static void (*fake_named_kernel)(uint32_t, uint64_t, uint64_t, const char *);
static void (*fake_launch)(uint32_t), (*fake_refused_launch)(uint32_t), (*fake_copy_call)(uint32_t);
static void (*fake_kernel)(uint32_t, uint64_t, uint64_t);
static void (*fake_deliver)(void);
static int (*fake_subscribed)(void);
static int (*fake_enabled)(int);
static int (*fake_depth)(void);

static void find_fake(void) {
  void *library = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(library);
  *(void **)&fake_launch = dlsym(library, "fake_launch");
  *(void **)&fake_refused_launch = dlsym(library, "fake_refused_launch");
  *(void **)&fake_copy_call = dlsym(library, "fake_copy_call");
  *(void **)&fake_kernel = dlsym(library, "fake_kernel");
  *(void **)&fake_copy = dlsym(library, "fake_copy");
  *(void **)&fake_named_kernel = dlsym(library, "fake_named_kernel");
  *(void **)&fake_deliver = dlsym(library, "fake_deliver");
  *(void **)&fake_subscribed = dlsym(library, "fake_subscribed");
  *(void **)&fake_enabled = dlsym(library, "fake_enabled");
  *(void **)&fake_depth = dlsym(library, "fake_depth");
}

/* Starts in a child, so the process stays fresh; returns the child's reason. */
static const char *reason_with(const char *variable, const char *value) {
  static char text[256];
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    setenv(variable, value, 1);
    tested_start();
    const char *why = tested_reason();
    dprintf(ends[1], "%s", why ? why : "none");
    _exit(0);
  }
  close(ends[1]);
  ssize_t length = read(ends[0], text, sizeof text - 1);
  text[length > 0 ? length : 0] = 0;
  close(ends[0]);
  waitpid(child, NULL, 0);
  return text;
}

static void other_tools_come_first(void **state) {
  (void)state;
  assert_string_equal(reason_with("CUDA_INJECTION64_PATH", "/tool.so"),
                      "another profiler is in charge (CUDA_INJECTION64_PATH is set)");
  assert_string_equal(reason_with("NSYS_PROFILING_SESSION_ID", "1"),
                      "another profiler is in charge (NSYS_PROFILING_SESSION_ID is set)");
  assert_string_equal(reason_with("FAKE_CUPTI_OWNER", "Nsight Compute"),
                      "another profiler is attached (Nsight Compute)");
  assert_string_equal(reason_with("FAKE_CUPTI_REFUSES", "10"),
                      "CUPTI did not start: kernel records were refused");
  assert_string_equal(reason_with("FAKE_CUPTI_NO_CALLBACKS", "1"), "CUPTI did not start: callbacks of launches were refused");
}

static void it_starts(void **state) {
  (void)state;
  assert_non_null(tested_reason());
  tested_start();
  assert_null(tested_reason());
  assert_true(tested_active());
  find_fake();
  assert_true(fake_subscribed());
  assert_true(fake_enabled(10));
  assert_true(fake_enabled(39));
  assert_false(fake_enabled(4)); /* all calls of the driver, or of the runtime: too slow, and not needed */
  assert_false(fake_enabled(5));
}

static void launch(uint64_t id, uint32_t correlation) {
  tested_launch_begin(id);
  assert_int_equal(fake_depth(), 0); /* external ids are slow, and for copies alone */
  fake_launch(correlation);
  tested_launch_end(0);
}

static void it_is_idle_when_all_records_have_come(void **state) {
  (void)state;
  assert_true(tested_idle());
  launch(90, 3);
  launch(91, 4);
  fake_kernel(3, 1000, 1100);
  assert_false(tested_idle());
  fake_kernel(4, 0, 0); /* CUPTI has no time for it */
  assert_true(tested_idle());
  tested_flush();
  assert_true(tested_idle());
}

static void times_find_their_launches(void **state) {
  (void)state;
  seen_count = 0;
  launch(100, 7);
  launch(101, 9);
  fake_kernel(9, 5000, 5600);
  fake_kernel(7, 4000, 4100);
  assert_int_equal(seen_count, 0);
  tested_flush();
  assert_int_equal(seen_count, 2);
  assert_int_equal(seen[0].id, 101);
  assert_int_equal(seen[0].start, 5000);
  assert_int_equal(seen[0].duration, 600);
  assert_int_equal(seen[1].id, 100);
  assert_int_equal(seen[1].duration, 100);
}

static void kernels_may_be_delivered_before_their_launches(void **state) {
  (void)state;
  seen_count = 0;
  fake_kernel(20, 1000, 1001);
  fake_deliver();
  launch(200, 20);
  assert_true(tested_idle()); /* whoever reads times asks for the launches first */
  assert_int_equal(seen_count, 1);
  assert_int_equal(seen[0].id, 200);
  assert_int_equal(seen[0].duration, 1);
}

static void kernels_of_others_are_nobodys(void **state) {
  (void)state;
  seen_count = 0;
  gp_correlation_reset();
  fake_launch(30); /* none of gpuprof's is under way */
  fake_kernel(30, 10, 20);
  fake_deliver();
  assert_int_equal(seen_count, 0);
  assert_int_equal(gp_correlation_waiting(), 1);
  gp_correlation_reset();
}

/* The driver may have functions that launch and have no callback here. */
static void a_launch_without_a_callback_is_not_awaited(void **state) {
  (void)state;
  tested_launch_begin(250);
  tested_launch_end(0);
  assert_true(tested_idle());
  tested_launch_begin(251);
  tested_launch_end(1);
  fake_launch(41); /* of a library, afterwards */
  fake_kernel(41, 10, 20);
  seen_count = 0;
  tested_flush();
  assert_int_equal(seen_count, 0);
}

static int tells(const char *part) {
  int told = 0;
  for (size_t i = 0; gp_log_message(i); i++)
    told |= strstr(gp_log_message(i)->text, part) != NULL;
  return told;
}

static void a_kernel_without_time_is_lost_and_told(void **state) {
  (void)state;
  seen_count = 0;
  launch(300, 400);
  fake_kernel(400, 0, 0);
  tested_flush();
  assert_true(tells("CUPTI had no time for 1 launch; its work is counted"));
  launch(301, 401);
  launch(302, 402);
  fake_kernel(401, 0, 0);
  fake_kernel(402, 0, 0);
  tested_flush();
  assert_int_equal(seen_count, 0);
  assert_true(tells("CUPTI had no time for 2 launches; their work is counted"));
}

/* The driver refuses a twin: CUPTI has a record without a time of it. The kernel launched in its place has one. */
static void a_launch_that_the_driver_refused_lacks_no_time(void **state) {
  (void)state;
  seen_count = 0;
  tested_launch_begin(303);
  for (uint32_t correlation = 411; correlation < 414; correlation++)
    fake_refused_launch(correlation);
  fake_launch(404);
  tested_launch_end(0);
  for (uint32_t correlation = 411; correlation < 414; correlation++)
    fake_kernel(correlation, 0, 0);
  assert_false(tested_idle()); /* the record of the launch itself has not come */
  fake_kernel(404, 10, 20);
  assert_true(tested_idle());
  tested_flush();
  assert_int_equal(seen_count, 1);
  assert_int_equal(seen[0].id, 303);
  assert_false(tells("CUPTI had no time for 3 launches"));
}

static struct gp_timeline_device *device_line(void) {
  static struct gp_timeline_device line;
  assert_true(gp_timeline_read(0, &line));
  return &line;
}

static void a_copy(uint64_t id, uint32_t correlation) {
  tested_work_begin(id);
  assert_int_equal(fake_depth(), 1);
  fake_copy_call(correlation);
  tested_work_end();
  assert_int_equal(fake_depth(), 0);
}

static void copies_find_their_calls(void **state) {
  (void)state;
  const uint64_t copies = device_line()->copies, busy = device_line()->sums.busy_ns;
  const struct gp_cupti_memset fill = {.kind = 2, .start = 70000, .end = 70040, .stream = 9, .correlation = 52};
  const struct gp_cupti_memcpy copy = {.kind = 1, .start = 60000, .end = 60300, .stream = 8, .correlation = 51};
  a_copy(GP_COPY_ID_BIT | 5, 51);
  a_copy(GP_COPY_ID_BIT | 6, 52);
  fake_copy(&fill, sizeof fill); /* in any order */
  fake_copy(&copy, sizeof copy);
  fake_deliver();
  assert_int_equal(copied_id, GP_COPY_ID_BIT | 5);
  assert_int_equal(copied.kind, GP_WORK_COPY);
  assert_int_equal(copied.stream, 8);
  assert_int_equal(copied.start, 60000);
  assert_int_equal(copied.end, 60300);
  assert_int_equal(device_line()->copies, copies + 2);
  assert_int_equal(device_line()->sums.busy_ns, busy + 340);
  assert_int_equal(tested_idle(), 1); /* copies are no launches */
}

static void copies_between_devices_have_records_of_their_own(void **state) {
  (void)state;
  const struct gp_cupti_memcpy_peer copy = {.kind = 22, .start = 80000, .end = 80100, .stream = 8, .correlation = 61};
  a_copy(GP_COPY_ID_BIT | 7, 61);
  fake_copy(&copy, sizeof copy);
  fake_deliver();
  assert_int_equal(copied_id, GP_COPY_ID_BIT | 7);
}

static void a_copy_without_a_time_is_no_work(void **state) {
  (void)state;
  const struct gp_cupti_memcpy copy = {.kind = 1, .correlation = 62};
  const uint64_t copies = device_line()->copies;
  copied_id = 0;
  a_copy(GP_COPY_ID_BIT | 8, 62);
  fake_copy(&copy, sizeof copy);
  fake_deliver();
  assert_int_equal(copied_id, 0);
  assert_int_equal(device_line()->copies, copies);
}

static void a_graph_is_one_piece_of_work(void **state) {
  (void)state;
  const struct gp_timeline_device before = *device_line();
  const struct gp_cupti_graph graphs[] = {{.kind = 51, .start = 95000, .end = 95200, .stream = 8},
                                          {.kind = 51, .start = 96000, .end = 96100, .device = INT32_MAX}, /* it began on the host */
                                          {.kind = 51, .stream = 8}};                                      /* its times are unknown */
  assert_int_equal(fake_enabled(51), 1);
  for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
    fake_copy(&graphs[i], sizeof graphs[i]);
  fake_deliver();
  assert_int_equal(device_line()->graphs, before.graphs + 1);
  assert_int_equal(device_line()->kernels, before.kernels);
  assert_int_equal(device_line()->copies, before.copies);
  assert_int_equal(device_line()->sums.busy_ns, before.sums.busy_ns + 200);
}

static void work_of_gpuprof_is_not_busy(void **state) {
  (void)state;
  const struct gp_timeline_device before = *device_line();
  const struct gp_cupti_memcpy copy = {.kind = 1, .start = 90000, .end = 90100, .stream = 77, .correlation = 63};
  tested_own_stream(0, (void *)77);
  fake_copy(&copy, sizeof copy);
  fake_named_kernel(64, 91000, 91050, "scale" GPUPROF_CLONE_SUFFIX);
  fake_named_kernel(65, 92000, 92007, "scale" GPUPROF_IN_KERNEL_SUFFIX); /* in the kernel's place */
  fake_deliver();
  assert_int_equal(device_line()->own_ns, before.own_ns + 150);
  assert_int_equal(device_line()->copies, before.copies);
  assert_int_equal(device_line()->kernels, before.kernels + 1);
  assert_int_equal(device_line()->sums.busy_ns, before.sums.busy_ns + 7);
}

static void old_halves_give_way(void **state) {
  (void)state;
  struct gp_correlated out;
  struct gp_device_work work = {.kind = GP_WORK_KERNEL};
  gp_correlation_reset();
  for (uint32_t i = 0; i < 1000000; i++) {
    work.start = i + 1;
    work.end = i + 2;
    assert_int_equal(gp_correlation_work(i, &work, NULL, &out), 0);
  }
  assert_true(gp_correlation_waiting() <= 1u << 18);
  assert_int_equal(gp_correlation_launch(0, 1, &out), 0);
  assert_int_equal(gp_correlation_launch(999999, 2, &out), 1);
  assert_int_equal(out.launch_id, 2);
  assert_int_equal(out.work.start, 1000000);
}

static int others;
static void take_other(const struct gp_device_work *work, const char *name) {
  assert_string_equal(name, "gemm");
  assert_int_equal(work->end - work->start, 40);
  others++;
}

/* Of libraries and graphs: they are given up at the end, or for newer ones. */
static void kernels_without_a_launch_are_given(void **state) {
  (void)state;
  const struct gp_device_work work = {.kind = GP_WORK_KERNEL, .start = 100, .end = 140};
  struct gp_correlated out;
  gp_correlation_reset();
  gp_correlation_give(take_other);
  assert_int_equal(gp_correlation_work(5, &work, "gemm", &out), 0);
  assert_int_equal(gp_correlation_work(5 + (1u << 17), &work, "gemm", &out), 0);
  assert_int_equal(others, 1);
  assert_int_equal(gp_correlation_launch(5 + (1u << 17), 9, &out), 1);
  assert_int_equal(gp_correlation_work(6, &work, "gemm", &out), 0);
  gp_correlation_give_all();
  assert_int_equal(others, 2);
  assert_int_equal(gp_correlation_waiting(), 0);
  gp_correlation_give(NULL);
}

static void a_forked_child_has_none(void **state) {
  (void)state;
  pid_t child = fork();
  if (!child)
    _exit(tested_active() ? 1 : 0);
  int status = -1;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_true(tested_active());
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_tools_come_first),
      cmocka_unit_test(it_starts),
      cmocka_unit_test(it_is_idle_when_all_records_have_come),
      cmocka_unit_test(times_find_their_launches),
      cmocka_unit_test(kernels_may_be_delivered_before_their_launches),
      cmocka_unit_test(kernels_of_others_are_nobodys),
      cmocka_unit_test(a_launch_without_a_callback_is_not_awaited),
      cmocka_unit_test(a_kernel_without_time_is_lost_and_told),
      cmocka_unit_test(a_launch_that_the_driver_refused_lacks_no_time),
      cmocka_unit_test(copies_find_their_calls),
      cmocka_unit_test(copies_between_devices_have_records_of_their_own),
      cmocka_unit_test(a_copy_without_a_time_is_no_work),
      cmocka_unit_test(a_graph_is_one_piece_of_work),
      cmocka_unit_test(work_of_gpuprof_is_not_busy),
      cmocka_unit_test(old_halves_give_way),
      cmocka_unit_test(kernels_without_a_launch_are_given),
      cmocka_unit_test(a_forked_child_has_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
