/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names and phases that `scan` proposes, from the names of functions. */
#ifndef GP_TOOL_SCAN_NAMES_H
#define GP_TOOL_SCAN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* "attention.softmax" of "attention_softmax_kernel", "net.Model.forward" of "net::Model::forward". The caller frees it. */
char *name_of_region(const char *qualified);
/* The name with its scopes, joined by dots, and nothing left out. The caller frees it. */
char *name_in_full(const char *qualified);
/* The phase that a function's name says, or null. `hints` are words beside it: names of its parameters. */
const char *phase_of_name(const char *qualified, const char *hints);

struct name_request {
  const char *qualified, *file;
  bool is_local; /* static, or in an anonymous namespace: another file of the program may have one of this name */
  char *name;    /* the result, which the caller frees */
};
/* Gives each function a name without equal among the functions of its program and the pragmas already present. Two functions
 * of one name in two files, both known to the linker, belong to two programs. */
void name_all(struct name_request *requests, size_t count, const char *const *taken, size_t taken_count);

#endif
