// Handlers of faults in kernels stay installed between launches, and a program does not see them. It finds its
// own handlers, in all ways to set them; signals reach them unchanged, and faults of kernels stay CUDA errors.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -Wno-deprecated-declarations -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: env GPUPROF_JOURNAL=0 GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: system calls of 100 launches: 0
// CHECK: all right
#include "run.h"
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(float *p) { p[threadIdx.x] += 1; }
__global__ void store(int *p) { *p = 1; }

static float *memory;

static bool launches() {
  add<<<1, 32>>>(memory);
  return cudaDeviceSynchronize() == cudaSuccess;
}

// In a child, since the device is of no use behind it.
static bool fault_is_an_error() {
  const pid_t child = fork();
  if (!child) {
    store<<<1, 1>>>(reinterpret_cast<int *>(64));
    _exit(cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

static sigjmp_buf back;
static volatile int seen, code;
static volatile pid_t sender;
static void *volatile address;

static void take(int signal, siginfo_t *info, void *) {
  seen = signal;
  code = info->si_code;
  sender = info->si_pid;
  address = info->si_addr;
  if (info->si_code > 0)
    siglongjmp(back, 1);
}
static void count(int) { seen = seen + 1; }

static struct sigaction handler_of(int signal) {
  struct sigaction found = {};
  sigaction(signal, nullptr, &found);
  return found;
}

static void fault_at(char *page) {
  if (!sigsetjmp(back, 1))
    *const_cast<volatile char *>(page) = 1;
}

static void set_before_and_between() {
  struct sigaction own = {};
  own.sa_sigaction = take;
  own.sa_flags = SA_SIGINFO | SA_RESETHAND;
  sigaction(SIGSEGV, &own, nullptr);
  EXPECT(launches());
  EXPECT(handler_of(SIGSEGV).sa_sigaction == take && handler_of(SIGSEGV).sa_flags & SA_RESETHAND);
  EXPECT(launches() && fault_is_an_error());
  char *page = static_cast<char *>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  fault_at(page + 8);
  EXPECT(seen == SIGSEGV && code == SEGV_ACCERR && address == page + 8);
  EXPECT(handler_of(SIGSEGV).sa_handler == SIG_DFL); // SA_RESETHAND
  EXPECT(launches() && handler_of(SIGSEGV).sa_handler == SIG_DFL);
  munmap(page, 4096);
}

static void sent() {
  struct sigaction own = {};
  own.sa_sigaction = take;
  own.sa_flags = SA_SIGINFO;
  sigaction(SIGFPE, &own, nullptr);
  EXPECT(launches());
  kill(getpid(), SIGFPE);
  EXPECT(seen == SIGFPE && code == SI_USER && sender == getpid());
  EXPECT(launches() && handler_of(SIGFPE).sa_sigaction == take);
}

static void older_calls() {
  EXPECT(launches());
  signal(SIGILL, count);
  EXPECT(launches() && signal(SIGILL, SIG_DFL) == count);
  sigset(SIGBUS, count);
  EXPECT(launches() && handler_of(SIGBUS).sa_handler == count);
  seen = 0;
  raise(SIGBUS);
  EXPECT(seen == 1 && launches());
  sigignore(SIGBUS);
  EXPECT(launches() && handler_of(SIGBUS).sa_handler == SIG_IGN);
  signal(SIGBUS, SIG_DFL);
  EXPECT(launches() && fault_is_an_error());
}

// Its handlers are its own, its memory is the program's.
static void child_of_vfork() {
  signal(SIGFPE, count);
  EXPECT(launches());
  const pid_t child = vfork();
  if (!child) {
    signal(SIGFPE, SIG_DFL);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT(handler_of(SIGFPE).sa_handler == count);
  seen = 0;
  raise(SIGFPE);
  EXPECT(seen == 1 && launches());
}

static volatile int calls;
static void take_call(int, siginfo_t *, void *) { calls = calls + 1; }

static void count_calls() {
  sock_filter program[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 0, 1),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog filter = {sizeof program / sizeof *program, program};
  struct sigaction trap = {};
  trap.sa_sigaction = take_call;
  trap.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &trap, nullptr);
  EXPECT(launches());
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  EXPECT(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
  for (int i = 0; i < 100; i++)
    launches();
  std::printf("system calls of 100 launches: %d\n", calls);
}

int main() {
  float zero[32] = {};
  memory = to_device(zero, 32);
  set_before_and_between();
  sent();
  older_calls();
  child_of_vfork();
  count_calls();
  const int status = finish();
  std::fflush(stdout);
  _exit(status); // behind exit() handlers are removed, which the filter traps
}
