// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The check's reader of machine code: constants made by ptxas with half arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/machine_code.h"
#include "machine_image.h"

#include <stdlib.h>

static struct machine_image image;

static void learn(void) { gp_machine_code_learn(&image, sizeof image); }

static void constants_have_no_factor(void **state) {
  (void)state;
  make_image(&image, "factors", 90, 5);
  image.code[0][0] = HFMA2_OF(255);
  image.code[2][0] = HFMA2_OF(7);
  image.code[3][0] = HFMA2_OF(255) + 4; /* HFMA2.MMA */
  learn();
  assert_int_equal(gp_machine_code_constants("factors"), 2);
  assert_int_equal(gp_machine_code_constants("unknown"), 0);
}

/* How often a loop runs is not known. */
static void constants_of_loops_are_left_out(void **state) {
  (void)state;
  make_image(&image, "loops", 90, 12);
  for (size_t i = 0; i < 12; i++)
    image.code[i][0] = HFMA2_OF(255);
  set_branch(image.code[4], 2);   /* forward: from 4 to 7 */
  set_branch(image.code[5], -2);  /* an inner loop: 4 to 5 */
  set_branch(image.code[7], -6);  /* a loop: 2 to 7 */
  set_branch(image.code[11], -1); /* to itself: padding at the end */
  learn();
  assert_int_equal(gp_machine_code_constants("loops"), 2 + 3);
}

static void most_of_several_modules_count(void **state) {
  (void)state;
  for (size_t constants = 1; constants <= 3; constants++) {
    make_image(&image, "template", 90, 3);
    for (size_t i = 0; i < 4 - constants; i++)
      image.code[i][0] = HFMA2_OF(255);
    learn();
  }
  assert_int_equal(gp_machine_code_constants("template"), 3);
}

/* LDS of 8 bytes, then of 16 in another module. */
static void loads_of_blocks_are_found(void **state) {
  (void)state;
  make_image(&image, "words", 90, 2);
  image.code[1][0] = 0x984;
  image.code[1][1] = 5 << 9;
  learn();
  assert_true(gp_machine_code_loads_words("words"));
  image.code[1][1] = 6 << 9;
  learn();
  assert_false(gp_machine_code_loads_words("words"));
  assert_false(gp_machine_code_loads_words("unknown"));
}

static void other_chips_are_left(void **state) {
  (void)state;
  make_image(&image, "older", 80, 1);
  image.code[0][0] = HFMA2_OF(255);
  learn();
  assert_int_equal(gp_machine_code_constants("older"), 0);
}

/* Before version 8 of the ABI the chip stands in the lowest byte. */
static void older_files_have_the_chip_elsewhere(void **state) {
  (void)state;
  make_image(&image, "cuda12", 0, 1);
  image.header.e_ident[EI_ABIVERSION] = 7;
  image.header.e_flags = 90;
  image.code[0][0] = HFMA2_OF(255);
  learn();
  assert_int_equal(gp_machine_code_constants("cuda12"), 1);
}

/* Each file lies in memory of its own, so a sanitizer sees reads behind its end. */
static void broken_files_are_left(void **state) {
  (void)state;
  make_image(&image, "broken", 90, 1);
  image.code[0][0] = HFMA2_OF(255);
  gp_machine_code_learn(NULL, 0);
  for (size_t bytes = 0; bytes < offsetof(struct machine_image, names); bytes++) {
    void *part = malloc(bytes + 1);
    assert_non_null(part);
    memcpy(part, &image, bytes);
    gp_machine_code_learn(part, bytes);
    free(part);
  }
  struct machine_image whole = image;
  image.sections[1].sh_size = UINT64_MAX;
  learn();
  image = whole;
  image.sections[1].sh_name = UINT32_MAX;
  learn();
  image = whole;
  image.sections[2].sh_size = 1 + strlen(".text.broken"); /* the name does not end within its section */
  learn();
  image = whole;
  image.header.e_shoff = UINT64_MAX - 1;
  learn();
  assert_int_equal(gp_machine_code_constants("broken"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_have_no_factor),      cmocka_unit_test(constants_of_loops_are_left_out),
      cmocka_unit_test(most_of_several_modules_count), cmocka_unit_test(other_chips_are_left),
      cmocka_unit_test(loads_of_blocks_are_found),
      cmocka_unit_test(older_files_have_the_chip_elsewhere), cmocka_unit_test(broken_files_are_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
