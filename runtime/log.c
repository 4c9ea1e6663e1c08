#include "log.h"

#include "demangle.h"
#include "held_signals.h"
#include "locks.h"
#include "origin.h"
#include "settings.h"
#include "sink.h"

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

static const char *level_name(enum gp_level level) {
  static const char *const names[] = {"error", "warning", "note", "debug"};
  return names[level];
}

/* Returns 1 if the message is new. */
static int remember(enum gp_level level, const char *about, const char *text) {
  for (size_t i = 0; i < message_count; i++) {
    struct gp_message *m = &messages[i];
    if (!strcmp(m->text, text) && !strcmp(m->about, about)) {
      m->times++;
      return 0;
    }
  }
  if (level == GP_DEBUG)
    return 1;
  char *about_copy = strdup(about), *text_copy = strdup(text);
  if (message_count == GP_LOG_KEPT || !about_copy || !text_copy) {
    free(about_copy);
    free(text_copy);
    lost++;
    return 1;
  }
  messages[message_count++] = (struct gp_message){level, 1, about_copy, text_copy};
  return 1;
}

#define PATIENCE_MS 1000 /* with whoever reads stderr */

/* In one piece, and by no stream of the program's: newer C libraries print to stderr in pieces of 128 bytes, between
 * which another thread can print or end the program. */
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

/* A kernel's name as its source has it; null where `about` is no mangled name. The caller frees it. */
static char *readable(const char *about) {
  return about && !strncmp(about, "_Z", 2) ? gp_demangle(about) : NULL;
}

static void take(enum gp_level level, const char *about, const char *text, int aloud) {
  char *name = readable(about);
  about = name ? name : about ? about : "";
  pthread_mutex_lock(&lock);
  if (remember(level, about, text) && aloud)
    say(level, about, text);
  pthread_mutex_unlock(&lock);
  free(name);
}

void gp_log(enum gp_level level, const char *about, const char *format, ...) {
  char text[1024];
  enum gp_level shown = gp_settings()->log;
  if (level == GP_DEBUG && shown < GP_DEBUG)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  take(level, about, text, level <= shown);
}

void gp_remark(const char *about, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  take(GP_NOTE, about, text, 0);
}

const struct gp_message *gp_log_message(size_t index) {
  pthread_mutex_lock(&lock);
  const struct gp_message *m = index < message_count ? &messages[index] : NULL;
  pthread_mutex_unlock(&lock);
  return m;
}

uint64_t gp_log_lost(void) {
  pthread_mutex_lock(&lock);
  uint64_t n = lost;
  pthread_mutex_unlock(&lock);
  return n;
}

void gp_log_reset(void) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < message_count; i++) {
    free(messages[i].about);
    free(messages[i].text);
  }
  message_count = 0;
  printed = 0;
  lost = 0;
  pthread_mutex_unlock(&lock);
}
