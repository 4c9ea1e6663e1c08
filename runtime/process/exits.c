// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* _exit() and exec() of the program: they run no handler of atexit(). The names precede libc's if the program
 * links libgpuprof or preloads it. All may be called in signal handlers and in children of vfork(): nothing
 * is allocated or locked.
 */
#include "base/exported.h"
#include "process/journal.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The functions of libc, or of a library between. Looked up early, since dlsym() may not be called later. */
static struct {
  void (*exit)(int status);
  int (*execve)(const char *path, char *const arguments[], char *const environment[]);
  int (*execvpe)(const char *file, char *const arguments[], char *const environment[]);
  int (*fexecve)(int file, char *const arguments[], char *const environment[]);
} next;

static void find(const char *name, void *function) { *(void **)function = dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void find_all(void) {
  find("_exit", &next.exit);
  find("execve", &next.execve);
  find("execvpe", &next.execvpe);
  find("fexecve", &next.fexecve);
}

static _Noreturn void leave(int status) {
  gp_journal_last("_exit", 0);
  if (next.exit)
    next.exit(status);
  for (;;)
    syscall(SYS_exit_group, status);
}

GP_EXPORT void _exit(int status) { leave(status); }
GP_EXPORT void _Exit(int status) { leave(status); }

/* ---- exec(): returns only after a failure ---- */

static int missing(void) {
  errno = ENOSYS;
  return -1;
}

static int failed(int result) {
  const int error = errno;
  gp_journal_goes_on();
  errno = error;
  return result;
}

static int run_path(const char *path, char *const arguments[], char *const environment[]) {
  gp_journal_last("exec", 0);
  return failed(next.execve ? next.execve(path, arguments, environment) : missing());
}

static int run_file(const char *file, char *const arguments[], char *const environment[]) {
  gp_journal_last("exec", 0);
  return failed(next.execvpe ? next.execvpe(file, arguments, environment) : missing());
}

GP_EXPORT int execve(const char *path, char *const arguments[], char *const environment[]) {
  return run_path(path, arguments, environment);
}
GP_EXPORT int execv(const char *path, char *const arguments[]) { return run_path(path, arguments, environ); }
GP_EXPORT int execvp(const char *file, char *const arguments[]) { return run_file(file, arguments, environ); }
GP_EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  return run_file(file, arguments, environment);
}

GP_EXPORT int fexecve(int file, char *const arguments[], char *const environment[]) {
  gp_journal_last("exec", 0);
  return failed(next.fexecve ? next.fexecve(file, arguments, environment) : missing());
}

/* Number of arguments behind `first`, including the null at their end. */
static size_t count_list(va_list list) {
  size_t count = 1;
  while (va_arg(list, char *))
    count++;
  return count;
}

/* Stores them behind `first`; execle() has the environment behind the null. `first` is read from memory there: unistd.h
 * declares it nonnull, so that GCC would drop the test for an empty list. */
static char *const *take_list(char **arguments, const char *first, va_list list, int with_environment) {
  size_t count = 0;
  arguments[count] = (char *)(uintptr_t)first;
  while (arguments[count])
    arguments[++count] = va_arg(list, char *);
  return with_environment ? va_arg(list, char *const *) : environ;
}

#define EXEC_LIST(name, run, with_environment)                                                                       \
  GP_EXPORT int name(const char *path, const char *first, ...) {                                                     \
    const char *const volatile stated = first;                                                                       \
    va_list list;                                                                                                    \
    va_start(list, first);                                                                                           \
    const size_t count = stated ? 1 + count_list(list) : 1;                                                          \
    va_end(list);                                                                                                    \
    char *arguments[count];                                                                                          \
    va_start(list, first);                                                                                           \
    char *const *environment = take_list(arguments, stated, list, with_environment);                                 \
    va_end(list);                                                                                                    \
    return run(path, arguments, environment);                                                                        \
  }
EXEC_LIST(execl, run_path, 0)
EXEC_LIST(execle, run_path, 1)
EXEC_LIST(execlp, run_file, 0)
