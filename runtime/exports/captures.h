/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Captures into graphs, begun and not yet ended by the program, on any stream. */
#ifndef GP_CAPTURES_H
#define GP_CAPTURES_H

void gp_capture_begun(void);
void gp_capture_ended(void);
int gp_captures(void);

#endif
