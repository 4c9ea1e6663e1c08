// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Preloaded into a program: lets allocations of libgpuprof and libgpuprof-cpu
 * fail, and no others. Each call from their code has a number.
 *   FAULTS_AT=N        the failing one (0: none)
 *   FAULTS_ON=1        so do all behind it
 *   FAULTS_REPORT=FILE gets the number of calls, the place of the first failed one, and its library
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct library {
  const char *name;
  uintptr_t base, first, end; /* of its code */
} libraries[] = {{"libgpuprof.so", 0, 0, 0}, {"libgpuprof-cpu.so", 0, 0, 0}};
#define LIBRARIES (sizeof libraries / sizeof *libraries)
static unsigned long wanted, onwards;
static atomic_ulong calls;
static _Atomic uintptr_t place;
static atomic_size_t place_library;

static int find_library(struct dl_phdr_info *info, size_t size, void *closure) {
  struct library *library = closure;
  (void)size;
  if (!strstr(info->dlpi_name, library->name))
    return 0;
  library->base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
      library->first = library->base + info->dlpi_phdr[i].p_vaddr;
      library->end = library->first + info->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

static void find_libraries(void) {
  for (size_t i = 0; i < LIBRARIES; i++)
    if (!libraries[i].first)
      dl_iterate_phdr(find_library, &libraries[i]);
}

__attribute__((constructor)) static void look(void) {
  const char *at = getenv("FAULTS_AT"), *on = getenv("FAULTS_ON");
  wanted = at ? strtoul(at, NULL, 10) : 0;
  onwards = on && on[0] == '1';
  find_libraries();
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("FAULTS_REPORT");
  char text[64];
  int length = snprintf(text, sizeof text, "%lu %lx %s\n", atomic_load(&calls), (unsigned long)atomic_load(&place),
                        libraries[atomic_load(&place_library)].name);
  int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  if (file >= 0 && write(file, text, (size_t)length) < 0)
    _exit(99);
}

static int fails(const void *caller) {
  const uintptr_t address = (uintptr_t)caller;
  if (!libraries[0].first)
    find_libraries(); /* an allocation before our constructor */
  size_t library = 0;
  while (library < LIBRARIES && (address < libraries[library].first || address >= libraries[library].end))
    library++;
  if (library == LIBRARIES)
    return 0;
  const unsigned long number = atomic_fetch_add(&calls, 1) + 1;
  if (!wanted || (onwards ? number < wanted : number != wanted))
    return 0;
  uintptr_t none = 0;
  if (atomic_compare_exchange_strong(&place, &none, address - libraries[library].base))
    atomic_store(&place_library, library);
  errno = ENOMEM;
  return 1;
}

#define HERE __builtin_return_address(0)
#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

/* The CPU device's library is opened while the program runs. */
void *dlopen(const char *path, int mode) {
  void *library = REAL(dlopen)(path, mode);
  find_libraries();
  return library;
}

/* dlsym() may allocate: these have the C library's own names. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return fails(HERE) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(HERE) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails(HERE) ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails(HERE) ? NULL : __libc_memalign(alignment, size); }
char *strdup(const char *text) { return fails(HERE) ? NULL : REAL(strdup)(text); }
char *strndup(const char *text, size_t size) { return fails(HERE) ? NULL : REAL(strndup)(text, size); }
FILE *fopen(const char *path, const char *mode) { return fails(HERE) ? NULL : REAL(fopen)(path, mode); }
FILE *fdopen(int file, const char *mode) { return fails(HERE) ? NULL : REAL(fdopen)(file, mode); }
FILE *open_memstream(char **text, size_t *size) { return fails(HERE) ? NULL : REAL(open_memstream)(text, size); }
FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
  return fails(HERE) ? NULL : REAL(fopencookie)(cookie, mode, functions);
}

int asprintf(char **text, const char *format, ...) {
  if (fails(HERE)) {
    *text = NULL;
    return -1;
  }
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(text, format, arguments);
  va_end(arguments);
  return length;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  return fails(HERE) ? MAP_FAILED : REAL(mmap)(address, size, protection, flags, file, offset);
}

int memfd_create(const char *name, unsigned flags) { return fails(HERE) ? -1 : REAL(memfd_create)(name, flags); }

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  return fails(HERE) ? EAGAIN : REAL(pthread_create)(thread, attributes, function, argument);
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  return fails(HERE) ? EAGAIN : REAL(pthread_key_create)(key, destructor);
}
