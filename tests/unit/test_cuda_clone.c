// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Clones on a fake GPU: each is launched through the driver, in the kernel's module and on its stream,
 * with the kernel's arguments and the address for its counts; times are those of the kernel alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/process_calls.h"
#include "clones/clones.h"
#include "core/uncounted.h"
#include "cuda/cupti_types.h"
#include "cuda/device_cuda.h"
#include "core/gate.h"
#include "cuda/graph_launches.h"
#include "cuda/siblings.h"
#include "cuda_program.h"
#include "gpuprof.h"
#include "launch/repeats.h"
#include "report/aggregate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

int cudaGraphInstantiateWithFlags(void **, void *, unsigned long long);
int cudaGraphLaunch(void *, void *);
int cudaGraphExecUpdate(void *, void *, void *, void *);
int cudaGraphExecKernelNodeSetParams(void *, void *, const void *);
int cudaGraphExecDestroy(void *);
int cudaGraphAddNode_v2(void **, void *, const void *, uintptr_t, uintptr_t, void *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                   void **, void **);
int cuLaunchCooperativeKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                              void *, void **);

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tcounted\tgroups=2\n"
                            "cost\t0\t1\t-\t-\t0\tfp32_add=1\n"
                            "clone\t0\tfree\t2\t1:0:4\n"
                            "kernel\t1\tlost\tgroups=2\n"
                            "clone\t1\tfree\t2\t1:0:4\n"
                            "kernel\t2\tlight\tgroups=2\n"
                            "cost\t2\t1\t-\t-\t0\tfp32_add=1\n"
                            "clone\t2\tlight\t2\t1:0:4\n"
                            "apart\t2\t0:0\t0:0\n" /* never: one pointer */
                            "kernel\t3\tlarge\tgroups=2\n"
                            "cost\t3\t1\t-\t-\t0\tfp32_add=1\n"
                            "twin\t3\t2\n"
                            "kernel\t4\treads\tgroups=2\n"
                            "clone\t4\tlight\t2\t1:0:4\n"
                            "waits\t4\n"
                            "kernel\t5\tordered\tgroups=2\n"
                            "clone\t5\tlight\t2\t1:0:4\n"
                            "kernel\t6\trefused\tgroups=2\n"
                            "clone\t6\tlight\t2\t1:0:4\n"
                            "waits\t6\n"
                            "end\n";
static uint64_t bases[7];
static int kernel_runs, clone_runs, copy_runs, clones_alone, clone_faults, large_runs, bounded_runs;

static void counted(void **arguments) {
  (void)arguments;
  kernel_runs++;
}
static void reads(void **arguments) { (void)arguments; }
static void ordered(void **arguments) { (void)arguments; }
static void refused(void **arguments) { (void)arguments; }
static void lost(void **arguments) {
  (void)arguments;
  kernel_runs++;
}

static void light(void **arguments) {
  (void)arguments;
  kernel_runs++;
}

static void count_in_large(void **arguments) {
  uint64_t *counters = (uint64_t *)(uintptr_t)bases[3];
  if (!counters)
    return;
  counters[0] += 32;
  counters[1] += *(const uint32_t *)arguments[1];
}
static void large(void **arguments) {
  (void)arguments;
  kernel_runs++;
}

/* The fake driver's functions of the module (fake_libcuda.c). */
__attribute__((visibility("default"))) void fake_large_twin(void **arguments);
void fake_large_twin(void **arguments) {
  large_runs++;
  count_in_large(arguments);
}
__attribute__((visibility("default"))) void fake_bounded_twin(void **arguments);
void fake_bounded_twin(void **arguments) {
  bounded_runs++;
  count_in_large(arguments);
}

__attribute__((visibility("default"))) void fake_copy_with_counters(void **arguments);
void fake_copy_with_counters(void **arguments) {
  uint64_t *counters = (uint64_t *)(uintptr_t)bases[2];
  copy_runs++;
  counters[0] += 32;
  counters[1] += *(const uint32_t *)arguments[1];
}

