// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Warp operations, as PTX defines them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cpu_kernel.h"

#include <string.h>

enum { UP, DOWN, BUTTERFLY, INDEX };
enum { ALL, ANY, UNIFORM, BALLOT };
enum { ADD, UNSIGNED_MIN, UNSIGNED_MAX, MIN, MAX, AND, OR, XOR, REDUCTIONS };
static const uint32_t everyone = ~0u;

static uint64_t results[1024], more[1024];

/* clang's encoding of a width: the segment mask and the clamp. */
static uint32_t clamp(uint32_t width, uint32_t last) { return (32 - width) << 8 | last; }

struct shuffle {
  uint32_t kind, b, c;
};

static void shuffle_body(thread *t, void **arguments) {
  struct shuffle *s = ARGUMENT(struct shuffle);
  results[t->tid_x] = __gpuprof_cpu_shuffle(t, s->kind, everyone, 100 + t->laneid, s->b, s->c);
}

static void check_shuffle(struct shuffle s, const int *sources, const int *inside) {
  assert_int_equal(run_kernel(shuffle_body, 1, 32, &s), 0);
  for (int lane = 0; lane < 32; lane++) {
    assert_int_equal((uint32_t)results[lane], 100 + sources[lane]);
    assert_int_equal(results[lane] >> 32, inside[lane]);
  }
}

static void a_shuffle_moves_values_within_its_segment(void **state) {
  (void)state;
  static const uint32_t widths[] = {2, 4, 8, 16, 32};
  for (uint32_t w = 0; w < 5; w++)
    for (uint32_t b = 0; b < 32; b++) {
      int width = (int)widths[w], delta = (int)b, source[4][32], inside[4][32];
      for (int lane = 0; lane < 32; lane++) {
        int first = lane / width * width, last = first + width - 1;
        inside[UP][lane] = lane - delta >= first;
        source[UP][lane] = inside[UP][lane] ? lane - delta : lane;
        inside[DOWN][lane] = lane + delta <= last;
        source[DOWN][lane] = inside[DOWN][lane] ? lane + delta : lane;
        inside[BUTTERFLY][lane] = (lane ^ delta) <= last;
        source[BUTTERFLY][lane] = inside[BUTTERFLY][lane] ? lane ^ delta : lane;
        inside[INDEX][lane] = 1;
        source[INDEX][lane] = first + delta % width;
      }
      for (uint32_t kind = UP; kind <= INDEX; kind++) {
        struct shuffle s = {kind, b, clamp(widths[w], kind == UP ? 0 : 31)};
        check_shuffle(s, source[kind], inside[kind]);
      }
    }
}

static void vote_body(thread *t, void **arguments) {
  const uint32_t *predicates = ARGUMENT(uint32_t);
  uint32_t predicate = *predicates >> t->laneid & 1;
  results[t->tid_x] = 0;
  for (uint32_t kind = ALL; kind <= UNIFORM; kind++)
    results[t->tid_x] |= (uint64_t)__gpuprof_cpu_vote(t, kind, everyone, predicate) << (32 + kind);
  results[t->tid_x] |= __gpuprof_cpu_vote(t, BALLOT, everyone, predicate);
}

