// A shuffle's predicate tells whether its source lane exists. Code under it counts in those lanes: the
// additions of scans and reductions as in CUB, upwards, downwards, across and by number, in segments, too.
// RUN: %program_by_clones
#include "program.h"

#include <cstring>

enum { LANES = 32, SEGMENT = 8 };

#define SHUFFLE(NAME, MODE, LIMITS)                                                                          \
  __global__ void NAME(const float *in, float *out, int distance) {                                          \
    float x = in[threadIdx.x];                                                                               \
    asm volatile("{ .reg .f32 r; .reg .pred p; shfl.sync." MODE ".b32 r|p, %0, %1, " LIMITS                  \
                 ", 0xffffffff; @p add.f32 %0, r, %0; }"                                                     \
                 : "+f"(x)                                                                                   \
                 : "r"(distance));                                                                           \
    out[threadIdx.x] = x;                                                                                    \
  }
SHUFFLE(up, "up", "0")
SHUFFLE(down, "down", "0x1f")
SHUFFLE(down_in_segments, "down", "0x181f") // lanes differing in bits 3 and 4 do not meet
SHUFFLE(up_in_segments, "up", "0x1800")
SHUFFLE(across, "bfly", "0x13") // as if the warp ended after lane 19
SHUFFLE(by_number, "idx", "0x0f")

// The source lane of a lane; -1: none.
static int source(const char *mode, int lane, int distance) {
  const bool parts = strstr(mode, "segments");
  const int first = parts ? lane / SEGMENT * SEGMENT : 0, last = parts ? first + SEGMENT - 1 : LANES - 1;
  if (mode[0] == 'u')
    return lane - distance >= first ? lane - distance : -1;
  if (mode[0] == 'd')
    return lane + distance <= last ? lane + distance : -1;
  if (mode[0] == 'a')
    return (lane ^ distance) <= 19 ? lane ^ distance : -1;
  return distance <= 15 ? distance : -1;
}

static void check(const char *name, void (*kernel)(const float *, float *, int), int distance) {
  Buffer<float> in(LANES), out(LANES);
  for (int lane = 0; lane < LANES; lane++)
    in[lane] = (float)(lane * lane);
  in.up();
  kernel<<<1, LANES>>>(in.device, out.device, distance);
  out.down();
  long long added = 0;
  for (int lane = 0; lane < LANES; lane++) {
    const int from = source(name, lane, distance);
    EXPECT(out[lane] == in[lane] + (from < 0 ? 0 : in[from]));
    added += from >= 0;
  }
  counts(name, {{"flops.fp32.add", added},
                {"bytes.global.load", (long long)sizeof(float) * LANES},
                {"bytes.global.store", (long long)sizeof(float) * LANES}});
}

int main() {
  check("up", up, 4);
  check("down", down, 5);
  check("down_in_segments", down_in_segments, 3);
  check("up_in_segments", up_in_segments, 2);
  check("across", across, 9);
  check("by_number", by_number, 7);
  return finish();
}
