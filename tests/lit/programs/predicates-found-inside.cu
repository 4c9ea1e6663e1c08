// Inline PTX that finds its predicates itself: from loaded values, other lanes, population counts, remainders, flushed
// comparisons, and loops. The statement counts its instructions; results, operands and labels stay.
// RUN: %program
#include "program.h"

enum { THREADS = 64, WARPS = 2, TURNS = 5 };

// The predicate is of a value that the statement loads.
__global__ void loaded(const int *in, int *out) {
  const int i = threadIdx.x;
  asm volatile("{ .reg .pred q; .reg .s32 x; ld.global.s32 x, [%0]; setp.lt.s32 q, x, 3; @q st.global.s32 [%1], x; }" ::"l"(in + i),
               "l"(out + i)
               : "memory");
}

// Two predicates, each with instructions of its own, and two results. Operands have numbers above those of the results.
__global__ void results(const int *in, float *out) {
  const int i = threadIdx.x, v = in[i];
  float x = v, y = 0;
  asm volatile("{ .reg .pred p, q; .reg .b32 r;\n"
               "  popc.b32 r, %2; setp.gt.u32 p, r, 1; // several bits\n"
               "  @p add.f32 %0, %0, %3; @p mul.f32 %0, %0, %3;\n"
               "  rem.u32 r, %2, 3; setp.eq.u32 q, r, 0;\n"
               "  @!q fma.rn.f32 %1, %3, %3, %3; }"
               : "+f"(x), "+f"(y)
               : "r"(v), "f"(2.0f));
  out[2 * i] = x;
  out[2 * i + 1] = y;
}

__global__ void flushed(const float *in, float *out) {
  const int i = threadIdx.x;
  float x = in[i];
  asm volatile("{ .reg .pred p; setp.gt.ftz.f32 p, %1, 0f40400000; @p add.f32 %0, %0, %1; }" : "+f"(x) : "f"(in[i]));
  out[i] = x;
}

// One lane of each warp, whichever it is.
__global__ void elected(int *out) {
  asm volatile("{ .reg .pred p; .reg .b32 r; elect.sync r|p, 0xffffffff; @p st.global.u32 [%0], 7; }" ::"l"(out + threadIdx.x)
               : "memory");
}

// A loop under a condition, behind it a sum.
__global__ void loop(const float *in, float *out, int turns) {
  const int i = threadIdx.x;
  float sum = 0;
  asm volatile("{ .reg .pred p; .reg .s32 k; mov.s32 k, 0; setp.ge.s32 p, %3, 32; @p bra DONE%=;\n"
               "  AGAIN%=: fma.rn.f32 %0, %1, %1, %0; add.s32 k, k, 1; setp.lt.s32 p, k, %2; @p bra AGAIN%=;\n"
               "  DONE%=: add.f32 %0, %0, %1; }"
               : "+&f"(sum)
               : "f"(in[i]), "r"(turns), "r"(i));
  out[i] = sum;
}

int main() {
  Buffer<int> numbers(THREADS), integers(THREADS);
  Buffer<float> in(THREADS), out(2 * THREADS);
  long long few = 0, several = 0, others = 0, above = 0;
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i, integers[i] = -1, in[i] = (float)(i % 7);
    few += i < 3, several += __builtin_popcount(i) > 1, others += i % 3 != 0, above += in[i] > 3;
  }
  numbers.up(), in.up(), integers.up();

  loaded<<<1, THREADS>>>(numbers.device, integers.device);
  integers.down();
  for (int i = 0; i < THREADS; i++)
    EXPECT(integers[i] == (i < 3 ? i : -1));
  counts("loaded", {{"bytes.global.load", 4 * THREADS}, {"bytes.global.store", 4 * few}});

  results<<<1, THREADS>>>(numbers.device, out.device);
  out.down();
  for (int i = 0; i < THREADS; i++)
    EXPECT(out[2 * i] == (__builtin_popcount(i) > 1 ? (i + 2) * 2 : i) && out[2 * i + 1] == (i % 3 ? 6 : 0));
  counts("results", {{"flops.fp32.add", several},
                     {"flops.fp32.mul", several},
                     {"flops.fp32.fma", 2 * others},
                     {"bytes.global.load", 4 * THREADS},
                     {"bytes.global.store", 8 * THREADS}});

  flushed<<<1, THREADS>>>(in.device, out.device);
  out.down();
  for (int i = 0; i < THREADS; i++)
    EXPECT(out[i] == (in[i] > 3 ? 2 : 1) * in[i]);
  counts("flushed", {{"flops.fp32.add", above}, {"bytes.global.load", 4 * THREADS}, {"bytes.global.store", 4 * THREADS}});

  integers.up();
  elected<<<1, THREADS>>>(integers.device);
  integers.down();
  int found = 0;
  for (int i = 0; i < THREADS; i++)
    found += integers[i] == 7;
  EXPECT(found == WARPS);
  counts("elected", {{"bytes.global.store", 4 * WARPS}});

  loop<<<1, THREADS>>>(in.device, out.device, TURNS);
  out.down();
  for (int i = 0; i < THREADS; i++)
    EXPECT(out[i] == (i < 32 ? TURNS * in[i] * in[i] : 0) + in[i]);
  counts("loop", {{"flops.fp32.fma", 2 * 32 * TURNS},
                  {"flops.fp32.add", THREADS},
                  {"bytes.global.load", 4 * THREADS},
                  {"bytes.global.store", 4 * THREADS}});
  return finish();
}
