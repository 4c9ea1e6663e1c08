// Shuffles of a warp: in every direction, of every type, in loops, in branches, and in a partial warp.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

// Both sides of a branch shuffle among themselves, each with its own mask.
namespace shuffle_divergent_halves {
__global__ void shuffle(int *out) {
  int lane = lane_id();
  if (lane % 2)
    out[lane] = __shfl_sync(0xaaaaaaaau, lane, (lane + 2) % 32);
  else
    out[lane] = __shfl_sync(0x55555555u, 100 + lane, (lane + 4) % 32);
}

static void check() {
  Values<int, 32> out;
  shuffle<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (i % 2 ? (i + 2) % 32 : 100 + (i + 4) % 32));
}
} // namespace shuffle_divergent_halves

// __shfl_down_sync: lanes whose source is beyond their segment keep their own value.
namespace shuffle_down {
__global__ void shuffle(int *all, int *segments) {
  int lane = lane_id();
  all[lane] = __shfl_down_sync(~0u, lane, 5);
  segments[lane] = __shfl_down_sync(~0u, lane, 1, 2);
}

static void check() {
  Values<int, 32> all, segments;
  shuffle<<<1, 32>>>(all.device, segments.device);
  all.read(), segments.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(all.host[i] == (i + 5 > 31 ? i : i + 5));
    EXPECT(segments.host[i] == (i % 2 ? i : i + 1));
  }
}
} // namespace shuffle_down

// __shfl_xor_sync exchanges within segments; a segment may read lower ones but not higher ones.
namespace shuffle_exclusive_or {
__global__ void shuffle(int *butterfly, int *segments) {
  int lane = lane_id();
  butterfly[lane] = __shfl_xor_sync(~0u, lane, 21);
  segments[lane] = __shfl_xor_sync(~0u, lane, 8, 8);
}

static void check() {
  Values<int, 32> butterfly, segments;
  shuffle<<<1, 32>>>(butterfly.device, segments.device);
  butterfly.read(), segments.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(butterfly.host[i] == (i ^ 21));
    EXPECT(segments.host[i] == ((i ^ 8) < i ? i ^ 8 : i));
  }
}
} // namespace shuffle_exclusive_or

// Lanes leave a loop at different iterations; the others shuffle with the mask of the remaining lanes.
namespace shuffle_in_loop {
__global__ void shuffle(int *out) {
  int lane = lane_id(), sum = 0;
  unsigned mask = ~0u;
  for (int i = 0; i <= lane; i++) {
    mask = ~0u << i;
    sum += __shfl_sync(mask, lane, 31);
  }
  out[lane] = sum;
}

static void check() {
  Values<int, 32> out;
  shuffle<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 31 * (i + 1));
}
} // namespace shuffle_in_loop

// __shfl_sync reads the named lane of each segment; lane numbers wrap within the width.
namespace shuffle_index {
__global__ void shuffle(int *all, int *segments, int *wrapped) {
  int lane = lane_id();
  all[lane] = __shfl_sync(~0u, 100 + lane, 7);
  segments[lane] = __shfl_sync(~0u, 100 + lane, 3, 8);
  wrapped[lane] = __shfl_sync(~0u, 100 + lane, lane + 5, 16);
}

static void check() {
  Values<int, 32> all, segments, wrapped;
  shuffle<<<1, 32>>>(all.device, segments.device, wrapped.device);
  all.read(), segments.read(), wrapped.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(all.host[i] == 107);
    EXPECT(segments.host[i] == 100 + i / 8 * 8 + 3);
    EXPECT(wrapped.host[i] == 100 + i / 16 * 16 + (i + 5) % 16);
  }
}
} // namespace shuffle_index

// The last warp of a block may have fewer lanes; a mask of the existing ones works.
namespace shuffle_last_warp {
__global__ void sum(int *out) {
  int lane = lane_id();
  unsigned mask = threadIdx.x < 32 ? ~0u : 0xffu;
  int v = lane + 1;
  for (int offset = threadIdx.x < 32 ? 16 : 4; offset; offset /= 2)
    v += __shfl_xor_sync(mask, v, offset);
  out[threadIdx.x] = v;
}

static void check() {
  Values<int, 40> out;
  sum<<<1, 40>>>(out.device);
  out.read();
  for (int i = 0; i < 40; i++)
    EXPECT(out.host[i] == (i < 32 ? 32 * 33 / 2 : 8 * 9 / 2));
}
} // namespace shuffle_last_warp

// Shuffles of every type supported by CUDA, those of 64 bits included.
namespace shuffle_types {
__global__ void shuffle(unsigned *u, long long *l, unsigned long long *v, float *f, double *d) {
  int lane = lane_id(), from = 31 - lane;
  u[lane] = __shfl_sync(~0u, 0x80000000u + lane, from);
  l[lane] = __shfl_sync(~0u, -(1ll << 40) - lane, from);
  v[lane] = __shfl_sync(~0u, (1ull << 63) + lane, from);
  f[lane] = __shfl_sync(~0u, 0.5f * lane, from);
  d[lane] = __shfl_sync(~0u, 1e200 * lane, from);
}

static void check() {
  Values<unsigned, 32> u;
  Values<long long, 32> l;
  Values<unsigned long long, 32> v;
  Values<float, 32> f;
  Values<double, 32> d;
  shuffle<<<1, 32>>>(u.device, l.device, v.device, f.device, d.device);
  u.read(), l.read(), v.read(), f.read(), d.read();
  for (int i = 0; i < 32; i++) {
    int from = 31 - i;
    EXPECT(u.host[i] == 0x80000000u + from);
    EXPECT(l.host[i] == -(1ll << 40) - from);
    EXPECT(v.host[i] == (1ull << 63) + from);
    EXPECT(f.host[i] == 0.5f * from);
    EXPECT(d.host[i] == 1e200 * from);
  }
}
} // namespace shuffle_types

// __shfl_up_sync: lanes below the distance in their segment keep their own value.
namespace shuffle_up {
__global__ void shuffle(int *all, int *segments) {
  int lane = lane_id();
  all[lane] = __shfl_up_sync(~0u, lane, 3);
  segments[lane] = __shfl_up_sync(~0u, lane, 2, 4);
}

static void check() {
  Values<int, 32> all, segments;
  shuffle<<<1, 32>>>(all.device, segments.device);
  all.read(), segments.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(all.host[i] == (i < 3 ? i : i - 3));
    EXPECT(segments.host[i] == (i % 4 < 2 ? i : i - 2));
  }
}
} // namespace shuffle_up

int main() {
  behaviour(shuffle_divergent_halves::check);
  behaviour(shuffle_down::check);
  behaviour(shuffle_exclusive_or::check);
  behaviour(shuffle_in_loop::check);
  behaviour(shuffle_index::check);
  behaviour(shuffle_last_warp::check);
  behaviour(shuffle_types::check);
  behaviour(shuffle_up::check);
  return finish();
}
