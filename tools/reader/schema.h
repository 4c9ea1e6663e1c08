/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The types of a roofline document's values, checked at every place before anything is read. */
#ifndef GP_TOOL_SCHEMA_H
#define GP_TOOL_SCHEMA_H

#include "reader/json.h"

/* A value of another type than the schema says. */
struct schema_error {
  uint32_t offset;    /* of the value */
  const char *wanted; /* "a whole number from 0 to 2^64-1" */
  const char *found;  /* "a string" */
};

/* Null is good everywhere: not known. Unknown keys and absent parts are passed over. */
bool schema_check(const struct json_tree *tree, struct schema_error *error);

#endif
