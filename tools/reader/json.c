// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/json.h"

#include "common/text.h"
#include "reader/json_store.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array or object not yet closed. */
struct open {
  size_t first; /* of its items on the stack of values */
  uint32_t offset;
  json_key key;
  bool is_object;
};

struct parser {
  const char *begin, *at, *end;
  struct json_tree *tree;
  struct json_remark *wrong;
  struct json *values; /* items of open arrays and objects, the innermost last */
  size_t value_count, value_capacity;
  struct open *open;
  size_t depth, open_capacity;
  uint32_t *stamps; /* by key: the last object with it, to find duplicate keys */
  size_t stamp_count;
  uint32_t objects;
};

/* ---- Errors ---- */

static bool refuse(struct parser *parser, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(struct parser *parser, const char *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(parser->wrong->what, sizeof parser->wrong->what, format, arguments);
  va_end(arguments);
  parser->wrong->offset = (size_t)(at - parser->begin);
  parser->wrong->cut = false;
  return false;
}

static bool cut(struct parser *parser) {
  *parser->wrong = (struct json_remark){.cut = true, .offset = (size_t)(parser->end - parser->begin)};
  return false;
}

/* The value found in the place of another. */
static bool unexpected(struct parser *parser, const char *wanted) {
  const char *at = parser->at;
  if (at == parser->end)
    return cut(parser);
  size_t length = utf8_length(at);
  if ((unsigned char)*at < 0x20 || *at == 0x7F)
    return refuse(parser, at, "a control character (0x%02x) where %s", (unsigned char)*at, wanted);
  if (!length)
    return refuse(parser, at, "a byte that is not UTF-8 (0x%02x) where %s", (unsigned char)*at, wanted);
  return refuse(parser, at, "'%.*s' where %s", (int)length, at, wanted);
}

/* ---- Numbers and words ---- */

static bool is_digit(char character) { return character >= '0' && character <= '9'; }

static const char *skip_digits(const char *at) {
  while (is_digit(*at))
    ++at;
  return at;
}

/* The end of a number in JSON's grammar, or null: then `at` is moved to the wrong character. */
static const char *number_end(struct parser *parser) {
  const char *at = parser->at;
  at += *at == '-';
  const char *part = at;
  at = *at == '0' ? at + 1 : skip_digits(at);
  bool good = at > part;
  if (good && *at == '.') {
    part = ++at;
    at = skip_digits(at);
    good = at > part;
  }
  if (good && (*at == 'e' || *at == 'E')) {
    ++at;
    at += *at == '+' || *at == '-';
    part = at;
    at = skip_digits(at);
    good = at > part;
  }
  if (good)
    return at;
  parser->at = at;
  return NULL;
}

static bool read_whole(const char *at, const char *end, uint64_t *sum) {
  *sum = 0;
  for (; at < end; ++at)
    if (!is_digit(*at) || __builtin_mul_overflow(*sum, 10, sum) ||
        __builtin_add_overflow(*sum, (uint64_t)(*at - '0'), sum))
      return false;
  return true;
}

static bool read_number(struct parser *parser, struct json *value) {
  const char *begin = parser->at, *end = number_end(parser);
  if (!end)
    return unexpected(parser, "a digit must stand");
  bool negative = *begin == '-';
  if (read_whole(begin + negative, end, &value->magnitude)) {
    value->kind = negative && value->magnitude ? JSON_NEGATIVE : JSON_WHOLE;
  } else {
    value->kind = JSON_REAL;
    value->real = strtod(begin, NULL);
    if (!isfinite(value->real))
      return refuse(parser, begin, "a number beyond 1.8e308");
  }
  parser->at = end;
  return true;
}

static bool read_word(struct parser *parser, struct json *value) {
  static const struct {
    const char *word;
    enum json_kind kind;
    bool boolean;
  } words[] = {{"null", JSON_NULL, false}, {"true", JSON_BOOLEAN, true}, {"false", JSON_BOOLEAN, false}};
  size_t left = (size_t)(parser->end - parser->at);
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    size_t length = strlen(words[i].word);
    if (left && left < length && !memcmp(parser->at, words[i].word, left))
      return cut(parser);
    if (left < length || memcmp(parser->at, words[i].word, length))
      continue;
    value->kind = words[i].kind;
    value->boolean = words[i].boolean;
    parser->at += length;
    return true;
  }
  return unexpected(parser, "a value must begin");
}

/* ---- Strings ---- */

