// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Blocks: barriers, deadlocks, ways to stop, CUDA's checks before a launch, the spread over workers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"
#include "cpu_kernel.h"
#include "sanitized.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t sums[4096];

/* True if a message about the kernel has this in it. */
static int was_said(const char *part) {
  const struct gp_message *message;
  for (size_t i = 0; (message = gp_log_message(i)); i++)
    if (strstr(message->text, part) && !strcmp(message->about, "hand_written"))
      return 1;
  return 0;
}

static int forget(void **state) {
  (void)state;
  gp_cpu_mend(0);
  gp_log_reset();
  return 0;
}

/* The sum of a block by halving, as every reduction in shared memory does. */
static void reduce_body(thread *t, void **arguments) {
  (void)arguments;
  volatile uint32_t *shared = (volatile uint32_t *)t->shared;
  shared[t->tid_x] = thread_number(t);
  __gpuprof_cpu_barrier(t, 0, 0);
  for (uint32_t half = t->ntid_x / 2; half; half /= 2) {
    if (t->tid_x < half)
      shared[t->tid_x] += shared[t->tid_x + half];
    __gpuprof_cpu_barrier(t, 0, 0);
  }
  if (!t->tid_x)
    sums[t->ctaid_x] = shared[0];
}

static void barriers_order_shared_memory(void **state) {
  (void)state;
  for (uint32_t threads = 32; threads <= 1024; threads *= 2) {
    assert_int_equal(run_kernel(reduce_body, 100, threads, NULL), 0);
    for (uint32_t b = 0; b < 100; b++)
      assert_int_equal(sums[b], threads * (threads * b) + threads * (threads - 1) / 2);
  }
}

static void shared_address_body(thread *t, void **arguments) {
  uint64_t *address = ARGUMENT(uint64_t);
  int local = 0;
  address[0] = (uint64_t)t->shared;
  address[1] = __gpuprof_cpu_is_shared(t, t->shared);
  address[2] = __gpuprof_cpu_is_global(t, t->shared);
  address[3] = __gpuprof_cpu_is_shared(t, &local) | __gpuprof_cpu_is_global(t, &local);
  address[4] = __gpuprof_cpu_is_global(t, address);
}

static void shared_memory_lies_below_4_gib(void **state) {
  (void)state;
  uint64_t address[5];
  assert_int_equal(run_kernel(shared_address_body, 1, 1, address), 0);
  assert_true(address[0] >= 1024 && address[0] < 1ull << 32);
  assert_int_equal(address[1], 1);
  assert_int_equal(address[2], 0);
  assert_int_equal(address[3], 0);
  assert_int_equal(address[4], 1);
}

static void early_return_body(thread *t, void **arguments) {
  (void)arguments;
  if (t->tid_x % 3 == 0)
    return;
  sums[t->tid_x] = __gpuprof_cpu_barrier_reduce(t, 0, t->tid_x % 2);
}

static void threads_that_returned_do_not_hold_up_a_barrier(void **state) {
  (void)state;
  assert_int_equal(run_kernel(early_return_body, 1, 100, NULL), 0);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < 100; i++)
    expected += i % 3 && i % 2;
  assert_int_equal(sums[1], expected);
  assert_int_equal(sums[98], expected);
}

static void reductions_body(thread *t, void **arguments) {
  uint32_t wanted = *ARGUMENT(uint32_t), predicate = t->tid_x < wanted;
  uint32_t result = __gpuprof_cpu_barrier_reduce(t, 0, predicate) << 2;
  result |= __gpuprof_cpu_barrier_reduce(t, 1, predicate) << 1;
  sums[t->tid_x] = result | __gpuprof_cpu_barrier_reduce(t, 2, predicate);
}

static void barriers_reduce_predicates(void **state) {
  (void)state;
  static const uint32_t wanted[] = {0, 1, 47, 64}, expected[] = {0, 1 << 2 | 1, 47 << 2 | 1, 64 << 2 | 3};
  for (int i = 0; i < 4; i++) {
    uint32_t n = wanted[i];
    assert_int_equal(run_kernel(reductions_body, 1, 64, &n), 0);
    for (int thread = 0; thread < 64; thread++)
      assert_int_equal(sums[thread], expected[i]);
  }
}

