/* What this program says to a person on stderr, and the exit codes that go with it. */
#ifndef GP_TOOL_SAY_H
#define GP_TOOL_SAY_H

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_MISUSE = 2 };

/* "gpuprof: error: …"; returns EXIT_FAILED. One sentence that says what to do. */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for a command line that makes no sense, with the help to read; returns EXIT_MISUSE. */
int misuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "gpuprof: note: …" */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
