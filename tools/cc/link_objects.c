// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/link_objects.h"

#include "cc/words.h"
#include "common/file.h"
#include "common/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* clang's section for it, and a function that registers it once it is linked: both in the object's table of names. */
#define WAITING_CODE ".llvm.offloading"
#define LINKED_CODE ".cuda.fatbin_reg"

static bool has_name(const char *path, const char *name) {
  struct stat facts;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  bool found = false;
  if (descriptor < 0)
    return false;
  if (!fstat(descriptor, &facts) && S_ISREG(facts.st_mode) && facts.st_size > 0) {
    void *bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) {
      found = memmem(bytes, (size_t)facts.st_size, name, strlen(name) + 1) != NULL;
      munmap(bytes, (size_t)facts.st_size);
    }
  }
  close(descriptor);
  return found;
}

/* The value of -lNAME or -l NAME at `index`, or null. */
static const char *value_at(const struct line *line, size_t index, const char *option) {
  const char *item = line->items[index];
  if (!begins_with(item, option))
    return NULL;
  return item[2] ? item + 2 : index + 1 < line->count ? line->items[index + 1] : NULL;
}

static bool is_object(const char *item) {
  return item[0] != '-' && (ends_with(item, ".o") || ends_with(item, ".a") || ends_with(item, ".obj"));
}

static void add_library(const struct line *line, const char *name, struct line *found) {
  for (size_t i = 0; i < line->count; ++i) {
    const char *folder = value_at(line, i, "-L");
    char *archive = folder ? format_string("%s/lib%s.a", folder, name) : NULL;
    if (archive && has_name(archive, WAITING_CODE) && !line_has(found, archive))
      line_add(found, archive);
    free(archive);
  }
}

void objects_with_device_code(const struct line *line, struct line *found) {
  for (size_t i = 0; i < line->count; ++i) {
    const char *item = line->items[i], *library = value_at(line, i, "-l");
    if (is_object(item) && has_name(item, WAITING_CODE))
      line_add(found, item);
    else if (library)
      add_library(line, library, found);
  }
}

bool objects_have_device_code(const struct line *line) {
  struct line found = {0};
  objects_with_device_code(line, &found);
  bool any = found.count;
  line_free(&found);
  return any;
}

bool objects_have_linked_code(const struct line *line) {
  for (size_t i = 0; i < line->count; ++i)
    if (is_object(line->items[i]) && has_name(line->items[i], LINKED_CODE))
      return true;
  return false;
}
