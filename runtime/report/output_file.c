// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/output_file.h"

#include "base/held_signals.h"
#include "base/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Descriptors ---- */

#define SPARE 64 /* more than one: the limit may be below the number of open descriptors */

/* A program leaking descriptors has its own limit below the system's: the limit is raised for one descriptor
 * of gpuprof. */
static int open_above_limit(const char *path, int flags, unsigned mode) {
  struct rlimit limit, raised;
  if (errno != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= limit.rlim_max)
    return -1;
  raised = limit;
  raised.rlim_cur = limit.rlim_max - limit.rlim_cur < SPARE ? limit.rlim_max : limit.rlim_cur + SPARE;
  if (setrlimit(RLIMIT_NOFILE, &raised))
    return -1;
  int descriptor = open(path, flags, mode), reason = errno;
  setrlimit(RLIMIT_NOFILE, &limit);
  errno = reason;
  return descriptor;
}

/* Output of the program, or the C library, to a closed stream must not get into the document. */
static int above_streams(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO)
    return descriptor;
  int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), reason = errno;
  close(descriptor);
  errno = reason;
  return higher;
}

int gp_output_open(const char *path, int flags, unsigned mode) {
  int descriptor = open(path, flags | O_CLOEXEC, mode);
  if (descriptor < 0)
    descriptor = open_above_limit(path, flags | O_CLOEXEC, mode);
  return above_streams(descriptor);
}

/* ---- The temporary file beside it. Its writer holds its lock: one without a lock belongs to a dead process.
 * ---- */

#define PARTS 16 /* maximum number of processes writing one document at the same time */

struct part {
  char *path;
  int descriptor;
};

static char *part_path(const char *path, int number) {
  char *name;
  int length = number ? asprintf(&name, "%s.%d.part", path, number) : asprintf(&name, "%s.part", path);
  return length < 0 ? NULL : name;
}

static int lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

static void remove_stale(const char *path) {
  struct stat facts;
  int descriptor = gp_output_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
  if (descriptor < 0)
    return;
  if (!fstat(descriptor, &facts) && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() && !lock(descriptor))
    unlink(path);
  close(descriptor);
}

static int create(const char *path, unsigned mode) {
  int descriptor = gp_output_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  struct stat facts;
  if (descriptor < 0)
    return -1;
  (void)lock(descriptor); /* without locks in the file system, nothing is ever stale */
  if (!fstat(descriptor, &facts) && facts.st_nlink)
    return descriptor;
  close(descriptor); /* another process took it for stale before the lock */
  errno = EEXIST;
  return -1;
}

/* Returns 0, or errno. */
static int make_part(struct part *part, const char *path, unsigned mode) {
  for (int i = 0; i < PARTS; i++) {
    if (!(part->path = part_path(path, i)))
      return ENOMEM;
    part->descriptor = create(part->path, mode);
    if (part->descriptor < 0 && errno == EEXIST) {
      remove_stale(part->path);
      part->descriptor = create(part->path, mode);
    }
    if (part->descriptor >= 0)
      return 0;
    int reason = errno;
    free(part->path);
    if (reason != EEXIST)
      return reason;
  }
  return EEXIST;
}

static void end_part(struct part *part) {
  close(part->descriptor);
  free(part->path);
}

static void drop_part(struct part *part) {
  unlink(part->path);
  end_part(part);
}

/* ---- Folders ---- */

static int make_folders(const char *path) {
  char *folder = strdup(path);
  if (!folder)
    return ENOMEM;
  int error = 0;
  for (char *slash = strchr(folder + 1, '/'); slash && !error; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(folder, 0777) && access(folder, F_OK))
      error = errno;
    *slash = '/';
  }
  free(folder);
  return error;
}

static int make_part_in_folder(struct part *part, const char *path, unsigned mode) {
  int error = make_part(part, path, mode);
  if (error != ENOENT)
    return error;
  error = make_folders(path);
  return error ? error : make_part(part, path, mode);
}

/* ---- Writing ---- */

static int write_document(int descriptor, int patience_ms, gp_output_writer *write, void *closure) {
  struct gp_sink sink = {.descriptor = descriptor, .patience_ms = patience_ms};
  FILE *stream = gp_sink_stream(&sink);
  if (!stream)
    return ENOMEM;
  int failed = write(stream, closure);
  failed |= fclose(stream);
  return sink.error ? sink.error : failed ? ENOMEM : 0;
}

const char *gp_output_stream(int descriptor, int patience_ms, gp_output_writer *write, void *closure) {
  struct gp_held_signals held;
  gp_signals_hold(&held);
  int error = write_document(descriptor, patience_ms, write, closure);
  gp_signals_release(&held);
  return !error               ? NULL
         : error == ETIMEDOUT ? "its reader has stopped reading"
         : error == EPIPE     ? "its reader has gone"
                              : strerror(error);
}

/* Some file systems report a full disk only at a close. The writer's own descriptor keeps the lock until the
 * file has its name. */
static int late_error(int descriptor) {
  int again = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  return again >= 0 && close(again) && errno != EINTR ? errno : 0;
}

static int finish(const struct part *part, const char *path, const struct stat *old) {
  int error = late_error(part->descriptor);
  if (error)
    return error;
  if (old && fchmod(part->descriptor, old->st_mode & 0777))
    errno = 0; /* no such modes here: the file keeps its stricter mode */
  return rename(part->path, path) ? errno : 0;
}

/* Another user's file does not even determine the mode. */
static int is_own_file(const char *path, struct stat *facts) {
  return !lstat(path, facts) && S_ISREG(facts->st_mode) && facts->st_uid == geteuid();
}

const char *gp_output_file_replace(const char *path, gp_output_writer *write, void *closure) {
  struct stat facts;
  const struct stat *old = is_own_file(path, &facts) ? &facts : NULL;
  struct part part;
  int error = make_part_in_folder(&part, path, old ? 0600 : 0666);
  if (error)
    return strerror(error);
  const char *why = gp_output_stream(part.descriptor, 0, write, closure);
  if (!why && (error = finish(&part, path, old)))
    why = strerror(error);
  if (why)
    drop_part(&part);
  else
    end_part(&part);
  return why;
}

const char *gp_output_file_try(const char *path) {
  struct part part;
  int error = make_part_in_folder(&part, path, 0600);
  if (error)
    return strerror(error);
  drop_part(&part);
  return NULL;
}
