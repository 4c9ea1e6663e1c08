#include "file.h"

#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_read(const char *path, struct text *content) {
  if (folder_exists(path)) {
    fail("'%s' is a folder; name the JSON file in it.", path);
    return false;
  }
  FILE *file = fopen(path, "rb");
  if (!file) {
    fail("cannot open '%s': %s; give the path of a JSON file that a profiled program wrote.", path,
         strerror(errno));
    return false;
  }
  char buffer[65536];
  size_t count;
  while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_bytes(content, buffer, count);
  bool good = !ferror(file);
  fclose(file);
  if (!good)
    fail("cannot read '%s': %s; copy the file to a disk that works and try again.", path, strerror(errno));
  return good;
}

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

static int write_failed(const char *path, int reason) {
  return fail("cannot write '%s': %s; choose another file with -o.", path, strerror(reason));
}

static int write_stdout(const char *bytes, size_t count) {
  fflush(stdout);
  if (write_all(STDOUT_FILENO, bytes, count) || errno == EPIPE)
    return EXIT_GOOD;
  return fail("cannot write to standard output: %s; write to a file with -o.", strerror(errno));
}

int file_write(const char *path, const char *bytes, size_t count) {
  if (!strcmp(path, "-"))
    return write_stdout(bytes, count);
  if (folder_exists(path))
    return write_failed(path, EISDIR);
  struct stat old;
  if (!stat(path, &old) && !S_ISREG(old.st_mode)) { /* /dev/null and pipes are written, not replaced */
    int device = open(path, O_WRONLY | O_CLOEXEC);
    bool good = device >= 0 && write_all(device, bytes, count);
    int reason = errno;
    if (device >= 0)
      close(device);
    return good ? EXIT_GOOD : write_failed(path, reason);
  }
  char *temporary = format_string("%s.%ld.tmp", path, (long)getpid());
  int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool good = descriptor >= 0 && write_all(descriptor, bytes, count);
  int reason = errno;
  if (descriptor >= 0 && close(descriptor) && good) {
    reason = errno;
    good = false;
  }
  if (good && rename(temporary, path)) {
    reason = errno;
    good = false;
  }
  if (!good && descriptor >= 0)
    unlink(temporary);
  free(temporary);
  return good ? EXIT_GOOD : write_failed(path, reason);
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
