// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/short_names.h"

#include "common/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 8                     /* each shows one more piece of names that are still the same */
#define WORD_MOST 24                 /* characters of a word around a difference */
#define BYTES_MOST ((size_t)1 << 22) /* of names that are looked at */

struct name {
  char *full, *shown;
  size_t place;
  size_t *at;    /* where its code points begin, and the end; null: it is not looked at */
  bool *told;    /* of code points: they tell it from others */
  size_t length; /* in code points */
  size_t scopes; /* where its own name begins */
  size_t proper; /* where its own name has ended */
};

struct list {
  struct name *names;
  size_t count, width;
  const char *ellipsis;
  size_t looked_at; /* bytes of names */
};

/* ---- Code points ---- */

static void split(struct name *name) {
  if (name->at)
    return;
  const size_t bytes = strlen(name->full), own = (size_t)(text_behind_scopes(name->full) - name->full);
  name->at = allocate((bytes + 1) * sizeof *name->at);
  name->told = allocate((bytes + 1) * sizeof *name->told);
  memset(name->told, 0, (bytes + 1) * sizeof *name->told);
  for (size_t at = 0; at < bytes; ++name->length) {
    const size_t length = utf8_length(name->full + at);
    name->scopes += at < own;
    name->at[name->length] = at;
    at += length ? length : 1;
  }
  name->at[name->length] = bytes;
  name->proper = name->scopes;
  while (name->proper < name->length && !strchr("<(", name->full[name->at[name->proper]]))
    ++name->proper;
}

static bool is_same(const struct name *a, size_t i, const struct name *b, size_t k) {
  const size_t bytes = a->at[i + 1] - a->at[i];
  return bytes == b->at[k + 1] - b->at[k] && !memcmp(a->full + a->at[i], b->full + b->at[k], bytes);
}

static bool is_of_word(const struct name *name, size_t i) {
  const unsigned char c = (unsigned char)name->full[name->at[i]];
  return isalnum(c) || c == '_' || c >= 0x80;
}

/* ---- What is shown ---- */

/* Dropped scopes leave no ellipsis, as long as nothing of them is shown. */
static size_t first_of(const struct name *name, const bool *kept) {
  return memchr(kept, true, name->scopes) ? 0 : name->scopes;
}

/* Writes what is kept, if there is a text; returns its width. What an ellipsis would not shorten is written. */
static size_t render(const struct name *name, const bool *kept, const char *ellipsis, struct text *text) {
  const size_t gap = text_width(ellipsis);
  size_t width = 0;
  for (size_t i = first_of(name, kept), end; i < name->length; i = end) {
    for (end = i + 1; end < name->length && kept[end] == kept[i];)
      ++end;
    const bool is_gap = !kept[i] && end - i > gap;
    width += is_gap ? gap : end - i;
    if (text && is_gap)
      text_add(text, ellipsis);
    else if (text)
      text_bytes(text, name->full + name->at[i], name->at[end] - name->at[i]);
  }
  return width;
}

static bool fits(const struct list *list, const struct name *name, const bool *kept) {
  return render(name, kept, list->ellipsis, NULL) <= list->width;
}

/* Shows more of the begin and the end of the arguments, in turn. */
static void grow(const struct list *list, const struct name *name, bool *kept, size_t head) {
  size_t tail = name->length;
  for (bool grows[2] = {true, true}, at_end = false; grows[0] || grows[1]; at_end = !at_end) {
    if (!grows[at_end])
      continue;
    while (head < name->length && kept[head])
      ++head;
    while (tail > 0 && kept[tail - 1])
      --tail;
    if (head >= tail)
      return;
    const size_t next = at_end ? tail - 1 : head;
    kept[next] = true;
    grows[at_end] = fits(list, name, kept);
    kept[next] = grows[at_end];
  }
}

static void keep(bool *kept, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i)
    kept[i] = true;
}

/* The end of the word that begins to differ. */
static size_t word_end(const struct name *name, size_t end) {
  for (const size_t most = end + WORD_MOST;
       end < name->length && end < most && is_of_word(name, end) && is_of_word(name, end - 1);)
    ++end;
  return end;
}

/* The piece from `begin` to `end`, where the difference begins at `differs`. The words that differed before stay if there is
 * room for them, as does the kernel's own name. */
