/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sudden ends of the program: fatal signals, _exit() and its like, exec(). Each has the journal write the
 * last document; then the end takes its usual course.
 */
#ifndef GP_ENDS_H
#define GP_ENDS_H

/* Handles the signals still without a handler. A handler installed later by the program replaces it. */
void gp_ends_watch(void);
/* The library is about to be unloaded. */
void gp_ends_unwatch(void);

#endif
