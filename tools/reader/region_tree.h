/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Regions in the order of their tree. */
#ifndef GP_TOOL_REGION_TREE_H
#define GP_TOOL_REGION_TREE_H

#include "reader/reader.h"

/* Orders `entries` so that children follow their parent, and fills in depth, last and parent_index, which is on entry
 * the index of the entry that a region stands in, or SIZE_MAX: then it is found by its path. An entry whose parents
 * lead back to itself begins a tree of its own. Takes linear time, whatever the depth. */
void region_tree_order(struct entry *entries, size_t count);

#endif