static void show_piece(const struct list *list, struct name *name, size_t begin, size_t end, size_t differs) {
  bool *kept = allocate((name->length + 1) * sizeof *kept);
  const bool has_proper = name->proper < name->length;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const bool with_told = attempt == 0, with_proper = attempt < 3 && has_proper, narrow = attempt >= 2;
    size_t last = end;
    do {
      memset(kept, 0, name->length * sizeof *kept);
      if (with_told)
        memcpy(kept, name->told, name->length * sizeof *kept);
      if (with_proper) {
        keep(kept, name->scopes, name->proper + 1);
        kept[name->length - 1] = true;
      }
      keep(kept, narrow ? differs : begin, last);
    } while (!fits(list, name, kept) && !with_told && --last > differs);
    if (last <= differs || !fits(list, name, kept))
      continue;
    const size_t from = narrow ? differs : begin, word = word_end(name, differs + 1);
    memset(name->told + from, true, (word < last ? word : last) - from);
    grow(list, name, kept, with_proper ? name->proper + 1 : differs < name->scopes ? 0 : name->scopes);
    struct text text = {0};
    render(name, kept, list->ellipsis, &text);
    free(name->shown);
    name->shown = copy_string(text_get(&text));
    text_free(&text);
    break;
  }
  free(kept);
}

/* ---- Names that are shown alike ---- */

static int by_shown(const void *first, const void *second) {
  const struct name *a = first, *b = second;
  const int order = strcmp(a->shown, b->shown);
  return order ? order : strcmp(a->full, b->full);
}

static int by_place(const void *first, const void *second) {
  const struct name *a = first, *b = second;
  return (a->place > b->place) - (a->place < b->place);
}

/* In order of their full names the first and the last one differ the earliest. */
static size_t common_begin(const struct name *names, size_t count) {
  const struct name *a = &names[0], *b = &names[count - 1];
  size_t same = 0;
  while (same < a->length && same < b->length && is_same(a, same, b, same))
    ++same;
  return same;
}

static size_t common_end(const struct name *names, size_t count, size_t begin) {
  size_t common = names[0].length - begin;
  for (size_t i = 1; i < count; ++i) {
    const struct name *a = &names[0], *b = &names[i];
    size_t same = 0;
    while (same < common && same < b->length - begin &&
           is_same(a, a->length - 1 - same, b, b->length - 1 - same))
      ++same;
    common = same;
  }
  return common;
}

static void show_difference(const struct list *list, struct name *name, size_t differs, size_t common) {
  size_t begin = differs, end = name->length - common;
  if (!name->length)
    return;
  if (differs == name->length) /* others go on behind its end */
    begin = --differs;
  if (end <= differs)
    end = differs + 1;
  while (begin > 0 && differs - begin < WORD_MOST && is_of_word(name, begin) && is_of_word(name, begin - 1))
    --begin;
  show_piece(list, name, begin, word_end(name, end), differs);
}

/* A hostile document has many long names: those stay the same. */
static bool may_look_at(struct list *list, const struct name *names, size_t count) {
  size_t bytes = list->looked_at;
  for (size_t i = 0; i < count; ++i)
    bytes += names[i].at ? 0 : strlen(names[i].full);
  if (bytes > BYTES_MOST)
    return false;
  list->looked_at = bytes;
  return true;
}

static void tell_apart(const struct list *list, struct name *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    split(&names[i]);
  const size_t differs = common_begin(names, count), common = common_end(names, count, differs);
  for (size_t i = 0; i < count; ++i)
    show_difference(list, &names[i], differs, common);
}

/* Returns whether there were some. */
static bool tell_all_apart(struct list *list) {
  bool found = false;
  qsort(list->names, list->count, sizeof *list->names, by_shown);
  for (size_t i = 0, end; i < list->count; i = end) {
    for (end = i + 1; end < list->count && !strcmp(list->names[i].shown, list->names[end].shown);)
      ++end;
    if (!strcmp(list->names[i].full, list->names[end - 1].full) ||
        !may_look_at(list, list->names + i, end - i))
      continue;
    tell_apart(list, list->names + i, end - i);
    found = true;
  }
  return found;
}

static struct name shorten(const struct list *list, char *full, size_t place) {
  struct text shown = {0};
  text_elide_kernel(&shown, full, list->width, list->ellipsis);
  const struct name name = {.full = full, .shown = copy_string(text_get(&shown)), .place = place};
  text_free(&shown);
  return name;
}

void shorten_names(char **names, size_t count, size_t width, const char *ellipsis) {
  struct list list = {
      .names = allocate((count + 1) * sizeof *list.names), .width = width, .ellipsis = ellipsis};
  for (size_t i = 0; i < count; ++i)
    if (names[i])
      list.names[list.count++] = shorten(&list, names[i], i);
  for (int round = 0; round < ROUNDS && tell_all_apart(&list);)
    ++round;
  qsort(list.names, list.count, sizeof *list.names, by_place);
  for (size_t i = 0; i < list.count; ++i) {
    names[list.names[i].place] = list.names[i].shown;
    free(list.names[i].full);
    free(list.names[i].at);
    free(list.names[i].told);
  }
  free(list.names);
}
