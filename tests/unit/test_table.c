// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Hash tables of objects holding their own link: look-ups stay short for any number of objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 60000u

struct item {
  struct gp_link link;
  unsigned number;
};

static struct item *items;
static struct gp_table table;

static uint64_t hash_of(unsigned number) {
  char name[32];
  snprintf(name, sizeof name, "layer_%u", number);
  return gp_hash_text(name);
}

static const struct item *find(unsigned number) {
  for (struct gp_link *link = gp_table_first(&table, hash_of(number)); link; link = gp_table_next(link))
    if (GP_HOLDER(link, struct item, link)->number == number)
      return GP_HOLDER(link, struct item, link);
  return NULL;
}

static void fill(unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    items[i].number = i;
    gp_table_add(&table, &items[i].link, hash_of(i));
  }
}

static void every_object_is_found(void **state) {
  (void)state;
  fill(MANY);
  assert_int_equal(table.count, MANY);
  for (unsigned i = 0; i < MANY; i++)
    assert_ptr_equal(find(i), &items[i]);
  assert_null(find(MANY));
}

/* Of as many objects as buckets, thrown at random, the fullest bucket holds about ten. */
static void searches_stay_short(void **state) {
  (void)state;
  fill(MANY);
  assert_in_range(gp_table_longest(&table), 1, 20);
}

static void removed_objects_are_gone_and_others_stay(void **state) {
  (void)state;
  fill(1000);
  for (unsigned i = 0; i < 1000; i += 2)
    gp_table_remove(&table, &items[i].link);
  assert_int_equal(table.count, 500);
  for (unsigned i = 0; i < 1000; i++)
    assert_ptr_equal(find(i), i % 2 ? &items[i] : NULL);
}

static void pointers_and_numbers_spread(void **state) {
  (void)state;
  for (unsigned i = 0; i < MANY; i++) /* neighbours in memory, and successive steps */
    gp_table_add(&table, &items[i].link, gp_hash_pointers(&items[i], NULL));
  assert_in_range(gp_table_longest(&table), 1, 20);
  gp_table_free(&table);
  for (unsigned i = 0; i < MANY; i++)
    gp_table_add(&table, &items[i].link, gp_hash_mix(i, 1));
  assert_in_range(gp_table_longest(&table), 1, 20);
}

static void texts_of_one_length_differ_by_each_byte(void **state) {
  (void)state;
  const char text[] = "neuron_group_7_layer_12";
  for (size_t length = 1; length < sizeof text; length++)
    for (size_t i = 0; i < length; i++) {
      char other[sizeof text];
      memcpy(other, text, sizeof text);
      other[i]++;
      assert_int_not_equal(gp_hash_bytes(text, length), gp_hash_bytes(other, length));
    }
}

static void zeros_of_every_length_differ(void **state) {
  (void)state;
  static const char zeros[20];
  for (size_t i = 0; i + 1 < sizeof zeros; i++)
    assert_int_not_equal(gp_hash_bytes(zeros, i), gp_hash_bytes(zeros, i + 1));
}

static void texts_of_every_length_differ(void **state) {
  (void)state;
  char text[40] = "", other[40] = "";
  for (size_t i = 0; i < sizeof text - 1; i++) {
    memset(text, 'a', i);
    memset(other, 'a', i);
    assert_int_equal(gp_hash_text(text), gp_hash_text(other));
    other[i] = 'a';
    assert_int_not_equal(gp_hash_text(text), gp_hash_text(other));
    memset(other, 0, sizeof other);
  }
}

static int set_up(void **state) {
  (void)state;
  items = calloc(MANY, sizeof *items);
  return items ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  gp_table_free(&table);
  free(items);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_object_is_found, set_up, tear_down),
      cmocka_unit_test_setup_teardown(searches_stay_short, set_up, tear_down),
      cmocka_unit_test_setup_teardown(removed_objects_are_gone_and_others_stay, set_up, tear_down),
      cmocka_unit_test_setup_teardown(pointers_and_numbers_spread, set_up, tear_down),
      cmocka_unit_test(texts_of_every_length_differ),
      cmocka_unit_test(texts_of_one_length_differ_by_each_byte),
      cmocka_unit_test(zeros_of_every_length_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
