// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/architectures.h"

#include "cc/words.h"
#include "common/say.h"
#include "common/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The oldest clang and toolkit that know an architecture. Toolkits know older ones no longer. */
static const struct architecture {
  int number, clang, toolkit;
  bool is_major;
} known[] = {
    {75, 16, 10000, true},  {80, 16, 11000, true},  {86, 16, 11010, false},  {87, 16, 11040, false},
    {89, 16, 11080, false}, {90, 16, 11080, true},  {100, 20, 12080, true},  {103, 21, 12090, false},
    {110, 23, 13000, true}, {120, 20, 12080, true}, {121, 21, 12090, false},
};

static bool is_number(const char *text) {
  size_t digits = strspn(text, "0123456789");
  return (digits == 2 || digits == 3) && (!text[digits] || (strchr("af", text[digits]) && !text[digits + 1]));
}

char *architecture_real(const char *name) {
  static const char *const kinds[] = {"sm_", "compute_", "lto_"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    const char *number = name + strlen(kinds[i]);
    if (!begins_with(name, kinds[i]) || !is_number(number))
      continue;
    char *real = format_string("sm_%s", number);
    char *letter = real + strlen(real) - 1;
    if (*letter == 'f') /* clang has no families; their features are those of the letter a */
      *letter = 'a';
    return real;
  }
  return NULL;
}

/* ---- Of this machine ---- */
enum { COMPUTE_CAPABILITY_MAJOR = 75, COMPUTE_CAPABILITY_MINOR = 76 }; /* CUdevice_attribute */

static void add_devices(struct line *line, void *driver) {
  int (*initialise)(unsigned) = NULL, (*count_of)(int *) = NULL, (*attribute)(int *, int, int) = NULL,
      count = 0;
  *(void **)&initialise = dlsym(driver, "cuInit");
  *(void **)&count_of = dlsym(driver, "cuDeviceGetCount");
  *(void **)&attribute = dlsym(driver, "cuDeviceGetAttribute");
  if (!initialise || !count_of || !attribute || initialise(0) || count_of(&count))
    return;
  for (int i = 0; i < count; ++i) {
    int major = 0, minor = 0;
    if (attribute(&major, COMPUTE_CAPABILITY_MAJOR, i) || attribute(&minor, COMPUTE_CAPABILITY_MINOR, i))
      continue;
    char *name = format_string("sm_%d%d", major, minor);
    if (!line_has(line, name))
      line_add(line, name);
    free(name);
  }
}

void architectures_native(struct line *line) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  size_t before = line->count;
  if (driver) {
    add_devices(line, driver);
    dlclose(driver);
  }
  if (line->count == before)
    note("'-arch=native' finds no GPU on this machine.");
}

void architectures_every(struct line *line, int toolkit, bool major_only) {
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].clang <= GPUPROF_LLVM_MAJOR && known[i].toolkit <= toolkit &&
        (known[i].is_major || !major_only))
      line_push(line, format_string("sm_%d", known[i].number));
}
