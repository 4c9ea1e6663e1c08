// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A bad address, a division by zero or a trap in a kernel stops the launch with CUDA's error, as on a GPU,
 * instead of ending the program. Signals from anywhere else go on to whoever handled them before.
 */
#include "engine/cluster.h"
#include "engine/emulator.h"
#include "engine/errors.h"
#include "engine/lines.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { SIGNAL_STACK_BYTES = 64 * 1024 };

static const struct {
  int signal, error;
} handled[] = {
    {SIGSEGV, GP_ERROR_ILLEGAL_ADDRESS},
    {SIGBUS, GP_ERROR_ILLEGAL_ADDRESS},
    {SIGFPE, GP_ERROR_ILLEGAL_INSTRUCTION},
    {SIGILL, GP_ERROR_LAUNCH_FAILURE},
};
enum { HANDLED = sizeof handled / sizeof *handled };
static struct sigaction before[HANDLED];

static size_t index_of(int signal) {
  size_t i = 0;
  while (i + 1 < HANDLED && handled[i].signal != signal)
    i++;
  return i;
}

static void pass_on(int signal, siginfo_t *info, void *context) {
  const struct sigaction *old = &before[index_of(signal)];
  if (old->sa_flags & SA_SIGINFO)
    old->sa_sigaction(signal, info, context);
  else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
    old->sa_handler(signal);
  else
    sigaction(signal, old, NULL); /* the instruction runs again, and the program ends as it would have */
}

/* What lies at an address of which nothing is known, as far as it helps to find out how it came about. */
static void write_surroundings(char *text, size_t size, uint64_t address) {
  enum { NEAR_NULL = 1 << 16, NEAR = 1 << 30 };
  const struct gp_neighbours n = gp_arena_neighbours(address);
  uint64_t end = n.before.address + n.before.bytes;
  if (address < NEAR_NULL)
    snprintf(text, size, "a null pointer, or an index from one");
  else if (n.before.bytes && address - end < NEAR)
    snprintf(text, size, "%llu bytes behind the end of an allocation of %llu bytes",
             (unsigned long long)(address - end), (unsigned long long)n.before.bytes);
  else if (n.behind.bytes && n.behind.address - address < NEAR)
    snprintf(text, size, "%llu bytes before the start of an allocation of %llu bytes",
             (unsigned long long)(n.behind.address - address), (unsigned long long)n.behind.bytes);
  else
    snprintf(text, size, "no memory of the device is there");
}

static _Noreturn void stop_at_address(int error, const char *where, const siginfo_t *info) {
  uint64_t address = (uint64_t)info->si_addr;
  char surroundings[200];
  const struct gp_cpu_launch *launch = gp_cpu_worker->launch;
  bool names_thread = !launch->as_loop || !launch->kernel->thread;
  char hint[128] = "";
  if (!*where || !names_thread)
    snprintf(hint, sizeof hint, "; to be told %s%s%s", *where ? "" : "the source line, compile with -g",
             *where || names_thread ? "" : ", ",
             names_thread ? "" : "the thread, set GPUPROF_SCHEDULE=strict");
  if (gp_cluster_is_nowhere(address))
    gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE,
                "%saccess to shared memory of a block that its cluster does not have: it has %u%s", where,
                launch->cluster_blocks, hint);
  if (gp_worker_owns_stack(gp_cpu_worker, address))
    gp_cpu_stop(error, "%sits stack of %d KiB overflowed: keep less in local arrays, or call less deeply%s",
                where, GP_CPU_STACK_BYTES / 1024, hint);
  if (info->si_code == SI_KERNEL) /* a protection fault: the processor tells no address */
    gp_cpu_stop(error,
                "%sillegal access: the address is not a multiple of the vector's size, or no pointer at all%s%s",
                where, gp_cpu_fresh_byte() ? " (memory that was never written reads as 0xCD)" : "", hint);
  write_surroundings(surroundings, sizeof surroundings, address);
  gp_cpu_stop(error, "%sillegal access to address %p: %s%s", where, info->si_addr, surroundings, hint);
}

static _Noreturn void stop_kernel(int signal, const siginfo_t *info, const ucontext_t *context) {
  int error = handled[index_of(signal)].error;
  char where[200] = "";
  if (gp_source_line((uint64_t)context->uc_mcontext.gregs[REG_RIP], where, sizeof where - 2))
    strcat(where, ": ");
  if (signal == SIGFPE)
    gp_cpu_stop(error, "%san integer was divided by zero", where);
  if (signal == SIGILL)
    gp_cpu_stop(error, "%sthe kernel trapped", where);
  stop_at_address(error, where, info);
}

/* A handler's return would do so; one that never returns has to, since ThreadSanitizer blocks all signals in handlers. */
static void restore_mask(const ucontext_t *context) { pthread_sigmask(SIG_SETMASK, &context->uc_sigmask, NULL); }

static void on_signal(int signal, siginfo_t *info, void *context) {
  if (gp_cpu_worker && info->si_code > 0) { /* positive: raised by the machine, not sent by a process */
    restore_mask(context);
    stop_kernel(signal, info, context); /* leaves the signal's stack for the worker's */
  } else {
    pass_on(signal, info, context);
  }
}

static _Atomic size_t open_handlers; /* a fork may come between two of them */

void gp_faults_open(void) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < HANDLED; i++) {
    sigaction(handled[i].signal, &action, &before[i]);
    open_handlers = i + 1;
  }
}

void gp_faults_close(void) {
  for (size_t i = open_handlers; i-- > 0; open_handlers = i)
    sigaction(handled[i].signal, &before[i], NULL);
}

static pthread_key_t stack_key;
static pthread_once_t stack_key_made = PTHREAD_ONCE_INIT;
static bool has_stack_key;

static void give_stack_back(void *memory) {
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  munmap(memory, SIGNAL_STACK_BYTES);
}

static void make_stack_key(void) { has_stack_key = !pthread_key_create(&stack_key, give_stack_back); }

void gp_faults_thread(void) {
  static _Thread_local bool ready;
  stack_t current;
  if (ready)
    return;
  ready = true;
  if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE))
    return; /* the program has a signal stack of its own here */
  void *memory = mmap(NULL, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = SIGNAL_STACK_BYTES}, NULL);
  pthread_once(&stack_key_made, make_stack_key);
  if (has_stack_key)
    pthread_setspecific(stack_key, memory); /* given back when the thread ends */
}
