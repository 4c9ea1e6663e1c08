// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The counter of energy by a fake NVML: the device is found by its identifier, refusals have names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/device.h"
#include "cuda/cuda_real.h"
#include "cuda/device_cuda.h"
#include "fakes.h"

#include <dlfcn.h>
#include <string.h>

static void set(unsigned long long millijoules, unsigned processes) {
  void (*fake_nvml_set)(unsigned long long millijoules, unsigned processes);
  *(void **)&fake_nvml_set = dlsym(dlopen("libnvidia-ml.so.1", RTLD_NOW), "fake_nvml_set");
  fake_nvml_set(millijoules, processes);
}

static void the_counter_of_the_device_is_read(void **state) {
  (void)state;
  uint64_t millijoules = 0;
  unsigned others = 0;
  set(123456789012, 3);
  assert_true(gp_cuda_usable());
  assert_null(gp_device_cuda.energy(0, &millijoules, &others));
  assert_true(millijoules == 123456789012);
  assert_int_equal(others, 2);
  assert_null(gp_device_cuda.energy(0, &millijoules, &others)); /* NVML starts once */
}

static void refusals_say_what_to_do(void **state) {
  (void)state;
  static const struct {
    const char *error, *text;
  } refusals[] = {{"3", "this GPU has no counter of energy"}, {"4", "does not permit"}, {"15", "fallen off the bus"}, {"999", "nvidia-smi"}};
  uint64_t millijoules;
  unsigned others;
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    setenv("FAKE_NVML_ERROR", refusals[i].error, 1);
    assert_non_null(strstr(gp_device_cuda.energy(0, &millijoules, &others), refusals[i].text));
  }
  unsetenv("FAKE_NVML_ERROR");
}

static void unknown_devices_are_refused(void **state) {
  (void)state;
  uint64_t millijoules;
  unsigned others;
  assert_non_null(strstr(gp_device_cuda.energy(1, &millijoules, &others), "could not be described"));
}

static void each_device_tells_of_other_processes(void **state) {
  (void)state;
  uint64_t millijoules;
  unsigned others = 0;
  set(1000, 3);
  setenv("FAKE_CUDART_DEVICES", "2", 1);
  assert_null(gp_device_cuda.energy(0, &millijoules, &others));
  assert_null(gp_device_cuda.energy(1, &millijoules, &others));
  assert_int_equal(others, 2);
  unsetenv("FAKE_CUDART_DEVICES");
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_counter_of_the_device_is_read),
      cmocka_unit_test(refusals_say_what_to_do),
      cmocka_unit_test(unknown_devices_are_refused),
      cmocka_unit_test(each_device_tells_of_other_processes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