/* Two warps use barrier 1 among themselves, while the others go on. */
static void named_body(thread *t, void **arguments) {
  _Atomic uint32_t *order = ARGUMENT(_Atomic uint32_t);
  if (t->warpid < 2) {
    if (t->warpid == 1)
      atomic_fetch_add(order, 1);
    __gpuprof_cpu_barrier(t, 1, 64);
    sums[t->tid_x] = atomic_load(order);
  }
}

static void a_named_barrier_waits_for_its_count(void **state) {
  (void)state;
  _Atomic uint32_t order = 0;
  assert_int_equal(run_kernel(named_body, 1, 128, &order), 0);
  for (int i = 0; i < 64; i++)
    assert_int_equal(sums[i], 32);
}

static void spin_body(thread *t, void **arguments) {
  _Atomic uint32_t *flag = ARGUMENT(_Atomic uint32_t);
  if (t->tid_x == 0)
    while (!atomic_load(flag))
      __gpuprof_cpu_yield(t);
  if (t->tid_x == 200)
    atomic_store(flag, 7);
}

static void a_thread_can_wait_for_a_later_one(void **state) {
  (void)state;
  _Atomic uint32_t flag = 0;
  assert_int_equal(run_kernel(spin_body, 1, 256, &flag), 0);
  assert_int_equal(flag, 7);
}

static void deadlock_body(thread *t, void **arguments) {
  (void)arguments;
  if (t->tid_x < 32)
    __gpuprof_cpu_barrier(t, 0, 0);
  else if (t->tid_x < 48)
    __gpuprof_cpu_vote(t, 0, ~0u, 1);
  else
    __gpuprof_cpu_barrier(t, 1, 0);
}

static void a_deadlock_fails_the_launch_and_says_who_waits_where(void **state) {
  (void)state;
  assert_int_equal(run_kernel(deadlock_body, 3, 64, NULL), 0);
  assert_int_equal(gp_cpu_broken(), GP_ERROR_LAUNCH_FAILURE);
  assert_true(
      was_said("48 wait at a barrier, 16 at a warp operation (first mask 0xffffffff), 0 have returned"));
}

static void assert_body(thread *t, void **arguments) {
  (void)arguments;
  if (t->tid_x == 5 && t->ctaid_x == 1)
    __gpuprof_cpu_assert_fail("n < 4", "file.cu", 12, "body");
}

static void a_failed_assertion_is_a_lasting_error(void **state) {
  (void)state;
  assert_int_equal(run_kernel(assert_body, 2, 32, NULL), 0);
  assert_int_equal(gp_cpu_result(0), GP_ERROR_ASSERT);
  assert_int_equal(gp_cpu_result(0), GP_ERROR_ASSERT);
  assert_true(was_said("file.cu:12: body: assertion `n < 4' failed"));
  assert_true(was_said("block (1,0,0), thread (5,0,0)"));
}

static void unsupported_body(thread *t, void **arguments) {
  (void)t, (void)arguments;
  __gpuprof_cpu_unsupported("inline asm \"foo\"", "file.cu", 3);
}

static void what_cannot_be_run_is_named(void **state) {
  (void)state;
  assert_int_equal(run_kernel(unsupported_body, 1, 1, NULL), 0);
  assert_int_equal(gp_cpu_broken(), GP_ERROR_NOT_SUPPORTED);
  assert_true(was_said("file.cu:3: the CPU device cannot run inline asm \"foo\""));
}

static volatile int *volatile bad_address = (volatile int *)16; /* unknown to the compiler, which may refuse it */

static void wild_body(thread *t, void **arguments) {
  (void)arguments;
  if (t->tid_x == 3)
    *bad_address = 1;
  sums[t->tid_x] = 1;
}

static void a_bad_address_is_an_error_not_a_crash(void **state) {
  (void)state;
  assert_int_equal(run_kernel(wild_body, 1, 32, NULL), 0);
  assert_int_equal(gp_cpu_broken(), GP_ERROR_ILLEGAL_ADDRESS);
  assert_true(was_said("thread (3,0,0): ") && was_said("illegal access to address 0x10"));
  gp_cpu_mend(0);
  assert_int_equal(run_kernel(reduce_body, 1, 64, NULL), 0); /* the workers are whole */
  assert_int_equal(sums[0], 64 * 63 / 2);
}

