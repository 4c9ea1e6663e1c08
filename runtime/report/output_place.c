// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/output_place.h"

#include "base/origin.h"
#include "base/sink.h"
#include "report/output_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS 16 /* maximum number of links in a chain */

static const char *const out_of_memory = "memory is exhausted";

/* ---- Descriptors by name ---- */

/* The number in /dev/stdout, /dev/fd/N and their targets, or -1. */
static int descriptor_in(const char *path) {
  static const char *const streams[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  char own[64];
  snprintf(own, sizeof own, "/proc/%ld/fd/", (long)getpid());
  const char *const folders[] = {"/dev/fd/", "/proc/self/fd/", own};
  for (int i = 0; i < 3; i++)
    if (!strcmp(path, streams[i]))
      return i;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    const size_t length = strlen(folders[i]);
    const char *number = path + length;
    if (!strncmp(path, folders[i], length) && isdigit((unsigned char)*number) && strlen(number) < 9 &&
        !number[strspn(number, "0123456789")])
      return atoi(number);
  }
  return -1;
}

static const char *find_descriptor(struct gp_place *place, int descriptor) {
  struct stat facts;
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fstat(descriptor, &facts))
    return "this descriptor is closed";
  if (descriptor <= STDERR_FILENO && !gp_origin_is_stream(descriptor))
    return "this stream was closed, and the program has opened a file of its own in its place";
  if ((flags & O_ACCMODE) == O_RDONLY)
    return "this descriptor is open for reading only";
  *place = (struct gp_place){
      .kind = GP_PLACE_DESCRIPTOR, .descriptor = descriptor, .device = facts.st_dev, .file = facts.st_ino};
  return NULL;
}

static const char *write_descriptor(const struct gp_place *place, gp_output_writer *write, void *closure) {
  struct stat facts;
  if (fstat(place->descriptor, &facts))
    return "the program has closed this descriptor";
  if (facts.st_dev != place->device || facts.st_ino != place->file)
    return "the program has opened another file in its place";
  return gp_output_stream(place->descriptor, S_ISREG(facts.st_mode) ? 0 : GP_SINK_PATIENCE_MS, write, closure);
}

/* ---- Devices and pipes ---- */

static const char *objection_to(mode_t mode) {
  return S_ISDIR(mode) ? "it is a folder" : S_ISSOCK(mode) ? "it is a socket" : S_ISBLK(mode) ? "it is a disk" : NULL;
}

/* A pipe is not opened before there is something to write: its reader would take the close for the end. */
static const char *find_device(struct gp_place *place, char *path, mode_t mode) {
  const char *why = objection_to(mode);
  if (!why && access(path, W_OK))
    why = strerror(errno);
  if (why) {
    free(path);
    return why;
  }
  *place = (struct gp_place){.kind = GP_PLACE_DEVICE, .path = path};
  return NULL;
}

static const char *write_device(const struct gp_place *place, gp_output_writer *write, void *closure) {
  struct stat facts;
  int descriptor = gp_output_open(place->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_APPEND, 0);
  if (descriptor < 0)
    return errno == ENXIO ? "nobody reads from it" : strerror(errno);
  const char *why = fstat(descriptor, &facts)                            ? strerror(errno)
                    : S_ISCHR(facts.st_mode) || S_ISFIFO(facts.st_mode) ? NULL
                                                                         : "it was replaced meanwhile";
  if (!why)
    why = gp_output_stream(descriptor, GP_SINK_PATIENCE_MS, write, closure);
  close(descriptor);
  return why;
}

/* ---- Links ---- */

/* A link made by another user is not followed but replaced: it may lead to a file of this user. */
static int is_trusted_link(const struct stat *facts) {
  return S_ISLNK(facts->st_mode) && (facts->st_uid == geteuid() || facts->st_uid == 0);
}

/* The target of the link; null without memory, or if it cannot be read. */
static char *target_of(const char *link) {
  char target[PATH_MAX], *path;
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0)
    return NULL;
  target[length] = 0;
  const char *slash = strrchr(link, '/');
  int folder = target[0] == '/' || !slash ? 0 : (int)(slash - link) + 1;
  return asprintf(&path, "%.*s%s", folder, link, target) < 0 ? NULL : path;
}

/* Takes over `path`. */
static const char *find_at(struct gp_place *place, char *path) {
  for (int links = 0; links < LINKS; links++) {
    if (!path)
      return out_of_memory;
    struct stat facts;
    const int descriptor = descriptor_in(path);
    if (descriptor >= 0) {
      free(path);
      return find_descriptor(place, descriptor);
    }
    const int there = !lstat(path, &facts);
    if (!there || S_ISREG(facts.st_mode) || (S_ISLNK(facts.st_mode) && !is_trusted_link(&facts))) {
      *place = (struct gp_place){.kind = GP_PLACE_FILE, .path = path};
      return path[strlen(path) - 1] == '/' ? objection_to(S_IFDIR) : gp_output_file_try(path);
    }
    if (!S_ISLNK(facts.st_mode))
      return find_device(place, path, facts.st_mode);
    char *target = target_of(path);
    free(path);
    path = target;
  }
  free(path);
  return strerror(ELOOP);
}

const char *gp_place_find(struct gp_place *place, const char *path) {
  const char *folder = path[0] == '/' ? NULL : gp_origin_folder();
  char *whole;
  *place = (struct gp_place){.descriptor = -1};
  if ((folder ? asprintf(&whole, "%s/%s", folder, path) : asprintf(&whole, "%s", path)) < 0)
    return out_of_memory;
  const char *why = find_at(place, whole);
  if (why)
    gp_place_free(place);
  return why;
}

const char *gp_place_write(const struct gp_place *place, gp_output_writer *write, void *closure) {
  switch (place->kind) {
  case GP_PLACE_DESCRIPTOR: return write_descriptor(place, write, closure);
  case GP_PLACE_DEVICE: return write_device(place, write, closure);
  case GP_PLACE_FILE: break;
  }
  return gp_output_file_replace(place->path, write, closure);
}

void gp_place_free(struct gp_place *place) {
  free(place->path);
  *place = (struct gp_place){.descriptor = -1};
}
