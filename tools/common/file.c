// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/file.h"

#include "common/say.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 65536
#define TRIES 100

/* ---- Reading ---- */

/* Reads on to the end, to `limit` bytes, or to a zero, which no text has: /dev/zero has no end. */
static bool read_all(int descriptor, size_t limit, struct text *content) {
  struct stat status;
  if (!fstat(descriptor, &status) && S_ISREG(status.st_mode) && (size_t)status.st_size < limit)
    text_reserve(content, (size_t)status.st_size + CHUNK);
  while (content->length < limit) {
    char *buffer = text_reserve(content, CHUNK);
    ssize_t count = read(descriptor, buffer, CHUNK);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return !count;
    content->length += (size_t)count;
    buffer[count] = 0;
    if (memchr(buffer, 0, (size_t)count))
      return true;
  }
  return true;
}

bool file_read(const char *path, size_t limit, struct text *content) {
  bool is_stdin = !strcmp(path, "-");
  int descriptor = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) {
    fail("cannot open '%s': %s; give the path of a JSON file that a profiled program wrote.", path, strerror(errno));
    return false;
  }
  bool good = read_all(descriptor, limit, content);
  int reason = errno;
  if (!is_stdin)
    close(descriptor);
  if (!good && reason == EISDIR)
    fail("'%s' is a folder; name the JSON file in it.", path);
  else if (!good)
    fail("cannot read '%s': %s; copy the file to a disk that works and try again.", path, strerror(reason));
  return good;
}

static const char missing[] = "it is not there", too_large[] = "it is too large";

const char *file_read_regular(const char *path, size_t limit, struct text *content) {
  /* O_NONBLOCK: a pipe without a writer would wait. */
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  struct stat status;
  if (descriptor < 0)
    return errno == ENOENT || errno == ENOTDIR ? missing : strerror(errno);
  const char *why = fstat(descriptor, &status)       ? strerror(errno)
                    : !S_ISREG(status.st_mode)       ? "no regular file"
                    : (size_t)status.st_size > limit ? too_large
                                                     : NULL;
  if (!why && !read_all(descriptor, limit, content))
    why = strerror(errno);
  close(descriptor);
  return why;
}

const char *file_read_source(const char *path, struct text *content) {
  const char *why = file_read_regular(path, FILE_SOURCE_LIMIT, content);
  return why == missing ? "the source is not here" : why == too_large ? "too large for a source" : why;
}

/* ---- Writing ---- */

static bool write_all(int descriptor, const char *bytes, size_t count) {
  while (count) {
    ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes += written;
    count -= (size_t)written;
  }
  return true;
}

/* A new file beside `path`, opened by no one else and without links to it. The caller frees the name. */
static int open_beside(const char *path, char **name) {
  int descriptor = -1;
  for (int i = 0; i < TRIES && descriptor < 0; ++i) {
    *name = format_string("%s.%ld-%d.tmp", path, (long)getpid(), i);
    descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0)
      break;
    int reason = errno;
    free(*name);
    *name = NULL;
    errno = reason;
    if (reason != EEXIST)
      break;
  }
  return descriptor;
}

static bool is_stdout(const struct file_output *output) { return !strcmp(output->path, "-"); }

/* A reader that has seen enough, such as `head`, is no failure: the rest is dropped, without a word. */
static void take_part(struct text_sink *sink, const char *bytes, size_t count) {
  struct file_output *output = (struct file_output *)sink;
  if (!output->is_good || output->is_ignored || write_all(output->descriptor, bytes, count))
    return;
  output->reason = errno;
  output->is_ignored = is_stdout(output) && errno == EPIPE;
  output->is_good = output->is_ignored;
}

/* Devices and pipes are written, not replaced. */
static int open_output(struct file_output *output) {
  struct stat old;
  if (stat(output->path, &old) || S_ISREG(old.st_mode))
    return open_beside(output->path, &output->temporary);
  if (!S_ISDIR(old.st_mode))
    return open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  errno = EISDIR;
  return -1;
}

