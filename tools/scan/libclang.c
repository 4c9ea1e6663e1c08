// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/libclang.h"

#include "common/file.h"
#include "common/say.h"
#include "common/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static bool find_functions(struct libclang *libclang) {
  bool complete = true;
#define LIBCLANG_FIND(name)                                                                                  \
  *(void **)&libclang->name = dlsym(libclang->handle, "clang_" #name);                                       \
  complete = complete && libclang->name;
  LIBCLANG_FUNCTIONS(LIBCLANG_FIND)
#undef LIBCLANG_FIND
  return complete;
}

/* Takes the name, and frees it. */
static bool try_open(struct libclang *libclang, char *name) {
  libclang->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  free(name);
  if (libclang->handle && find_functions(libclang))
    return true;
  if (libclang->handle)
    dlclose(libclang->handle);
  *libclang = (struct libclang){0};
  return false;
}

/* libclang finds the compiler's own headers from the folder that it is opened in: first that beside the compiler. */
static bool open_beside(struct libclang *libclang, const char *compiler, int major) {
  char *bin = compiler ? file_real_folder(compiler) : NULL;
  bool opened = bin && (try_open(libclang, format_string("%s/../lib/libclang-%d.so.%d", bin, major, major)) ||
                        try_open(libclang, format_string("%s/../lib/libclang-%d.so.1", bin, major)) ||
                        try_open(libclang, format_string("%s/../lib/libclang.so.%d", bin, major)) ||
                        try_open(libclang, format_string("%s/../lib/libclang.so", bin)));
  free(bin);
  return opened;
}

bool libclang_open(struct libclang *libclang, const char *compiler, int major) {
  if (open_beside(libclang, compiler, major) || try_open(libclang, format_string("libclang-%d.so.%d", major, major)) ||
      try_open(libclang, format_string("libclang-%d.so.1", major)) ||
      try_open(libclang, format_string("libclang.so.%d", major)))
    return true;
  fail("'scan' reads sources with libclang of LLVM %d, which is not here: install the package libclang1-%d.", major, major);
  return false;
}

char *libclang_text(const struct libclang *libclang, CXString string) {
  const char *text = libclang->getCString(string);
  char *copy = copy_string(text ? text : "");
  libclang->disposeString(string);
  return copy;
}
