// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/output.h"

#include "base/clock.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/origin.h"
#include "base/ranks.h"
#include "base/output_name.h"
#include "base/settings.h"
#include "report/output_place.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Possible places of the document, the best first. */
enum candidate { WANTED, CURRENT_FOLDER, TMPDIR, TMP, CANDIDATES };

GP_MUTEX(lock, GP_LOCK_OUTPUT)
static struct gp_place place;
static enum candidate chosen = CANDIDATES; /* CANDIDATES: none yet */
static char *wanted, *name;                /* the expanded GPUPROF_OUTPUT, and the name of the chosen place */
static int is_apart;                       /* from the document of the process that forked this one */
static int written;                        /* a document is at the chosen place */
_Atomic int gp_output_chosen;              /* or it was tried */

/* Nothing is freed: another thread of the parent may have been about to. */
void gp_output_in_child(int apart) {
  is_apart |= apart;
  place = (struct gp_place){.descriptor = -1};
  wanted = name = NULL;
  chosen = CANDIDATES;
  written = 0;
  atomic_store(&gp_output_chosen, 0);
}

/* ---- Names ---- */

static char *expand(const char *pattern) {
  char host[256] = "", rank[32] = "0", *expanded = NULL;
  const struct gp_ranks *ranks = gp_ranks();
  char *name_of_child = is_apart ? gp_output_name_of_child(pattern) : NULL;
  char *own = gp_output_name_of_rank(name_of_child ? name_of_child : pattern, ranks);
  gethostname(host, sizeof host - 1);
  if (ranks->launcher)
    snprintf(rank, sizeof rank, "%lld", (long long)ranks->rank);
  if (own)
    expanded = gp_settings_expand(own, (long)getpid(), rank, host, gp_start_seconds());
  free(own);
  free(name_of_child);
  return expanded;
}

static const char *temporary_folder(void) {
  const char *folder = secure_getenv("TMPDIR");
  return folder && folder[0] == '/' ? folder : "/tmp";
}

/* In a folder shared with other writers, the file has a name made by gpuprof, whatever GPUPROF_OUTPUT
 * says. */
static char *name_of(enum candidate candidate) {
  char *path;
  const char *folder = candidate == TMPDIR ? temporary_folder() : "/tmp";
  if (candidate == WANTED)
    return strdup(wanted);
  if (candidate == CURRENT_FOLDER && !(folder = gp_origin_folder()))
    folder = ".";
  return asprintf(&path, "%s/gpuprof-%ld.json", folder, (long)getpid()) < 0 ? NULL : path;
}

/* ---- Choosing ---- */

/* Returns null and chooses it, or returns the reason against it. */
static const char *choose(enum candidate candidate) {
  struct gp_place found;
  char *path = name_of(candidate);
  const char *why = path ? gp_place_find(&found, path) : "memory is exhausted";
  if (why) {
    free(path);
    return why;
  }
  gp_place_free(&place);
  free(name);
  place = found;
  name = path;
  chosen = candidate;
  written = 0;
  return NULL;
}

static const char advice[] = "set GPUPROF_OUTPUT to a file that can be written";

static const char *choose_and_write(enum candidate candidate, gp_output_writer *write, void *closure) {
  const char *why = choose(candidate);
  return why || !write ? why : gp_place_write(&place, write, closure);
}

/* Goes on to a usable place and, with a writer, writes there. `why`: of the failed place. */
static int fall_back(enum candidate first, const char *why, gp_output_writer *write, void *closure) {
  const char *instead_of = chosen < CANDIDATES ? name : wanted;
  char *failed = instead_of ? strdup(instead_of) : NULL;
  enum candidate candidate = first;
  while (candidate < CANDIDATES && choose_and_write(candidate, write, closure))
    candidate++;
  if (candidate < CANDIDATES)
    gp_log(GP_ERROR, "GPUPROF_OUTPUT", "the report cannot be written to '%.300s': %s; it goes to '%.300s' instead; %s",
           failed ? failed : "", why, name, advice);
  else
    gp_log(GP_ERROR, "GPUPROF_OUTPUT", "the report cannot be written to '%.300s': %s; nor to the current folder, TMPDIR "
                                       "or /tmp; %s", failed ? failed : "", why, advice);
  free(failed);
  return candidate < CANDIDATES ? 0 : -1;
}

/* Returns 0 once a place is chosen. */
static int prepare(void) {
  atomic_store(&gp_output_chosen, 1);
  if (chosen < CANDIDATES)
    return 0;
  const char *pattern = gp_settings()->output;
  if (!wanted && !(wanted = expand(pattern ? pattern : "gpuprof-%p.json"))) {
    gp_log(GP_ERROR, "", "memory is exhausted: the report is not written");
    return -1;
  }
  const char *why = choose(WANTED);
  return why ? fall_back(CURRENT_FOLDER, why, NULL, NULL) : 0;
}

void gp_output_choose(void) {
  pthread_mutex_lock(&lock);
  if (!atomic_load(&gp_output_chosen))
    (void)prepare(); /* a failure is reported, and retried when there is a document */
  pthread_mutex_unlock(&lock);
}

/* ---- Writing ---- */

static int write_somewhere(gp_output_writer *write, void *closure) {
  if (prepare())
    return -1;
  const char *why = gp_place_write(&place, write, closure);
  if (why && fall_back(chosen + 1, why, write, closure)) {
    chosen = CANDIDATES; /* next time from the first on: a full disk may have room again */
    return -1;
  }
  written = 1;
  return 0;
}

int gp_output_write(gp_output_writer *write, void *closure) {
  pthread_mutex_lock(&lock);
  int result = write_somewhere(write, closure);
  pthread_mutex_unlock(&lock);
  return result;
}

int gp_output_is_replaced(void) {
  pthread_mutex_lock(&lock);
  int replaced = chosen < CANDIDATES && place.kind == GP_PLACE_FILE;
  pthread_mutex_unlock(&lock);
  return replaced;
}

void gp_output_file(char *path, size_t bytes) {
  pthread_mutex_lock(&lock);
  const int is_file = written && chosen < CANDIDATES && place.kind == GP_PLACE_FILE && strlen(place.path) < bytes;
  strcpy(path, is_file ? place.path : "");
  pthread_mutex_unlock(&lock);
}

void gp_output_tell(void) {
  pthread_mutex_lock(&lock);
  if (written && chosen != WANTED && chosen < CANDIDATES)
    gp_log(GP_WARN, "GPUPROF_OUTPUT", "the report is in '%.300s'", name);
  pthread_mutex_unlock(&lock);
}
