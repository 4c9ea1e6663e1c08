/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* JSON text as a compact tree: 16 bytes a value, each string once. Reading needs no recursion and linear time. */
#ifndef GP_TOOL_JSON_H
#define GP_TOOL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

enum json_kind {
  JSON_NULL,
  JSON_BOOLEAN,
  JSON_WHOLE,    /* a whole number from 0 to 2^64-1: `magnitude` */
  JSON_NEGATIVE, /* a whole number from -(2^64-1) to -1: `magnitude` without the sign */
  JSON_REAL,     /* every other number: `real`, finite */
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT,
};

/* The number of a string in its tree; equal strings of a tree have equal numbers. */
typedef uint32_t json_key;
#define JSON_NO_KEY 0u

struct json_list;

struct json {
  unsigned kind : 3, key : 29; /* key: the member's name, JSON_NO_KEY outside of objects */
  uint32_t offset;             /* of its first byte in the text */
  union {
    uint64_t magnitude;
    double real;
    bool boolean;
    const char *string;            /* UTF-8; U+0000 and lone surrogates are U+FFFD */
    const struct json_list *items; /* of arrays and objects, in the order of the text */
  };
};

struct json_list {
  const struct json_list *defaults; /* members of an object without that key of its own; or null */
  uint32_t count;
  uint32_t keys; /* a bit for each of its members' keys: most lists without a key answer at once */
  struct json items[];
};

/* The reason why a text is no JSON document, or the oddity of one. */
struct json_remark {
  bool cut;      /* the text ends too early; its beginning is good */
  size_t offset; /* where */
  char what[96]; /* "'@' where a value must begin" */
};

struct json_tree {
  struct json root;
  size_t duplicates;            /* members whose key stands once more behind them: the last one is kept */
  struct json_remark duplicate; /* the first of them */
  struct json_store *store;     /* owns everything below the root */
};

/* Texts of this size or more are not read: offsets have 32 bits, keys 29. */
#define JSON_TEXT_LIMIT ((size_t)1 << 31)

/* Reads `length` bytes, followed by a zero. Returns false with the first error. */
bool json_read(struct json_tree *tree, const char *text, size_t length, struct json_remark *wrong);
void json_free(struct json_tree *tree);

/* The bit of a key in its list. */
static inline uint32_t json_key_bit(json_key key) { return (uint32_t)1 << (key * 0x9E3779B1u >> 27); }

/* The key of a name, or JSON_NO_KEY where the tree has no such string. */
json_key json_key_of(const struct json_tree *tree, const char *name);
/* The name of a member's key; "" outside of objects. */
const char *json_name(const struct json_tree *tree, const struct json *member);

/* Keys one below the other. */
#define JSON_PATH_LENGTH 4
struct json_path {
  json_key keys[JSON_PATH_LENGTH];
  size_t length;
};
/* "bytes.global.load" in the keys of a tree. */
struct json_path json_path_of(const struct json_tree *tree, const char *dotted);
/* The value at a path below an object; a null pointer where a part of it is missing, or no object. */
const struct json *json_at(const struct json *object, const struct json_path *path);
/* The same for a path looked up once. */
const struct json *json_find(const struct json_tree *tree, const struct json *object, const char *dotted);

/* The items of an array or object, without defaults; none for every other value and for a null pointer. */
size_t json_count(const struct json *value);
const struct json *json_item(const struct json *value, size_t index);
#define JSON_EACH(item, value)                                                                               \
  for (const struct json *item = json_item(value, 0), *end_of_##item = item + json_count(value);             \
       item < end_of_##item; ++item)

/* Every member of an object, with defaults; a null pointer after the last. */
const struct json *json_first_member(const struct json *object);
const struct json *json_next_member(const struct json *object, const struct json *member);
#define JSON_EACH_MEMBER(item, object)                                                                       \
  for (const struct json *item = json_first_member(object); item; item = json_next_member(object, item))

/* "regions[0].children[2].flops": the way from the root to the value at `offset`. */
void json_place(struct text *out, const struct json_tree *tree, uint32_t offset);

#endif
