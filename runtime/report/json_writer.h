/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A streaming JSON writer: stable order, exact 64-bit integers, no NaN or infinity (they become null), valid
 * UTF-8 whatever the input. Errors are sticky: query them at the end.
 */
#ifndef GP_JSON_WRITER_H
#define GP_JSON_WRITER_H

#include <stdint.h>
#include <stdio.h>

#define GP_JSON_DEPTH 512

/* Members of an object, left out by other objects with the same value. */
#define GP_JSON_DEFAULTS 256
struct gp_json_default {
  const char *key;
  char value[24];             /* as in the text; a string without its last quote; "{" and "[" of containers */
  unsigned char length;
  unsigned short first, next; /* member and sibling; 0: none */
};
struct gp_json_defaults {
  unsigned count;
  struct gp_json_default members[GP_JSON_DEFAULTS]; /* the first is the object itself */
};

/* An open object or array. */
struct gp_json_level {
  const char *key;
  struct gp_json_defaults *defaults; /* for its members, including those of objects in it; or null */
  unsigned short same, next; /* its default, 0: none; the member of the default likely to come next */
  char bracket;
  unsigned char filled;  /* it has an element */
  unsigned char changes; /* it describes its changes of the defaults */
  unsigned char pending; /* it is written with its first element only */
};

struct gp_json {
  FILE *stream;
  unsigned depth;
  int failed, compact, keep;
  unsigned recorded;                /* depth of the object recording its members as defaults; 0: none */
  /* the changes of the defaults described by an object; null: no object does */
  struct gp_json_defaults *changed;
  size_t used;
  char buffer[4096];
  struct gp_json_level levels[GP_JSON_DEPTH];
};

void gp_json_begin(struct gp_json *json, FILE *stream);
/* Ends the document with a newline. Returns 0 if all was written and every container is closed. */
int gp_json_end(struct gp_json *json);

/* From now on values follow each other without new lines (1), or each stands on a line of its own (0). */
void gp_json_compact(struct gp_json *json, int compact);

/* Opens an object with members as the defaults of others. Members without room are never left out. */
void gp_json_object_of_defaults(struct gp_json *json, const char *key, struct gp_json_defaults *defaults);
/* Opens an object without the members equal to the defaults, also in objects within it. Without defaults
 * (null) it is written in full. */
void gp_json_sparse_object(struct gp_json *json, const char *key, struct gp_json_defaults *defaults);
/* Until it closes, the innermost object describes its changes of `defaults`. Members missing in `defaults`,
 * kept or too long, and items of arrays, are not written. `changed` are the defaults with these changes. */
void gp_json_change_defaults(struct gp_json *json, struct gp_json_defaults *defaults, struct gp_json_defaults *changed);
/* From now on nothing is left out (1), or values equal to a default are (0). */
void gp_json_keep(struct gp_json *json, int keep);

/* In an object: a key, then one value. Key null: in an array. */
void gp_json_object(struct gp_json *json, const char *key);
void gp_json_array(struct gp_json *json, const char *key);
void gp_json_close_object(struct gp_json *json);
void gp_json_close_array(struct gp_json *json);
void gp_json_text(struct gp_json *json, const char *key, const char *text); /* null: null */
void gp_json_unsigned(struct gp_json *json, const char *key, uint64_t value);
void gp_json_signed(struct gp_json *json, const char *key, int64_t value);
void gp_json_real(struct gp_json *json, const char *key, double value); /* the shortest exact text */
void gp_json_rounded(struct gp_json *json, const char *key, double value); /* to 9 digits */
void gp_json_boolean(struct gp_json *json, const char *key, int value);
void gp_json_null(struct gp_json *json, const char *key);

#endif
