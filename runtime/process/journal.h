/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The journal: while the program runs, a thread replaces the document by a newer one, so that it outlives every end of the
 * program. What it writes says that the program was running (context.end); the usual end writes the last document without it.
 */
#ifndef GP_JOURNAL_H
#define GP_JOURNAL_H

/* Before the first launch that is counted, on any thread: starts the thread, and watches for sudden ends. Cheap when repeated. */
void gp_journal_begin(void);
/* Ends the thread, for good. Returns 1 if the document that it leaves behind says that the program is running. */
int gp_journal_stop(void);

/* The program ends now, by `how` ("signal", "_exit", …): has the thread write the last document, and waits for it, bounded.
 * Does nothing in another process than the one that is counted. Async-signal-safe. `signal`: 0 for none. */
void gp_journal_last(const char *how, int signal);
/* It did not end. */
void gp_journal_goes_on(void);

/* In the child of a fork, which has no such thread: whether one is started is decided anew. */
void gp_journal_in_child(void);

#endif