__attribute__((visibility("default"))) void fake_counting_clone(void **arguments);
void fake_counting_clone(void **arguments) {
  uint64_t *place = (uint64_t *)(uintptr_t)*(const uint64_t *)arguments[2];
  uint64_t *counters = place + GPUPROF_CLONE_HEADER_BYTES / sizeof *place;
  clone_runs++;
  /* An assertion here would leave the runtime's locks behind. */
  clone_faults += !clones_alone && kernel_runs != clone_runs; /* it comes behind the kernel */
  for (size_t i = 0; i < GPUPROF_CLONE_HEADER_BYTES / sizeof *place + 2 * GPUPROF_CLONE_SLOTS; i++)
    clone_faults += place[i] != 0;
  place[0] = (uint64_t)(uintptr_t)bases;
  counters[0] = 32;
  counters[2 * (GPUPROF_CLONE_SLOTS - 1) + 1] = *(const uint32_t *)arguments[1];
}

static int register_program(void **state) {
  (void)state;
  return register_program_of(sheet, (const struct cuda_function[]){{counted, "counted"}, {lost, "lost"}, {light, "light"}, {large, "large"},
                                                               {reads, "reads"}, {ordered, "ordered"}, {refused, "refused"}},
                             7, bases);
}

static struct gp_record *launch(void (*kernel)(void **), uint32_t number) {
  uint64_t pointer = (number << 20) + 77; /* each number has an allocation of its own */
  void *arguments[] = {&pointer, &number};
  struct gp_record *record = launch_blocks(kernel, 1, 32, arguments);
  assert_int_equal(clone_faults, 0);
  return record;
}

static void the_clone_runs_behind_the_first_launch(void **state) {
  (void)state;
  launch(counted, 5);
  launch(counted, 6);
  assert_int_equal(clone_runs, 2);
  kernel_runs = clone_runs = 0;
  struct gp_record *record = launch(counted, 5);
  assert_int_equal(clone_runs, 0);
  assert_int_equal(record->launches, 3);
  assert_int_equal(record->counters[0], 0); /* the kernel has no counters of its own */
  uint64_t counts[2] = {0};
  assert_int_equal(gp_record_read(record, 0, counts), 0);
  assert_int_equal(counts[0], 3 * 32);
  assert_int_equal(counts[1], 5 + 6 + 5);
}

/* By a launch that may begin while the kernel ends, if the clone is made for it, and the driver takes it. */
static void a_clone_that_reads_memory_may_overlap_its_kernel(void **state) {
  (void)state;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  int *beside = dlsym(driver, "fake_launches_beside"), *refuses = dlsym(driver, "fake_refuses_beside");
  assert_true(beside && refuses);
  clones_alone = 1;
  clone_runs = 0;
  launch(ordered, 5);
  assert_int_equal(*beside, 0);
  launch(reads, 5);
  assert_int_equal(*beside, 1);
  *refuses = 1;
  launch(refused, 5);
  *refuses = clones_alone = 0;
  assert_int_equal(*beside, 1);
  assert_int_equal(clone_runs, 3);
}

static void a_missing_clone_is_said(void **state) {
  (void)state;
  struct gp_record *record = launch(lost, 1);
  assert_int_equal(record->launches, 1);
  assert_true(said("lost", "does not have the clone that stands for it"));
}

/* By the CUDA runtime, so it is timed and has all attributes of the launch. */
static void a_copy_with_counters_runs_in_the_kernels_place(void **state) {
  (void)state;
  kernel_runs = clone_runs = 0;
  struct gp_record *record = launch(light, 5);
  launch(light, 6);
  assert_int_equal(copy_runs, 2);
  assert_int_equal(kernel_runs, 0);
  assert_int_equal(clone_runs, 0);
  assert_int_equal(record->launches, 2);
  uint64_t counts[2] = {0};
  assert_int_equal(gp_record_read(record, 0, counts), 0);
  assert_int_equal(counts[0], 2 * 32);
  assert_int_equal(counts[1], 5 + 6);
}

