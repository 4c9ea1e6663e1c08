// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* GPUPROF_HARDWARE=check on a fake GPU: each launch is measured on restored memory, and then made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/device.h"
#include "cuda_program.h"
#include "machine_image.h"
#include "report/roofline.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>

static const char sheet[] = "gpuprof-sheet\t1\nkernel\t0\tkernel\tgroups=1\n"
                            "kernel\t1\tchecked\tgroups=1\nwarps\t1\t1\nend\n";
static uint64_t bases[2];

/* The state saved by the fake checkpoint. */
__attribute__((visibility("default"))) uint64_t fake_program_memory;
static int runs, runs_with_counters;
static uint64_t largest_memory; /* found by a run */

static void kernel(void **arguments) {
  (void)arguments;
  if (largest_memory < fake_program_memory)
    largest_memory = fake_program_memory;
  fake_program_memory++;
  runs++;
  runs_with_counters += bases[0] != 0;
}

static int checked_runs, instrumented_runs, instrumented_runs_with_counters;
static void checked(void **arguments) {
  (void)arguments;
  fake_program_memory++;
  checked_runs++;
}

/* The fake driver's functions beside it (fake_libcuda.c). */
__attribute__((visibility("default"))) void fake_warp_copy(void **arguments);
void fake_warp_copy(void **arguments) {
  struct gpuprof_warp_table *table = (void *)(uintptr_t)*(const uint64_t *)arguments[1];
  fake_program_memory++;
  instrumented_runs++;
  instrumented_runs_with_counters += bases[1] != 0;
  table->bytes[0][0].requested += 1000;
  table->bytes[63][0].requested += 24;
  table->bytes[63][0].distinct += 32;
  table->bytes[5][4].distinct += 8;
}

/* CUPTI is started with the first call of CUDA, and is dead in a child of the starting process. */
static void register_program(void) {
  assert_int_equal(register_program_of(sheet, (const struct cuda_function[]){{kernel, "kernel"}, {checked, "checked"}}, 2, bases), 0);
}

/* Two blocks of 40 threads: four warps. */
static struct gp_record *launch(void) {
  void *arguments[] = {NULL};
  return launch_blocks(kernel, 2, 40, arguments);
}

/* In a child, since the profiler is opened once a process: 1 if the launch went on, unmeasured, and `part`
 * was said. */
