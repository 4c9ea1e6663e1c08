// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/log.h"

#include "base/demangle.h"
#include "base/held_signals.h"
#include "base/locks.h"
#include "base/origin.h"
#include "base/settings.h"
#include "base/sink.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

GP_MUTEX(lock, GP_LOCK_LOG)
static struct gp_message messages[GP_LOG_KEPT];
static size_t message_count;
static unsigned printed;
static uint64_t lost;

/* Remarks about the document being written by a thread. */
static struct gp_message of_document[GP_LOG_KEPT];
static size_t of_document_count;
static _Thread_local int writes_document;

static const char *level_name(enum gp_level level) {
  static const char *const names[] = {"error", "warning", "note", "debug"};
  return names[level];
}

static int was_said(struct gp_message *list, size_t count, const char *about, const char *text) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(list[i].text, text) && !strcmp(list[i].about, about)) {
      list[i].times++;
      return 1;
    }
  return 0;
}

static void keep(struct gp_message *list, size_t *count, enum gp_level level, const char *about, const char *text) {
  char *about_copy = strdup(about), *text_copy = strdup(text);
  if (*count < GP_LOG_KEPT && about_copy && text_copy) {
    list[(*count)++] = (struct gp_message){level, 1, about_copy, text_copy};
    return;
  }
  free(about_copy);
  free(text_copy);
  lost++;
}

static void forget(struct gp_message *list, size_t *count) {
  for (size_t i = 0; i < *count; i++) {
    free(list[i].about);
    free(list[i].text);
  }
  *count = 0;
}

/* Returns 1 if the message is new. */
static int remember(enum gp_level level, const char *about, const char *text, int remark) {
  const int about_document = remark && writes_document;
  if (was_said(messages, message_count, about, text) ||
      (about_document && was_said(of_document, of_document_count, about, text)))
    return 0;
  if (about_document)
    keep(of_document, &of_document_count, level, about, text);
  else if (level != GP_DEBUG)
    keep(messages, &message_count, level, about, text);
  return 1;
}

#define PATIENCE_MS 1000 /* for a reader of stderr */

/* Prints in one piece, and not by a stream of the program. Newer C libraries print to stderr in pieces of 128
 * bytes; between them another thread can print or end the program. */
static void print(const char *line) {
  struct gp_held_signals held;
  struct gp_sink sink = {.descriptor = STDERR_FILENO, .patience_ms = PATIENCE_MS};
  const int reason = errno;
  if (gp_origin_is_stream(STDERR_FILENO)) {
    gp_signals_hold(&held);
    if (gp_sink_write(&sink, line, strlen(line)))
      printed = GP_LOG_PRINTED + 1; /* nobody listens */
    gp_signals_release(&held);
  }
  errno = reason;
}

static void say(enum gp_level level, const char *about, const char *text) {
  char line[2048];
  if (printed > GP_LOG_PRINTED)
    return;
  if (printed++ == GP_LOG_PRINTED)
    snprintf(line, sizeof line, "gpuprof: further messages are in the report only\n");
  else
    snprintf(line, sizeof line, "gpuprof: %s: %.900s%s%s\n", level_name(level), about, about[0] ? ": " : "",
             text);
  print(line);
}

/* A kernel's name in its source form; null if `about` is no mangled name. The caller frees it. */
static char *readable(const char *about) {
  return about && !strncmp(about, "_Z", 2) ? gp_demangle(about) : NULL;
}

enum loudness { REMARK, SILENT, ALOUD };

static void take(enum gp_level level, const char *about, const char *text, enum loudness loudness) {
  char *name = readable(about);
  about = name ? name : about ? about : "";
  pthread_mutex_lock(&lock);
  if (remember(level, about, text, loudness == REMARK) && loudness == ALOUD)
    say(level, about, text);
  pthread_mutex_unlock(&lock);
  free(name);
}

void gp_log_list(enum gp_level level, const char *about, const char *format, va_list arguments) {
  char text[1024];
  enum gp_level shown = gp_settings()->log;
  if (level == GP_DEBUG && shown < GP_DEBUG)
    return;
  vsnprintf(text, sizeof text, format, arguments);
  take(level, about, text, level <= shown ? ALOUD : SILENT);
}

void gp_log(enum gp_level level, const char *about, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  gp_log_list(level, about, format, arguments);
  va_end(arguments);
}

void gp_remark(const char *about, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  take(GP_NOTE, about, text, REMARK);
}

void gp_log_exhausted(const char *about) {
  gp_log(GP_WARN, about, "memory is exhausted, so that the report is not complete; give the program more memory");
}

const struct gp_message *gp_log_message(size_t index) {
  pthread_mutex_lock(&lock);
  const struct gp_message *m = index < message_count ? &messages[index] : NULL;
  if (!m && writes_document && index - message_count < of_document_count)
    m = &of_document[index - message_count];
  pthread_mutex_unlock(&lock);
  return m;
}

void gp_log_begin_document(void) {
  pthread_mutex_lock(&lock);
  writes_document = 1;
  forget(of_document, &of_document_count); /* those of this process's parent */
  pthread_mutex_unlock(&lock);
}

void gp_log_end_document(void) {
  pthread_mutex_lock(&lock);
  writes_document = 0;
  forget(of_document, &of_document_count);
  pthread_mutex_unlock(&lock);
}

uint64_t gp_log_lost(void) {
  pthread_mutex_lock(&lock);
  uint64_t n = lost;
  pthread_mutex_unlock(&lock);
  return n;
}

void gp_log_reset(void) {
  pthread_mutex_lock(&lock);
  forget(messages, &message_count);
  printed = 0;
  lost = 0;
  pthread_mutex_unlock(&lock);
}
