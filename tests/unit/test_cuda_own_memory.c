// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof's memory on a GPU lies in pages of its own, out
 * of reach of a kernel storing a little behind its array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/device.h"
#include "cuda/cuda_real.h"
#include "cuda/device_cuda.h"
#include "fakes.h"

enum { ROOM = 64 << 10, PAGE = 2 << 20, FRESH = 0xcd /* in memory of the fake's cudaMalloc */ };

static uint64_t allocate(size_t bytes) {
  uint64_t address = 0;
  assert_int_equal(gp_device_cuda.allocate(&address, bytes), 0);
  assert_int_not_equal(address, 0);
  return address;
}

static const unsigned char *at(uint64_t address) { return (const unsigned char *)(uintptr_t)address; }

static void room_before_it_is_left_alone(void **state) {
  (void)state;
  const uint64_t first = allocate(100);
  for (size_t i = 1; i <= ROOM; i++)
    assert_int_equal(at(first)[-(ptrdiff_t)i], FRESH);
  for (size_t i = 0; i < 100; i++)
    assert_int_equal(at(first)[i], 0);
  assert_int_equal(gp_device_cuda.release(first), 0);
}

static void small_ones_share_a_page(void **state) {
  (void)state;
  const uint64_t first = allocate(100), second = allocate(300), third = allocate(8);
  assert_int_equal(second - first, 256);
  assert_int_equal(third - second, 512);
  assert_int_equal(gp_device_cuda.release(second), 0);
  assert_int_equal(gp_device_cuda.release(first), 0);
  assert_int_equal(at(third)[0], 0); /* still there */
  assert_int_equal(gp_device_cuda.release(third), 0);
}

static void large_ones_have_pages_of_their_own(void **state) {
  (void)state;
  const uint64_t small = allocate(100), large = allocate(3 * PAGE);
  assert_true(large + 3 * PAGE <= small - ROOM || large >= small - ROOM + PAGE);
  for (size_t i = 1; i <= ROOM; i++)
    assert_int_equal(at(large)[-(ptrdiff_t)i], FRESH);
  assert_int_equal(at(large)[3 * PAGE - 1], 0);
  assert_int_equal(gp_device_cuda.release(large), 0);
  assert_int_equal(gp_device_cuda.release(small), 0);
}

static void a_reset_takes_it_all(void **state) {
  (void)state;
  const uint64_t before = allocate(100);
  gp_device_cuda_forget(0);
  const uint64_t after = allocate(100);
  assert_true(after - (before - ROOM) >= PAGE);
  assert_int_equal(gp_device_cuda.release(after), 0);
}

static void what_does_not_fit_is_an_error(void **state) {
  (void)state;
  uint64_t address = 1;
  assert_int_equal(gp_device_cuda.allocate(&address, (size_t)2 << 30), 2);
  assert_int_equal(address, 0);
}

static int find_gpu(void **state) {
  (void)state;
  return !gp_cuda_usable();
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(room_before_it_is_left_alone),       cmocka_unit_test(small_ones_share_a_page),
      cmocka_unit_test(large_ones_have_pages_of_their_own), cmocka_unit_test(a_reset_takes_it_all),
      cmocka_unit_test(what_does_not_fit_is_an_error),
  };
  return cmocka_run_group_tests(tests, find_gpu, NULL);
}
