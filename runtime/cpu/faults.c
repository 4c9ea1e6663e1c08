/* A bad address, a division by zero or a trap in a kernel stops the launch with CUDA's error, as on a GPU,
 * instead of ending the program. Signals from anywhere else go on to whoever handled them before.
 */
#include "cpu/emulator.h"
#include "cpu/errors.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

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

static void stop_kernel(int signal, siginfo_t *info) {
  int error = handled[index_of(signal)].error;
  if (signal == SIGFPE)
    gp_cpu_stop(error, "an integer was divided by zero");
  if (signal == SIGILL)
    gp_cpu_stop(error, "the kernel trapped");
  if (gp_worker_owns_stack(gp_cpu_worker, (uint64_t)info->si_addr))
    gp_cpu_stop(error, "its stack of %d KiB overflowed: keep less in local arrays, or call less deeply",
                GP_CPU_STACK_BYTES / 1024);
  if (info->si_code == SI_KERNEL) /* a protection fault: the processor tells no address */
    gp_cpu_stop(error, "illegal access: the address is not a multiple of the vector's size, or no pointer at all "
                       "(memory that was never written reads as 0xCD)");
  gp_cpu_stop(error, "illegal access to address %p: no memory of the device is there; "
              "compile with -g -fsanitize=address to be told the source line", info->si_addr);
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  if (gp_cpu_worker && info->si_code > 0) /* positive: raised by the machine, not sent by a process */
    stop_kernel(signal, info);            /* leaves the signal's stack for the worker's */
  else
    pass_on(signal, info, context);
}

void gp_faults_open(void) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < HANDLED; i++)
    sigaction(handled[i].signal, &action, &before[i]);
}

void gp_faults_close(void) {
  for (size_t i = 0; i < HANDLED; i++)
    sigaction(handled[i].signal, &before[i], NULL);
}

void gp_faults_thread(void) {
  static _Thread_local bool ready;
  stack_t current;
  if (ready)
    return;
  ready = true;
  if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE))
    return; /* the program has a signal stack of its own here */
  void *memory = mmap(NULL, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED)
    sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = SIGNAL_STACK_BYTES}, NULL);
}