static void deep_body(thread *t, void **arguments) {
  volatile char frame[4096];
  frame[0] = frame[4095] = 1;
  if (t->ntid_y) /* always */
    deep_body(t, arguments);
  frame[1] = frame[0];
}

static void a_stack_that_overflows_is_an_error_not_a_crash(void **state) {
  (void)state;
  assert_int_equal(run_kernel(deep_body, 1, 32, NULL), 0);
  assert_int_equal(gp_cpu_broken(), GP_ERROR_ILLEGAL_ADDRESS);
  assert_true(was_said("stack"));
}

static void everywhere_body(thread *t, void **arguments) {
  _Atomic uint8_t *counts = ARGUMENT(_Atomic uint8_t);
  uint32_t block = (t->ctaid_z * t->nctaid_y + t->ctaid_y) * t->nctaid_x + t->ctaid_x;
  uint32_t thread_in_block = (t->tid_z * t->ntid_y + t->tid_y) * t->ntid_x + t->tid_x;
  if (thread_in_block == t->warpid * 32 + t->laneid && t->slot < GPUPROF_COUNTER_SLOTS)
    atomic_fetch_add(&counts[block * t->ntid_x * t->ntid_y * t->ntid_z + thread_in_block], 1);
}

static void every_thread_of_every_block_runs_once(void **state) {
  (void)state;
  enum { THREADS = 7 * 5 * 3 * 9 * 4 * 2 };
  static _Atomic uint8_t counts[THREADS];
  _Atomic uint8_t *argument = counts;
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = everywhere_body};
  const uint32_t grid[3] = {7, 5, 3}, block[3] = {9, 4, 2};
  void *arguments[] = {&argument};
  assert_int_equal(gp_cpu_run(&kernel, grid, block, arguments, 0, GP_CPU_SHARED_DEFAULT), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(counts[i], 1);
}

static void nothing_body(thread *t, void **arguments) { (void)t, (void)arguments; }

