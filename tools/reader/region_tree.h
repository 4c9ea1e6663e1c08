/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Regions in the order of their tree. */
#ifndef GP_TOOL_REGION_TREE_H
#define GP_TOOL_REGION_TREE_H

#include "reader/reader.h"

/* Orders `entries` so that children follow their parent, and fills in depth, last and parent_index.
 * On entry parent_index is the index of the enclosing region, or SIZE_MAX: then the path decides. An
 * entry in a circle of parents begins a tree of its own. Takes linear time, at any depth. */
void region_tree_order(struct entry *entries, size_t count);

#endif