static void votes_agree_over_the_warp(void **state) {
  (void)state;
  static const struct {
    uint32_t predicates;
    uint64_t flags; /* all, any, uniform */
  } cases[] = {{0, 4}, {~0u, 7}, {1, 2}, {0xA5A50000, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t predicates = cases[i].predicates;
    assert_int_equal(run_kernel(vote_body, 1, 32, &predicates), 0);
    for (int lane = 0; lane < 32; lane++)
      assert_true(results[lane] == (cases[i].flags << 32 | predicates));
  }
}

static void match_body(thread *t, void **arguments) {
  uint64_t divisor = *ARGUMENT(uint64_t);
  results[t->tid_x] = __gpuprof_cpu_match(t, 0, everyone, t->laneid / divisor + (1ull << 40));
  more[t->tid_x] = __gpuprof_cpu_match(t, 1, everyone, t->laneid / divisor);
}

static void match_finds_equal_values(void **state) {
  (void)state;
  uint64_t divisor = 8;
  assert_int_equal(run_kernel(match_body, 1, 32, &divisor), 0);
  for (int lane = 0; lane < 32; lane++) {
    assert_int_equal(results[lane], 0xFFull << lane / 8 * 8);
    assert_int_equal(more[lane], 0);
  }
  divisor = 32;
  assert_int_equal(run_kernel(match_body, 1, 32, &divisor), 0);
  assert_true(more[5] == (1ull << 32 | everyone));
}

static void redux_body(thread *t, void **arguments) {
  (void)arguments;
  for (uint32_t kind = ADD; kind < REDUCTIONS; kind++) {
    uint32_t result = __gpuprof_cpu_redux(t, kind, everyone, t->laneid - 3);
    if (t->laneid == 17)
      results[kind] = result;
  }
}

static void redux_reduces_signed_and_unsigned(void **state) {
  (void)state;
  assert_int_equal(run_kernel(redux_body, 1, 32, NULL), 0);
  uint32_t sum = 0, conjunction = ~0u, disjunction = 0, exclusive = 0;
  for (uint32_t lane = 0; lane < 32; lane++) {
    sum += lane - 3;
    conjunction &= lane - 3;
    disjunction |= lane - 3;
    exclusive ^= lane - 3;
  }
  const uint32_t expected[REDUCTIONS] = {sum, 0,           (uint32_t)-1, (uint32_t)-3,
                                         28,  conjunction, disjunction,  exclusive};
  for (int kind = ADD; kind < REDUCTIONS; kind++)
    assert_int_equal(results[kind], expected[kind]);
}

/* Two halves of a warp shuffle among themselves, each with its own mask, at different times. */
static void halves_body(thread *t, void **arguments) {
  (void)arguments;
  uint32_t mask = t->laneid < 16 ? 0xFFFF : 0xFFFF0000, value = t->laneid;
  for (uint32_t round = 0; round < (t->laneid < 16 ? 3u : 7u); round++)
    value = (uint32_t)__gpuprof_cpu_shuffle(t, BUTTERFLY, mask, value, 1, 31) + 1;
  results[t->tid_x] = value;
}

static void disjoint_masks_do_not_meet(void **state) {
  (void)state;
  assert_int_equal(run_kernel(halves_body, 1, 64, NULL), 0);
  for (int i = 0; i < 64; i++)
    assert_int_equal(results[i], ((i % 32) ^ 1) + (i % 32 < 16 ? 3 : 7));
}

static void last_lanes_body(thread *t, void **arguments) {
  (void)arguments;
  if (t->laneid < 8)
    return;
  results[t->tid_x] = __gpuprof_cpu_shuffle(t, INDEX, everyone, 50 + t->laneid, t->laneid < 16 ? 2 : 9, 31);
  more[t->tid_x] = __gpuprof_cpu_vote(t, BALLOT, everyone, 1);
}

static void lanes_that_returned_count_as_arrived_and_read_as_zero(void **state) {
  (void)state;
  assert_int_equal(run_kernel(last_lanes_body, 1, 32, NULL), 0);
  for (int lane = 8; lane < 32; lane++) {
    assert_int_equal((uint32_t)results[lane], lane < 16 ? 0 : 59);
    assert_int_equal(more[lane], 0xFFFFFF00);
  }
}

static void partial_body(thread *t, void **arguments) {
  (void)arguments;
  results[t->tid_x] = __gpuprof_cpu_vote(t, BALLOT, everyone, 1);
}

static void a_warp_may_have_fewer_than_32_threads(void **state) {
  (void)state;
  assert_int_equal(run_kernel(partial_body, 1, 40, NULL), 0);
  assert_int_equal(results[3], everyone);
  assert_int_equal(results[39], 0xFF);
}

static void active_body(thread *t, void **arguments) {
  (void)arguments;
  results[t->tid_x] = t->laneid % 2 ? __gpuprof_cpu_activemask(t) : 0;
  __gpuprof_cpu_syncwarp(t, everyone);
  more[t->tid_x] = __gpuprof_cpu_activemask(t);
}

static void the_active_mask_has_all_lanes_that_get_there(void **state) {
  (void)state;
  assert_int_equal(run_kernel(active_body, 1, 32, NULL), 0);
  for (int lane = 0; lane < 32; lane++) {
    assert_int_equal(results[lane], lane % 2 ? 0xAAAAAAAA : 0);
    assert_int_equal(more[lane], everyone);
  }
}

/* Lane 0 meets each other lane by itself, the last one first: up to 31 operations of the warp are under way. */
static void pairs_body(thread *t, void **arguments) {
  (void)arguments;
  if (t->laneid) {
    results[t->tid_x] = __gpuprof_cpu_shuffle(t, INDEX, 1u << t->laneid | 1, t->tid_x, 0, clamp(32, 31));
    return;
  }
  for (uint32_t lane = 31; lane; lane--)
    more[t->tid_x + lane] = __gpuprof_cpu_shuffle(t, INDEX, 1u << lane | 1, 1000 + lane, lane, clamp(32, 31));
}

static void each_lane_may_wait_with_a_mask_of_its_own(void **state) {
  (void)state;
  assert_int_equal(run_kernel(pairs_body, 1, 64, NULL), 0);
  for (uint32_t i = 0; i < 64; i++)
    if (i % 32) {
      assert_int_equal((uint32_t)results[i], 1000 + i % 32);
      assert_int_equal((uint32_t)more[i], i);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shuffle_moves_values_within_its_segment),
      cmocka_unit_test(votes_agree_over_the_warp),
      cmocka_unit_test(match_finds_equal_values),
      cmocka_unit_test(redux_reduces_signed_and_unsigned),
      cmocka_unit_test(disjoint_masks_do_not_meet),
      cmocka_unit_test(lanes_that_returned_count_as_arrived_and_read_as_zero),
      cmocka_unit_test(a_warp_may_have_fewer_than_32_threads),
      cmocka_unit_test(the_active_mask_has_all_lanes_that_get_there),
      cmocka_unit_test(each_lane_may_wait_with_a_mask_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
