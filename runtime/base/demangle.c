// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/demangle.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* clang's addition to the names of static device code with -fgpu-rdc; a number of the unit follows. */
static const char relocatable_suffix[] = "__intern__";

/* The C++ runtime's demangler: libgpuprof links none. */
static _Atomic(void *) demangler;

/* The demangler of a library; the handle keeps it loaded. */
static void *function_of_library(const char *name, int flags) {
  void *library = dlopen(name, RTLD_LAZY | flags);
  return library ? dlsym(library, "__cxa_demangle") : NULL;
}

/* If libgpuprof is preloaded, dlsym() finds no library of a scope made by dlopen(). Instrumented C programs
 * and Python extensions may have no C++ runtime at all. Loading one costs a millisecond, once. */
static void *function_of_runtimes(void) {
  static const struct { const char *name; int flags; } runtimes[] = {
      {"libstdc++.so.6", RTLD_NOLOAD}, {"libc++abi.so.1", RTLD_NOLOAD}, {"libstdc++.so.6", 0}, {"libc++abi.so.1", 0}};
  void *function = NULL;
  for (size_t i = 0; !function && i < sizeof runtimes / sizeof *runtimes; ++i)
    function = function_of_library(runtimes[i].name, runtimes[i].flags);
  return function;
}

void gp_demangle_prepare(void) {
  Dl_info library;
  if (demangler)
    return;
  void *function = dlsym(RTLD_DEFAULT, "__cxa_demangle");
  if (function)
    function = dladdr(function, &library) ? function_of_library(library.dli_fname, RTLD_NOLOAD) : NULL;
  demangler = function ? function : function_of_runtimes();
}

char *gp_demangle(const char *mangled) {
  char *(*function)(const char *, char *, size_t *, int *) = NULL;
  *(void **)&function = demangler ? demangler : dlsym(RTLD_DEFAULT, "__cxa_demangle");
  int status = 0;
  const char *suffix = strstr(mangled, relocatable_suffix);
  char part[4096];
  if (suffix) {
    snprintf(part, sizeof part, "%.*s", (int)(suffix - mangled), mangled);
    mangled = part;
  }
  return function ? function(mangled, NULL, NULL, &status) : NULL;
}