static int hex_digit(char character) {
  if (is_digit(character))
    return character - '0';
  char small = (char)(character | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/* The code of the four digits at `at`, or -1. */
static long hex_code(const char *at, const char *end) {
  long code = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = at + i < end ? hex_digit(at[i]) : -1;
    if (digit < 0)
      return -1;
    code = code << 4 | digit;
  }
  return code;
}

static char *add_code(char *to, unsigned long code) {
  if (!code || (code >= 0xD800 && code <= 0xDFFF))
    code = 0xFFFD;
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xC0 | code >> 6);
    *to++ = (char)(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *to++ = (char)(0xE0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    *to++ = (char)(0x80 | (code & 0x3F));
  } else {
    *to++ = (char)(0xF0 | code >> 18);
    *to++ = (char)(0x80 | (code >> 12 & 0x3F));
    *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    *to++ = (char)(0x80 | (code & 0x3F));
  }
  return to;
}

/* `\u1234`, or two of them for one character; the checked text behind the backslash is at `*at`. */
static char *unescape_code(char *to, const char **at, const char *end) {
  long code = hex_code(*at + 1, end);
  *at += 5;
  if (code >= 0xD800 && code < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
    long low = hex_code(*at + 2, end);
    if (low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      *at += 6;
    }
  }
  return add_code(to, (unsigned long)code);
}

static const char escapes[] = "\"\\/bfnrt", escaped[] = "\"\\/\b\f\n\r\t";

/* The end of the string's text, at its closing quote; null after an error. */
static const char *string_end(struct parser *parser, bool *has_escapes) {
  const char *at = parser->at;
  for (;;) {
    unsigned char first = (unsigned char)*at;
    if (at == parser->end) {
      cut(parser);
      return NULL;
    }
    if (first == '"')
      return at;
    if (first == '\\') {
      *has_escapes = true;
      if (parser->end - at >= 2 && at[1] && strchr(escapes, at[1])) {
        at += 2;
      } else if (parser->end - at >= 6 && at[1] == 'u' && hex_code(at + 2, parser->end) >= 0) {
        at += 6;
      } else {
        const char *last = at + 1;
        last += last < parser->end && *last == 'u';
        while (last < parser->end && last < at + 6 && at[1] == 'u' && hex_digit(*last) >= 0)
          ++last;
        parser->at = last;
        unexpected(parser, "an escape sequence goes on");
        return NULL;
      }
    } else if (first < 0x80) {
      if (first < 0x20) {
        refuse(parser, at, "a control character (0x%02x) in a string", first);
        return NULL;
      }
      ++at;
    } else {
      size_t length = utf8_length(at);
      if (!length && utf8_is_cut(at, (size_t)(parser->end - at))) {
        cut(parser);
        return NULL;
      }
      if (!length) {
        refuse(parser, at, "a byte that is not UTF-8 (0x%02x) in a string", first);
        return NULL;
      }
      at += length;
    }
  }
}

/* The string with its opening quote at `at`; null after an error. */
static const char *read_string(struct parser *parser, json_key *key) {
  struct json_store *store = parser->tree->store;
  bool has_escapes = false;
  const char *begin = ++parser->at, *end = string_end(parser, &has_escapes);
  if (!end)
    return NULL;
  parser->at = end + 1;
  if (!has_escapes)
    return store_string(store, begin, (size_t)(end - begin), key);
  char *buffer = store_scratch(store, (size_t)(end - begin)), *to = buffer; /* no escape is shorter than its text */
  for (const char *at = begin; at < end;) {
    if (*at != '\\') {
      *to++ = *at++;
    } else if (at[1] == 'u') {
      ++at;
      to = unescape_code(to, &at, end);
    } else {
      *to++ = escaped[strchr(escapes, at[1]) - escapes];
      at += 2;
    }
  }
  return store_string(store, buffer, (size_t)(to - buffer), key);
}

/* ---- Arrays and objects ---- */

static void push_value(struct parser *parser, struct json value) {
  if (parser->value_count == parser->value_capacity) {
    parser->value_capacity *= 2;
    parser->values = reallocate(parser->values, parser->value_capacity * sizeof *parser->values);
  }
  parser->values[parser->value_count++] = value;
}

static void push_open(struct parser *parser, struct open open) {
  if (parser->depth == parser->open_capacity) {
    parser->open_capacity = parser->open_capacity ? 2 * parser->open_capacity : 64;
    parser->open = reallocate(parser->open, parser->open_capacity * sizeof *parser->open);
  }
  parser->open[parser->depth++] = open;
}

static void grow_stamps(struct parser *parser) {
  size_t strings = store_string_count(parser->tree->store) + 1, old = parser->stamp_count;
  if (strings <= old)
    return;
  parser->stamp_count = 2 * strings;
  parser->stamps = reallocate(parser->stamps, parser->stamp_count * sizeof *parser->stamps);
  memset(parser->stamps + old, 0, (parser->stamp_count - old) * sizeof *parser->stamps);
}

static void remember_duplicate(struct parser *parser, const struct json *member) {
  struct json_tree *tree = parser->tree;
  if (!tree->duplicates++) {
    tree->duplicate.offset = member->offset;
    snprintf(tree->duplicate.what, sizeof tree->duplicate.what, "%s", json_name(tree, member));
  }
}

/* Of members of one key the last one is kept, where it stands. Returns how many members are left. */
static size_t drop_duplicates(struct parser *parser, struct json *members, size_t count) {
  uint32_t stamp = ++parser->objects;
  size_t kept = count;
  grow_stamps(parser);
  for (size_t i = count; i-- > 0;) {
    if (parser->stamps[members[i].key] == stamp) {
      remember_duplicate(parser, &members[i]);
      continue;
    }
    parser->stamps[members[i].key] = stamp;
    if (--kept != i)
      members[kept] = members[i];
  }
  if (kept)
    memmove(members, members + kept, (count - kept) * sizeof *members);
  return count - kept;
}

/* Moves the items of the innermost array or object from the stack into the tree. */
static struct json close(struct parser *parser) {
  struct open open = parser->open[--parser->depth];
  struct json *items = parser->values + open.first;
  size_t count = parser->value_count - open.first;
  if (open.is_object)
    count = drop_duplicates(parser, items, count);
  parser->value_count = open.first;
  return (struct json){.kind = open.is_object ? JSON_OBJECT : JSON_ARRAY,
                       .key = open.key,
                       .offset = open.offset,
                       .items = store_list(parser->tree->store, items, count)};
}

static void skip_blanks(struct parser *parser) {
  while (*parser->at == ' ' || *parser->at == '\n' || *parser->at == '\r' || *parser->at == '\t')
    ++parser->at;
}

/* Reads `"key":` and leaves `at` at the value. */
static bool read_key(struct parser *parser, json_key *key) {
  skip_blanks(parser);
  if (*parser->at != '"')
    return unexpected(parser, "a key must stand");
  if (!read_string(parser, key))
    return false;
  skip_blanks(parser);
  if (*parser->at != ':')
    return unexpected(parser, "':' must stand behind a key");
  ++parser->at;
  skip_blanks(parser);
  return true;
}

/* Begins an array or object. True where it ends at once: then it is read. */
static bool begin_container(struct parser *parser, struct json *value) {
  bool is_object = *parser->at == '{';
  ++parser->at;
  push_open(parser, (struct open){parser->value_count, value->offset, value->key, is_object});
  skip_blanks(parser);
  if (*parser->at != (is_object ? '}' : ']'))
    return false;
  ++parser->at;
  *value = close(parser);
  return true;
}

static bool read_scalar(struct parser *parser, struct json *value) {
  json_key own;
  if (*parser->at == '-' || is_digit(*parser->at))
    return read_number(parser, value);
  if (*parser->at != '"')
    return read_word(parser, value);
  value->kind = JSON_STRING;
  value->string = read_string(parser, &own);
  return value->string;
}

/* Behind an item of an open array or object: closes as many as end here. `*done`: the root was closed. */
static bool go_on(struct parser *parser, struct json *value, bool *done) {
  for (;;) {
    *done = !parser->depth;
    if (*done)
      return true;
    push_value(parser, *value);
    skip_blanks(parser);
    bool is_object = parser->open[parser->depth - 1].is_object;
    if (*parser->at == ',') {
      ++parser->at;
      return true;
    }
    if (*parser->at != (is_object ? '}' : ']'))
      return unexpected(parser, is_object ? "',' or '}' must stand" : "',' or ']' must stand");
    ++parser->at;
    *value = close(parser);
  }
}

static bool read_all(struct parser *parser) {
  struct json value;
  for (bool done = false; !done;) {
    json_key key = JSON_NO_KEY;
    if (parser->depth && parser->open[parser->depth - 1].is_object && !read_key(parser, &key))
      return false;
    skip_blanks(parser);
    value = (struct json){.key = key, .offset = (uint32_t)(parser->at - parser->begin)};
    if (*parser->at == '{' || *parser->at == '[') {
      if (!begin_container(parser, &value))
        continue;
    } else if (!read_scalar(parser, &value)) {
      return false;
    }
    if (!go_on(parser, &value, &done))
      return false;
  }
  parser->tree->root = value;
  skip_blanks(parser);
  return parser->at == parser->end || unexpected(parser, "the text must end");
}

bool json_read(struct json_tree *tree, const char *text, size_t length, struct json_remark *wrong) {
  static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8, as some editors put it before a text */
  struct parser parser = {.begin = text, .at = text, .end = text + length, .tree = tree, .wrong = wrong};
  memset(tree, 0, sizeof *tree);
  tree->store = store_new();
  parser.value_capacity = 256;
  parser.values = reallocate(NULL, parser.value_capacity * sizeof *parser.values);
  if (length >= sizeof mark - 1 && !memcmp(text, mark, sizeof mark - 1))
    parser.at += sizeof mark - 1;
  bool good = read_all(&parser);
  free(parser.values);
  free(parser.open);
  free(parser.stamps);
  if (!good)
    json_free(tree);
  return good;
}

void json_free(struct json_tree *tree) {
  store_free(tree->store);
  memset(tree, 0, sizeof *tree);
}

/* ---- Looking things up ---- */

json_key json_key_of(const struct json_tree *tree, const char *name) { return store_find(tree->store, name); }

const char *json_name(const struct json_tree *tree, const struct json *member) {
  return store_name(tree->store, member->key);
}

struct json_path json_path_of(const struct json_tree *tree, const char *dotted) {
  struct json_path path = {{0}, 0};
  while (*dotted && path.length < JSON_PATH_LENGTH) {
    char name[64];
    size_t length = strcspn(dotted, ".");
    snprintf(name, sizeof name, "%.*s", (int)length, dotted);
    path.keys[path.length++] = json_key_of(tree, name);
    dotted += length + (dotted[length] == '.');
  }
  return path;
}

static const struct json *own_member(const struct json_list *list, json_key key) {
  if (!(list->keys & json_key_bit(key)))
    return NULL;
  for (const struct json *items = list->items, *end = items + list->count; items < end; ++items)
    if (items->key == key)
      return items;
  return NULL;
}

static const struct json *member(const struct json *object, json_key key) {
  const struct json *found = NULL;
  if (key == JSON_NO_KEY || object->kind != JSON_OBJECT)
    return NULL;
  for (const struct json_list *list = object->items; list && !found; list = list->defaults)
    found = own_member(list, key);
  return found;
}

const struct json *json_at(const struct json *object, const struct json_path *path) {
  for (size_t i = 0; object && i < path->length; ++i)
    object = member(object, path->keys[i]);
  return object;
}

const struct json *json_find(const struct json_tree *tree, const struct json *object, const char *dotted) {
  struct json_path path = json_path_of(tree, dotted);
  return json_at(object, &path);
}

size_t json_count(const struct json *value) {
  return value && (value->kind == JSON_ARRAY || value->kind == JSON_OBJECT) ? value->items->count : 0;
}

const struct json *json_item(const struct json *value, size_t index) {
  static const struct json nothing = {.kind = JSON_NULL};
  return index < json_count(value) ? &value->items->items[index] : &nothing;
}

const struct json *json_first_member(const struct json *object) {
  const struct json_list *list = object && object->kind == JSON_OBJECT ? object->items : NULL;
  while (list && !list->count)
    list = list->defaults;
  return list ? list->items : NULL;
}

/* The list of an item. */
static const struct json_list *list_of(const struct json *object, const struct json *item) {
  const struct json_list *list = object->items;
  while (item < list->items || item >= list->items + list->count)
    list = list->defaults;
  return list;
}

const struct json *json_next_member(const struct json *object, const struct json *item) {
  const struct json_list *list = list_of(object, item);
  for (++item; list; item = list ? list->items : NULL) {
    for (; item < list->items + list->count; ++item)
      if (list == object->items || member(object, item->key) == item)
        return item;
    list = list->defaults;
  }
  return NULL;
}

/* ---- Places ---- */

/* The last item beginning at or before `offset`. */
static size_t item_at(const struct json *container, uint32_t offset) {
  size_t low = 0, high = json_count(container);
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    *(json_item(container, middle)->offset <= offset ? &low : &high) = middle;
  }
  return low;
}

static void add_step(struct text *out, const struct json_tree *tree, const struct json *container, size_t index) {
  if (container->kind == JSON_ARRAY) {
    text_format(out, "[%zu]", index);
    return;
  }
  text_add(out, container != &tree->root ? "." : "");
  text_add(out, json_name(tree, json_item(container, index)));
}

void json_place(struct text *out, const struct json_tree *tree, uint32_t offset) {
  const size_t shown = 12; /* steps at either end; steps between them, in a deep tree, are left out */
  size_t depth = 0, step = 0;
  for (const struct json *at = &tree->root; at->offset < offset && json_count(at); ++depth)
    at = json_item(at, item_at(at, offset));
  for (const struct json *at = &tree->root; step < depth; ++step) {
    size_t index = item_at(at, offset);
    if (step < shown || step + shown >= depth)
      add_step(out, tree, at, index);
    else if (step == shown)
      text_add(out, "..");
    at = json_item(at, index);
  }
}