static const struct gp_uncounted_launches *uncounted_kernel(const char *kernel) {
  const struct gp_uncounted_launches *l = gp_uncounted_all();
  while (l && strcmp(l->kernel, kernel))
    l = l->next;
  return l;
}

/* The program launches its kernel, and neither sees the error of ours nor loses the launch. */
static void a_copy_that_cannot_be_launched_leaves_the_kernel_its_place(void **state) {
  (void)state;
  const void **too_large = dlsym(dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD), "fake_too_large");
  assert_non_null(too_large);
  gp_uncounted_reset();
  kernel_runs = copy_runs = 0;
  *too_large = (const void *)(uintptr_t)fake_copy_with_counters;
  launch(light, 5);
  *too_large = NULL;
  assert_int_equal(copy_runs, 0);
  assert_int_equal(kernel_runs, 1);
  assert_int_equal(cudaGetLastError(), 0);
  assert_non_null(uncounted_kernel("light"));
  assert_int_equal(uncounted_kernel("light")->launches, 1);
  assert_non_null(strstr(uncounted_kernel("light")->why, "needs more registers than a block of this size leaves"));
  assert_true(said("light", "some of its launches are not counted"));
}

/* Counters leave too few registers for a large block. The program sees no error, the launch is counted. */
static void a_refused_twin_is_replaced_by_one_with_fewer_registers(void **state) {
  (void)state;
  const void **too_large = dlsym(dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD), "fake_too_large");
  assert_non_null(too_large);
  kernel_runs = 0;
  launch(large, 5);
  assert_int_equal(large_runs, 1);
  *too_large = (const void *)(uintptr_t)fake_large_twin;
  struct gp_record *record = launch(large, 6);
  *too_large = NULL;
  assert_int_equal(cudaGetLastError(), 0);
  assert_int_equal(kernel_runs, 0);
  assert_int_equal(large_runs, 1);
  assert_int_equal(bounded_runs, 1);
  assert_int_equal(record->launches, 2);
  assert_null(uncounted_kernel("large"));
  assert_true(said("large", "some of its launches ran a copy with fewer registers"));
  uint64_t counts[2] = {0};
  assert_int_equal(gp_record_read(record, 0, counts), 0);
  assert_int_equal(counts[0], 2 * 32);
  assert_int_equal(counts[1], 5 + 6);
}

static void *of_libraries(const char *library, const char *name) {
  void *symbol = dlsym(dlopen(library, RTLD_NOW | RTLD_NOLOAD), name);
  assert_non_null(symbol);
  return symbol;
}

/* Launches in blocks of so many threads; returns how often the runtime was asked to. */
static int tries_of_large(unsigned threads, size_t shared) {
  const char *(*log)(void);
  void (*clear)(void);
  uint64_t pointer = 77;
  uint32_t number = 1;
  void *arguments[] = {&pointer, &number};
  int tries = 0;
  *(void **)&log = of_libraries("libcudart.so.13", "fake_log");
  *(void **)&clear = of_libraries("libcudart.so.13", "fake_log_clear");
  clear();
  assert_int_equal(cudaLaunchKernel((const void *)(uintptr_t)large, (struct gp_cuda_dim3){1, 1, 1},
                                    (struct gp_cuda_dim3){threads, 1, 1}, arguments, shared, NULL),
                   0);
  for (const char *at = log(); (at = strstr(at, "launch ")); at++)
    tries++;
  return tries;
}

static void *tries_on_another_thread(void *tries) {
  *(int *)tries = tries_of_large(512, 0);
  return NULL;
}

