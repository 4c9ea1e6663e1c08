/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages of the runtime: to stderr only, each printed once, limited in number; all of them are in the
 * report. */
#ifndef GP_LOG_H
#define GP_LOG_H

#include "base/log_level.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of messages printed by a process, and of those kept for the report. */
#define GP_LOG_PRINTED 16
#define GP_LOG_KEPT 256

/* One clear sentence about `about` (a kernel, a setting, a file, …). A repeated sentence is only counted.
 * Errors, warnings and notes are kept for the report; debug messages are not. */
void gp_log(enum gp_level level, const char *about, const char *format, ...) __attribute__((format(printf, 3, 4)));
void gp_log_list(enum gp_level level, const char *about, const char *format, va_list arguments);
/* The same, for the report only. */
void gp_remark(const char *about, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports that memory was lacking for something of `about`, missing in the report. */
void gp_log_exhausted(const char *about);

struct gp_message {
  enum gp_level level;
  uint64_t times;
  char *about, *text;
};
/* Message number `index`, in order of first occurrence; null after the last. Valid until the process ends; a
 * remark about a document, until its end. */
const struct gp_message *gp_log_message(size_t index);
/* Number of messages without room in the list. */
uint64_t gp_log_lost(void);

/* Until gp_log_end_document(), remarks of the calling thread belong to the document being written by it. They
 * follow earlier messages in this thread's list, and are then forgotten. One thread at a time. */
void gp_log_begin_document(void);
void gp_log_end_document(void);

/* Tests: forgets every message. */
void gp_log_reset(void);

#endif
