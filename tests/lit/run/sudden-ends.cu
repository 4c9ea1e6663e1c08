// Every way to end a program leaves a document with all counts until then and the way of ending.
// To the outside the program ends as without gpuprof. (Inputs/sudden_ends.py has the list.)
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: %py %S/Inputs/sudden_ends.py %t %t.json | %FileCheck %s
// CHECK: all right
#include "run.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add_one(float *a) { a[threadIdx.x] += 1; }

static float *memory;
static char program[] = "/bin/sh", option[] = "-c", text[] = "exit 9", variable[] = "NINE=9";
static char *arguments[] = {program, option, text, nullptr}, *environment[] = {variable, nullptr};

static void launch(int times) {
  for (int i = 0; i < times; i++) {
#pragma gpuprof region("step")
    add_one<<<1, 64>>>(memory);
  }
}

static void leave_by_seven(int) { _exit(7); }
static void go_on(int) {}

static volatile int zero;
static void fault() { *static_cast<volatile int *>(nullptr) = 1; }
static void divide() { zero = 1234 / zero; }
static void trap() { __builtin_trap(); }
static void fail() { std::terminate(); }
static void leave() { _exit(3); }
static void leave_in_capitals() { _Exit(4); }
static void leave_quickly() { quick_exit(5); }
static void leave_in_handler() { std::signal(SIGTERM, leave_by_seven); raise(SIGTERM); }
static void survive() { std::signal(SIGTERM, go_on); raise(SIGTERM); launch(1); }
static void run_list() { execl(program, program, option, text, static_cast<char *>(nullptr)); }
static void run_list_with_environment() { execle(program, program, option, text, static_cast<char *>(nullptr), environment); }
static void run_list_of_path() { execlp("sh", program, option, text, static_cast<char *>(nullptr)); }
static void run_vector() { execv(program, arguments); }
static void run_vector_of_path() { execvp("sh", arguments); }
static void run_vector_with_environment() { execve(program, arguments, environment); }
static void run_vector_of_path_with_environment() { execvpe("sh", arguments, environment); }
static void run_nothing() {
  execl("/nonexistent", "nonexistent", static_cast<char *>(nullptr));
  launch(1);
}
// The child shares the memory of its parent, so also gpuprof's.
static void leave_in_child() {
  if (!vfork())
    _exit(0);
  wait(nullptr);
  launch(1);
  _exit(3);
}
static void run_in_child() {
  if (!vfork()) {
    execv(program, arguments);
    _exit(1);
  }
  wait(nullptr);
  launch(1);
  _exit(3);
}
static void fail_in_forked_child() {
  if (!fork())
    abort();
  wait(nullptr);
  launch(1);
}
static void wait_for_end() {
  for (;;)
    pause();
}

static const struct {
  const char *name;
  void (*end)();
} ends[] = {{"return", [] {}},
            {"fault", fault},
            {"divide", divide},
            {"trap", trap},
            {"abort", abort},
            {"terminate", fail},
            {"_exit", leave},
            {"_Exit", leave_in_capitals},
            {"quick_exit", leave_quickly},
            {"_exit-in-handler", leave_in_handler},
            {"handled-signal", survive},
            {"execl", run_list},
            {"execle", run_list_with_environment},
            {"execlp", run_list_of_path},
            {"execv", run_vector},
            {"execvp", run_vector_of_path},
            {"execve", run_vector_with_environment},
            {"execvpe", run_vector_of_path_with_environment},
            {"execl-of-nothing", run_nothing},
            {"_exit-in-vforked-child", leave_in_child},
            {"execv-in-vforked-child", run_in_child},
            {"abort-in-forked-child", fail_in_forked_child},
            {"wait", wait_for_end}};

int main(int, char **names) {
  OK(cudaMalloc(&memory, 64 * sizeof *memory));
  launch(10);
  if (std::strspn(names[1], "0123456789"))
    raise(std::atoi(names[1]));
  for (const auto &end : ends)
    if (!std::strcmp(end.name, names[1]))
      end.end();
  return 0;
}
