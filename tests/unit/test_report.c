// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The report as a file: complete, valid by the schema, never half written, at every way a process may end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/device.h"
#include "document_file.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "timeline/timeline.h"

#include <dirent.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "file\t0\tapp.cu\n"
                            "region\t0\t-\tname=scale \"x\"\tkind=kernel\tfile=app.cu\tline=3\n"
                            "kernel\t0\tscale\tgroups=1\tfile=0\tline=3\n"
                            "cost\t0\t0\t0\t0\t4\tfp32_fma=1\ttensor_int8=5\tglobal_load=4\tglobal_store=4\n"
                            "uncounted\t0\t0\t0\t5\tinline asm\tno such instruction\n"
                            "end\n";
static const char cloned_sheet[] = "gpuprof-sheet\t1\n"
                                   "kernel\t0\tscale\tgroups=2\n"
                                   "clone\t0\tfree\t1\t0:0:4\n"
                                   "end\n";
static const char *const names[] = {"scale", NULL};
static struct fake_unit unit;
static struct gpuprof_region_site site = {"name=train\tkind=host\tfile=app.cu\tline=30\tphase=forward", NULL};

/* ---- Programs: the work of a child process. It ends by returning (exit). ---- */

static void use_fake_device(void) {
  gp_device_override(&fake_device);
  fake.next_unique_bytes = 64;
  fake.time_source = GP_TIME_CUPTI;
  fake.next_duration_ns = 1000;
  fake_register(&unit, sheet, names);
}

static void launch(void) {
  uint64_t threads = UINT64_C(9007199254740993); /* 2^53 + 1: not a double */
  fake_launch(&unit, 0, NULL, 32, &threads, 1);
}

static void train(void) {
  use_fake_device();
  uint32_t token = __gpuprof_region_enter(&site);
  gpuprof_count("a \"name\"", -3);
  launch();
  __gpuprof_region_exit(token);
}

static void flush_then_lose_the_driver(void) {
  train();
  gpuprof_flush();
  fake.fail_describe = 1;
  launch();
}

static void train_five_times(void) {
  use_fake_device();
  for (int i = 0; i < 5; i++) {
    uint32_t token = __gpuprof_region_enter(&site);
    launch();
    __gpuprof_region_exit(token);
  }
}

static void train_without_unique_bytes(void) {
  use_fake_device();
  fake.next_unique_bytes = UINT64_MAX;
  fake.next_duration_ns = UINT64_C(1) << 45; /* L1 needs 6 % of it */
  uint32_t token = __gpuprof_region_enter(&site);
  launch();
  __gpuprof_region_exit(token);
}

static void launch_nothing(void) { use_fake_device(); }

static void launch_cloned(void) {
  uint32_t number = 5;
  void *arguments[] = {&number};
  gp_device_override(&fake_device);
  fake.next_unique_bytes = UINT64_MAX;
  fake.clone_parameters = 1;
  fake.clone_unit = unit.counters;
  fake_register(&unit, cloned_sheet, names);
  fake_launch_cloned(&unit, 0, NULL, 3, arguments);
}

static void flush_and_vanish(void) {
  train();
  if (gpuprof_flush())
    _exit(3);
  _exit(0);
}

static void fork_after_training(void) {
  train();
  gpuprof_flush();
  pid_t child = fork();
  if (!child) {
    launch(); /* passes through: the child is switched off */
    struct gpuprof_status status;
    gpuprof_status(&status);
    exit(status.state == GPUPROF_OFF && status.problems ? 0 : 4); /* the launch says why */
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status)
    _exit(4);
}

static void fork_before_training(void) {
  pid_t child = fork();
  if (!child) {
    train();
    exit(0);
  }
  waitpid(child, NULL, 0);
  _exit(0);
}

static void launch_after_the_end(void) { launch(); }

static void launch_in_exit_handler(void) {
  atexit(launch_after_the_end); /* older than gpuprof's handler: runs after it */
  train();
}

