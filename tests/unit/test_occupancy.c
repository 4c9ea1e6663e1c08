// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Theoretical occupancy: worked out by hand, and against CUDA's own cuda_occupancy.h where there is a toolkit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/occupancy.h"

#include <stdio.h>
#include <string.h>

static struct gp_occupancy of(unsigned architecture, unsigned threads, unsigned registers, uint64_t shared) {
  const struct gp_block_use use = {.threads = threads, .registers = registers, .shared = shared, .carveout = GP_CARVEOUT_UNSET};
  const struct gp_sm_limits *sm = gp_sm_limits(architecture);
  assert_non_null(sm);
  return gp_occupancy_of(sm, &use);
}

static void assert_occupancy(struct gp_occupancy o, unsigned blocks, unsigned warps, const char *limiter) {
  assert_int_equal(o.blocks, blocks);
  assert_int_equal(o.warps, warps);
  assert_string_equal(gp_limiter_names[o.limiter], limiter);
}

static void small_kernels_fill_a_multiprocessor(void **state) {
  (void)state;
  assert_occupancy(of(90, 256, 32, 0), 8, 64, "none");
  assert_true(of(90, 256, 32, 0).ratio == 1);
  assert_occupancy(of(90, 256, 0, 0), 8, 64, "none");
}

static void registers_are_handed_out_to_warps(void **state) {
  (void)state;
  /* 168 registers: 5,376 a warp, three warps in each of four partitions of 16,384: one block of 8 warps. */
  assert_occupancy(of(90, 256, 168, 0), 1, 8, "registers");
  /* 33 registers: 1,056 a warp become 1,280; 12 warps a partition. */
  assert_occupancy(of(90, 256, 33, 0), 6, 48, "registers");
  assert_occupancy(of(90, 1024, 65, 0), 0, 0, "registers");
}

static void a_block_reserves_a_kib_of_shared_memory(void **state) {
  (void)state;
  assert_occupancy(of(90, 128, 32, 48 * 1024), 4, 16, "shared_memory");
  assert_occupancy(of(80, 128, 32, 163 * 1024), 1, 4, "shared_memory");
  assert_occupancy(of(70, 128, 32, 48 * 1024), 2, 8, "shared_memory");
}

static void block_sizes_leave_warps_over(void **state) {
  (void)state;
  assert_occupancy(of(89, 1024, 32, 0), 1, 32, "block_size"); /* of 48 warps */
  assert_occupancy(of(90, 32, 16, 0), 32, 32, "blocks");
}

static void barriers_limit_blocks(void **state) {
  (void)state;
  const struct gp_block_use use = {.threads = 64, .registers = 16, .barriers = 16, .carveout = GP_CARVEOUT_UNSET};
  assert_occupancy(gp_occupancy_of(gp_sm_limits(90), &use), 4, 8, "barriers");
  assert_occupancy(gp_occupancy_of(gp_sm_limits(80), &use), 32, 64, "none");
}

static void carve_outs_are_preferences(void **state) {
  (void)state;
  struct gp_block_use use = {.threads = 128, .registers = 32, .shared = 15 * 1024, .carveout = 25}; /* 57 KiB: 64 */
  assert_occupancy(gp_occupancy_of(gp_sm_limits(90), &use), 4, 16, "shared_memory");
  use.shared = 150 * 1024; /* more than asked for: 164 KiB */
  assert_occupancy(gp_occupancy_of(gp_sm_limits(90), &use), 1, 4, "shared_memory");
}

static void unknown_architectures_have_no_limits(void **state) {
  (void)state;
  assert_null(gp_sm_limits(0));
  assert_null(gp_sm_limits(61));
  assert_null(gp_sm_limits(95));
}

/* ---- Against CUDA's own ---- */

#if __has_include(<cuda_occupancy.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <limits.h>
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop

#define CASES 20000 /* of each architecture */

static uint64_t random_state = 1;
static unsigned any_below(unsigned bound) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(random_state >> 33) % bound;
}

