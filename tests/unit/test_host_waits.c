// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which calls of the host count as waiting, and what the listener hears of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/clock.h"
#include "base/state.h"
#include "core/host_waits.h"
#include "gpuprof.h"

static unsigned heard;
static const char *last_call;
static uint64_t last_ns;

static void hear(const char *call, uint64_t start_ns, uint64_t end_ns) {
  heard++;
  last_call = call;
  last_ns = end_ns - start_ns;
}

static int begin(void **state) {
  (void)state;
  heard = 0;
  gp_state(); /* the runtime's own listener comes with the settings */
  gp_host_waits_listen(hear);
  return 0;
}

static void spin(uint64_t ns) {
  for (const uint64_t start = gp_now(); gp_now() - start < ns;)
    ;
}

static void call(const char *name, enum gp_waits waits, uint64_t ns) {
  struct gp_host_wait wait;
  gp_host_wait_begin(&wait, name, waits);
  spin(ns);
  gp_host_wait_end(&wait, waits);
}

static void a_synchronisation_is_a_wait(void **state) {
  (void)state;
  const struct gp_host_wait_sums before = gp_host_waits();
  call("cudaDeviceSynchronize", GP_WAITS_ALWAYS, 0);
  assert_int_equal(heard, 1);
  assert_string_equal(last_call, "cudaDeviceSynchronize");
  assert_int_equal(gp_host_waits().calls, before.calls + 1);
  assert_int_equal(gp_host_waits().ns, before.ns + last_ns);
}

static void an_asynchronous_copy_waits_if_it_is_long(void **state) {
  (void)state;
  call("cudaMemcpyAsync", GP_WAITS_IF_LONG, 2 * GP_SHORT_CALL_NS);
  assert_int_equal(heard, 1);
  assert_true(last_ns > GP_SHORT_CALL_NS);
}

static void other_calls_never_wait(void **state) {
  (void)state;
  call("cudaGetDevice", GP_WAITS_NEVER, 2 * GP_SHORT_CALL_NS);
  assert_int_equal(heard, 0);
}

static void a_call_within_a_wait_belongs_to_it(void **state) {
  (void)state;
  struct gp_host_wait outer;
  gp_host_wait_begin(&outer, "cudaFree", GP_WAITS_ALWAYS);
  call("cudaDeviceSynchronize", GP_WAITS_ALWAYS, 0);
  assert_int_equal(heard, 0);
  gp_host_wait_end(&outer, GP_WAITS_ALWAYS);
  assert_int_equal(heard, 1);
  assert_string_equal(last_call, "cudaFree");
}

static void nothing_counts_while_gpuprof_is_disabled(void **state) {
  (void)state;
  gpuprof_disable();
  call("cudaDeviceSynchronize", GP_WAITS_ALWAYS, 0);
  gpuprof_enable();
  assert_int_equal(heard, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_synchronisation_is_a_wait, begin),
      cmocka_unit_test_setup(an_asynchronous_copy_waits_if_it_is_long, begin),
      cmocka_unit_test_setup(other_calls_never_wait, begin),
      cmocka_unit_test_setup(a_call_within_a_wait_belongs_to_it, begin),
      cmocka_unit_test_setup(nothing_counts_while_gpuprof_is_disabled, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
