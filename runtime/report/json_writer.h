/* A streaming JSON writer: stable order, exact 64-bit integers, no NaN or infinity (they become null), valid UTF-8
 * whatever the input. Errors are sticky: ask at the end.
 */
#ifndef GP_JSON_WRITER_H
#define GP_JSON_WRITER_H

#include <stdint.h>
#include <stdio.h>

#define GP_JSON_DEPTH 512

struct gp_json {
  FILE *stream;
  unsigned depth;
  int failed, compact;
  size_t used;
  char buffer[4096];
  unsigned char filled[GP_JSON_DEPTH]; /* the open object or array has an element */
};

void gp_json_begin(struct gp_json *json, FILE *stream);
/* Ends the document with a newline. Returns 0 if all was written and every container is closed. */
int gp_json_end(struct gp_json *json);

/* From now on values follow each other without new lines (1), or each stands on a line of its own (0). */
void gp_json_compact(struct gp_json *json, int compact);

/* In an object: a key, then one value. Key null: in an array. */
void gp_json_object(struct gp_json *json, const char *key);
void gp_json_array(struct gp_json *json, const char *key);
void gp_json_close_object(struct gp_json *json);
void gp_json_close_array(struct gp_json *json);
void gp_json_text(struct gp_json *json, const char *key, const char *text); /* null: null */
void gp_json_unsigned(struct gp_json *json, const char *key, uint64_t value);
void gp_json_signed(struct gp_json *json, const char *key, int64_t value);
void gp_json_real(struct gp_json *json, const char *key, double value); /* shortest text that reads back the same */
void gp_json_boolean(struct gp_json *json, const char *key, int value);
void gp_json_null(struct gp_json *json, const char *key);

#endif