/* Runs a program in a child with these settings (NAME=value, ended by null); returns its status. */
static int run(void (*program)(void), const char *const *environment) {
  pid_t child = fork();
  if (!child) {
    setenv("GPUPROF_OUTPUT", path, 1);
    for (; environment && *environment; environment++)
      putenv((char *)*environment);
    program();
    exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

/* ---- Looking at the file ---- */

static int validate(const char *document) {
  char source[] = __FILE__, command[2048];
  const char *here = dirname(source);
  snprintf(command, sizeof command, GPUPROF_PYTHON " %s/../validate_json.py %s/../../docs/roofline.schema.json %s", here, here,
           document);
  return system(command);
}

/* In regions or kernels, whatever the defaults of rows say. */
static int is_in_rows(const char *part) {
  char *text = contents(), *rows = text ? strstr(text, "\"regions\": [") : NULL;
  const int found = rows && strstr(rows, part) != NULL;
  free(text);
  return found;
}

static void assert_valid(void) { assert_int_equal(validate(path), 0); }

static int files_in_folder(void) {
  int count = 0;
  DIR *stream = opendir(folder);
  for (struct dirent *entry; stream && (entry = readdir(stream));)
    count += entry->d_name[0] != '.';
  closedir(stream);
  return count;
}

static int clean(void **state) {
  (void)state;
  unlink(path);
  return 0;
}

/* ---- Tests ---- */

static void report_is_valid_and_exact(void **state) {
  (void)state;
  assert_int_equal(run(train, NULL), 0);
  assert_valid();
  assert_true(contains("\"total\": 18014398509481986")); /* 2 × (2^53 + 1) FLOPs */
  assert_true(contains("\"fma\": 18014398509481986"));
  assert_true(contains("\"int8\": 45035996273704965"));
  assert_true(contains("\"load\": 36028797018963972"));
  assert_true(contains("\"name\": \"scale \\\"x\\\"\""));
  assert_false(is_in_rows("\"path\"")); /* it follows from names */
  assert_true(contains("\"a \\\"name\\\"\": -3"));
  assert_true(contains("\"source\": \"cupti\""));
  assert_true(contains("\"unique\": 64"));
  assert_true(contains("\"chip\": \"h200\""));
  assert_true(contains("\"where\": \"app.cu:5\""));
  assert_true(contains("\"status\": \"above_roof\"")); /* 10^16 FLOPs in a microsecond */
  assert_true(contains("it is above its roof"));
  assert_int_equal(files_in_folder(), 1);
}

/* Kernels with counters have no plain version in the program; kernels counted by clones are plain. */
static void the_ratio_of_kernels_is_known_where_none_has_counters(void **state) {
  (void)state;
  assert_int_equal(run(train, NULL), 0);
  assert_true(contains("\"kernels_ratio\": null"));
  assert_true(contains("null: some kernels carry counters"));
  assert_int_equal(run(launch_cloned, NULL), 0);
  assert_valid();
  assert_true(contains("\"kernels_ratio\": 1"));
}

static void launch_with_own_work(uint64_t ns) {
  use_fake_device();
  launch(); /* of 1000 ns */
  gp_timeline_own_work(0, ns);
}
static void launch_with_a_light_clone(void) { launch_with_own_work(600); }
static void launch_with_a_short_clone(void) { launch_with_own_work(20); }

static void a_note_says_what_clones_take_from_the_gpu(void **state) {
  (void)state;
  assert_int_equal(run(launch_with_a_light_clone, NULL), 0);
  assert_valid();
  assert_true(contains("\"clones_ns\": 600"));
  assert_true(contains("took 60 % as long as the program's work"));
  assert_int_equal(run(launch_with_a_short_clone, NULL), 0);
  assert_true(contains("\"clones_ns\": 20"));
  assert_false(contains("as long as the program's work"));
}

/* Latency would be the bound if DRAM bytes were known: the percentage is known, the bound is not. */
static void bound_is_null_where_dram_bytes_are_not_known(void **state) {
  (void)state;
  assert_int_equal(run(train_without_unique_bytes, NULL), 0);
  assert_valid();
  assert_false(is_in_rows("\"unique\""));
  assert_false(is_in_rows("\"bound\""));
  assert_true(is_in_rows("\"percent\""));
  assert_true(contains("DRAM may be what limits"));
  assert_int_equal(run(train, NULL), 0);
  assert_true(is_in_rows("\"bound\": \""));
  assert_false(contains("DRAM may be what limits"));
}

/* A file of unique bytes from another run counts where both runs did the same work, and nowhere else. */
static void unique_bytes_come_from_another_run_of_the_same_work(void **state) {
  (void)state;
  static const char good[] = "kernel\t1\t18014398509481986\t72057594037927944\t4096\tscale\n";
  static const char other[] = "kernel\t2\t18014398509481986\t72057594037927944\t4096\tscale\n";
  char file[160], setting[200];
  snprintf(file, sizeof file, "%s.unique", folder);
  snprintf(setting, sizeof setting, "GPUPROF_UNIQUE_FILE=%s", file);
  const char *const with_file[] = {setting, NULL};
  for (int i = 0; i < 2; i++) {
    FILE *stream = fopen(file, "w");
    fputs(i ? other : good, stream);
    fclose(stream);
    assert_int_equal(run(train_without_unique_bytes, with_file), 0);
    assert_valid();
    assert_int_equal(contains("\"unique\": 4096"), !i);
    assert_int_equal(contains("this run did other work"), i);
  }
  unlink(file);
}

static void train_twice(void) {
  train();
  launch();
}

/* Launches: two in `train`, three in `outer`, four of the kernel. */
static void train_inside(void) {
  static struct gpuprof_region_site outer = {"name=outer\tkind=host\tfile=app.cu\tline=29", NULL};
  train();
  uint32_t token = __gpuprof_region_enter(&outer);
  uint32_t inner = __gpuprof_region_enter(&site);
  launch();
  launch();
  __gpuprof_region_exit(inner);
  launch();
  __gpuprof_region_exit(token);
}

static void train_unmeasured(void) {
  train();
  fake.no_hardware = 1;
  launch();
}

/* Counters of the hardware stand in kernels and in the regions around them, place the points, and are null where one launch
 * has none. */
static void hardware_counters_are_in_the_report(void **state) {
  (void)state;
  const char *const check[] = {"GPUPROF_HARDWARE=check", "GPUPROF_LOG=error", NULL};
  const char *const named[] = {"GPUPROF_HARDWARE=some__metric.sum,some__ratio.pct", NULL};
  assert_int_equal(run(train_twice, check), 0);
  assert_valid();
  assert_true(contains("\"fp32_fma\": 800")); /* of the region's one launch */
  assert_true(contains("\"fp32_fma\": 1600")); /* of the kernel's two */
  assert_true(contains("\"l2\": 5400"));
  assert_true(contains("\"dram\": 11400"));
  assert_true(contains("\"dram_source\": \"hardware\""));
  assert_true(contains("\"dram\": 3.16042079e+12")); /* FLOPs a byte of those 11400 */
  assert_true(contains("\"total\": 36028797018963972")); /* measured work was not counted */
  assert_int_equal(run(train_unmeasured, check), 0);
  assert_valid();
  assert_true(contains("\"fp32_fma\": 800"));
  assert_false(contains("\"fp32_fma\": 1600"));
  assert_true(contains("hardware counters are not read: this device is a fake"));
  assert_true(contains("null where not all launches of a kernel could be measured"));
  assert_int_equal(run(train_twice, named), 0);
  assert_valid();
  assert_true(contains("\"some__metric.sum\": 200"));
  assert_true(contains("\"some__ratio.pct\": 200"));
  assert_false(contains("\"some__ratio.pct\": 400")); /* the mean of two launches, not the sum */
  assert_false(contains("\"dram_source\": \"hardware\""));
  assert_int_equal(run(train_inside, check), 0);
  assert_true(contains("\"l2\": 8100")); /* of the outer region */
}

/* Each edit makes a document to be refused by the schema. */
static void schema_notices_what_is_wrong(void **state) {
  (void)state;
  static const char *const edits[] = {"s/\"launches\": 1/\"launchez\": 1/", "s/\"version\": 2/\"version\": 3/",
                                      "s/\"threads\": 32/\"threads\": 32.5/", "s/\"threads\": 32/\"threads\": -32/",
                                      "s/\"kind\": \"host\"/\"kind\": \"roof\"/", "s/\"bound\": \"[a-z0-9]*\"/\"bound\": \"dramm\"/",
                                      "s/\"site\": 0/\"site\": -1/", "s/\"compiler\": \"[^\"]*\"/\"compiler\": null/"};
  assert_int_equal(run(train, NULL), 0);
  assert_valid(); /* a checker refusing everything would pass otherwise */
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    char command[1024];
    snprintf(command, sizeof command, "sed '%s' %s > %s.edited && ! cmp -s %s %s.edited", edits[i], path, path, path, path);
    if (system(command))
      fail_msg("the edit '%s' changes nothing", edits[i]);
    snprintf(command, sizeof command, "%s.edited > %s.problems", path, path);
    int refused = validate(command) != 0;
    snprintf(command, sizeof command, "rm %s.edited %s.problems", path, path);
    if (system(command) || !refused)
      fail_msg("the schema takes a document after '%s'", edits[i]);
  }
}

static void report_without_launches_says_so(void **state) {
  (void)state;
  assert_int_equal(run(launch_nothing, NULL), 0);
  assert_valid();
  assert_true(contains("no kernel was launched"));
}

static void flush_writes_before_a_hard_end(void **state) {
  (void)state;
  assert_int_equal(run(flush_and_vanish, NULL), 0);
  assert_valid();
  assert_true(contains("\"launches\": 1"));
}

static void a_described_device_outlives_its_driver(void **state) {
  (void)state;
  assert_int_equal(run(flush_then_lose_the_driver, NULL), 0);
  assert_valid();
  assert_true(contains("\"launches\": 2"));
  assert_true(contains("\"name\": \"NVIDIA H200\""));
  assert_false(contains("could not be described"));
}

static void switched_off_writes_nothing(void **state) {
  (void)state;
  const char *const off[] = {"GPUPROF_ENABLE=0", NULL};
  assert_int_equal(run(train, off), 0);
  assert_int_equal(files_in_folder(), 0);
}

static void forked_child_leaves_the_report_alone(void **state) {
  (void)state;
  assert_int_equal(run(fork_after_training, NULL), 0);
  assert_valid();
  assert_true(contains("\"launches\": 1"));
}

static void fresh_fork_is_a_process_of_its_own(void **state) {
  (void)state;
  assert_int_equal(run(fork_before_training, NULL), 0);
  assert_valid();
  assert_true(contains("\"launches\": 1"));
}

static void late_launches_are_in_the_report(void **state) {
  (void)state;
  assert_int_equal(run(launch_in_exit_handler, NULL), 0);
  assert_valid();
  assert_true(contains("\"launches\": 2"));
}

static void warmup_and_filter_leave_out(void **state) {
  (void)state;
  const char *const warmup[] = {"GPUPROF_WARMUP=1", NULL}, *const filter[] = {"GPUPROF_FILTER=nothing", NULL};
  assert_int_equal(run(train, warmup), 0);
  assert_valid();
  assert_true(contains("\"executions\": 1")); /* it runs once: nothing to warm up */
  assert_true(contains("\"launches\": 1"));
  assert_true(contains("nothing is left out"));
  assert_int_equal(run(train_five_times, warmup), 0);
  assert_valid();
  assert_true(contains("\"executions\": 4"));
  assert_true(contains("\"launches\": 4"));
  assert_true(contains("\"left_out\": {"));
  assert_int_equal(run(train, filter), 0);
  assert_valid();
  assert_true(contains("\"regions\": []"));
  assert_true(contains("\"kernels\": []"));
  assert_true(contains("\"filter\": \"nothing\""));
}

int main(void) {
#define TEST(name) cmocka_unit_test_teardown(name, clean)
  const struct CMUnitTest tests[] = {
      TEST(report_is_valid_and_exact),
      TEST(the_ratio_of_kernels_is_known_where_none_has_counters),
      TEST(a_note_says_what_clones_take_from_the_gpu),
      TEST(bound_is_null_where_dram_bytes_are_not_known),
      TEST(unique_bytes_come_from_another_run_of_the_same_work),
      TEST(hardware_counters_are_in_the_report),
      TEST(schema_notices_what_is_wrong),
      TEST(report_without_launches_says_so),
      TEST(flush_writes_before_a_hard_end),
      TEST(a_described_device_outlives_its_driver),
      TEST(switched_off_writes_nothing),
      TEST(forked_child_leaves_the_report_alone),
      TEST(fresh_fork_is_a_process_of_its_own),
      TEST(late_launches_are_in_the_report),
      TEST(warmup_and_filter_leave_out),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