static struct cudaOccDeviceProp properties_of(const struct gp_sm_limits *sm) {
  return (struct cudaOccDeviceProp){.computeMajor = (int)sm->architecture / 10,
                                    .computeMinor = (int)sm->architecture % 10,
                                    .maxThreadsPerBlock = 1024,
                                    .maxThreadsPerMultiprocessor = (int)sm->threads,
                                    .regsPerBlock = 65536,
                                    .regsPerMultiprocessor = 65536,
                                    .warpSize = 32,
                                    .sharedMemPerBlock = 48 * 1024,
                                    .sharedMemPerMultiprocessor = sm->shared,
                                    .numSms = 100,
                                    .sharedMemPerBlockOptin = sm->block_shared,
                                    .reservedSharedMemPerBlock = sm->reserved};
}

static struct gp_block_use any_use(void) {
  return (struct gp_block_use){.threads = 1 + any_below(any_below(2) ? 1024 : 128),
                               .registers = any_below(256),
                               .shared = any_below(any_below(2) ? 233 * 1024 : 8 * 1024),
                               .barriers = 1 + any_below(16),
                               .carveout = (int)any_below(3) ? GP_CARVEOUT_UNSET : (int)any_below(101)};
}

/* Limiters that CUDA names; it has several, and no name for a full multiprocessor. */
static int is_limiter(const struct cudaOccResult *theirs, enum gp_limiter limiter) {
  static const unsigned bits[GP_LIMITERS] = {[GP_LIMIT_REGISTERS] = OCC_LIMIT_REGISTERS,
                                             [GP_LIMIT_SHARED] = OCC_LIMIT_SHARED_MEMORY,
                                             [GP_LIMIT_BLOCK_SIZE] = OCC_LIMIT_WARPS,
                                             [GP_LIMIT_BLOCKS] = OCC_LIMIT_BLOCKS,
                                             [GP_LIMIT_BARRIERS] = OCC_LIMIT_BARRIERS};
  return limiter == GP_LIMIT_NONE || (theirs->limitingFactors & bits[limiter]);
}

static void compare(const struct gp_sm_limits *sm) {
  const struct cudaOccDeviceProp properties = properties_of(sm);
  const struct gp_block_use use = any_use();
  const size_t dynamic = any_below((unsigned)use.shared + 1);
  const struct cudaOccFuncAttributes attributes = {.maxThreadsPerBlock = 1024,
                                                   .numRegs = (int)use.registers,
                                                   .sharedSizeBytes = use.shared - dynamic,
                                                   .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                                   .maxDynamicSharedSizeBytes = 1 << 20,
                                                   .numBlockBarriers = (int)use.barriers};
  const struct cudaOccDeviceState state = {.carveoutConfig = use.carveout};
  struct cudaOccResult theirs;
  memset(&theirs, 0, sizeof theirs);
  const int error =
      (int)cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &properties, &attributes, &state, (int)use.threads, dynamic);
  const struct gp_occupancy ours = gp_occupancy_of(sm, &use);
  if (error || (int)ours.blocks != theirs.activeBlocksPerMultiprocessor || !is_limiter(&theirs, ours.limiter))
    fail_msg("sm_%u, %u threads, %u registers, %llu + %zu bytes, %u barriers, carve-out %d: %u blocks (%s), CUDA has %d (%#x, error %d)",
             sm->architecture, use.threads, use.registers, (unsigned long long)(use.shared - dynamic), dynamic, use.barriers,
             use.carveout, ours.blocks, gp_limiter_names[ours.limiter], theirs.activeBlocksPerMultiprocessor,
             theirs.limitingFactors, error);
}

static void cuda_says_the_same(void **state) {
  (void)state;
  unsigned compared = 0;
  for (unsigned architecture = 0; architecture < 200; architecture++)
    for (unsigned i = 0; gp_sm_limits(architecture) && i < CASES; i++, compared++)
      compare(gp_sm_limits(architecture));
  assert_true(compared >= 14 * CASES);
}
#else
static void cuda_says_the_same(void **state) {
  (void)state;
  puts("skipped: there is no cuda_occupancy.h of a CUDA toolkit to compare with");
  skip();
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_kernels_fill_a_multiprocessor),     cmocka_unit_test(registers_are_handed_out_to_warps),
      cmocka_unit_test(a_block_reserves_a_kib_of_shared_memory), cmocka_unit_test(block_sizes_leave_warps_over),
      cmocka_unit_test(barriers_limit_blocks),                   cmocka_unit_test(carve_outs_are_preferences),
      cmocka_unit_test(unknown_architectures_have_no_limits),    cmocka_unit_test(cuda_says_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
