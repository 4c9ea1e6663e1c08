// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/notes.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_SHOWN 3

static int by_text(const void *first, const void *second) {
  const struct remark *a = *(const struct remark *const *)first, *b = *(const struct remark *const *)second;
  const int order = strcmp(a->text, b->text);
  return order ? order : (a > b) - (a < b);
}

static bool can_be_joined(const struct remark *note) { return *note->about && !note->standing; }

static bool are_alike(const struct remark *a, const struct remark *b) {
  return !strcmp(a->text, b->text) && can_be_joined(a) && can_be_joined(b);
}

/* The names of a group, with a zero behind them. */
static void add_names(struct text *names, struct remark *const *group, size_t members) {
  for (size_t i = 0; i < members && i < NAMES_SHOWN; ++i)
    text_format(names, "%s%s", i ? ", " : "", group[i]->about);
  if (members > NAMES_SHOWN)
    text_format(names, " and %zu more", members - NAMES_SHOWN);
  text_bytes(names, "", 1);
}

char *notes_join(struct remark *notes, size_t *count) {
  struct remark **sorted = allocate(*count * sizeof *sorted);
  size_t *places = allocate(*count * sizeof *places); /* of a group's names, behind 1; 0: the note has its own */
  struct text names = {0};
  for (size_t i = 0; i < *count; ++i)
    sorted[i] = &notes[i];
  qsort(sorted, *count, sizeof *sorted, by_text);
  for (size_t i = 0, next; i < *count; i = next) {
    for (next = i + 1; next < *count && are_alike(sorted[i], sorted[next]);)
      ++next;
    if (next - i == 1)
      continue;
    places[sorted[i] - notes] = names.length + 1;
    add_names(&names, &sorted[i], next - i);
    for (size_t member = i + 1; member < next; ++member)
      sorted[member]->text = NULL; /* said by the first */
  }
  size_t kept = 0;
  for (size_t i = 0; i < *count; ++i) {
    if (!notes[i].text)
      continue;
    notes[kept] = notes[i];
    if (places[i])
      notes[kept].about = names.data + places[i] - 1;
    ++kept;
  }
  *count = kept;
  free(places);
  free(sorted);
  return names.data;
}
