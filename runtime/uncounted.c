#include "uncounted.h"

#include "demangle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gp_uncounted_launches *all;

static char *text_about(const char *kernel) {
  char *readable = gp_demangle(kernel), *text = NULL;
  const char *name = readable ? readable : kernel;
  size_t bytes = strlen("launches of ") + strlen(name) + 1;
  if ((text = malloc(bytes)))
    snprintf(text, bytes, "launches of %s", name);
  free(readable);
  return text;
}

void gp_uncounted_launch(const char *kernel, const char *why) {
  char *what = text_about(kernel);
  pthread_mutex_lock(&lock);
  struct gp_uncounted_launches *kind = all;
  while (what && kind && (strcmp(kind->what, what) || strcmp(kind->why, why)))
    kind = kind->next;
  if (what && !kind && (kind = calloc(1, sizeof *kind))) {
    *kind = (struct gp_uncounted_launches){.next = all, .what = what, .why = why};
    all = kind;
    what = NULL;
  }
  if (kind)
    kind->launches++;
  pthread_mutex_unlock(&lock);
  free(what);
}

const struct gp_uncounted_launches *gp_uncounted_all(void) {
  pthread_mutex_lock(&lock);
  const struct gp_uncounted_launches *first = all;
  pthread_mutex_unlock(&lock);
  return first;
}

void gp_uncounted_reset(void) {
  pthread_mutex_lock(&lock);
  while (all) {
    struct gp_uncounted_launches *gone = all;
    all = gone->next;
    free(gone->what);
    free(gone);
  }
  pthread_mutex_unlock(&lock);
}
