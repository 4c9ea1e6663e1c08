// Loads and stores with cache hints and policies, prefetches and other advice move the bytes of plain ones.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json move launches=1 bytes.global.load=1152 bytes.global.store=1408
// CHECK: all right
#include "lanes.h"

enum { Kinds = 11 };

__global__ void move(const int *in, int *out) {
  int *o = out + lane_id() * Kinds, t = lane_id();
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
  asm volatile("prefetchu.L1 [%0];" ::"l"(in));
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(in));
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("pmevent 1;");
  o[0] = __ldcs(in + t), o[1] = __ldcg(in + t), o[2] = __ldcv(in + t), o[3] = __ldg(in + t);
  __stcs(o + 4, t), __stcg(o + 5, t + 1), __stwt(o + 6, t + 2);
  int hinted;
  asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(hinted) : "l"(in + t), "l"(policy));
  asm volatile("st.global.L2::cache_hint.s32 [%0], %1, %2;" ::"l"(o + 7), "r"(hinted), "l"(policy) : "memory");
  int4 four;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.s32 {%0,%1,%2,%3}, [%4];"
               : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
               : "l"(in + t / 4 * 4));
  o[8] = four.x + four.y + four.z + four.w;
  asm volatile("atom.global.add.L2::cache_hint.s32 %0, [%1], %2, %3;" : "=r"(o[9]) : "l"(o + 7), "r"(5), "l"(policy) : "memory");
  asm volatile("griddepcontrol.launch_dependents;");
  if (t < 0)
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(out));
  o[10] = t * 2;
}

int main() {
  Values<int, 32> in;
  Values<int, 32 * Kinds> out;
  for (int i = 0; i < 32; i++)
    in.host[i] = i * i;
  in.write();
  move<<<1, 32>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 32; i++) {
    const int *o = out.host + i * Kinds, v = i * i, first = i / 4 * 4;
    EXPECT(o[0] == v && o[1] == v && o[2] == v && o[3] == v && o[4] == i && o[5] == i + 1 && o[6] == i + 2);
    int sum = 0;
    for (int k = first; k < first + 4; k++)
      sum += k * k;
    EXPECT(o[7] == v + 5 && o[8] == sum && o[9] == v && o[10] == 2 * i);
  }
  return finish();
}
