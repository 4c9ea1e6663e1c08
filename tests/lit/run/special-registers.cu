// Special registers by inline PTX: identities, masks of lanes, sizes of shared memory, clocks; and elect.sync.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { Threads = 64, Kinds = 16 };

#define READ(type, letter, name)                                                                             \
  ({                                                                                                         \
    unsigned type value;                                                                                     \
    asm volatile("mov." #letter " %0, %%" name ";" : "=" REGISTER_##letter(value));                          \
    value;                                                                                                   \
  })
#define REGISTER_u32 "r"
#define REGISTER_u64 "l"

__global__ void read(unsigned *out) {
  __shared__ int fixed[25];
  extern __shared__ int given[];
  fixed[threadIdx.x % 25] = given[threadIdx.x % 16] = 0;
  asm volatile("" ::"l"(fixed) : "memory"); // used
  unsigned *o = out + threadIdx.x * Kinds;
  o[0] = READ(int, u32, "laneid"), o[1] = READ(int, u32, "ntid.y"), o[2] = READ(int, u32, "ntid.x");
  o[3] = READ(int, u32, "lanemask_eq"), o[4] = READ(int, u32, "lanemask_lt"), o[5] = READ(int, u32, "lanemask_le");
  o[6] = READ(int, u32, "lanemask_gt"), o[7] = READ(int, u32, "lanemask_ge");
  o[8] = READ(int, u32, "smid") < READ(int, u32, "nsmid");
  o[9] = READ(int, u32, "warpid") < READ(int, u32, "nwarpid");
  o[10] = READ(int, u32, "dynamic_smem_size"), o[11] = READ(int, u32, "total_smem_size");
  unsigned long long start = READ(long long, u64, "globaltimer"), ticks = READ(long long, u64, "clock64");
  o[12] = READ(long long, u64, "globaltimer") >= start && READ(long long, u64, "clock64") >= ticks;
  unsigned leader, elected;
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(leader), "=r"(elected));
  o[13] = leader, o[14] = elected;
  o[15] = READ(int, u32, "nctaid.x") + READ(int, u32, "ctaid.x") + (unsigned)READ(long long, u64, "gridid") * 0;
}

int main() {
  Values<unsigned, Threads * Kinds> out;
  read<<<1, Threads, 64>>>(out.device);
  out.read();
  for (int t = 0; t < Threads; t++) {
    const unsigned *o = out.host + t * Kinds, lane = t % 32, own = 1u << lane;
    EXPECT(o[0] == lane && o[1] == 1 && o[2] == Threads && o[3] == own && o[4] == own - 1);
    EXPECT(o[5] == (own | (own - 1)) && o[6] == ~(own | (own - 1)) && o[7] == ~(own - 1));
    EXPECT(o[8] == 1 && o[9] == 1 && o[10] == 64 && o[11] >= 164 && o[11] < 2048 && o[12] == 1);
    EXPECT(o[13] == 0 && o[14] == (lane == 0) && o[15] == 1);
  }
  return finish();
}
