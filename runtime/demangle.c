#include "demangle.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What clang adds to the names of static device code with -fgpu-rdc, before a number of the unit. */
static const char relocatable_suffix[] = "__intern__";

/* The C++ runtime's demangler, if the program has one: libgpuprof links none. */
char *gp_demangle(const char *mangled) {
  char *(*function)(const char *, char *, size_t *, int *) = NULL;
  *(void **)&function = dlsym(RTLD_DEFAULT, "__cxa_demangle");
  int status = 0;
  const char *suffix = strstr(mangled, relocatable_suffix);
  char *name = suffix ? strndup(mangled, (size_t)(suffix - mangled)) : strdup(mangled);
  char *demangled = function && name ? function(name, NULL, NULL, &status) : NULL;
  free(name);
  return demangled;
}
