// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A bad address, a division by zero or a trap in a kernel stops the launch with CUDA's error, as on a GPU.
 * The program goes on. Signals from outside of kernels go to their previous handler.
 *
 * Installing four handlers and removing them takes eight system calls. They therefore stay installed between
 * launches. They are removed when the program queries or sets a handler (base/signal_calls.h), or when a
 * signal arrives between launches. The signal then comes again, to the program's own handler.
 */
#include "base/signal_calls.h"
#include "common/errors.h"
#include "engine/cluster.h"
#include "engine/emulator.h"
#include "engine/lines.h"
#include "memory/arena.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

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

/* KEPT: installed, between launches. OPEN: a launch is under way. ASKED: the program has queried or set a
 * handler meanwhile. LEAVING: a thread removes them. */
enum state { CLOSED, KEPT, OPEN, ASKED, LEAVING };
static _Atomic int state;
/* of the kept handlers: a child of vfork() shares this memory, and has handlers of its own */
static _Atomic pid_t owner;

/* libc's function if the program's calls are watched, otherwise the one called by the program. */
static gp_sigaction_function *set_action = sigaction;
static bool may_keep;

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
    set_action(signal, old, NULL); /* the instruction runs again, and the program ends as it would have */
}

/* Describes the surroundings of an unknown address, as far as they help to find the cause. */
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
  if (info->si_code == SI_KERNEL) /* a protection fault: the processor reports no address */
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

/* A handler restores the mask by its return. This one never returns and has to restore it itself:
 * ThreadSanitizer blocks all signals in handlers. */
static void restore_mask(const ucontext_t *context) { pthread_sigmask(SIG_SETMASK, &context->uc_sigmask, NULL); }

static void on_signal(int signal, siginfo_t *info, void *context);

static bool is_own(const struct sigaction *action) {
  return action->sa_flags & SA_SIGINFO && action->sa_sigaction == on_signal;
}

static bool is_installed(int signal) {
  struct sigaction current;
  return !set_action(signal, NULL, &current) && is_own(&current);
}

/* ---- Installation and removal ------------------------------------------------------------------------- */

static void install(void) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER}, found;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < HANDLED; i++)
    if (!set_action(handled[i].signal, &action, &found) && !is_own(&found))
      before[i] = found;
}

/* Handlers set by the program meanwhile stay. */
static void take_out(void) {
  for (size_t i = HANDLED; i-- > 0;)
    if (is_installed(handled[i].signal))
      set_action(handled[i].signal, &before[i], NULL);
}

/* True if some signal is ignored: a program executed by this one inherits that. */
static bool ignores_some(void) {
  for (size_t i = 0; i < HANDLED; i++)
    if (!(before[i].sa_flags & SA_SIGINFO) && before[i].sa_handler == SIG_IGN)
      return true;
  return false;
}

static bool changes(int from, int to) { return atomic_compare_exchange_strong(&state, &from, to); }

/* All signals are blocked meanwhile: a handler on this thread would wait for the interrupted function. */
static void leave(void) {
  sigset_t all, mask;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  if (changes(KEPT, LEAVING)) {
    take_out();
    atomic_store(&state, CLOSED);
  }
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void on_call(int signal) {
  const int error = errno;
  if (handled[index_of(signal)].signal != signal || atomic_load(&state) == CLOSED)
    return;
  if (getpid() != atomic_load(&owner))
    take_out();
  else if (!changes(OPEN, ASKED))
    for (int seen; (seen = atomic_load(&state)) == KEPT || seen == LEAVING;)
      seen == KEPT ? leave() : (void)sched_yield();
  errno = error;
}

/* The signal comes again: the machine raises it anew, or it is sent as it was. */
static void repeat(int signal, siginfo_t *info) {
  if (info->si_code <= 0)
    syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, info);
}

/* True between launches, unless the program's handler has called this one. */
static bool is_kept_from_program(int signal) {
  const int seen = atomic_load(&state);
  return seen != OPEN && seen != ASKED && is_installed(signal);
}

static void pass_to_program(int signal, siginfo_t *info, void *context) {
  const int error = errno;
  if (is_kept_from_program(signal)) {
    on_call(signal);
    if (is_installed(signal)) /* a child of vfork() has closed them for itself */
      take_out();
    repeat(signal, info);
  } else {
    pass_on(signal, info, context);
  }
  errno = error;
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  if (gp_cpu_worker && info->si_code > 0) { /* positive: raised by the machine, not sent by a process */
    restore_mask(context);
    stop_kernel(signal, info, context); /* leaves the signal's stack for the worker's */
  } else {
    pass_to_program(signal, info, context);
  }
}

static void look_who_is_first(void) {
  gp_sigaction_function *libc = gp_signal_calls_watch(on_call);
  may_keep = libc != NULL;
  if (libc)
    set_action = libc;
}

void gp_faults_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (changes(KEPT, OPEN))
    return;
  pthread_once(&once, look_who_is_first);
  while (!changes(CLOSED, OPEN))
    sched_yield();
  atomic_store(&owner, getpid());
  install();
}

void gp_faults_close(void) {
  if (may_keep && !ignores_some() && changes(OPEN, KEPT))
    return;
  take_out();
  atomic_store(&state, CLOSED);
}

void gp_faults_in_child(bool abandoned) {
  atomic_store(&owner, getpid());
  if (abandoned || atomic_load(&state) == LEAVING) {
    take_out();
    atomic_store(&state, CLOSED);
  }
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
