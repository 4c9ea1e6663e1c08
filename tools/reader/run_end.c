// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/run_end.h"

#include "common/numbers.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool run_is_incomplete(const struct document *document) { return !strcmp(document->end_state, "running"); }

/* As /proc has it: with its number it names a process of this host. 0: there is none. */
static unsigned long long start_of_process(unsigned long long pid) {
  char path[64], facts[1024];
  unsigned long long start = 0;
  snprintf(path, sizeof path, "/proc/%llu/stat", pid);
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(facts, 1, sizeof facts - 1, file) : 0;
  if (file)
    fclose(file);
  facts[length] = 0;
  const char *at = strrchr(facts, ')'); /* the name of the program may hold anything */
  if (!at || sscanf(at, ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &start) != 1 || at[2] == 'Z')
    return 0;
  return start;
}

enum life { UNKNOWN, LIVES, ENDED };

static enum life life_of(const struct document *document) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  if (strcmp(host, document->host) || !document->pid.known || !document->process_start.known)
    return UNKNOWN;
  return start_of_process(document->pid.value) == document->process_start.value ? LIVES : ENDED;
}

static void add_signal(struct text *text, const struct document *document) {
  const int number = document->end_signal.value < 256 ? (int)document->end_signal.value : 0; /* a document may say anything */
  text_format(text, "ended by signal %d (%s)", number, strsignal(number));
}

static void add_launches(struct text *text, const struct document *document) {
  const unsigned long long launches = document->launches_running.known ? document->launches_running.value : 0;
  if (launches)
    text_format(text, "; %llu launch%s under way, counted in part", launches, launches == 1 ? " was" : "es were");
}

static void add_incomplete(struct text *text, const struct document *document) {
  text_add(text, "incomplete: ");
  if (document->end_signal.known)
    add_signal(text, document);
  else if (life_of(document) == LIVES)
    text_add(text, "the program is still running");
  else if (life_of(document) == ENDED)
    text_add(text, "ended without notice, as by SIGKILL");
  else
    text_add(text, "written while the program was running");
  text_add(text, "; counts go up to ");
  number_time(text, (double)document->counted_until_ns.value);
}

void run_end(struct text *text, const struct document *document) {
  if (run_is_incomplete(document)) {
    add_incomplete(text, document);
  } else if (document->end_signal.known) {
    add_signal(text, document);
    text_add(text, "; counts go up to then");
  } else if (*document->end_how && strcmp(document->end_how, "exit")) {
    text_add(text, "ended by ");
    text_plain(text, document->end_how);
    text_add(text, "(); counts go up to then");
  }
  if (text->length)
    add_launches(text, document);
}
