/* GPUPROF_UNIQUE=1 on a fake GPU: the copy runs in the kernel's place, and what it marked reaches the report.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/cudart_types.h"
#include "fakes.h"
#include "gpuprof/abi.h"
#include "kernels.h"
#include "log.h"

#include <string.h>

void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaRegisterFunction(void **, const void *, char *, const char *, int, void *, void *, void *, void *,
                            int *);
void __cudaRegisterVar(void **, void *, char *, const char *, int, size_t, int, int);
int cudaLaunchKernel(const void *, struct gp_cuda_dim3, struct gp_cuda_dim3, void **, size_t, void *);
int cudaGetSymbolAddress(void **, const void *);

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tcounted\tgroups=1\n"
                            "kernel\t1\tplain\tgroups=1\n"
                            "end\n";
static uint64_t bases[2];
static int kernel_runs, copy_runs;

/* What the fake driver finds in the module (fake_libcuda.c). */
__attribute__((visibility("default"))) struct gpuprof_unique_table fake_unique_table;
__attribute__((visibility("default"))) void fake_unique_copy(void **arguments);

static void counted(void **arguments) {
  (void)arguments;
  kernel_runs++;
}
static void plain(void **arguments) {
  (void)arguments;
  kernel_runs += 100;
}
void fake_unique_copy(void **arguments) {
  const uint64_t *keys = (const uint64_t *)(uintptr_t)fake_unique_table.keys;
  const uint32_t *bits = (const uint32_t *)(uintptr_t)fake_unique_table.bits;
  copy_runs++;
  assert_int_equal(fake_unique_table.count, 0);
  assert_int_equal(fake_unique_table.mask & (fake_unique_table.mask + 1), 0);
  for (uint64_t i = 0; i <= fake_unique_table.mask; i++)
    assert_int_equal(keys[i] | bits[i * GPUPROF_UNIQUE_WORDS] | bits[i * GPUPROF_UNIQUE_WORDS + 63], 0);
  ((uint64_t *)(uintptr_t)keys)[7] = 1;
  ((uint32_t *)(uintptr_t)bits)[64 * 7] = 1;
  fake_unique_table.count = *(const uint64_t *)arguments[0];
  fake_unique_table.overflow = *(const uint64_t *)arguments[0] == 1000;
}

static const struct {
  uint32_t magic, version;
  const uint64_t *data;
} code = {0x466243b1, 1, (const uint64_t[]){0x100001ba55ed50, 100}};
static struct gpuprof_device_unit shadow;
static struct gpuprof_host_unit unit = {.abi_version = GPUPROF_ABI_VERSION,
                                        .source = "test.cu",
                                        .compiler = "none",
                                        .options = "unique=on",
                                        .fatbin_wrapper = &code,
                                        .device_unit = &shadow};

static int register_program(void **state) {
  (void)state;
  void **module = __cudaRegisterFatBinary((void *)(uintptr_t)&code), *device;
  __cudaRegisterFunction(module, (const void *)(uintptr_t)counted, NULL, "counted", -1, NULL, NULL, NULL,
                         NULL, NULL);
  __cudaRegisterFunction(module, (const void *)(uintptr_t)plain, NULL, "plain", -1, NULL, NULL, NULL, NULL,
                         NULL);
  __cudaRegisterVar(module, &shadow, NULL, GPUPROF_UNIT_VARIABLE, 0, sizeof shadow, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
  __gpuprof_register_unit(&unit);
  if (cudaGetSymbolAddress(&device, &shadow))
    return -1;
  *(struct gpuprof_device_unit *)device = (struct gpuprof_device_unit){
      GPUPROF_ABI_VERSION, 2, (uintptr_t)sheet, sizeof sheet - 1, (uintptr_t)bases};
  return 0;
}

static struct gp_record *launch(void (*kernel)(void **), uint64_t sectors) {
  void *arguments[] = {&sectors};
  assert_int_equal(cudaLaunchKernel((const void *)(uintptr_t)kernel, (struct gp_cuda_dim3){1, 1, 1},
                                    (struct gp_cuda_dim3){32, 1, 1}, arguments, 0, NULL),
                   0);
  return gp_kernel_of((const void *)(uintptr_t)kernel)->records;
}

static int said(const char *about, const char *part) {
  const struct gp_message *message;
  for (size_t i = 0; (message = gp_log_message(i)); i++)
    if (!strcmp(message->about, about) && strstr(message->text, part))
      return 1;
  return 0;
}

static void the_copy_runs_instead(void **state) {
  (void)state;
  launch(counted, 3);
  struct gp_record *record = launch(counted, 4); /* the table is clear again */
  assert_int_equal(copy_runs, 2);
  assert_int_equal(kernel_runs, 0);
  assert_int_equal(record->launches, 2);
  assert_int_equal(record->unique_launches, 2);
  assert_int_equal(record->unique_bytes, 32 * 7);
  assert_int_equal(record->time.count, 0);
  assert_int_equal(fake_unique_table.keys, 0); /* switched off again */
}

static void too_much_memory_is_not_known(void **state) {
  (void)state;
  struct gp_record *record = launch(counted, 1000);
  assert_int_equal(record->launches, 3);
  assert_int_equal(record->unique_launches, 2);
  assert_true(said("counted", "more memory than the device has in use"));
}

static void without_a_copy_the_kernel_runs(void **state) {
  (void)state;
  struct gp_record *record = launch(plain, 3);
  assert_int_equal(kernel_runs, 100);
  assert_int_equal(record->launches, 1);
  assert_int_equal(record->unique_launches, 0);
  assert_true(said("plain", "unique=on"));
}

int main(int count, char **arguments) {
  (void)count;
  setenv("GPUPROF_UNIQUE", "1", 1);
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_copy_runs_instead),
      cmocka_unit_test(too_much_memory_is_not_known),
      cmocka_unit_test(without_a_copy_the_kernel_runs),
  };
  return cmocka_run_group_tests(tests, register_program, NULL);
}