static int explains(const char *variable, const char *value, const char *part) {
  pid_t child = fork();
  if (!child) {
    setenv(variable, value, 1);
    setenv("GPUPROF_LOG", "error", 1);
    register_program();
    struct gp_record *record = launch();
    _exit(record->launches == 1 && !record->hardware && runs == runs_with_counters && runs == 1 &&
          fake_program_memory == 1 && said(NULL, part));
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_refusal_says_what_to_do(void **state) {
  (void)state;
  assert_int_equal(explains("FAKE_PROFILER_REFUSES", "Enable:35", "NVreg_RestrictProfilingToAdminUsers=0"),
                   1);
  assert_int_equal(explains("FAKE_PROFILER_REFUSES", "Availability:33", "this virtual machine"), 1);
  assert_int_equal(explains("FAKE_PROFILER_REFUSES", "Initialize:7", "(error 7)"), 1);
  assert_int_equal(explains("FAKE_PROFILER_REFUSES", "Start:999", "start counting (error 999)"), 1);
  assert_int_equal(explains("FAKE_CHECKPOINT_FULL", "1", "save the device's memory (error 8)"), 1);
  assert_int_equal(explains("FAKE_CUPTI_OWNER", "Nsight Compute", "another profiler is attached"), 1);
}

/* In a child: 1 if a launch found its memory as before the one that could not be read, and went on. */
static int undoes(const char *refusal, const char *part) {
  pid_t child = fork();
  if (!child) {
    setenv("FAKE_PROFILER_REFUSES", refusal, 1);
    setenv("GPUPROF_LOG", "error", 1);
    register_program();
    struct gp_record *record = launch();
    _exit(record->launches == 1 && !record->hardware && runs == 2 && runs_with_counters == 1 &&
          fake_program_memory == 1 && said(NULL, part));
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_launch_that_could_not_be_read_is_undone(void **state) {
  (void)state;
  assert_int_equal(undoes("RangeProfilerStop:7", "read the counters (error 7)"), 1);
  assert_int_equal(undoes("DecodeData:8", "read the counters (error 8)"), 1);
}

static void a_launch_is_measured_and_then_made(void **state) {
  (void)state;
  void (*fake_metric)(const char *, double) = NULL;
  int (*fake_open_hosts)(void) = NULL;
  register_program();
  assert_int_equal(launch()->hardware->launches, 1);
  assert_int_equal(runs, 2);
  assert_int_equal(runs_with_counters, 1); /* the second: the hardware sees the program's work alone */
  assert_int_equal(fake_program_memory, 1);
  void *library = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  *(void **)&fake_metric = dlsym(library, "fake_metric");
  *(void **)&fake_open_hosts = dlsym(library, "fake_open_hosts");
  assert_int_equal(fake_open_hosts(), 2); /* one a set of metrics: those for trying names are closed */
  fake_metric("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 100);
  fake_metric("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 7);
  fake_metric("smsp__sass_data_bytes_mem_shared_op_st.sum", 64);
  fake_metric("smsp__sass_data_bytes_mem_shared_op_stsm.sum", 1e6);
  fake_metric("dram__bytes_read.sum", 4096);
}

static void counters_are_sums_of_metrics(void **state) {
  (void)state;
  struct gp_record *record = launch();
  assert_int_equal(record->hardware->launches, 2);
  assert_int_equal(runs_with_counters, 2); /* of four: they are off again for the second measurement */
  assert_true(record->hardware->value[GP_HARDWARE_fp32_add] == 100);
  assert_true(record->hardware->value[GP_HARDWARE_fp32_flops] == 114);  /* an fma is two */
  assert_true(record->hardware->value[GP_HARDWARE_shared_store] == 64); /* the chip has no stsm */
  assert_true(record->hardware->value[GP_HARDWARE_dram_read] == 4096);
  assert_int_equal(record->hardware->own_bytes, 2 * 8 * 4); /* the counters' address, once a warp */
}

static void *fake_function(const char *name) {
  return dlsym(dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD), name);
}

static void set_metric(const char *name, double value) {
  void (*fake_metric)(const char *, double);
  *(void **)&fake_metric = fake_function("fake_metric");
  fake_metric(name, value);
}

/* Of one more launch: the value of the counter, the number of passes, and the runs of the kernel. */
struct measured {
  double value;
  int passes, runs;
};
static struct measured measured_launch(enum gp_hardware counter) {
  int (*fake_passes)(void);
  *(void **)&fake_passes = fake_function("fake_passes");
  const double value = gp_kernel_of((const void *)(uintptr_t)kernel)->records->hardware->value[counter];
  const int passes = fake_passes(), runs_before = runs;
  fake_program_memory = largest_memory = 0;
  const double sum = launch()->hardware->value[counter];
  assert_int_equal(largest_memory, 0); /* each run found the memory of the first */
  assert_int_equal(fake_program_memory, 1);
  return (struct measured){sum - value, fake_passes() - passes, runs - runs_before};
}
static void assert_measured(struct measured is, double value, int passes, int runs_of_launch) {
  assert_true(is.value == value);
  assert_int_equal(is.passes, passes);
  assert_int_equal(is.runs, runs_of_launch);
}

/* The fake profiler takes two passes for the metrics that are read here. */
static void without_tensor_instructions_their_operations_take_no_pass(void **state) {
  (void)state;
  set_metric("sm__ops_path_tensor_src_bf16_dst_fp32.sum", 4096); /* it would be seen if it were read */
  set_metric("sm__ops_path_tensor_src_int8.sum", 8192);
  assert_measured(measured_launch(GP_HARDWARE_tensor_bf16), 0, 2, 2);
  assert_measured(measured_launch(GP_HARDWARE_tensor_int8), 0, 2, 2);
}

static void halves_on_the_tensor_pipe_are_no_tensor_instructions(void **state) {
  (void)state;
  set_metric("sm__inst_executed_pipe_tensor_op_hmma.sum", 64);
  set_metric("sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 64);
  assert_measured(measured_launch(GP_HARDWARE_tensor_bf16), 0, 2, 2);
}

/* In a child, since all metrics are read from then on: 1 if all is as expected. */
static int finds_tensor_operations(const char *instructions, enum gp_hardware counter, double operations) {
  pid_t child = fork();
  if (!child) {
    register_program();
    launch();
    set_metric("sm__ops_path_tensor_src_bf16_dst_fp32.sum", 4096);
    set_metric("sm__ops_path_tensor_src_int8.sum", 8192);
    set_metric("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 100);
    assert_measured(measured_launch(counter), 0, 2, 2);
    set_metric(instructions, 65);
    assert_measured(measured_launch(counter), operations, 2 + 9, 3);
    assert_measured(measured_launch(GP_HARDWARE_fp32_add), 100, 9, 2);
    set_metric(instructions, 0);
    assert_measured(measured_launch(counter), operations, 9, 2);
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* In a child: 1 if the launch that cannot be read is made, and the next one read. */
static int recovers(void) {
  pid_t child = fork();
  if (!child) {
    register_program();
    launch();
    set_metric("sm__inst_executed_pipe_tensor_op_hmma.sum", 65);
    set_metric("sm__ops_path_tensor_src_bf16_dst_fp32.sum", 4096);
    setenv("FAKE_PROFILER_REFUSES", "RangeProfilerEnable:7", 1);
    fake_program_memory = 0;
    assert_int_equal(launch()->hardware->launches, 1);
    assert_int_equal(fake_program_memory, 1);
    unsetenv("FAKE_PROFILER_REFUSES");
    assert_measured(measured_launch(GP_HARDWARE_tensor_bf16), 4096, 9, 2);
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_change_of_metrics_that_was_refused_is_tried_again(void **state) {
  (void)state;
  assert_int_equal(recovers(), 1);
}

static void tensor_instructions_make_all_metrics_read(void **state) {
  (void)state;
  assert_int_equal(
      finds_tensor_operations("sm__inst_executed_pipe_tensor_op_hmma.sum", GP_HARDWARE_tensor_bf16, 4096), 1);
  assert_int_equal(
      finds_tensor_operations("sm__inst_executed_pipe_tensor_op_imma.sum", GP_HARDWARE_tensor_int8, 8192), 1);
}

static void measured_launches_are_not_missed_by_the_clock(void **state) {
  (void)state;
  gp_device()->flush();
  const struct gp_record *record = gp_kernel_of((const void *)(uintptr_t)kernel)->records;
  assert_int_equal(record->time.count, record->launches);
  assert_false(said(NULL, "CUPTI had no time"));
}

/* From the first launch on, with the counters off and on restored memory. */
static void an_instrumented_kernel_counts_the_bytes_lanes_share(void **state) {
  (void)state;
  void *arguments[] = {NULL};
  fake_program_memory = 0;
  launch_blocks(checked, 2, 64, arguments);
  const struct gp_hardware_sum *sum = launch_blocks(checked, 2, 64, arguments)->hardware;
  assert_int_equal(instrumented_runs, 2);
  assert_int_equal(instrumented_runs_with_counters, 0);
  assert_int_equal(checked_runs, 4);
  assert_int_equal(fake_program_memory, 2);
  assert_int_equal(sum->warps.launches, 2);
  assert_int_equal(sum->warps.requested[0], 2 * 1024);
  assert_int_equal(sum->warps.distinct[0], 2 * 32);
  assert_int_equal(sum->warps.distinct[4], 2 * 8);
}

static void constants_of_the_machine_code_are_told(void **state) {
  (void)state;
  static struct machine_image image;
  void (*fake_module_loaded)(const void *cubin, size_t bytes);
  *(void **)&fake_module_loaded = dlsym(dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD), "fake_module_loaded");
  make_image(&image, "kernel", 90, 3);
  image.code[0][0] = image.code[1][0] = HFMA2_OF(255);
  fake_module_loaded(&image, sizeof image);
  const uint64_t before = launch()->hardware->constants;
  assert_int_equal(launch()->hardware->constants - before, 2 * 2 * 40); /* two in each thread */
}

int main(int count, char **arguments) {
  (void)count;
  setenv("GPUPROF_HARDWARE", "check", 1);
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refusal_says_what_to_do),
      cmocka_unit_test(a_launch_that_could_not_be_read_is_undone),
      cmocka_unit_test(a_change_of_metrics_that_was_refused_is_tried_again),
      cmocka_unit_test(tensor_instructions_make_all_metrics_read),
      cmocka_unit_test(a_launch_is_measured_and_then_made),
      cmocka_unit_test(counters_are_sums_of_metrics),
      cmocka_unit_test(without_tensor_instructions_their_operations_take_no_pass),
      cmocka_unit_test(halves_on_the_tensor_pipe_are_no_tensor_instructions),
      cmocka_unit_test(measured_launches_are_not_missed_by_the_clock),
      cmocka_unit_test(an_instrumented_kernel_counts_the_bytes_lanes_share),
      cmocka_unit_test(constants_of_the_machine_code_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
