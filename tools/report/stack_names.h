/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stacks of a document's memory as a person reads them: functions, with file and line where the module is at hand, was not built
 * anew and has debug information. addr2line or llvm-symbolizer finds them. */
#ifndef GP_TOOL_STACK_NAMES_H
#define GP_TOOL_STACK_NAMES_H

#include "reader/reader.h"

struct stack_names;

/* The caller frees it. */
struct stack_names *stack_names_of(const struct document *document);
void stack_names_free(struct stack_names *names);
/* "fill (app.cu:12), main (app.cu:30)": the innermost callers of a stack, up to main. Nothing where `stack` is no stack's number. */
void stack_names_add(struct text *out, const struct stack_names *names, const struct json *stack);

#endif