/* A refusal for the size of blocks stays. Another one may be over: the twin is tried again. */
static void a_twin_is_not_tried_again_in_blocks_that_are_too_large(void **state) {
  (void)state;
  const void **too_large = of_libraries("libcudart.so.13", "fake_too_large");
  int *refusal = of_libraries("libcudart.so.13", "fake_refusal"), elsewhere = 0;
  int (*set)(void *function, int attribute, int value);
  enum { MOST_THREADS = 0, OUT_OF_MEMORY = 2, OUT_OF_RESOURCES = 701 };
  *(void **)&set = of_libraries("libcuda.so.1", "cuFuncSetAttribute");
  *too_large = (const void *)(uintptr_t)fake_large_twin;
  for (int i = 0; i < 2; i++)
    assert_int_equal(tries_of_large(512, 0), 2); /* how many threads it takes is not known */
  assert_int_equal(set((void *)(uintptr_t)fake_large_twin, MOST_THREADS, 256), 0);
  *refusal = OUT_OF_MEMORY;
  for (int i = 0; i < 2; i++)
    assert_int_equal(tries_of_large(512, 0), 2);
  *refusal = OUT_OF_RESOURCES;
  for (int i = 0; i < 2; i++)
    assert_int_equal(tries_of_large(256, 0), 2); /* not for its registers */
  for (int i = 0; i < 3; i++)
    assert_int_equal(tries_of_large(512, 0), i ? 1 : 2);
  assert_int_equal(tries_of_large(512, 64), 2);
  assert_int_equal(tries_of_large(512, 64), 1);
  pthread_t other;
  assert_int_equal(pthread_create(&other, NULL, tries_on_another_thread, &elsewhere), 0);
  pthread_join(other, NULL);
  assert_int_equal(elsewhere, 2);
  gp_siblings_forget(); /* as a device that ends */
  assert_int_equal(tries_of_large(512, 0), 2);
  *too_large = NULL;
  large_runs = 0;
  assert_int_equal(tries_of_large(128, 0), 1);
  assert_int_equal(large_runs, 1);
  assert_int_equal(cudaGetLastError(), 0);
  assert_int_equal(set((void *)(uintptr_t)fake_large_twin, MOST_THREADS, 0), 0);
}

static struct gp_memory_range memory_at(uint64_t address) {
  struct gp_memory_range range = {0};
  assert_int_equal(gp_device_cuda.allocation(address, &range), 0);
  return range;
}

/* Host pages and memory mapped by the program may lie at several addresses. */
static void the_driver_says_what_memory_lies_where(void **state) {
  (void)state;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  int *kind = dlsym(driver, "fake_pointer_kind"), *plain = dlsym(driver, "fake_pointer_plain");
  struct gp_memory_range range;
  assert_int_not_equal(gp_device_cuda.allocation(5, &range), 0);
  assert_int_equal(memory_at((7 << 20) + 9).start, 7 << 20);
  assert_int_equal(memory_at((7 << 20) + 9).bytes, 1 << 20);
  assert_int_equal(memory_at(7 << 20).shared, 0);
  *plain = 0;
  const uint64_t mapped = memory_at(7 << 20).shared;
  *kind = 1;
  const uint64_t host = memory_at(7 << 20).shared;
  *plain = 1;
  *kind = 2;
  assert_true(mapped && host && mapped != host);
}

#define KERNEL ((const void *)(uintptr_t)counted)

