// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls of the driver and of the CUDA runtime by launches that repeat one before, on fake ones: only the program's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clones/clones.h"
#include "cuda_program.h"
#include "gpuprof.h"
#include "launch/repeats.h"

#include <dlfcn.h>
#include <string.h>

int cudaGraphInstantiateWithFlags(void **, void *, unsigned long long);
int cudaGraphLaunch(void *, void *);

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\ttwinned\tgroups=2\n"
                            "cost\t0\t1\t-\t-\t0\tfp32_add=1\n"
                            "twin\t0\t2\n"
                            "counters\t0\t2\t16\n"
                            "kernel\t1\tcounted\tgroups=2\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_add=1\n"
                            "clone\t1\tfree\t1\t0:0:8\n"
                            "kernel\t2\tlarge\tgroups=2\n"
                            "cost\t2\t1\t-\t-\t0\tfp32_add=1\n"
                            "twin\t2\t2\n"
                            "counters\t2\t2\t16\n"
                            "end\n";
static uint64_t bases[3];
static int twin_runs, kernel_runs, large_runs, bounded_runs;

static void twinned(void **arguments) { (void)arguments; }
static void large(void **arguments) { (void)arguments; }
static void counted(void **arguments) {
  (void)arguments;
  kernel_runs++;
}

/* Of the fake driver's module (fake_libcuda.c). */
__attribute__((visibility("default"))) void fake_twin(void **arguments);
void fake_twin(void **arguments) {
  (void)arguments;
  twin_runs++;
}
__attribute__((visibility("default"))) void fake_large_twin(void **arguments);
void fake_large_twin(void **arguments) {
  (void)arguments;
  large_runs++;
}
__attribute__((visibility("default"))) void fake_bounded_twin(void **arguments);
void fake_bounded_twin(void **arguments) {
  (void)arguments;
  bounded_runs++;
}
__attribute__((visibility("default"))) void fake_counting_clone(void **arguments);
void fake_counting_clone(void **arguments) { *(uint64_t *)(uintptr_t)*(uint64_t *)arguments[1] = (uint64_t)(uintptr_t)bases; }

static int register_program(void **state) {
  (void)state;
  return register_program_of(
      sheet, (const struct cuda_function[]){{twinned, "twinned"}, {counted, "counted"}, {large, "large"}}, 3,
      bases);
}

static void *of_runtime(const char *name) {
  void *symbol = dlsym(dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD), name);
  assert_non_null(symbol);
  return symbol;
}

static int lines_of_log(void) {
  const char *(*log)(void);
  *(void **)&log = of_runtime("fake_log");
  int lines = 0;
  for (const char *at = log(); (at = strchr(at, '\n')); at++)
    lines++;
  return lines;
}

static void clear_log(void) {
  void (*clear)(void);
  *(void **)&clear = of_runtime("fake_log_clear");
  clear();
  *(int *)of_runtime("fake_asks") = 0;
}

enum { FEW = 5, MANY = 50 };
static void launch_often(void (*kernel)(void **), int times, void *stream) {
  uint64_t values[2] = {3, 4};
  void *arguments[] = {&values[0], &values[1]};
  const struct gp_cuda_dim3 one = {1, 1, 1}, block = {32, 1, 1};
  for (int i = 0; i < times; i++)
    assert_int_equal(cudaLaunchKernel((const void *)(uintptr_t)kernel, one, block, arguments, 0, stream), 0);
}

static void assert_own_calls_alone(void (*kernel)(void **)) {
  launch_often(kernel, FEW, NULL);
  clear_log();
  const uint64_t before = gp_repeats_count();
  launch_often(kernel, MANY, NULL);
  assert_int_equal(gp_repeats_count() - before, MANY);
  assert_int_equal(lines_of_log(), MANY); /* the launches */
  assert_int_equal(*(int *)of_runtime("fake_asks"), 0);
}

static void a_kernel_with_a_free_clone_makes_no_call_of_gpuprof(void **state) {
  (void)state;
  kernel_runs = 0;
  assert_own_calls_alone(counted);
  assert_int_equal(kernel_runs, FEW + MANY);
}

static void a_twin_makes_no_call_of_gpuprof(void **state) {
  (void)state;
  twin_runs = 0;
  assert_own_calls_alone(twinned);
  assert_int_equal(twin_runs, FEW + MANY);
}

/* A stream may be captured: this alone is asked. (The fake driver cannot tell; the runtime is asked in its place.) */
static void a_stream_is_asked_for_a_capture(void **state) {
  (void)state;
  void *stream = (void *)0x1000;
  launch_often(counted, FEW, stream);
  clear_log();
  launch_often(counted, MANY, stream);
  assert_int_equal(lines_of_log(), MANY);
  assert_int_equal(*(int *)of_runtime("fake_asks"), MANY);
}

/* Each launch goes to the twin with fewer registers at once. */
static void a_refused_twin_is_not_tried_again(void **state) {
  (void)state;
  int (*set)(void *function, int attribute, int value);
  *(void **)&set = dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), "cuFuncSetAttribute");
  const void **too_large = of_runtime("fake_too_large");
  enum { MOST_THREADS = 0 };
  assert_int_equal(set((void *)(uintptr_t)fake_large_twin, MOST_THREADS, 31), 0);
  *too_large = (const void *)(uintptr_t)fake_large_twin;
  assert_own_calls_alone(large);
  *too_large = NULL;
  assert_int_equal(large_runs, 0);
  assert_int_equal(bounded_runs, FEW + MANY);
}

static void graphs_make_no_call_for_their_kernels(void **state) {
  (void)state;
  enum { NODES = 20 };
  uint64_t value = 3;
  void *arguments[] = {&value}, *executable, *stream = (void *)0x1000;
  static struct fake_node graph[NODES + 1];
  for (int i = 0; i < NODES; i++)
    graph[i] = (struct fake_node){
        .kernel = {.function = (const void *)(uintptr_t)counted, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = arguments}};
  graph[NODES].type = -1;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  assert_int_equal(cudaGraphLaunch(executable, stream), 0);
  clear_log();
  assert_int_equal(cudaGraphLaunch(executable, stream), 0);
  assert_int_equal(lines_of_log(), 0);
  assert_in_range(*(int *)of_runtime("fake_asks"), 0, 1); /* whether the stream is captured */
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kernel_with_a_free_clone_makes_no_call_of_gpuprof),
      cmocka_unit_test(a_twin_makes_no_call_of_gpuprof),
      cmocka_unit_test(a_refused_twin_is_not_tried_again),
      cmocka_unit_test(a_stream_is_asked_for_a_capture),
      cmocka_unit_test(graphs_make_no_call_for_their_kernels),
  };
  return cmocka_run_group_tests(tests, register_program, NULL);
}
