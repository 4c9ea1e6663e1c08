// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "document_mutator.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Chance (splitmix64) ---- */

static uint64_t next(uint64_t *state) {
  uint64_t x = *state += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static size_t below(uint64_t *state, size_t most) { return most ? next(state) % most : 0; }

/* ---- Where values and members are ---- */

/* A value of the text; of a member also where its key begins. */
struct span {
  size_t key, begin, end; /* key: SIZE_MAX where there is none */
};

struct spans {
  struct span *items;
  size_t count, capacity;
  size_t *open; /* arrays and objects without an end yet */
  size_t depth, open_capacity;
};

static size_t string_end(const char *text, size_t at, size_t length) {
  for (++at; at < length && text[at] != '"'; ++at)
    at += text[at] == '\\';
  return at < length ? at + 1 : length;
}

static size_t add_span(struct spans *spans, size_t key, size_t begin, size_t end) {
  if (spans->count == spans->capacity) {
    spans->capacity = spans->capacity ? 2 * spans->capacity : 512;
    spans->items = reallocate(spans->items, spans->capacity * sizeof *spans->items);
  }
  spans->items[spans->count] = (struct span){key, begin, end};
  return spans->count++;
}

static void open_span(struct spans *spans, size_t index) {
  if (spans->depth == spans->open_capacity) {
    spans->open_capacity = spans->open_capacity ? 2 * spans->open_capacity : 64;
    spans->open = reallocate(spans->open, spans->open_capacity * sizeof *spans->open);
  }
  spans->open[spans->depth++] = index;
}

/* As far as the text is JSON; the rest is passed over. */
static void find_spans(struct spans *spans, const char *text, size_t length) {
  size_t key = SIZE_MAX;
  spans->count = spans->depth = 0;
  for (size_t at = 0; at < length;) {
    char c = text[at];
    if (c == '{' || c == '[') {
      open_span(spans, add_span(spans, key, at, length));
      key = SIZE_MAX;
      ++at;
    } else if (c == '}' || c == ']') {
      ++at;
      if (spans->depth)
        spans->items[spans->open[--spans->depth]].end = at;
    } else if (c == '"') {
      size_t end = string_end(text, at, length);
      if (end < length && text[end] == ':') {
        key = at;
      } else {
        add_span(spans, key, at, end);
        key = SIZE_MAX;
      }
      at = end;
    } else if (strchr("-0123456789tfn", c) && c) {
      size_t end = at + 1;
      while (end < length && !strchr(",]} \n", text[end]))
        ++end;
      add_span(spans, key, at, end);
      key = SIZE_MAX;
      at = end;
    } else {
      ++at;
    }
  }
}

/* ---- Mutations ---- */

static const char *const values[] = {
    "null", "true", "false", "0", "-0", "1", "-1", "7.5", "-0.0", "1e3", "5e-324", "-5e-324", "1e-300", "1e-30", "1e30",
    "1e308", "-1e308", "1e999", "9007199254740993", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e19", "NaN",
    "Infinity", "01", "\"\"", "\"x\"", "\"1\"", "\"gpu\"", "\"cpu\"", "\"cupti\"", "\"above_roof\"", "\"dram\"",
    "\"=1+1\"", "\"@x\"", "\"-1\"", "\"\\u001b[2J\"", "\"\\u202egnp\"", "\"\\u0000\"", "\"\\ud800\"", "\"a\\nb\\r\"",
    "\"<script>alert(1)</script>\"", "\"|`*_[](x)\"", "\"\xe2\x80\xae\"", "\"\xc2\x9b\"", "\"_Z\"", "\"_ZN99999999999x\"",
    "\"_ZNL3abcI\"", "\"void a<b>::c<d(int)>(e)\"", "\"(anonymous namespace)::f\"", "\"\xff\"", "\"\\", "[]", "{}",
    "[1,2]", "[null]", "[[]]", "[{}]", "{\"a\":1}", "{\"\":{}}", "{\"load\":18446744073709551615,\"store\":1}",
    "[{\"name\":\"x\",\"children\":[{\"name\":\"y\"}]}]", "[\"a/b\"]", "[{\"file\":\"/dev/zero\",\"line\":1}]",
    "[{\"file\":\"a.cu\",\"line\":18446744073709551615}]", "[[1,2,3]]", "[[1,2,3,4,5,6,7,0],[]]", "[\"children\"]",
    "{\"columns\":[\"line\",\"file\"],\"defaults\":[0,0]}", "[{\"kind\":\"host\",\"file\":\"a.cu\",\"line\":1}]"};
static const char *const keys[] = {"name", "path", "parent", "children", "regions", "kernels", "flops", "total", "bytes",
                                   "lines", "hardware", "counters", "per_step", "step", "user_counters", "launches",
                                   "uncounted_launches", "roofline", "percent", "ceilings", "per_second", "device", "kind",
                                   "", "x", "schema", "version", "notes", "uncounted", "devices", "index",
                                   "rows", "defaults", "inherited", "sites", "site", "files", "file", "columns", "time_ns"};
#define COUNT(list) (sizeof list / sizeof *list)

struct mutation {
  struct text *text;
  struct text scratch; /* the inserted text, possibly a part of the text itself */
  const char *const *texts;
  size_t count;
  struct spans spans, others;
  uint64_t chance;
};

static struct span any_span(struct mutation *m) {
  return m->spans.count ? m->spans.items[below(&m->chance, m->spans.count)]
                        : (struct span){SIZE_MAX, 0, m->text->length};
}

/* Puts the scratch in the place of a part of the text. */
static void put(struct mutation *m, size_t begin, size_t end) {
  struct text made = {0};
  text_bytes(&made, text_get(m->text), begin);
  text_bytes(&made, text_get(&m->scratch), m->scratch.length);
  text_bytes(&made, text_get(m->text) + end, m->text->length - end);
  text_free(m->text);
  *m->text = made;
}

static void replace_value(struct mutation *m) {
  struct span span = any_span(m);
  text_add(&m->scratch, values[below(&m->chance, COUNT(values))]);
  put(m, span.begin, span.end);
}

/* A member or an item goes, with the comma behind it or else the one before it. */
static void delete_value(struct mutation *m) {
  struct span span = any_span(m);
  size_t begin = span.key == SIZE_MAX ? span.begin : span.key, end = span.end;
  const char *text = text_get(m->text);
  if (end < m->text->length && text[end] == ',')
    ++end;
  else if (begin && text[begin - 1] == ',')
    --begin;
  put(m, begin, end);
}

static void duplicate_value(struct mutation *m) {
  struct span span = any_span(m);
  size_t begin = span.key == SIZE_MAX ? span.begin : span.key, times = 1 + below(&m->chance, 3);
  for (size_t i = 0; i < times; ++i) {
    text_add(&m->scratch, ",");
    text_bytes(&m->scratch, text_get(m->text) + begin, span.end - begin);
  }
  put(m, span.end, span.end);
}

/* A value of any of the good texts. */
static void splice_value(struct mutation *m) {
  const char *from = m->texts[below(&m->chance, m->count)];
  find_spans(&m->others, from, strlen(from));
  struct span source = m->others.items[below(&m->chance, m->others.count)], span = any_span(m);
  text_bytes(&m->scratch, from + source.begin, source.end - source.begin);
  put(m, span.begin, span.end);
}

static void swap_values(struct mutation *m) {
  struct span a = any_span(m), b = any_span(m);
  if (a.begin > b.begin) {
    struct span c = a;
    a = b;
    b = c;
  }
  if (a.end > b.begin)
    return;
  const char *text = text_get(m->text);
  text_bytes(&m->scratch, text + b.begin, b.end - b.begin);
  text_bytes(&m->scratch, text + a.end, b.begin - a.end);
  text_bytes(&m->scratch, text + a.begin, a.end - a.begin);
  put(m, a.begin, b.end);
}

static void rename_key(struct mutation *m) {
  struct span span = any_span(m);
  if (span.key == SIZE_MAX)
    return;
  text_format(&m->scratch, "\"%s\":", keys[below(&m->chance, COUNT(keys))]);
  put(m, span.key, span.begin);
}

/* The value in arrays, objects or regions, some or very many. */
static void nest_value(struct mutation *m) {
  static const char *const around[][2] = {
      {"[", "]"}, {"{\"a\":", "}"}, {"[{\"name\":\"n\",\"children\":", "}]"}, {"{\"flops\":", "}"}};
  struct span span = any_span(m);
  size_t way = below(&m->chance, COUNT(around)),
         depth = below(&m->chance, 50) ? 1 + below(&m->chance, 40) : 1000 + below(&m->chance, 4000);
  text_repeat(&m->scratch, around[way][0], depth);
  text_bytes(&m->scratch, text_get(m->text) + span.begin, span.end - span.begin);
  text_repeat(&m->scratch, around[way][1], depth);
  put(m, span.begin, span.end);
}

static void long_string(struct mutation *m) {
  static const char *const pieces[] = {"x", "\\n", "\xc3\xa4", "1a", "<", "::", "\\u202e", ",", "a b "};
  struct span span = any_span(m);
  text_add(&m->scratch, "\"");
  text_repeat(&m->scratch, pieces[below(&m->chance, COUNT(pieces))], 1 + below(&m->chance, 2000));
  text_add(&m->scratch, "\"");
  put(m, span.begin, span.end);
}

static void any_number(struct mutation *m) {
  struct span span = any_span(m);
  uint64_t bits = next(&m->chance);
  double real;
  memcpy(&real, &bits, sizeof real);
  if (bits & 1)
    text_format(&m->scratch, "%.17g", real);
  else
    text_format(&m->scratch, "%llu", (unsigned long long)(next(&m->chance) >> (bits >> 1 & 63)));
  put(m, span.begin, span.end);
}

static void flip_bits(struct mutation *m) {
  size_t flips = 1 + below(&m->chance, 3);
  for (size_t i = 0; i < flips && m->text->length; ++i)
    m->text->data[below(&m->chance, m->text->length)] ^= (char)(1 << below(&m->chance, 8));
}

static void cut_text(struct mutation *m) {
  if (!m->text->length)
    return;
  m->text->length = below(&m->chance, m->text->length);
  m->text->data[m->text->length] = 0;
}

static void cut_out(struct mutation *m) {
  size_t begin = below(&m->chance, m->text->length), most = m->text->length - begin;
  put(m, begin, begin + below(&m->chance, most < 64 ? most + 1 : 64));
}

static void insert_bytes(struct mutation *m) {
  size_t at = below(&m->chance, m->text->length + 1), count = 1 + below(&m->chance, 4);
  for (size_t i = 0; i < count; ++i)
    text_bytes(&m->scratch, &(char){(char)next(&m->chance)}, 1);
  put(m, at, at);
}

/* Mutations keeping the text JSON come more often: they get further. */
static void (*const mutations[])(struct mutation *) = {
    replace_value, replace_value, replace_value, replace_value,   any_number,  any_number, delete_value, delete_value,
    splice_value,  splice_value,  swap_values,   duplicate_value, rename_key,  nest_value, long_string,  flip_bits,
    cut_text,      cut_out,       insert_bytes};

void document_mutate(struct text *out, const char *const *texts, size_t count, uint64_t seed, uint64_t number) {
  static struct mutation m;
  m.text = out;
  m.texts = texts;
  m.count = count;
  m.chance = seed * 0xD1342543DE82EF95u + number;
  next(&m.chance);
  out->length = 0;
  text_add(out, texts[below(&m.chance, count)]);
  size_t times = 1 + below(&m.chance, 4);
  for (size_t i = 0; i < times; ++i) {
    m.scratch.length = 0;
    text_add(&m.scratch, "");
    find_spans(&m.spans, text_get(out), out->length);
    mutations[below(&m.chance, COUNT(mutations))](&m);
  }
}
