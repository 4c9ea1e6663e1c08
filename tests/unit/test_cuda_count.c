/* Counting on the GPU from end to end: registration, descriptor, sheet, counters, times and a device reset,
 * on a fake driver, CUDA runtime and CUPTI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "cuda/cudart_types.h"
#include "cuda/cupti.h"
#include "fakes.h"
#include "gpuprof.h"
#include "gpuprof/abi.h"
#include "kernels.h"

void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaRegisterFunction(void **, const void *, char *, const char *, int, void *, void *, void *, void *,
                            int *);
void __cudaRegisterVar(void **, void *, char *, const char *, int, size_t, int, int);
int cudaLaunchKernel(const void *, struct gp_cuda_dim3, struct gp_cuda_dim3, void **, size_t, void *);
int cudaGetSymbolAddress(void **, const void *);
int cudaDeviceReset(void);

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tcounted\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=2\tglobal_load=4\n"
                            "end\n";
static uint64_t bases[1];

/* One "thread" adds what all threads of the launch would. */
static void counted(void **arguments) {
  uint64_t *counters = (uint64_t *)(uintptr_t)bases[0];
  if (!counters)
    return;
  counters[0] += *(const uint64_t *)arguments[0];
  counters[2 * 5 + 1] += 1; /* slot 5, group 1 */
}

static const struct {
  uint32_t magic, version;
  const uint64_t *data;
} code = {0x466243b1, 1,
          (const uint64_t[]){0x100001ba55ed50, 100}}; /* a fat binary's header, and 100 bytes of code */
static struct gpuprof_device_unit shadow;
static struct gpuprof_host_unit unit = {.abi_version = GPUPROF_ABI_VERSION,
                                        .source = "test.cu",
                                        .compiler = "none",
                                        .options = "",
                                        .fatbin_wrapper = &code,
                                        .device_unit = &shadow};

static void launch(void) {
  uint64_t threads = 2 * 32;
  void *arguments[] = {&threads};
  assert_int_equal(cudaLaunchKernel((const void *)(uintptr_t)counted, (struct gp_cuda_dim3){2, 1, 1},
                                    (struct gp_cuda_dim3){32, 1, 1}, arguments, 0, NULL),
                   0);
}

static int register_program(void **state) {
  (void)state;
  void **module = __cudaRegisterFatBinary((void *)(uintptr_t)&code);
  __cudaRegisterFunction(module, (const void *)(uintptr_t)counted, NULL, "counted", -1, NULL, NULL, NULL,
                         NULL, NULL);
  __cudaRegisterVar(module, &shadow, NULL, GPUPROF_UNIT_VARIABLE, 0, sizeof shadow, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
  __gpuprof_register_unit(&unit);
  void *device;
  if (cudaGetSymbolAddress(&device, &shadow))
    return -1;
  *(struct gpuprof_device_unit *)device = (struct gpuprof_device_unit){
      GPUPROF_ABI_VERSION, 1, (uintptr_t)sheet, sizeof sheet - 1, (uintptr_t)bases};
  return 0;
}

/* The counts of the kernel's record whose region has this name; null: of the one outside any region. */
static struct gp_record *record_in(const char *region) {
  struct gp_kernel *kernel = gp_kernel_of((const void *)(uintptr_t)counted);
  for (struct gp_record *r = kernel->records; r; r = r->next) {
    const char *name = r->context->site ? r->context->site->description.name : NULL;
    if (region ? name && !strcmp(name, region) : !name)
      return r;
  }
  fail_msg("no record in region %s", region ? region : "(none)");
  return NULL;
}

static void assert_counts(const char *region, uint64_t launches) {
  uint64_t counts[2];
  struct gp_record *record = record_in(region);
  assert_int_equal(gp_record_read(record, 0, counts), 0);
  assert_int_equal(counts[0], 64 * launches);
  assert_int_equal(counts[1], launches);
  assert_int_equal(record->launches, launches);
  assert_int_equal(record->threads, 64 * launches);
}

static void launches_count_for_the_region_they_are_in(void **state) {
  (void)state;
  launch();
  for (int i = 0; i < 2; i++) {
    uint32_t token = gpuprof_region_begin("a");
    launch();
    launch();
    gpuprof_region_end(token);
    launch();
  }
  assert_counts(NULL, 3);
  assert_counts("a", 4);
}

static void times_come_from_records(void **state) {
  (void)state;
  assert_null(gp_cuda_time_source_reason());
  gp_device()->flush();
  assert_int_equal(record_in("a")->source, GP_TIME_CUPTI);
  assert_int_equal(record_in("a")->time.total, 4 * 500);
}

static void counts_outlive_a_reset_of_the_device(void **state) {
  (void)state;
  assert_int_equal(cudaDeviceReset(), 0);
  assert_true(bases[0] == 0); /* nobody counts into memory that is gone */
  assert_counts(NULL, 3);
  assert_counts("a", 4);
  launch();
  assert_counts(NULL, 4);
  assert_int_equal(cudaDeviceReset(), 0);
  assert_counts(NULL, 4);
  assert_counts("a", 4);
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches_count_for_the_region_they_are_in),
      cmocka_unit_test(times_come_from_records),
      cmocka_unit_test(counts_outlive_a_reset_of_the_device),
  };
  return cmocka_run_group_tests(tests, register_program, NULL);
}
