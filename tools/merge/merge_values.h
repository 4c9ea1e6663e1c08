/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two values of two documents become one, by their kinds and names. */
#ifndef GP_TOOL_MERGE_VALUES_H
#define GP_TOOL_MERGE_VALUES_H

#include "reader/reader.h"
#include "report/json_writer.h"

#include <stdbool.h>

/* The lists of members that rows of a document share as defaults. Where both sides have them, so has what they become. */
#define SHARED_LISTS 128
struct shared_lists {
  const struct json_list *lists[SHARED_LISTS];
  size_t count;
};
void shared_lists_add(struct shared_lists *shared, const struct json *object);

/* One side of a merge: a document, and a value of it, null where it has none. */
struct side {
  const struct json_tree *tree;
  const struct json *value;
  bool idle; /* of a row without launches: what is unknown of it is nothing */
  const struct shared_lists *shared; /* members that are passed over; or null */
};

/* The member of a side's object. */
struct side side_member(struct side side, const char *name);
/* "bytes.global.load" of it. */
struct side side_at(struct side side, const char *dotted);
/* Calls `visit` for each member that one of the two objects has, but for shared ones, in the order of the first. */
typedef void member_visitor(void *closure, const char *name, struct side a, struct side b);
void sides_each_member(struct side a, struct side b, member_visitor *visit, void *closure);

/* Numbers are added up; of those named as peaks or limits the largest or smallest is taken; rates and texts are kept where both
 * agree, else null. Objects are merged member by member, lists of objects by their names; other lists stand one behind the
 * other. What one side lacks is as in the other one. */
void merge_values(struct gp_json *json, const char *key, struct side a, struct side b);
/* The value as it is. */
void copy_value(struct gp_json *json, const char *key, struct side side);
/* The sum of numbers at a path of two rows; not known where one is not. */
struct number sum_at(struct side a, struct side b, const char *dotted);
void write_number(struct gp_json *json, const char *key, struct number number);
/* a / b; not known where b is 0. */
struct number quotient(struct number a, struct number b);

#endif