static void a_launch_is_checked_as_cuda_does(void **state) {
  (void)state;
  static const struct {
    uint32_t grid[3], block[3], dynamic_bytes, static_bytes, maximum;
    int error;
  } cases[] = {
      {{1, 1, 1}, {1024, 1, 1}, 0, 0, 0, 0},
      {{1, 1, 1}, {1025, 1, 1}, 0, 0, 0, GP_ERROR_INVALID_VALUE},
      {{1, 1, 1}, {32, 33, 1}, 0, 0, 0, GP_ERROR_INVALID_VALUE},
      {{1, 1, 1}, {1, 1, 65}, 0, 0, 0, GP_ERROR_INVALID_VALUE},
      {{0, 1, 1}, {32, 1, 1}, 0, 0, 0, GP_ERROR_INVALID_VALUE},
      {{1, 65536, 1}, {32, 1, 1}, 0, 0, 0, GP_ERROR_INVALID_VALUE},
      {{1, 1, 1}, {256, 1, 1}, 0, 0, 128, GP_ERROR_INVALID_VALUE},
      {{1, 1, 1}, {32, 1, 1}, 48 * 1024, 0, 0, 0},
      {{1, 1, 1}, {32, 1, 1}, 48 * 1024, 16, 0, GP_ERROR_INVALID_VALUE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct gpuprof_cpu_kernel kernel = {.name = "hand_written",
                                        .thread = nothing_body,
                                        .static_shared_bytes = cases[i].static_bytes,
                                        .maximum_threads = cases[i].maximum};
    assert_int_equal(gp_cpu_run(&kernel, cases[i].grid, cases[i].block, NULL, cases[i].dynamic_bytes,
                                GP_CPU_SHARED_DEFAULT),
                     cases[i].error);
  }
}

/* Runs a block as a loop over its threads. */
static void fresh_block(thread *t, void **arguments) {
  _Atomic uint32_t *fresh = ARGUMENT(_Atomic uint32_t);
  uint32_t block = (t->ctaid_z * t->nctaid_y + t->ctaid_y) * t->nctaid_x + t->ctaid_x;
  atomic_fetch_add(&fresh[block], (unsigned char)t->shared[0] == GP_CPU_FRESH_PATTERN);
  t->shared[0] = 0;
}

static void blocks_that_follow_one_another_in_one_place_begin_afresh(void **state) {
  (void)state;
  static uint32_t fresh[7 * 5 * 3];
  const uint32_t grid[3] = {7, 5, 3}, block[3] = {1024, 1, 1};
  struct gpuprof_cpu_kernel kernel = {
      .name = "hand_written", .thread = nothing_body, .block = fresh_block, .static_shared_bytes = 16};
  void *argument = fresh, *arguments[] = {&argument};
  for (uint32_t launch = 1; launch <= 3; launch++) {
    assert_int_equal(gp_cpu_run(&kernel, grid, block, arguments, 0, GP_CPU_SHARED_DEFAULT), 0);
    for (size_t i = 0; i < sizeof fresh / sizeof *fresh; i++)
      assert_int_equal(fresh[i], launch);
  }
}

/* Leaves its frame, and AddressSanitizer's marks of it, on the stack. */
static void wild_block(thread *t, void **arguments) {
  (void)arguments;
  volatile char local[4096];
  for (size_t i = 0; i < sizeof local; i += 64)
    local[i] = 1;
  *(volatile int *)(16 + (uint64_t)local[64] - 1) = (int)t->tid_x;
}

/* Writes to all of the memory of the other's frame, by a function without marks of its own. */
__attribute__((noinline, no_sanitize("address"))) static void fill_stack(thread *t) {
  volatile char local[8192];
  memset((char *)local, 1, sizeof local);
  sums[t->tid_x] = (uint32_t)local[100];
}

static void filling_block(thread *t, void **arguments) {
  (void)arguments;
  fill_stack(t);
}

static void a_loop_begins_on_a_clean_stack_after_a_fault(void **state) {
  (void)state;
  const uint32_t one[3] = {1, 1, 1};
  struct gpuprof_cpu_kernel wild = {.name = "hand_written", .thread = nothing_body, .block = wild_block};
  struct gpuprof_cpu_kernel filling = {.name = "hand_written", .thread = nothing_body, .block = filling_block};
  assert_int_equal(gp_cpu_run(&wild, one, one, NULL, 0, GP_CPU_SHARED_DEFAULT), 0);
  assert_int_equal(gp_cpu_broken(), GP_ERROR_ILLEGAL_ADDRESS);
  gp_cpu_mend(0);
  sums[0] = 0;
  assert_int_equal(gp_cpu_run(&filling, one, one, NULL, 0, GP_CPU_SHARED_DEFAULT), 0);
  assert_int_equal(sums[0], 1);
}

static void no_two_workers_count_in_one_slot(void **state) {
  (void)state;
  static uint8_t taken[GPUPROF_COUNTER_SLOTS];
  struct gp_worker *worker = calloc(1, sizeof *worker);
  struct gp_cpu_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = 1};
  for (worker->index = 0; worker->index < GPUPROF_COUNTER_SLOTS; worker->index++) {
    gp_worker_prepare(worker, &launch);
    assert_in_range(worker->lanes[0].state.slot, 0, GPUPROF_COUNTER_SLOTS - 1);
    assert_int_equal(taken[worker->lanes[0].state.slot]++, 0);
  }
  free(worker);
}

static _Atomic uint32_t block_runs[600];

/* The first blocks of some launches take long: other workers take the rest of their range. */
static void counting_block(thread *t, void **arguments) {
  const uint32_t *slow = arguments[0];
  if (t->ctaid_x < *slow)
    usleep(2000);
  atomic_fetch_add(&block_runs[t->ctaid_x], 1);
}

