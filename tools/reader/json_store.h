/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storage of a JSON tree: lists of values in large blocks, and each string once, with a number. */
#ifndef GP_TOOL_JSON_STORE_H
#define GP_TOOL_JSON_STORE_H

#include "reader/json.h"

struct json_store *store_new(void);
void store_free(struct json_store *store);

/* A list of copies of `count` values. */
const struct json_list *store_list(struct json_store *store, const struct json *items, size_t count);
/* The same, with the default members. */
struct json_list *store_list_over(struct json_store *store, const struct json *items, size_t count,
                                  const struct json_list *defaults);
/* To be called where keys of a list's items have changed. */
void store_mark_keys(struct json_list *list);
/* The one copy of a string, and its number. */
const char *store_string(struct json_store *store, const char *bytes, size_t length, json_key *key);
/* Room for `length` bytes, until the next call. */
char *store_scratch(struct json_store *store, size_t length);

size_t store_string_count(const struct json_store *store);
/* JSON_NO_KEY where the store has no such string. */
json_key store_find(const struct json_store *store, const char *name);
const char *store_name(const struct json_store *store, json_key key);

#endif
