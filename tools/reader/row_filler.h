/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of documents leave out derived members (docs/user/document.md); here they are filled in, in the tree. */
#ifndef GP_TOOL_ROW_FILLER_H
#define GP_TOOL_ROW_FILLER_H

#include "reader/json.h"

/* Why rows cannot be filled in. */
struct filler_error {
  uint32_t offset; /* of the wrong value */
  const char *what;
};

/* Makes objects of the arrays of lines and steps. Values may have any type. */
bool rows_name_columns(struct json_tree *tree, struct filler_error *error);
/* Gives each row its left-out members. The tree's types have been checked, and its text has `length` bytes. */
bool rows_fill(struct json_tree *tree, size_t length, struct filler_error *error);

#endif
