/* GPUPROF_HARDWARE=check on a fake GPU: each launch is measured on memory that is put back, and then made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/cudart_types.h"
#include "device.h"
#include "fakes.h"
#include "gpuprof/abi.h"
#include "kernels.h"
#include "log.h"
#include "roofline.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>

void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaRegisterFunction(void **, const void *, char *, const char *, int, void *, void *, void *, void *,
                            int *);
void __cudaRegisterVar(void **, void *, char *, const char *, int, size_t, int, int);
int cudaLaunchKernel(const void *, struct gp_cuda_dim3, struct gp_cuda_dim3, void **, size_t, void *);
int cudaGetSymbolAddress(void **, const void *);

static const char sheet[] = "gpuprof-sheet\t1\nkernel\t0\tkernel\tgroups=1\nend\n";
static uint64_t bases[1];

/* What the fake checkpoint saves. */
__attribute__((visibility("default"))) uint64_t fake_program_memory;
static int runs, runs_with_counters;

static void kernel(void **arguments) {
  (void)arguments;
  fake_program_memory++;
  runs++;
  runs_with_counters += bases[0] != 0;
}

static const struct {
  uint32_t magic, version;
  const uint64_t *data;
} code = {0x466243b1, 1, (const uint64_t[]){0x100001ba55ed50, 100}};
static struct gpuprof_device_unit shadow;
static struct gpuprof_host_unit unit = {.abi_version = GPUPROF_ABI_VERSION,
                                        .source = "test.cu",
                                        .compiler = "none",
                                        .options = "",
                                        .fatbin_wrapper = &code,
                                        .device_unit = &shadow};

/* CUPTI is started with the first call of CUDA, and is dead in a child of the process that did it. */
static void register_program(void) {
  void **module = __cudaRegisterFatBinary((void *)(uintptr_t)&code), *device;
  __cudaRegisterFunction(module, (const void *)(uintptr_t)kernel, NULL, "kernel", -1, NULL, NULL, NULL, NULL,
                         NULL);
  __cudaRegisterVar(module, &shadow, NULL, GPUPROF_UNIT_VARIABLE, 0, sizeof shadow, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
  __gpuprof_register_unit(&unit);
  assert_int_equal(cudaGetSymbolAddress(&device, &shadow), 0);
  *(struct gpuprof_device_unit *)device = (struct gpuprof_device_unit){
      GPUPROF_ABI_VERSION, 1, (uintptr_t)sheet, sizeof sheet - 1, (uintptr_t)bases};
}

/* Two blocks of 40 threads: four warps. */
static struct gp_record *launch(void) {
  void *arguments[] = {NULL};
  assert_int_equal(cudaLaunchKernel((const void *)(uintptr_t)kernel, (struct gp_cuda_dim3){2, 1, 1},
                                    (struct gp_cuda_dim3){40, 1, 1}, arguments, 0, NULL),
                   0);
  return gp_kernel_of((const void *)(uintptr_t)kernel)->records;
}

static int said(const char *part) {
  const struct gp_message *message;
  for (size_t i = 0; (message = gp_log_message(i)); i++)
    if (strstr(message->text, part))
      return 1;
  return 0;
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
    _exit(record->launches == 1 && !record->hardware.launches && runs == runs_with_counters && runs == 1 &&
          fake_program_memory == 1 && said(part));
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

static void a_launch_is_measured_and_then_made(void **state) {
  (void)state;
  void (*fake_metric)(const char *, double) = NULL;
  int (*fake_open_hosts)(void) = NULL;
  register_program();
  assert_int_equal(launch()->hardware.launches, 1);
  assert_int_equal(runs, 2);
  assert_int_equal(runs_with_counters, 1); /* the second: the hardware sees the program's work alone */
  assert_int_equal(fake_program_memory, 1);
  void *library = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  *(void **)&fake_metric = dlsym(library, "fake_metric");
  *(void **)&fake_open_hosts = dlsym(library, "fake_open_hosts");
  assert_int_equal(fake_open_hosts(), 1); /* those that tried names are closed */
  fake_metric("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 100);
  fake_metric("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 7);
  fake_metric("smsp__sass_data_bytes_mem_shared_op_st.sum", 64);
  fake_metric("smsp__sass_data_bytes_mem_shared_op_stsm.sum", 1e6);
  fake_metric("dram__bytes_read.sum", 4096);
}

static void counters_are_sums_of_metrics(void **state) {
  (void)state;
  struct gp_record *record = launch();
  assert_int_equal(record->hardware.launches, 2);
  assert_int_equal(runs_with_counters, 2); /* of four: they are off again for the second measurement */
  assert_true(record->hardware.value[GP_HARDWARE_fp32_add] == 100);
  assert_true(record->hardware.value[GP_HARDWARE_fp32_flops] == 114);  /* an fma is two */
  assert_true(record->hardware.value[GP_HARDWARE_shared_store] == 64); /* the chip has no stsm */
  assert_true(record->hardware.value[GP_HARDWARE_dram_read] == 4096);
  assert_int_equal(record->hardware.own_bytes, 2 * 8 * 4); /* the counters' address, once a warp */
}

static void measured_launches_are_not_missed_by_the_clock(void **state) {
  (void)state;
  gp_device()->flush();
  assert_int_equal(gp_kernel_of((const void *)(uintptr_t)kernel)->records->time.count, 2);
  assert_false(said("CUPTI had no time"));
}

int main(int count, char **arguments) {
  (void)count;
  setenv("GPUPROF_HARDWARE", "check", 1);
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refusal_says_what_to_do),
      cmocka_unit_test(a_launch_is_measured_and_then_made),
      cmocka_unit_test(counters_are_sums_of_metrics),
      cmocka_unit_test(measured_launches_are_not_missed_by_the_clock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
