/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Manual pages, made from the tables of commands, options and topics. */
#ifndef GP_TOOL_MAN_PAGES_H
#define GP_TOOL_MAN_PAGES_H

/* Writes gpuprof.1, a page for each command (section 1) and one for each topic (section 7) into `folder`, which exists.
 * Returns an exit code. */
int man_pages_write(const char *folder);

#endif
