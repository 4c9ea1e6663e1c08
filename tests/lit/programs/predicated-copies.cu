// Asynchronous copies, loads, stores and arithmetic of inline PTX under predicates of bounds
// and data, partial copies, and branches: bytes and FLOPs of the executing threads only.
// RUN: %program_by_clones
// RUN: %clangxx -fplugin=%plugin %minicuda -I%source/tests/lit/run/Inputs -I%S/Inputs -O0 %s -o %t.o0 %link
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.o0.json %t.o0
// RUN: %py %source/tests/lit/run/Inputs/kernel_has.py %t.o0.json tiles bytes.global.load=9600 bytes.shared.store=9600
// RUN: %py %source/tests/lit/run/Inputs/kernel_has.py %t.o0.json masked bytes.global.load=1600 bytes.global.store=1248
#include "program.h"

enum { BLOCKS = 3, THREADS = 64, TILES = 4, ROWS = 200, SLOTS = BLOCKS * THREADS };

static __device__ unsigned in_shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// As CUTLASS and FlashInfer copy rows up to a bound.
__global__ void tiles(const int4 *in, int4 *out, int rows) {
  __shared__ int4 buffer[THREADS];
  const int t = threadIdx.x;
  for (int tile = 0; tile < TILES; tile++) {
    const int row = tile * THREADS + t;
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2], %3; }" ::"r"(
                     (int)(row < rows)),
                 "r"(in_shared(buffer + t)), "l"(in + blockIdx.x * ROWS + row), "n"(16)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory"); // copies to one place are in no order
  }
  out[blockIdx.x * THREADS + t] = buffer[t];
}

// As cuda_pipeline_primitives.h fills with zeros: remaining bytes of n bytes.
__global__ void parts(const char *in, int4 *out, int bytes) {
  __shared__ int4 buffer[THREADS];
  const int t = threadIdx.x, left = bytes - 16 * t;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(in_shared(buffer + t)), "l"(in + 16 * t),
               "r"(left < 0 ? 0 : left > 16 ? 16 : left)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[blockIdx.x * THREADS + t] = buffer[t];
}

// The source is ignored where a flag is set.
__global__ void ignored(const int4 *in, const int *flags, int4 *out) {
  __shared__ int4 buffer[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  asm volatile("{ .reg .pred q; setp.ne.s32 q, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, q; }" ::"r"(
                   in_shared(buffer + t)),
               "l"(in + i), "r"(flags[i])
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[i] = buffer[t];
}

// As vLLM and Triton load and store with a mask.
__global__ void masked(const uint4 *in, const int *flags, uint4 *out, int n) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const int flag = flags[i];
  uint4 v;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %5, 0; setp.lt.and.s32 q, %6, %7, p;\n"
               "  @q ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; @!q mov.u32 %0, 7; @!q mov.u32 %1, 7;\n"
               "  @!q mov.u32 %2, 7; @!q mov.u32 %3, 7; }"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(in + i), "r"(flag), "r"(i), "r"(n));
  asm volatile("{ .reg .pred p; .reg .b32 odd; and.b32 odd, %5, 1; setp.eq.u32 p, odd, 1;\n"
               "  @p st.global.v4.u32 [%0], {%1, %2, %3, %4}; }" ::"l"(out + i),
               "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "r"(flag)
               : "memory");
}

// FLOPs under a predicate, and behind a branch.
__global__ void sums(const float *in, float *out, float limit) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  float x = in[i];
  asm volatile("{ .reg .pred p; setp.gt.f32 p, %1, %2; @p fma.rn.f32 %0, %1, %1, %1; @p add.f32 %0, %0, %0;\n"
               "  @p bra DONE; mul.f32 %0, %1, %1; DONE: add.f32 %0, %0, %1; }"
               : "+&f"(x) // written before the input is read for the last time
               : "f"(in[i]), "f"(limit));
  out[i] = x;
}

int main() {
  Buffer<int4> in(BLOCKS * ROWS), out(SLOTS);
  Buffer<int> flags(SLOTS);
  Buffer<float> x(SLOTS), y(SLOTS);
  long long set = 0, loaded = 0, large = 0;
  for (int i = 0; i < BLOCKS * ROWS; i++)
    in[i] = make_int4(i, i + 1, i + 2, i + 3);
  for (int i = 0; i < SLOTS; i++) {
    flags[i] = i % 5 < 2;
    set += flags[i], loaded += flags[i] && i < 130;
    x[i] = (float)(i % 7), large += x[i] > 3;
  }
  in.up(), flags.up(), x.up(), out.up();

  tiles<<<BLOCKS, THREADS>>>(in.device, out.device, ROWS);
  out.down();
  for (int i = 0; i < SLOTS; i++) {
    const int t = i % THREADS, last = t < ROWS - 3 * THREADS ? 3 : 2;
    EXPECT(out[i].x == i / THREADS * ROWS + last * THREADS + t);
  }
  const long long rows = BLOCKS * ROWS;
  counts("tiles", {{"bytes.global.load", 16 * rows},
                   {"bytes.shared.store", 16 * rows},
                   {"bytes.shared.load", 16 * SLOTS},
                   {"bytes.global.store", 16 * SLOTS}});

  parts<<<BLOCKS, THREADS>>>((const char *)in.device, out.device, 500);
  out.down();
  EXPECT(out[31].x == 31 && out[31].y == 0 && out[32].x == 0 && out[33].w == 0);
  counts("parts", {{"bytes.global.load", BLOCKS * 500},
                   {"bytes.shared.store", 16 * SLOTS},
                   {"bytes.shared.load", 16 * SLOTS},
                   {"bytes.global.store", 16 * SLOTS}});

  ignored<<<BLOCKS, THREADS>>>(in.device, flags.device, out.device);
  out.down();
  for (int i = 0; i < SLOTS; i++)
    EXPECT(out[i].x == (flags[i] ? 0 : i) && out[i].w == (flags[i] ? 0 : i + 3));
  counts("ignored", {{"bytes.global.load", 16 * (SLOTS - set) + 4 * SLOTS},
                     {"bytes.shared.store", 16 * SLOTS},
                     {"bytes.shared.load", 16 * SLOTS},
                     {"bytes.global.store", 16 * SLOTS}});

  masked<<<BLOCKS, THREADS>>>((const uint4 *)in.device, flags.device, (uint4 *)out.device, 130);
  out.down();
  for (int i = 0; i < SLOTS; i++)
    if (flags[i])
      EXPECT(out[i].y == (i < 130 ? i + 1 : 7));
  counts("masked", {{"bytes.global.load", 16 * loaded + 4 * SLOTS}, {"bytes.global.store", 16 * set}});

  sums<<<BLOCKS, THREADS>>>(x.device, y.device, 3);
  y.down();
  for (int i = 0; i < SLOTS; i++)
    EXPECT(y[i] == (x[i] > 3 ? 2 * (x[i] * x[i] + x[i]) + x[i] : x[i] * x[i] + x[i]));
  counts("sums", {{"flops.fp32.fma", 2 * large},
                  {"flops.fp32.add", large + SLOTS},
                  {"flops.fp32.mul", SLOTS - large},
                  {"bytes.global.load", 4 * SLOTS},
                  {"bytes.global.store", 4 * SLOTS}});
  return finish();
}