/* The counts of a graph's kernels are known at its instantiation, and added at each launch of it. */
static void graphs_count_when_they_are_launched(void **state) {
  (void)state;
  uint64_t pointer = 0;
  uint32_t numbers[] = {40, 50, 60};
  void *first[] = {&pointer, &numbers[0]}, *second[] = {&pointer, &numbers[1]},
       *third[] = {&pointer, &numbers[2]};
  struct fake_node inner[] = {
      {.type = 0, .kernel = {.function = KERNEL, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = first}},
      {.type = -1}};
  struct fake_node graph[] = {
      {.type = 0,
       .kernel = {.function = KERNEL, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = second}},
      {.type = 4, .child = inner},
      {.type = -1}};
  struct gp_record *record = launch(counted, 5);
  uint64_t before[2] = {0}, after[2] = {0};
  void *executable;
  assert_int_equal(gp_record_read(record, 0, before), 0);
  const uint64_t launches = record->launches, threads = record->threads;
  clone_runs = 0;
  clones_alone = 1;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  assert_int_equal(clone_runs, 2);
  for (int i = 0; i < 3; i++)
    assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
  graph[0].kernel.arguments = third;
  assert_int_equal(cudaGraphExecKernelNodeSetParams(executable, graph, &graph[0].kernel), 0);
  assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
  graph[1] = (struct fake_node){.type = -1};
  assert_int_equal(cudaGraphExecUpdate(executable, graph, NULL, NULL), 0);
  assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
  assert_int_equal(clone_runs, 3);
  assert_int_equal(cudaGraphExecDestroy(executable), 0);
  clones_alone = 0;
  assert_int_equal(gp_record_read(record, 0, after), 0);
  assert_int_equal(after[0] - before[0], 32 * (2 * 4 + 1));
  assert_int_equal(after[1] - before[1], 3 * (40 + 50) + (40 + 60) + 60);
  assert_int_equal(record->launches - launches, 2 * 4 + 1);
  assert_int_equal(record->threads - threads, 32 * (2 * 4 + 1));
}

/* A launch of a graph of many kernels takes no longer than one of a few. */
static void launches_of_graphs_are_added_when_records_are_read(void **state) {
  (void)state;
  uint64_t pointer = 0;
  uint32_t number = 7;
  void *given[] = {&pointer, &number}, *executable;
  const struct fake_node node = {.kernel = {.function = KERNEL, .grid = {2, 1, 1}, .block = {32, 1, 1}, .arguments = given}};
  struct fake_node graph[] = {node, node, {.type = -1}};
  clones_alone = 1;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  clones_alone = 0;
  for (int i = 0; i < 4; i++) {
    const uint32_t region = gpuprof_region_begin(i % 2 ? "odd graphs" : "even graphs");
    assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
    gpuprof_region_end(region);
  }
  const struct gp_record *record = gp_kernel_of(KERNEL)->records; /* the newest: of the odd ones */
  assert_string_equal(record->context->site->description.name, "odd graphs");
  assert_int_equal(record->launches, 0);
  for (int i = 0; i < 2; i++) {
    gp_process_calls.settle_launches();
    assert_int_equal(record->launches, 2 * 2);
    assert_int_equal(record->threads, 2 * 2 * 64);
    assert_int_equal(record->shapes->shapes[0].blocks, 2 * 2 * 2);
    assert_int_equal(record->next->launches, 2 * 2);
  }
  uint64_t counts[2] = {0};
  assert_int_equal(gp_record_read(record, 0, counts), 0);
  assert_int_equal(counts[1], 2 * 2 * 7);
  assert_int_equal(cudaGraphExecDestroy(executable), 0);
  assert_int_equal(record->launches, 2 * 2);
}

/* Each launch in a region of another name: the graph keeps few of them apart, and loses none. */
static void a_graph_launched_in_many_regions_counts_in_all(void **state) {
  (void)state;
  uint64_t pointer = 0, launches = 0;
  uint32_t number = 7;
  void *given[] = {&pointer, &number}, *executable;
  struct fake_node graph[] = {
      {.type = 0, .kernel = {.function = KERNEL, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = given}}, {.type = -1}};
  clones_alone = 1;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  clones_alone = 0;
  for (int i = 0; i < 2 * 40; i++) {
    char name[32];
    snprintf(name, sizeof name, "graph in step %d", i % 40);
    const uint32_t region = gpuprof_region_begin(name);
    assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
    gpuprof_region_end(region);
  }
  gp_process_calls.settle_launches();
  for (const struct gp_record *r = gp_kernel_of(KERNEL)->records; r; r = r->next)
    if (!strncmp(r->context->site ? r->context->site->description.name : "", "graph in step", 13)) {
      assert_int_equal(r->launches, 2);
      launches += r->launches;
    }
  assert_int_equal(launches, 2 * 40);
  assert_int_equal(cudaGraphExecDestroy(executable), 0);
}

