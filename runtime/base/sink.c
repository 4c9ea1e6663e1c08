// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/sink.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until PIPE_BUF bytes have room: so many are written at once even to a blocking descriptor. */
static int has_room(const struct gp_sink *sink) {
  const long long end = now_ms() + sink->patience_ms;
  struct pollfd wanted = {.fd = sink->descriptor, .events = POLLOUT};
  for (long long left = sink->patience_ms; left >= 0; left = end - now_ms()) {
    int ready = poll(&wanted, 1, (int)left);
    if (ready > 0)
      return 1; /* also on an error; write() reports it */
    if (ready < 0 && errno != EINTR)
      return 0;
  }
  errno = ETIMEDOUT;
  return 0;
}

static ssize_t write_some(const struct gp_sink *sink, const char *bytes, size_t count) {
  if (!sink->patience_ms)
    return write(sink->descriptor, bytes, count);
  if (!has_room(sink))
    return -1;
  return write(sink->descriptor, bytes, count < PIPE_BUF ? count : PIPE_BUF);
}

int gp_sink_write(struct gp_sink *sink, const char *bytes, size_t count) {
  while (count && !sink->error) {
    ssize_t written = write_some(sink, bytes, count);
    if (written < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (written <= 0) {
      sink->error = written ? errno : EIO;
      break;
    }
    bytes += written;
    count -= (size_t)written;
  }
  return sink->error ? -1 : 0;
}

static ssize_t take(void *cookie, const char *bytes, size_t count) {
  return gp_sink_write(cookie, bytes, count) ? 0 : (ssize_t)count;
}

FILE *gp_sink_stream(struct gp_sink *sink) {
  return fopencookie(sink, "w", (cookie_io_functions_t){.write = take});
}
