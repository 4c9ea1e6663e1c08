/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the process looked like when the library was loaded, before the program's own code ran. */
#ifndef GP_ORIGIN_H
#define GP_ORIGIN_H

/* The working folder; null if it was not known. Relative names of files are resolved against it. */
const char *gp_origin_folder(void);
/* Is this descriptor (0 to 2) still a standard stream? It is the file that the process was started with, or what programs
 * redirect streams to: a terminal, a pipe, a file that is only appended to, for standard error also the file of standard
 * output. Anything else is a file of the program's that has got the number of a closed stream. */
int gp_origin_is_stream(int descriptor);

#endif
