/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels of memory: streams over a large buffer, and windows read over and over from L2, L1 or shared memory. */
#ifndef GP_TOOL_PTX_MEMORY_H
#define GP_TOOL_PTX_MEMORY_H

#include "peaks/benchmarks.h"

enum stream_kind { STREAM_READ, STREAM_WRITE, STREAM_COPY, STREAM_TRIAD };

/* Accesses of 16 bytes, `unroll` of them in flight. Streams move %size bytes in each of their buffers per iteration. */
struct stream {
  enum stream_kind kind;
  unsigned unroll;
  const char *load, *store; /* instructions with their cache operators */
};

/* Buffers of a stream, and how many of them lie one behind the other from %in. */
unsigned stream_buffers(const struct stream *stream);

struct window {
  const char *load;
  unsigned unroll;
  uint32_t
      bytes; /* a power of two, %size; a thread block goes round in it. 0: as large as the cache allows */
  bool is_shared;
  bool spread; /* blocks begin at places of their own */
};

extern const struct benchmark_family stream_family, window_family;
extern const struct stream stream_read, stream_write, stream_copy, stream_triad;
extern const struct window window_l2, window_l1, window_shared;

/* Words that the buffers hold before a run; 1.0 in fp32, so that sums of bits and of floats are both known. */
#define STREAM_WORD 0x3f800000u
/* The first of the four words that a write leaves. */
#define STREAM_WRITTEN 0x5eed0000u

#endif