static void *fake_variable(const char *library, const char *name) {
  void *variable = dlsym(dlopen(library, RTLD_NOW | RTLD_NOLOAD), name);
  assert_non_null(variable);
  return variable;
}

static int graph_has_record;
static void graph_launched(void) {
  int (*enabled)(int);
  *(void **)&enabled = fake_variable("libcupti.so.13", "fake_enabled");
  graph_has_record = enabled(GP_CUPTI_GRAPH);
}

static int launch_has_record(struct fake_node *graph) {
  void *executable;
  graph_has_record = -1;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
  assert_int_equal(cudaGraphExecDestroy(executable), 0);
  return graph_has_record;
}

/* CUDA may refuse its next launch, where a record ends the process. */
static void a_graph_that_keeps_memory_has_no_record(void **state) {
  (void)state;
  void (**launched)(void) = fake_variable("libcudart.so.13", "fake_graph_launched");
  struct fake_node inner[] = {{.type = 10}, {.type = -1}}, outer[] = {{.type = 4, .child = inner}, {.type = -1}};
  struct fake_node frees[] = {{.type = 10}, {.type = 11}, {.type = -1}};
  *launched = graph_launched;
  assert_int_equal(launch_has_record(inner), 0);
  assert_int_equal(launch_has_record(frees), 1);
  assert_int_equal(launch_has_record(outer), 0);
  graph_launched();
  assert_int_equal(graph_has_record, 1);
  *launched = NULL;
}

static int launched_inside;
static void look_at_gate(void) { launched_inside = gp_gate_is_inside(); }

/* A document has either a launch and its counts, or neither. */
static void graphs_pass_the_gate_of_documents(void **state) {
  (void)state;
  void *executable = NULL;
  void (**launched)(void) = fake_variable("libcudart.so.13", "fake_graph_launched");
  struct fake_node graph[] = {{.type = -1}};
  *launched = look_at_gate;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
  *launched = NULL;
  assert_int_equal(cudaGraphExecDestroy(executable), 0);
  assert_int_equal(launched_inside, 1);
  assert_int_equal(gp_gate_is_inside(), 0);
}

/* ---- Kernels with counters in graphs ---- */

static void *driver_variable(const char *name) { return fake_variable("libcuda.so.1", name); }

#define LIGHT ((const void *)(uintptr_t)light)

/* The graph may write memory read by a clone: the executable
 * graph gets its instrumented kernel. Each launch counts for
 * its region, also of a kernel never launched in another way. */
static void graphs_run_instrumented_kernels(void **state) {
  (void)state;
  uint64_t pointer = 0;
  uint32_t number = 4;
  void *given[] = {&pointer, &number}, *executable;
  struct fake_node graph[] = {
      {.type = 0, .kernel = {.function = LIGHT, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = given}},
      {.type = -1}};
  void **function = driver_variable("fake_function_of_node");
  *function = NULL;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  assert_ptr_equal(*function, (void *)(uintptr_t)fake_copy_with_counters);
  assert_ptr_equal(*(void **)driver_variable("fake_executable_changed"), executable);
  assert_ptr_equal(*(void **)driver_variable("fake_node_changed"), &graph[0]);
  assert_ptr_equal(graph[0].kernel.function, LIGHT);
  for (int i = 0; i < 2; i++) {
    uint32_t region = gpuprof_region_begin(i ? "graph in one region" : "and in another");
    bases[2] = 0;
    assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
    assert_int_equal(bases[2], gp_kernel_of(LIGHT)->records->counters[0]);
    assert_int_not_equal(bases[2], 0);
    gpuprof_region_end(region);
  }
  *function = NULL;
  assert_int_equal(cudaGraphExecKernelNodeSetParams(executable, graph, &graph[0].kernel), 0);
  assert_ptr_equal(*function, (void *)(uintptr_t)fake_copy_with_counters);
  gpuprof_disable();
  assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
  gpuprof_enable();
  assert_int_equal(bases[2], 0); /* counters are off */
  assert_int_equal(cudaGraphExecDestroy(executable), 0);
}

