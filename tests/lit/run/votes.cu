// Votes and matches of a warp, and masks of its lanes.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

// __all_sync holds where every lane of the mask agrees; lanes outside have no vote.
namespace vote_all {
__global__ void vote(int *out) {
  int lane = lane_id();
  out[lane] = __all_sync(~0u, lane >= 0) + 2 * __all_sync(~0u, lane != 17);
  if (lane != 17)
    out[lane] += 4 * __all_sync(~0u & ~(1u << 17), lane != 17);
}

static void check() {
  Values<int, 32> out;
  vote<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (i == 17 ? 1 : 5));
}
} // namespace vote_all

// __any_sync holds where one lane of the mask says so.
namespace vote_any {
__global__ void vote(int *out) {
  int lane = lane_id();
  out[lane] = __any_sync(~0u, lane == 30) + 2 * __any_sync(~0u, lane > 31);
  if (lane < 8)
    out[lane] += 4 * __any_sync(0xffu, lane == 7) + 8 * __any_sync(0xffu, lane == 8);
}

static void check() {
  Values<int, 32> out;
  vote<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (i < 8 ? 5 : 1));
}
} // namespace vote_any

// __ballot_sync: a bit for each lane of the mask whose predicate holds, 0 for lanes outside.
namespace vote_ballot {
__global__ void vote(unsigned *all, unsigned *half) {
  int lane = lane_id();
  all[lane] = __ballot_sync(~0u, lane % 3 == 0);
  if (lane < 16)
    half[lane] = __ballot_sync(0xffffu, lane % 2);
}

static void check() {
  Values<unsigned, 32> all, half;
  vote<<<1, 32>>>(all.device, half.device);
  all.read(), half.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(all.host[i] == 0x49249249u);
    EXPECT(half.host[i] == (i < 16 ? 0xaaaau : 0));
  }
}
} // namespace vote_ballot

// __uni_sync holds where all lanes say yes, or all say no.
namespace vote_uniform {
__global__ void vote(int *out) {
  int lane = lane_id();
  out[lane] = __uni_sync(~0u, lane < 32) + 2 * __uni_sync(~0u, lane > 31) + 4 * __uni_sync(~0u, lane < 31);
}

static void check() {
  Values<int, 32> out;
  vote<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 3);
}
} // namespace vote_uniform

// __match_all_sync gives the mask and true where all values agree, else 0 and false.
namespace match_all {
__global__ void match(unsigned *out, int *agreed) {
  int lane = lane_id(), yes = -1, no = -1, half = -1;
  unsigned a = __match_all_sync(~0u, 42, &yes), b = __match_all_sync(~0u, lane / 31, &no), c = 0;
  if (lane < 16)
    c = __match_all_sync(0xffffu, (unsigned long long)(lane / 16) << 33, &half);
  out[lane] = (a == ~0u) + 2 * (b == 0) + 4 * (c == 0xffffu);
  agreed[lane] = yes + 2 * no + 4 * (half == 1);
}

static void check() {
  Values<unsigned, 32> out;
  Values<int, 32> agreed;
  match<<<1, 32>>>(out.device, agreed.device);
  out.read(), agreed.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(out.host[i] == (i < 16 ? 7u : 3u));
    EXPECT(agreed.host[i] == (i < 16 ? 5 : 1));
  }
}
} // namespace match_all

// __match_any_sync gives each lane the lanes with its value, of 32 and of 64 bits.
namespace match_any {
__global__ void match(unsigned *narrow, unsigned *wide) {
  int lane = lane_id();
  narrow[lane] = __match_any_sync(~0u, lane % 5);
  wide[lane] = __match_any_sync(~0u, (unsigned long long)(lane / 8) << 40);
}

static void check() {
  Values<unsigned, 32> narrow, wide;
  match<<<1, 32>>>(narrow.device, wide.device);
  narrow.read(), wide.read();
  for (int i = 0; i < 32; i++) {
    unsigned same = 0;
    for (int j = 0; j < 32; j++)
      same |= (unsigned)(i % 5 == j % 5) << j;
    EXPECT(narrow.host[i] == same);
    EXPECT(wide.host[i] == 0xffu << i / 8 * 8);
  }
}
} // namespace match_any

// __activemask names the converged lanes.
namespace active_mask {
__global__ void mask(unsigned *out) {
  int lane = lane_id();
  unsigned all = __activemask(), some = 0;
  if (lane % 4 == 1)
    some = __activemask();
  out[2 * lane] = all;
  out[2 * lane + 1] = some;
}

static void check() {
  Values<unsigned, 64> out;
  mask<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(out.host[2 * i] == ~0u);
    EXPECT(out.host[2 * i + 1] == (i % 4 == 1 ? 0x22222222u : 0));
  }
}
} // namespace active_mask

// The special registers of PTX: lane, warp, and the masks of lanes below and above.
namespace lane_masks {
static __device__ unsigned special_lane() {
  unsigned v;
  asm("mov.u32 %0, %%laneid;" : "=r"(v));
  return v;
}
static __device__ unsigned below() {
  unsigned v;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v));
  return v;
}
static __device__ unsigned above() {
  unsigned v;
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(v));
  return v;
}
__global__ void masks(unsigned *out) {
  out[3 * threadIdx.x] = special_lane();
  out[3 * threadIdx.x + 1] = below();
  out[3 * threadIdx.x + 2] = above();
}

static void check() {
  Values<unsigned, 3 * 48> out;
  masks<<<1, 48>>>(out.device);
  out.read();
  for (unsigned i = 0; i < 48; i++)
    EXPECT(out.host[3 * i] == i % 32 && out.host[3 * i + 1] == (1u << i % 32) - 1 &&
           out.host[3 * i + 2] == ~0u << i % 32);
}
} // namespace lane_masks

int main() {
  behaviour(vote_all::check);
  behaviour(vote_any::check);
  behaviour(vote_ballot::check);
  behaviour(vote_uniform::check);
  behaviour(match_all::check);
  behaviour(match_any::check);
  behaviour(active_mask::check);
  behaviour(lane_masks::check);
  return finish();
}
