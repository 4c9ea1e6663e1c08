/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sudden ends of the program: signals whose default is to end it, _exit() and its like, exec(). Each has the journal write
 * the last document; then the end is what it would have been.
 */
#ifndef GP_ENDS_H
#define GP_ENDS_H

/* Handles the signals that nothing handles yet. A handler that the program installs later takes the place of ours. */
void gp_ends_watch(void);
/* The library is about to be unloaded. */
void gp_ends_unwatch(void);

#endif