static int is_uncounted(const char *what, const char *why) {
  for (const struct gp_uncounted_launches *l = gp_uncounted_all(); l; l = l->next)
    if (!strcmp(l->what, what) && strstr(l->why, why))
      return 1;
  return 0;
}

/* Only the device knows the executions of a body: instrumented kernels count them, clones are refused. */
static void bodies_of_conditions_count_where_kernels_have_counters(void **state) {
  (void)state;
  uint64_t pointer = 0;
  uint32_t number = 400;
  void *given[] = {&pointer, &number}, *executable;
  struct fake_node body[] = {
      {.type = 0, .kernel = {.function = KERNEL, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = given}},
      {.type = 0, .kernel = {.function = LIGHT, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = given}},
      {.type = -1}};
  struct fake_node graph[] = {{.type = 13}, {.type = -1}};
  void *bodies[] = {body}, *node = &graph[0], **function = driver_variable("fake_function_of_node");
  struct gp_cuda_node_parameters parameters = {.type = 13, .body_count = 1, .bodies = bodies};
  uint64_t before[2] = {0}, after[2] = {0};
  struct gp_record *record = launch(counted, 5);
  assert_int_equal(gp_record_read(record, 0, before), 0);
  assert_int_equal(cudaGraphAddNode_v2(&node, graph, NULL, 0, 0, &parameters), 0);
  *function = NULL;
  clone_runs = 0;
  assert_int_equal(cudaGraphInstantiateWithFlags(&executable, graph, 0), 0);
  assert_ptr_equal(*function, (void *)(uintptr_t)fake_copy_with_counters);
  gp_uncounted_reset();
  assert_int_equal(cudaGraphLaunch(executable, NULL), 0);
  gp_graph_launches_settle();
  assert_true(is_uncounted("launches of counted", "it runs in a graph under a condition"));
  assert_int_equal(clone_runs, 0);
  assert_int_equal(gp_record_read(record, 0, after), 0);
  assert_memory_equal(before, after, sizeof before);
  assert_int_equal(cudaGraphExecDestroy(executable), 0);
}

/* ---- Launches by handles ---- */

static uint64_t launches_of(void (*kernel)(void **)) {
  uint64_t sum = 0;
  gp_repeats_settle();
  for (const struct gp_record *r = gp_kernel_of((const void *)(uintptr_t)kernel)->records; r; r = r->next)
    sum += r->launches;
  return sum;
}

static void handles_of_kernels_count_as_the_kernels(void **state) {
  (void)state;
  uint64_t pointer = 0;
  uint32_t number = 5;
  void *given[] = {&pointer, &number};
  const struct gp_cuda_dim3 one = {1, 1, 1}, block = {32, 1, 1};
  const uint64_t before = launches_of(counted);
  clones_alone = 1;
  assert_int_equal(cudaLaunchKernel((const char *)KERNEL + 1, one, block, given, 0, NULL), 0);
  assert_int_equal(launches_of(counted) - before, 1);
  assert_int_equal(cuLaunchKernel((void *)(uintptr_t)counted, 1, 1, 1, 32, 1, 1, 0, NULL, given, NULL), 0);
  assert_int_equal(cuLaunchCooperativeKernel((void *)(uintptr_t)counted, 1, 1, 1, 32, 1, 1, 0, NULL, given),
                   0);
  assert_int_equal(launches_of(counted) - before, 3);
  clones_alone = 0;
}

