// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Twins with counters on a fake GPU: they take the place of their kernel in launches and graphs, with its attributes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clones/clones.h"
#include "core/uncounted.h"
#include "cuda_program.h"
#include "gpuprof.h"

#include <dlfcn.h>
#include <string.h>

int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
int cudaGraphInstantiateWithFlags(void **, void *, unsigned long long);
int cudaGraphExecKernelNodeSetParams(void *, void *, const void *);
int cudaGraphLaunch(void *, void *);
int cuFuncSetAttribute(void *, int, int);

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\ttwinned\tgroups=2\n"
                            "cost\t0\t1\t-\t-\t0\tfp32_add=1\n"
                            "twin\t0\t2\n"
                            "counters\t0\t2\t16\n"
                            "kernel\t1\tcounted\tgroups=2\n"
                            "end\n";
static uint64_t bases[2];
static int kernel_runs, twin_runs;
enum { DYNAMIC_SHARED = 8 };

static void twinned(void **arguments) {
  (void)arguments;
  kernel_runs++;
}
static void counted(void **arguments) {
  (void)arguments;
  kernel_runs++;
}
#define TWINNED ((const void *)(uintptr_t)twinned)

/* Of the fake driver's module (fake_libcuda.c). */
__attribute__((visibility("default"))) void fake_twin(void **arguments);
void fake_twin(void **arguments) {
  const uint64_t given = *(const uint64_t *)arguments[2];
  uint64_t *counters = (uint64_t *)(uintptr_t)(given ? given : bases[0]);
  twin_runs++;
  if (!counters)
    return;
  counters[0] += 32;
  counters[1] += 7;
}

static int register_program(void **state) {
  (void)state;
  return register_program_of(sheet, (const struct cuda_function[]){{twinned, "twinned"}, {counted, "counted"}}, 2, bases);
}

static void *of_driver(const char *name) {
  void *symbol = dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), name);
  assert_non_null(symbol);
  return symbol;
}

static struct gp_record *launch(size_t shared) {
  uint64_t values[2] = {0};
  void *arguments[] = {&values[0], &values[1]};
  const struct gp_cuda_dim3 one = {1, 1, 1}, block = {32, 1, 1};
  assert_int_equal(cudaLaunchKernel(TWINNED, one, block, arguments, shared, NULL), 0);
  return gp_kernel_of(TWINNED)->records;
}

static void launches_run_the_twin_and_search_it_once(void **state) {
  (void)state;
  launch(0);
  const int *searches = of_driver("fake_searches"), before = *searches;
  struct gp_record *record = launch(0);
  uint64_t counts[2] = {0};
  assert_int_equal(*searches, before);
  assert_int_equal(bases[0], 0); /* each launch gets its counters as an argument */
  assert_int_equal(twin_runs, 2);
  assert_int_equal(kernel_runs, 0);
  assert_int_equal(gp_record_read(record, 0, counts), 0);
  assert_int_equal(counts[0], 64);
  assert_int_equal(counts[1], 14);
}

static int shared_of_twin(void) {
  int (*attribute)(int *value, int attribute, void *function);
  int value = -1;
  *(void **)&attribute = of_driver("cuFuncGetAttribute");
  assert_int_equal(attribute(&value, DYNAMIC_SHARED, (void *)(uintptr_t)fake_twin), 0);
  return value;
}

/* Also if it was launched before, and if a function set them that gpuprof does not see. */
static void attributes_of_the_kernel_reach_the_twin(void **state) {
  (void)state;
  int (*set)(void *function, int attribute, int value);
  *(void **)&set = of_driver("cuFuncSetAttribute");
  for (int bytes = 70000; bytes <= 90000; bytes += 10000) {
    assert_int_equal(set((void *)(uintptr_t)twinned, DYNAMIC_SHARED, bytes), 0);
    launch((size_t)bytes);
    assert_int_equal(shared_of_twin(), bytes);
  }
}

