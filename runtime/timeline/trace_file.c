// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/trace_file.h"

#include "base/clock.h"
#include "base/origin.h"
#include "base/output_name.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char *expanded(const char *pattern) {
  char host[256] = "", rank[32] = "0";
  if (gp_ranks()->launcher)
    snprintf(rank, sizeof rank, "%lld", (long long)gp_ranks()->rank);
  gethostname(host, sizeof host - 1);
  return gp_settings_expand(pattern, (long)getpid(), rank, host, gp_start_seconds());
}

/* Ranks and forked processes have files of their own. */
static char *name_of(const char *pattern, int is_child) {
  char *of_child = is_child ? gp_output_name_of_child(pattern) : strdup(pattern);
  char *of_rank = of_child ? gp_output_name_of_rank(of_child, gp_ranks()) : NULL;
  char *name = of_rank ? expanded(of_rank) : NULL;
  free(of_child);
  free(of_rank);
  return name;
}

static char *path_of(const char *pattern, int is_child) {
  char *whole = NULL, *name = name_of(pattern, is_child);
  const char *folder = name && name[0] != '/' ? gp_origin_folder() : NULL;
  if (!name || !folder)
    return name;
  if (asprintf(&whole, "%s/%s", folder, name) < 0)
    whole = NULL;
  free(name);
  return whole;
}

/* A new file takes the name: a process that still writes the old one keeps that to itself. Returns a descriptor, or -1. */
static int replace(const char *path, const struct stat *old) {
  char *part;
  if (asprintf(&part, "%s.%ld.part", path, (long)getpid()) < 0)
    return -1;
  unlink(part); /* of a dead process with this number */
  int descriptor = open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor >= 0 && old && fchmod(descriptor, old->st_mode & 0777))
    errno = 0; /* no such modes here */
  if (descriptor >= 0 && rename(part, path)) {
    unlink(part);
    close(descriptor);
    descriptor = -1;
  }
  free(part);
  return descriptor;
}

/* `path` is no link. In a folder that takes no new file, an old one is written over. */
static const char *open_path(struct gp_trace_file *file, const char *path) {
  struct stat facts;
  const int is_there = !lstat(path, &facts);
  if (is_there && !S_ISREG(facts.st_mode))
    return "it is no regular file";
  file->descriptor = replace(path, is_there ? &facts : NULL);
  if (file->descriptor < 0 && is_there)
    file->descriptor = open(path, O_RDWR | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  return file->descriptor < 0 ? strerror(errno) : NULL;
}

const char *gp_trace_file_open(struct gp_trace_file *file, const char *pattern, int is_child) {
  char *path = path_of(pattern, is_child), *target = path ? realpath(path, NULL) : NULL;
  *file = (struct gp_trace_file){.descriptor = -1, .path = target ? target : path};
  if (target)
    free(path);
  return file->path ? open_path(file, file->path) : "memory is exhausted";
}

int gp_trace_file_is_replaced(const struct gp_trace_file *file) {
  struct stat own, named;
  return file->path && !fstat(file->descriptor, &own) && !stat(file->path, &named) &&
         (own.st_ino != named.st_ino || own.st_dev != named.st_dev);
}

static int write_at(int descriptor, const char *text, size_t length, off_t at) {
  while (length) {
    const ssize_t written = pwrite(descriptor, text, length, at);
    if (written < 0 && errno != EINTR)
      return -1;
    if (written <= 0)
      continue;
    text += written;
    at += written;
    length -= (size_t)written;
  }
  return 0;
}

/* One call for both: a kill between two would leave the document open. */
int gp_trace_file_add(struct gp_trace_file *file, const char *events, size_t length, const char *closing) {
  const size_t tail = strlen(closing);
  char *whole = malloc(length + tail);
  if (!whole) {
    errno = ENOMEM;
    return -1;
  }
  memcpy(whole, events, length);
  memcpy(whole + length, closing, tail);
  const int result = write_at(file->descriptor, whole, length + tail, file->end);
  free(whole);
  if (result)
    return -1;
  file->end += (off_t)length;
  return ftruncate(file->descriptor, file->end + (off_t)tail);
}

int gp_trace_file_change(const struct gp_trace_file *file, void (*change)(char *text, size_t length)) {
  struct stat facts;
  if (fstat(file->descriptor, &facts) || !facts.st_size)
    return -1;
  const size_t length = (size_t)facts.st_size;
  char *text = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file->descriptor, 0);
  if (text == MAP_FAILED)
    return -1;
  change(text, length);
  return munmap(text, length);
}

void gp_trace_file_close(struct gp_trace_file *file) {
  if (file->descriptor >= 0)
    close(file->descriptor);
  file->descriptor = -1;
  free(file->path);
  file->path = NULL;
}