static void arguments_in_one_block_are_told_apart(void **state) {
  (void)state;
  struct {
    uint64_t pointer;
    uint32_t number;
  } block = {1 << 20, 9};
  size_t bytes = sizeof block;
  void *extra[] = {(void *)1, &block, (void *)2, &bytes, NULL};
  const uint64_t before = launches_of(light);
  copy_runs = 0;
  assert_int_equal(cuLaunchKernel((void *)(uintptr_t)light, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra), 0);
  assert_int_equal(launches_of(light) - before, 1);
  assert_int_equal(copy_runs, 1);
}

static void loaded(void **arguments) { (void)arguments; }

static void kernels_of_unknown_modules_are_listed(void **state) {
  (void)state;
  gp_uncounted_reset();
  assert_int_equal(cuLaunchKernel((void *)(uintptr_t)loaded, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), 0);
  const struct gp_uncounted_launches *l = gp_uncounted_all();
  assert_non_null(l);
  assert_non_null(strstr(l->what, "loaded"));
  assert_non_null(strstr(l->why, "a module that the program has loaded by itself"));
}

/* ---- Launches past the hook ---- */

/* CUPTI reports them, on the launching thread. Launches of the hook and of clones are known. */
static void launches_of_libraries_are_listed_with_their_region(void **state) {
  (void)state;
  void (*launch_past_us)(const char *, int);
  *(void **)&launch_past_us = dlsym(dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD), "fake_driver_launch");
  assert_non_null(launch_past_us);
  gp_uncounted_reset();
  const uint32_t region = gpuprof_region_begin("library");
  launch_past_us("_Z4gemmPf", 0);
  launch_past_us("_Z4gemmPf", 0);
  launch_past_us("_Z6failedPf", 719);
  clones_alone = 1;
  launch(counted, 5);
  clones_alone = 0;
  gpuprof_region_end(region);
  gpuprof_disable();
  launch_past_us("_Z6pausedPf", 0);
  gpuprof_enable();
  const struct gp_uncounted_launches *gemm = uncounted_kernel("_Z4gemmPf");
  assert_non_null(gemm);
  assert_int_equal(gemm->launches, 2);
  assert_string_equal(gemm->context->site->description.name, "library");
  assert_non_null(strstr(gemm->why, "a library launched it past gpuprof"));
  assert_null(gemm->next); /* no other kind is listed */
  assert_ptr_equal(gemm, gp_uncounted_all());
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_clone_runs_behind_the_first_launch),
      cmocka_unit_test(graphs_count_when_they_are_launched),
      cmocka_unit_test(launches_of_graphs_are_added_when_records_are_read),
      cmocka_unit_test(a_graph_launched_in_many_regions_counts_in_all),
      cmocka_unit_test(a_graph_that_keeps_memory_has_no_record),
      cmocka_unit_test(graphs_pass_the_gate_of_documents),
      cmocka_unit_test(a_clone_that_reads_memory_may_overlap_its_kernel),
      cmocka_unit_test(a_missing_clone_is_said),
      cmocka_unit_test(a_copy_with_counters_runs_in_the_kernels_place),
      cmocka_unit_test(a_copy_that_cannot_be_launched_leaves_the_kernel_its_place),
      cmocka_unit_test(a_refused_twin_is_replaced_by_one_with_fewer_registers),
      cmocka_unit_test(a_twin_is_not_tried_again_in_blocks_that_are_too_large),
      cmocka_unit_test(the_driver_says_what_memory_lies_where),
      cmocka_unit_test(graphs_run_instrumented_kernels),
      cmocka_unit_test(bodies_of_conditions_count_where_kernels_have_counters),
      cmocka_unit_test(handles_of_kernels_count_as_the_kernels),
      cmocka_unit_test(arguments_in_one_block_are_told_apart),
      cmocka_unit_test(kernels_of_unknown_modules_are_listed),
      cmocka_unit_test(launches_of_libraries_are_listed_with_their_region),
  };
  return cmocka_run_group_tests(tests, register_program, NULL);
}