static int blocks_of(void (*kernel)(void **)) {
  int blocks = 0;
  assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)(uintptr_t)kernel, 32, 0), 0);
  return blocks;
}

/* A cooperative grid must fit with either. */
static void occupancy_is_of_the_larger_one(void **state) {
  (void)state;
  int *blocks = of_driver("fake_blocks");
  *blocks = 3;
  assert_int_equal(blocks_of(twinned), 3);
  assert_int_equal(blocks_of(counted), 5);
  *blocks = 8;
  assert_int_equal(blocks_of(twinned), 5);
}

static void graphs_run_the_twin(void **state) {
  (void)state;
  void *given[] = {NULL, NULL}, *executable, **function = of_driver("fake_function_of_node");
  struct fake_node graph[] = {
      {.type = 0, .kernel = {.function = TWINNED, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = given}}, {.type = -1}};
  *function = NULL;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  assert_ptr_equal(*function, (void *)(uintptr_t)fake_twin);
}

/* A graph's launches bind their counters: 0 stands behind the kernel's arguments. */
static void graphs_give_no_address(void **state) {
  (void)state;
  uint64_t values[] = {11, 12};
  void *given[] = {&values[0], &values[1]}, *executable;
  struct fake_node graph[] = {
      {.type = 0, .kernel = {.function = TWINNED, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = given}}, {.type = -1}};
  uint64_t *put = of_driver("fake_arguments");
  size_t *count = of_driver("fake_arguments_of_node");
  *count = 3;
  put[2] = 77;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  assert_int_equal(put[0], 11);
  assert_int_equal(put[1], 12);
  assert_int_equal(put[2], 0);
  values[0] = 13;
  put[2] = 77;
  assert_int_equal(cudaGraphExecKernelNodeSetParams(executable, graph, &graph[0].kernel), 0);
  assert_int_equal(put[0], 13);
  assert_int_equal(put[2], 0);
  bases[0] = 0;
  assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
  assert_int_equal(bases[0], gp_kernel_of(TWINNED)->records->counters[0]);
  *count = 0;
}

/* The same of arguments in one block, which may end before the place of the address. */
static void a_block_of_arguments_is_extended(void **state) {
  (void)state;
  struct {
    uint64_t first;
    uint32_t second, end;
  } block = {21, 22, 99};
  size_t bytes = 12, *count = of_driver("fake_arguments_of_node");
  void *extra[] = {(void *)1, &block, (void *)2, &bytes, NULL}, *executable;
  struct fake_node graph[] = {
      {.type = 0, .kernel = {.function = TWINNED, .grid = {1, 1, 1}, .block = {32, 1, 1}, .extra = extra}}, {.type = -1}};
  uint64_t *put = of_driver("fake_arguments");
  *count = 3;
  put[2] = 77;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  assert_int_equal(*(size_t *)of_driver("fake_block_bytes"), 24);
  assert_int_equal(put[0], 21);
  assert_int_equal(put[1], 22);
  assert_int_equal(put[2], 0);
  *count = 0;
}

static void a_pause_runs_the_kernel_itself(void **state) {
  (void)state;
  twin_runs = kernel_runs = 0;
  gpuprof_disable();
  launch(0);
  gpuprof_enable();
  assert_int_equal(twin_runs, 0);
  assert_int_equal(kernel_runs, 1);
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches_run_the_twin_and_search_it_once),
      cmocka_unit_test(attributes_of_the_kernel_reach_the_twin),
      cmocka_unit_test(occupancy_is_of_the_larger_one),
      cmocka_unit_test(graphs_run_the_twin),
      cmocka_unit_test(graphs_give_no_address),
      cmocka_unit_test(a_block_of_arguments_is_extended),
      cmocka_unit_test(a_pause_runs_the_kernel_itself),
  };
  return cmocka_run_group_tests(tests, register_program, NULL);
}
