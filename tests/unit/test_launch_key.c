// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Keys of launches: differences telling two launches apart, and launches without a key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "clones/launch_key.h"

static const struct gp_launch plain = {.grid = {2, 3, 4}, .block = {5, 6, 7}, .device = 1};

static int same(const struct gp_launch_key *a, const struct gp_launch_key *b) {
  return a->bytes == b->bytes && !memcmp(a->data, b->data, a->bytes);
}

static struct gp_launch_key key_of(uint32_t kind, const struct gp_launch *launch) {
  struct gp_launch_key key;
  gp_launch_key_begin(&key, kind, launch);
  return key;
}

static void grid_block_and_device_tell_launches_apart(void **state) {
  (void)state;
  const struct gp_launch_key key = key_of(0, &plain), again = key_of(0, &plain);
  assert_true(same(&key, &again));
  for (int i = 0; i < 7; i++) {
    struct gp_launch other = plain;
    if (i < 6)
      (i < 3 ? other.grid : other.block)[i % 3]++;
    else
      other.device++;
    const struct gp_launch_key its = key_of(0, &other);
    assert_false(same(&key, &its));
    assert_int_not_equal(gp_launch_key_hash(NULL, &key), gp_launch_key_hash(NULL, &its));
  }
}

static void keys_of_different_kinds_differ(void **state) {
  (void)state;
  const struct gp_launch_key one = key_of(0, &plain), other = key_of(1, &plain);
  assert_false(same(&one, &other));
}

static void arguments_tell_launches_apart_by_every_byte(void **state) {
  (void)state;
  char argument[13] = "abcdefghijkl";
  struct gp_launch_key key = key_of(0, &plain);
  gp_launch_key_add(&key, argument, sizeof argument);
  for (size_t i = 0; i < sizeof argument; i++) {
    argument[i] ^= 1;
    struct gp_launch_key other = key_of(0, &plain);
    gp_launch_key_add(&other, argument, sizeof argument);
    argument[i] ^= 1;
    assert_false(same(&key, &other));
    assert_int_not_equal(gp_launch_key_hash(NULL, &key), gp_launch_key_hash(NULL, &other));
  }
}

static void what_is_too_long_has_no_key(void **state) {
  (void)state;
  static const char large[GP_LAUNCH_KEY_MAXIMUM];
  struct gp_launch_key key = key_of(0, &plain);
  gp_launch_key_add(&key, large, GP_LAUNCH_KEY_MAXIMUM - key.bytes);
  assert_int_equal(key.bytes, GP_LAUNCH_KEY_MAXIMUM);
  gp_launch_key_add(&key, large, 1);
  assert_int_equal(key.bytes, 0);
  gp_launch_key_add(&key, large, 1); /* nor does it become one again */
  assert_int_equal(key.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grid_block_and_device_tell_launches_apart),
      cmocka_unit_test(keys_of_different_kinds_differ),
      cmocka_unit_test(arguments_tell_launches_apart_by_every_byte),
      cmocka_unit_test(what_is_too_long_has_no_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