/* Whichever threads come: all, some that were asleep, or the launching thread alone. */
static void every_block_in_loops_runs_once(void **state) {
  (void)state;
  struct gpuprof_cpu_kernel counting = {.name = "hand_written", .thread = nothing_body, .block = counting_block};
  for (uint32_t launch = 0; launch < 3000; launch++) {
    const uint32_t grid[3] = {1 + launch % 600, 1, 1}, block[3] = {64, 1, 1};
    uint32_t slow = launch % 500 == 499 ? 1 : 0;
    if (launch % 100 == 99)
      usleep(1000); /* the threads go to sleep */
    memset(block_runs, 0, sizeof block_runs);
    assert_int_equal(gp_cpu_run(&counting, grid, block, (void *[]){&slow}, 0, GP_CPU_SHARED_DEFAULT), 0);
    for (uint32_t b = 0; b < 600; b++)
      assert_int_equal(block_runs[b], b < grid[0]);
  }
}

static _Atomic uint32_t blocks_met;

static void meet_all_body(thread *t, void **arguments) {
  const uint32_t *all = arguments[0];
  if (!t->tid_x)
    atomic_fetch_add(&blocks_met, 1);
  while (atomic_load(&blocks_met) < *all)
    __gpuprof_cpu_yield(t);
}

/* The later launches are spread over the workers: 3 clusters in the place of one of them, 2 in that of others. */
static void all_clusters_of_a_cooperative_launch_run_together(void **state) {
  (void)state;
  uint32_t blocks = 8 * GP_CPU_CLUSTER_BLOCKS; /* an H200 holds 132 */
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = meet_all_body};
  const uint32_t grid[3] = {blocks, 1, 1}, block[3] = {32, 1, 1}, cluster[3] = {GP_CPU_CLUSTER_BLOCKS, 1, 1};
  for (int launch = 0; launch < 5; launch++) {
    atomic_store(&blocks_met, 0);
    assert_int_equal(gp_cpu_run_together(&kernel, grid, block, (void *[]){&blocks}, GP_CPU_SHARED_MAXIMUM,
                                         GP_CPU_SHARED_MAXIMUM, cluster, true),
                     0);
    assert_int_equal(blocks_met, blocks);
  }
}

static void launches_go_on_after_a_fork(void **state) {
  (void)state;
  SKIP_IF(THREAD_SANITIZED, "in a child of a process with threads ThreadSanitizer follows neither new threads nor fibers");
  assert_int_equal(run_kernel(reduce_body, 100, 64, NULL), 0);
  pid_t child = fork();
  if (!child) {
    memset(sums, 0, sizeof sums);
    int error = run_kernel(reduce_body, 100, 64, NULL);
    _exit(error || sums[99] != 64 * 64 * 99 + 64 * 63 / 2);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

int main(void) {
  setenv("GPUPROF_CPU_WORKERS", "3", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(barriers_order_shared_memory),
      cmocka_unit_test(shared_memory_lies_below_4_gib),
      cmocka_unit_test(threads_that_returned_do_not_hold_up_a_barrier),
      cmocka_unit_test(barriers_reduce_predicates),
      cmocka_unit_test(a_named_barrier_waits_for_its_count),
      cmocka_unit_test(a_thread_can_wait_for_a_later_one),
      cmocka_unit_test_setup(a_deadlock_fails_the_launch_and_says_who_waits_where, forget),
      cmocka_unit_test_setup(a_failed_assertion_is_a_lasting_error, forget),
      cmocka_unit_test_setup(what_cannot_be_run_is_named, forget),
      cmocka_unit_test_setup(a_bad_address_is_an_error_not_a_crash, forget),
      cmocka_unit_test_setup(a_stack_that_overflows_is_an_error_not_a_crash, forget),
      cmocka_unit_test_setup(every_thread_of_every_block_runs_once, forget),
      cmocka_unit_test(a_launch_is_checked_as_cuda_does),
      cmocka_unit_test(blocks_that_follow_one_another_in_one_place_begin_afresh),
      cmocka_unit_test_setup(a_loop_begins_on_a_clean_stack_after_a_fault, forget),
      cmocka_unit_test(no_two_workers_count_in_one_slot),
      cmocka_unit_test(every_block_in_loops_runs_once),
      cmocka_unit_test(all_clusters_of_a_cooperative_launch_run_together),
      cmocka_unit_test(launches_go_on_after_a_fork),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
