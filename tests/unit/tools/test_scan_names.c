// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Names and phases that `scan` proposes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scan/names.h"

#include <stdlib.h>
#include <string.h>

static void expect_name(const char *qualified, const char *name) {
  char *got = name_of_region(qualified);
  assert_string_equal(got, name);
  free(got);
}

static void a_layer_and_its_part_are_joined_by_a_dot(void **state) {
  (void)state;
  expect_name("attention_softmax", "attention.softmax");
  expect_name("attention_softmax_kernel", "attention.softmax");
  expect_name("attention", "attention");
  expect_name("attentive_softmax", "attentive_softmax");
}

static void scopes_are_joined_by_dots(void **state) {
  (void)state;
  expect_name("net::Layer::forward", "net.Layer.forward");
  expect_name("(anonymous namespace)::scale", "scale");
  expect_name("Model<float, std::pair<int, int>>::run", "Model<float, std__pair<int, int>>.run");
}

static void what_says_kernel_alone_goes(void **state) {
  (void)state;
  expect_name("scale_kernel", "scale");
  expect_name("scaleKernel", "scale");
  expect_name("kernel_scale", "scale");
  expect_name("scale_kernel3", "scale_kernel3");
  expect_name("c_kernel", "c_kernel"); /* too little would be left */
  expect_name("kernel", "kernel");
}

static void an_operator_is_called_by_its_class(void **state) {
  (void)state;
  expect_name("Scale::operator()", "Scale");
  expect_name("Vector::operator/", "Vector");
  expect_name("operator/", "operator_"); /* a slash parts the rows of a path */
}

static void expect_phase(const char *qualified, const char *hints, const char *phase) {
  const char *got = phase_of_name(qualified, hints);
  if (!phase)
    assert_null(got);
  else
    assert_string_equal(got ? got : "none", phase);
}

static void words_say_the_phase(void **state) {
  (void)state;
  expect_phase("softmax_forward_kernel5", "", "forward");
  expect_phase("FusedAttentionBwd", "", "backward");
  expect_phase("zero_grad", "", "backward");
  expect_phase("adamw_kernel3", "", "optimizer");
  expect_phase("multi_gpu_all_reduce", "", "communication");
  expect_phase("exchangeHalo", "", "communication");
  expect_phase("WarmUp", "", "warmup");
  expect_phase("Backward::apply", "", "backward");
}

static void words_inside_of_words_say_nothing(void **state) {
  (void)state;
  expect_phase("gradient", "", NULL);
  expect_phase("fast_forwarder", "", NULL);
  expect_phase("commit", "", NULL);
}

static void step_and_update_need_a_word_of_training(void **state) {
  (void)state;
  expect_phase("time_step", "v dt ", NULL);
  expect_phase("update", "positions velocities ", NULL);
  expect_phase("update_weights", "", "optimizer");
  expect_phase("update", "params grads lr ", "optimizer");
  expect_phase("gpt2::Optimizer::step", "", "optimizer");
}

static void two_phases_are_none(void **state) {
  (void)state;
  expect_phase("forward_backward", "", NULL);
  expect_phase("Backward::forward", "", "forward"); /* the function's own name counts first */
}

static void expect_names(struct name_request *requests, size_t count, const char *const *taken, size_t taken_count,
                         const char *const *names) {
  name_all(requests, count, taken, taken_count);
  for (size_t i = 0; i < count; ++i) {
    assert_string_equal(requests[i].name, names[i]);
    free(requests[i].name);
  }
}

static void no_name_is_given_twice(void **state) {
  (void)state;
  struct name_request shortened[] = {{.qualified = "softmax_run", .file = "a.cu"}, {.qualified = "softmax_run_kernel", .file = "a.cu"}};
  expect_names(shortened, 2, NULL, 0, (const char *const[]){"softmax_run", "softmax_run_kernel"});
  struct name_request overloads[] = {{.qualified = "scale", .file = "a.cu"}, {.qualified = "scale", .file = "a.cu"}, {.qualified = "scale", .file = "a.cu"}};
  expect_names(overloads, 3, NULL, 0, (const char *const[]){"scale", "scale_2", "scale_3"});
  struct name_request statics[] = {{.qualified = "scale", .file = "x/a.cu", .is_local = true}, {.qualified = "scale", .file = "x/b.cu", .is_local = true}};
  expect_names(statics, 2, NULL, 0, (const char *const[]){"a.scale", "b.scale"});
  struct name_request same_files[] = {{.qualified = "scale", .file = "x/a.cu", .is_local = true}, {.qualified = "scale", .file = "y/a.cu", .is_local = true}};
  expect_names(same_files, 2, NULL, 0, (const char *const[]){"a.scale", "a.scale_2"});
  const char *const pragma = "scale";
  struct name_request again[] = {{.qualified = "scale", .file = "a.cu"}};
  expect_names(again, 1, &pragma, 1, (const char *const[]){"scale_2"});
}

static void programs_of_one_folder_each_have_their_main(void **state) {
  (void)state;
  struct name_request mains[] = {{.qualified = "main", .file = "a.cu"}, {.qualified = "main", .file = "b.cu"}};
  expect_names(mains, 2, NULL, 0, (const char *const[]){"main", "main"});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_layer_and_its_part_are_joined_by_a_dot),
      cmocka_unit_test(scopes_are_joined_by_dots),
      cmocka_unit_test(what_says_kernel_alone_goes),
      cmocka_unit_test(an_operator_is_called_by_its_class),
      cmocka_unit_test(words_say_the_phase),
      cmocka_unit_test(words_inside_of_words_say_nothing),
      cmocka_unit_test(step_and_update_need_a_word_of_training),
      cmocka_unit_test(two_phases_are_none),
      cmocka_unit_test(no_name_is_given_twice),
      cmocka_unit_test(programs_of_one_folder_each_have_their_main),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
