/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of documents leave out what follows from elsewhere (docs/user/document.md); here it is filled in, in the tree. */
#ifndef GP_TOOL_ROW_FILLER_H
#define GP_TOOL_ROW_FILLER_H

#include "reader/json.h"

/* Why rows cannot be filled in. */
struct filler_error {
  uint32_t offset; /* of the value that is wrong */
  const char *what;
};

/* Makes objects of the arrays that lines and steps are. Values may have any type. */
bool rows_name_columns(struct json_tree *tree, struct filler_error *error);
/* Gives each row the members that it leaves out. The tree's types have been checked, and its text has `length` bytes. */
bool rows_fill(struct json_tree *tree, size_t length, struct filler_error *error);

#endif
