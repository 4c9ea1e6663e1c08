// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/demangle.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What clang adds to the names of static device code with -fgpu-rdc, before a number of the unit. */
static const char relocatable_suffix[] = "__intern__";

/* The C++ runtime's demangler, if the program has one: libgpuprof links none. */
static _Atomic(void *) demangler;

void gp_demangle_prepare(void) {
  Dl_info library;
  void *function = demangler ? NULL : dlsym(RTLD_DEFAULT, "__cxa_demangle");
  if (function && dladdr(function, &library) && dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) /* and so it stays */
    demangler = function;
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