void file_open(struct file_output *output, const char *path) {
  *output = (struct file_output){.sink.take = take_part, .path = path, .descriptor = STDOUT_FILENO};
  if (is_stdout(output)) {
    output->broken_pipe = signal(SIGPIPE, SIG_IGN);
    fflush(stdout);
  } else {
    output->descriptor = open_output(output);
    output->reason = errno;
  }
  output->is_good = output->descriptor >= 0;
}

static void fail_output(struct file_output *output) {
  output->reason = output->is_good ? errno : output->reason;
  output->is_good = false;
}

int file_close(struct file_output *output, const struct text *rest) {
  take_part(&output->sink, text_get(rest), rest->length);
  if (is_stdout(output)) {
    signal(SIGPIPE, output->broken_pipe);
    if (output->is_good)
      return EXIT_GOOD;
    return fail("cannot write to standard output: %s; write to a file with -o.", strerror(output->reason));
  }
  if (output->descriptor >= 0 && close(output->descriptor))
    fail_output(output);
  if (output->is_good && output->temporary && rename(output->temporary, output->path))
    fail_output(output);
  if (!output->is_good && output->temporary)
    unlink(output->temporary);
  free(output->temporary);
  if (output->is_good)
    return EXIT_GOOD;
  return fail("cannot write '%s': %s; choose another file with -o.", output->path, strerror(output->reason));
}

int file_write(const char *path, const char *bytes, size_t count) {
  struct file_output output;
  const struct text rest = {.data = (char *)(uintptr_t)bytes, .length = count};
  file_open(&output, path);
  return file_close(&output, &rest);
}

/* What the old file allowed is allowed for the new one, and no more. */
static bool keep_owner_and_mode(int descriptor, const struct stat *old) {
  bool kept = !fchown(descriptor, old->st_uid, old->st_gid);
  mode_t mode = old->st_mode & (kept ? 07777 : 0777);
  return !fchmod(descriptor, mode);
}

int file_replace(const char *path, const char *bytes, size_t count) {
  char *temporary = NULL;
  struct stat old;
  int descriptor = stat(path, &old) ? -1 : open_beside(path, &temporary);
  bool good = descriptor >= 0 && write_all(descriptor, bytes, count) && keep_owner_and_mode(descriptor, &old);
  int reason = errno;
  if (descriptor >= 0 && close(descriptor) && good) {
    good = false;
    reason = errno;
  }
  if (good && rename(temporary, path)) {
    good = false;
    reason = errno;
  }
  if (!good && temporary)
    unlink(temporary);
  free(temporary);
  return good ? EXIT_GOOD : fail("cannot write '%s': %s; it is as it was.", path, strerror(reason));
}

bool file_is_among(const char *path, const char *const *files, size_t count) {
  struct stat own, other;
  if (stat(path, &own) || !S_ISREG(own.st_mode))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (!stat(files[i], &other) && other.st_dev == own.st_dev && other.st_ino == own.st_ino)
      return true;
  return false;
}

bool file_exists(const char *path) {
  struct stat status;
  return !stat(path, &status) && !S_ISDIR(status.st_mode);
}

bool folder_exists(const char *path) {
  struct stat status;
  return !stat(path, &status) && S_ISDIR(status.st_mode);
}

bool file_is_program(const char *path) { return file_exists(path) && !access(path, X_OK); }

char *file_on_path(const char *name) {
  const char *path = getenv("PATH");
  for (const char *start = path; start && *start;) {
    const char *end = strchrnul(start, ':');
    char *candidate = format_string("%.*s/%s", (int)(end - start), start, name);
    if (end > start && file_is_program(candidate))
      return candidate;
    free(candidate);
    start = *end ? end + 1 : end;
  }
  return NULL;
}

char *file_real_folder(const char *path) {
  char real[PATH_MAX];
  if (!realpath(path, real))
    return NULL;
  char *slash = strrchr(real, '/');
  if (slash && slash != real)
    *slash = 0;
  return copy_string(real);
}
