// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/describe.h"

#include <stdlib.h>
#include <string.h>

static void set(struct gp_description *d, const char *key, const char *value) {
  const struct {
    const char *key;
    const char **text;
  } texts[] = {{"name", &d->name}, {"kind", &d->kind}, {"file", &d->file}, {"phase", &d->phase},
               {"category", &d->category}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!strcmp(key, texts[i].key)) {
      *texts[i].text = value[0] ? value : NULL;
      return;
    }
  if (!strcmp(key, "line"))
    d->line = (uint32_t)strtoul(value, NULL, 10);
  else if (!strcmp(key, "color"))
    d->color = (uint32_t)strtoul(value, NULL, 16) & 0xffffffu;
  else if (!strcmp(key, "synapse"))
    d->synapse = 1;
}

int gp_describe(const char *text, size_t length, struct gp_description *d) {
  *d = (struct gp_description){.color = GP_NO_COLOR, .storage = strndup(text, length)};
  if (!d->storage)
    return -1;
  char *rest = d->storage;
  for (char *field; (field = strsep(&rest, "\t"));) {
    char *equals = strchr(field, '=');
    if (!equals) {
      gp_description_free(d);
      return -1;
    }
    *equals = 0;
    set(d, field, equals + 1);
  }
  if (!d->name && d->kind && !strcmp(d->kind, "ignore"))
    d->name = "ignored"; /* never reported, but the NVTX range needs a name */
  if (d->name)
    return 0;
  gp_description_free(d);
  return -1;
}

void gp_description_free(struct gp_description *d) {
  free(d->storage);
  *d = (struct gp_description){0};
}
