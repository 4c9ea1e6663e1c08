// beside_openmp before|after LIBRARY: opens the library before or after libgomp, and launches from OpenMP threads.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4 };
static int (*work)(int thread);
static int (*thread_number)(void);
static int errors;

static void *open_library(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    printf("%s\n", dlerror());
  return library;
}

static void *find(void *library, const char *name) { return library ? dlsym(library, name) : NULL; }

static void body(void *unused) {
  (void)unused;
  int result = work(thread_number());
  __atomic_fetch_add(&errors, result != 0, __ATOMIC_RELAXED);
}

int main(int count, char **arguments) {
  if (count != 3)
    return 2;
  const int before = !strcmp(arguments[1], "before");
  void *first = open_library(before ? arguments[2] : "libgomp.so.1");
  void *second = open_library(before ? "libgomp.so.1" : arguments[2]);
  void *openmp = before ? second : first;
  // Called by `#pragma omp parallel`: a compiler without OpenMP serves, too.
  void (*parallel)(void (*)(void *), void *, unsigned, unsigned) = find(openmp, "GOMP_parallel");
  thread_number = find(openmp, "omp_get_thread_num");
  work = find(before ? first : second, "work");
  if (!parallel || !thread_number || !work)
    return 1;
  for (int i = 0; i < 2; i++)
    parallel(body, NULL, THREADS, 0);
  printf("%d errors\n", errors);
  return errors != 0;
}
