// A launch in a named region takes a handful of locks and allocates nothing. With a second thread,
// as with the journal, each lock costs two atomic instructions; a program of one thread saves them.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%source/include -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: locks of a launch: {{[1-4]$}}
// CHECK: allocations: 0
// CHECK: all right
#include "run.h"
#include <dlfcn.h>
#include <gpuprof.h>
#include <pthread.h>

// Of the main thread, while it launches.
static thread_local bool counting;
static int locks, allocations;

extern "C" int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  static const auto real = reinterpret_cast<int (*)(pthread_mutex_t *)>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  locks += counting;
  return real(mutex);
}

// realloc() is left out: the samples of times grow now and then.
extern "C" void *__libc_malloc(size_t bytes) noexcept;
extern "C" void *__libc_calloc(size_t count, size_t bytes) noexcept;
extern "C" void *malloc(size_t bytes) noexcept {
  allocations += counting;
  return __libc_malloc(bytes);
}
extern "C" void *calloc(size_t count, size_t bytes) noexcept {
  allocations += counting;
  return __libc_calloc(count, bytes);
}

__global__ void add(float *p) { p[threadIdx.x] += 1; }

static void launch(float *p) {
  gpuprof::Region region("region");
  add<<<1, 32>>>(p);
}

int main() {
  enum { LAUNCHES = 200 };
  float zero[32] = {};
  float *p = to_device(zero, 32);
  launch(p);
  launch(p); // the place of the document is chosen
  counting = true;
  for (int i = 0; i < LAUNCHES; i++)
    launch(p);
  counting = false;
  std::printf("locks of a launch: %d\n", (locks + LAUNCHES / 2) / LAUNCHES);
  std::printf("allocations: %d\n", allocations);
  return finish();
}
