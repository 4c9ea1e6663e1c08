// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* libgpuprof-communication.so: the names of MPI and NCCL before those libraries. It is linked by programs with MPI or NCCL, or
 * preloaded. It needs no header of either: each argument passes as it came, in a register or 8 bytes of the stack. A handle is a
 * pointer (Open MPI) or an int (MPICH), whose upper half is not looked at.
 */
#include "gpuprof/communication_abi.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))
#define NONE GPUPROF_NO_BYTES
#define UNKNOWN GPUPROF_UNKNOWN_BYTES

typedef intptr_t word;

/* ---- The next function of a name ---- */

/* Files of MPI and NCCL: a program may have opened them for itself alone, as Python does. */
static const char *const libraries[] = {"libmpi.so.40", "libmpi.so.12", "libmpi.so",      "libmpich.so.12",
                                        "libmpi_abi.so.0", "libnccl.so.2", "libnccl.so"};

static void *in_opened_library(const char *name) {
  void *found = NULL;
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !found; i++) {
    void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library) {
      found = dlsym(library, name);
      dlclose(library); /* it stays open for those that opened it */
    }
  }
  return found;
}

typedef _Atomic(void *) function;

/* Once: a program may call again and again. */
static void tell_missing(const char *name) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&told))
    fprintf(stderr, "gpuprof: error: no library of this process has %s; link or open its library before the first call\n", name);
}

static void *next_of(function *known, const char *name) {
  void *next = atomic_load_explicit(known, memory_order_relaxed);
  if (next)
    return next;
  next = dlsym(RTLD_NEXT, name);
  if (!next)
    next = in_opened_library(name);
  if (!next)
    tell_missing(name);
  atomic_store_explicit(known, next, memory_order_relaxed);
  return next;
}

/* ---- Bytes ---- */

/* By the profiling name: other profilers between do not see it. A negative answer is MPI_UNDEFINED. */
static uint64_t ask(function *known, const char *name, word handle) {
  int (*next)(word, int *) = (int (*)(word, int *))next_of(known, name);
  int answer = 0;
  return next && !next(handle, &answer) && answer >= 0 ? (uint64_t)answer : UNKNOWN;
}

static uint64_t size_of(word type) {
  static function known;
  return ask(&known, "PMPI_Type_size", type);
}

static uint64_t ranks_of(word communicator) {
  static function known;
  const uint64_t ranks = ask(&known, "PMPI_Comm_size", communicator);
  return ranks == UNKNOWN ? 0 : ranks;
}

static uint64_t times(uint64_t count, uint64_t bytes) { return bytes == UNKNOWN ? UNKNOWN : count * bytes; }

static uint64_t of_each(uint64_t ranks, uint64_t bytes) { return ranks ? times(ranks, bytes) : UNKNOWN; }

static uint64_t both(uint64_t a, uint64_t b) { return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a + b; }

/* A type without elements may be any value. */
static uint64_t data(word count, word type) { return (int)count > 0 ? times((uint64_t)(int)count, size_of(type)) : 0; }

static uint64_t data_of_all(word counts, word type, word communicator) {
  const int *each = (const int *)counts;
  const uint64_t ranks = ranks_of(communicator);
  uint64_t sum = 0;
  for (uint64_t i = 0; each && i < ranks; i++)
    sum += each[i] > 0 ? (uint64_t)each[i] : 0;
  return !ranks ? UNKNOWN : sum ? times(sum, size_of(type)) : 0;
}

/* MPI_IN_PLACE of Open MPI and of MPICH: count and type beside it mean nothing. */
static int in_place(word buffer) { return buffer == 1 || buffer == -1; }

static uint64_t data_or(word buffer, word count, word type, word other_count, word other_type) {
  return in_place(buffer) ? data(other_count, other_type) : data(count, type);
}

static uint64_t elements(word count, word type) {
  static const unsigned char bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1}; /* ncclDataType_t */
  const unsigned number = (unsigned)type;
  return number < sizeof bytes ? (uint64_t)count * bytes[number] : UNKNOWN;
}

/* ---- Calls: of those within one another, the outermost counts ---- */

static __thread int inside __attribute__((tls_model("initial-exec")));

static int begins(struct gpuprof_communication_call *call) {
  if (inside || !__gpuprof_communication_begin(call))
    return 0;
  inside = 1;
  return 1;
}

static void ends(const struct gpuprof_communication_call *call, const char *name, uint64_t bytes, uint64_t ranks) {
  __gpuprof_communication_end(call, name, bytes, ranks);
  inside = 0;
}

#define MISSING 16 /* an error in both: MPI_ERR_OTHER, or no result of NCCL */

#define PARAMETERS_0 void
#define PARAMETERS_1 word a
#define PARAMETERS_2 PARAMETERS_1, word b
#define PARAMETERS_3 PARAMETERS_2, word c
#define PARAMETERS_4 PARAMETERS_3, word d
#define PARAMETERS_5 PARAMETERS_4, word e
#define PARAMETERS_6 PARAMETERS_5, word f
#define PARAMETERS_7 PARAMETERS_6, word g
#define PARAMETERS_8 PARAMETERS_7, word h
#define PARAMETERS_9 PARAMETERS_8, word i
#define PARAMETERS_12 PARAMETERS_9, word j, word k, word l
#define ARGUMENTS_0
#define ARGUMENTS_1 a
#define ARGUMENTS_2 a, b
#define ARGUMENTS_3 a, b, c
#define ARGUMENTS_4 a, b, c, d
#define ARGUMENTS_5 a, b, c, d, e
#define ARGUMENTS_6 a, b, c, d, e, f
#define ARGUMENTS_7 a, b, c, d, e, f, g
#define ARGUMENTS_8 a, b, c, d, e, f, g, h
#define ARGUMENTS_9 a, b, c, d, e, f, g, h, i
#define ARGUMENTS_12 a, b, c, d, e, f, g, h, i, j, k, l

/* Bytes are asked before the call, since the program may free a type right behind it. */
#define DEFINE(name, count, stated, all)                                                                             \
  EXPORT int name(PARAMETERS_##count);                                                                               \
  EXPORT int name(PARAMETERS_##count) {                                                                              \
    static function known;                                                                                           \
    struct gpuprof_communication_call call;                                                                          \
    int (*next)(PARAMETERS_##count) = (int (*)(PARAMETERS_##count))next_of(&known, #name);                           \
    if (!next)                                                                                                       \
      return MISSING;                                                                                                \
    if (!begins(&call))                                                                                              \
      return next(ARGUMENTS_##count);                                                                                \
    const uint64_t bytes = stated, ranks = all;                                                                      \
    const int result = next(ARGUMENTS_##count);                                                                      \
    ends(&call, #name, bytes, ranks);                                                                                \
    return result;                                                                                                   \
  }
#define GP_MPI(name, count, bytes, ranks) DEFINE(name, count, bytes, ranks)
#define GP_NCCL(name, count, bytes) DEFINE(name, count, bytes, 0)
#include "functions.inc"
