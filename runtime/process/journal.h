/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The journal: while the program runs, a thread replaces the document by a newer one: it outlives every end
 * of the program. Its documents describe the program as running (context.end). The usual end writes the last
 * document without it.
 */
#ifndef GP_JOURNAL_H
#define GP_JOURNAL_H

/* Called before the first counted launch, on any thread: starts the thread, and watches for sudden ends.
 * Cheap when repeated. */
void gp_journal_begin(void);
/* Ends the thread, for good. Returns 1 if its last document describes the program as running. */
int gp_journal_stop(void);

/* The program ends now, by `how` ("signal", "_exit", …). Has the thread write the last document, and waits
 * for it for a bounded time. Does nothing outside of the counted process. Async-signal-safe. `signal`: 0 for
 * none. */
void gp_journal_last(const char *how, int signal);
/* The program did not end. */
void gp_journal_goes_on(void);

/* To be called in the child of a fork, without this thread: the decision to start one is open again. */
void gp_journal_in_child(void);

#endif
