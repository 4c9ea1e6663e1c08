// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kernels in one list: shortened names of different ones differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/short_names.h"
#include "common/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64
static char *names[MOST];

static void shortened(const char *const *full, size_t count, size_t width) {
  for (size_t i = 0; i < MOST; i++) {
    free(names[i]);
    names[i] = i < count && full[i] ? copy_string(full[i]) : NULL;
  }
  shorten_names(names, count, width, "..");
  for (size_t i = 0; i < count; i++)
    assert_true(!names[i] || text_width(names[i]) <= width);
}

static void names_that_differ_anyway_stay(void **state) {
  (void)state;
  const char *const full[] = {"a::work<abcdefghij>", NULL, "a::work<abcdefghik>", "short"};
  shortened(full, 4, 12);
  assert_string_equal(names[0], "work<ab..ij>");
  assert_null(names[1]);
  assert_string_equal(names[2], "work<ab..ik>");
  assert_string_equal(names[3], "short");
}

static void the_word_that_differs_is_shown(void **state) {
  (void)state;
  const char *const full[] = {
      "cub::DeviceReduceKernel<cub::policy_hub<int, unsigned, thrust::plus<void>>::Policy1000, int*, 256>",
      "cub::DeviceReduceKernel<cub::policy_hub<int, unsigned, thrust::maximum<void>>::Policy1000, int*, "
      "256>"};
  shortened(full, 2, 44);
  assert_string_equal(names[0], "DeviceReduceKernel<cub::pol..plus..nt*, 256>");
  assert_string_equal(names[1], "DeviceReduceKernel<cub::po..maximum..*, 256>");
}

static void equal_names_stay_equal(void **state) {
  (void)state;
  const char *const full[] = {"work<abcdefghXijklmnop>", "work<abcdefghYijklmnop>",
                              "work<abcdefghXijklmnop>"};
  shortened(full, 3, 14);
  assert_string_equal(names[0], names[2]);
  assert_string_not_equal(names[0], names[1]);
}

/* Each pair differs elsewhere: one piece is not enough. */
static void pieces_in_several_places_are_shown(void **state) {
  (void)state;
  static char full[MOST][128];
  const char *all[MOST];
  for (size_t i = 0; i < MOST; i++) {
    snprintf(full[i], sizeof full[i],
             "scan<policy::of::tiles<T%zu>, a::long::iterator::of, U%zu, another::long::iterator, V%zu, "
             "end::of::it>",
             i / 16, i / 4 % 4, i % 4);
    all[i] = full[i];
  }
  shortened(all, MOST, 40);
  for (size_t i = 0; i < MOST; i++)
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(names[i], names[k]);
}

static void scopes_that_differ_are_shown(void **state) {
  (void)state;
  const char *const full[] = {"library::first::detail::for_each<abcdefghijkl>",
                              "library::second::detail::for_each<abcdefghijkl>"};
  shortened(full, 2, 32);
  assert_non_null(strstr(names[0], "first"));
  assert_non_null(strstr(names[1], "second"));
  assert_non_null(strstr(names[0], "for_each<"));
}

static void characters_stay_whole(void **state) {
  (void)state;
  const char *const full[] = {"work<abcdefgh\xC3\xA9\xC3\xA9ijklmnop>",
                              "work<abcdefgh\xC3\xA8\xC3\xA9ijklmnop>", "work<abcdefgh>"};
  shortened(full, 3, 14);
  assert_non_null(strstr(names[0], "\xC3\xA9"));
  assert_non_null(strstr(names[1], "\xC3\xA8"));
  assert_string_equal(names[2], "work<abcdefgh>");
}

static void one_name_may_be_the_begin_of_another(void **state) {
  (void)state;
  const char *const full[] = {"a_long_name_of_a_kernel", "a_long_name_of_a_kernel_of_a_kernel"};
  shortened(full, 2, 10);
  assert_string_not_equal(names[0], names[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_that_differ_anyway_stay),
      cmocka_unit_test(the_word_that_differs_is_shown),
      cmocka_unit_test(equal_names_stay_equal),
      cmocka_unit_test(pieces_in_several_places_are_shown),
      cmocka_unit_test(scopes_that_differ_are_shown),
      cmocka_unit_test(characters_stay_whole),
      cmocka_unit_test(one_name_may_be_the_begin_of_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
