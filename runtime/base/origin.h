/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The state of the process when the library was loaded, before the program's own code ran. */
#ifndef GP_ORIGIN_H
#define GP_ORIGIN_H

/* The working folder; null if unknown. Relative names of files are resolved against it. */
const char *gp_origin_folder(void);
/* True if this descriptor (0 to 2) is still a standard stream. It is then the process's initial file, or a
 * usual target of redirections: a terminal, a pipe or an append-only file. For standard error the file of
 * standard output is another one. Anything else is a file of the program with the number of a closed
 * stream. */
int gp_origin_is_stream(int descriptor);

#endif
