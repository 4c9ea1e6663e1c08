// Atomic operations of every kind, at every scope and size: each thread's own result, and the final value in memory.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

// atomicAnd, atomicOr and atomicXor of int, unsigned and unsigned long long.
namespace atomic_bits {
__global__ void bits(int *i, unsigned *u, unsigned long long *l) {
  int t = threadIdx.x;
  atomicAnd(&i[0], ~(1 << t % 20)), atomicOr(&i[1], 1 << t % 5), atomicXor(&i[2], t);
  atomicAnd(&u[0], ~(1u << t % 20)), atomicOr(&u[1], 1u << t % 5), atomicXor(&u[2], (unsigned)t);
  atomicAnd(&l[0], ~(1ull << (t % 20 + 30))), atomicOr(&l[1], 1ull << (t % 5 + 50)),
      atomicXor(&l[2], (t + 0ull) << 35);
}

static void check() {
  Values<int, 3> i;
  Values<unsigned, 3> u;
  Values<unsigned long long, 3> l;
  i.host[0] = -1, u.host[0] = ~0u, l.host[0] = ~0ull;
  i.write(), u.write(), l.write();
  bits<<<1, 70>>>(i.device, u.device, l.device);
  i.read(), u.read(), l.read();
  int parity = 0;
  for (int t = 0; t < 70; t++)
    parity ^= t;
  EXPECT(i.host[0] == (int)0xfff00000 && i.host[1] == 31 && i.host[2] == parity);
  EXPECT(u.host[0] == 0xfff00000u && u.host[1] == 31 && u.host[2] == (unsigned)parity);
  EXPECT(l.host[0] == ~(0xfffffull << 30) && l.host[1] == 31ull << 50 &&
         l.host[2] == (unsigned long long)parity << 35);
}
} // namespace atomic_bits

// atomicDec goes from 0, and from beyond its limit, to the limit.
namespace atomic_decrement {
__global__ void decrement(unsigned *u, unsigned *beyond) {
  atomicDec(u, 6);
  if (threadIdx.x == 0)
    atomicDec(beyond, 6);
}

static void check() {
  Values<unsigned, 1> u, beyond;
  beyond.host[0] = 9;
  beyond.write();
  decrement<<<1, 100>>>(u.device, beyond.device);
  u.read(), beyond.read();
  EXPECT(u.host[0] == 7 - 100 % 7 && beyond.host[0] == 6);
}
} // namespace atomic_decrement

// atomicExch: each value passing through a cell is seen once, in int, unsigned long long and float.
namespace atomic_exchange {
__global__ void exchange(int *cell, int *seen, unsigned long long *wide, unsigned long long *wides, float *f,
                         float *floats) {
  int t = threadIdx.x;
  seen[t] = atomicExch(cell, t + 1);
  wides[t] = atomicExch(wide, (t + 1ull) << 40);
  floats[t] = atomicExch(f, t + 1.0f);
}

static void check() {
  Values<int, 1> cell;
  Values<int, 64> seen;
  Values<unsigned long long, 1> wide;
  Values<unsigned long long, 64> wides;
  Values<float, 1> f;
  Values<float, 64> floats;
  exchange<<<1, 64>>>(cell.device, seen.device, wide.device, wides.device, f.device, floats.device);
  cell.read(), seen.read(), wide.read(), wides.read(), f.read(), floats.read();
  unsigned long long sum = cell.host[0], wide_sum = wide.host[0] >> 40;
  float float_sum = f.host[0];
  for (int t = 0; t < 64; t++)
    sum += seen.host[t], wide_sum += wides.host[t] >> 40, float_sum += floats.host[t];
  EXPECT(sum == 64 * 65 / 2 && wide_sum == 64 * 65 / 2 && float_sum == 64 * 65 / 2);
}
} // namespace atomic_exchange

// atomicInc wraps to 0 beyond its limit.
namespace atomic_increment {
__global__ void increment(unsigned *u, unsigned *beyond) {
  atomicInc(u, 6);
  if (threadIdx.x == 0)
    atomicInc(beyond, 6);
}

static void check() {
  Values<unsigned, 1> u, beyond;
  beyond.host[0] = 9;
  beyond.write();
  increment<<<1, 100>>>(u.device, beyond.device);
  u.read(), beyond.read();
  EXPECT(u.host[0] == 100 % 7 && beyond.host[0] == 0);
}
} // namespace atomic_increment

// atomicMax of signed and unsigned, 32 and 64 bits.
namespace atomic_maximum {
__global__ void greatest(int *i, unsigned *u, long long *l, unsigned long long *v) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(i, -t);
  atomicMax(u, (unsigned)-t);
  atomicMax(l, -(long long)t << 33);
  atomicMax(v, (unsigned long long)t << 50);
}

static void check() {
  Values<int, 1> i;
  Values<unsigned, 1> u;
  Values<long long, 1> l;
  Values<unsigned long long, 1> v;
  i.host[0] = -1000, l.host[0] = -(1ll << 60);
  i.write(), l.write();
  greatest<<<2, 100>>>(i.device, u.device, l.device, v.device);
  i.read(), u.read(), l.read(), v.read();
  EXPECT(i.host[0] == 0 && u.host[0] == ~0u && l.host[0] == 0 && v.host[0] == 199ull << 50);
}
} // namespace atomic_maximum

// atomicMin of signed and unsigned, 32 and 64 bits.
namespace atomic_minimum {
__global__ void least(int *i, unsigned *u, long long *l, unsigned long long *v) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(i, t - 50);
  atomicMin(u, (unsigned)(t + 7));
  atomicMin(l, (long long)(t - 50) << 33);
  atomicMin(v, ((unsigned long long)t << 33) + 5);
}

static void check() {
  Values<int, 1> i;
  Values<unsigned, 1> u;
  Values<long long, 1> l;
  Values<unsigned long long, 1> v;
  u.host[0] = ~0u, v.host[0] = ~0ull;
  u.write(), v.write();
  least<<<2, 100>>>(i.device, u.device, l.device, v.device);
  i.read(), u.read(), l.read(), v.read();
  EXPECT(i.host[0] == -50 && u.host[0] == 7 && l.host[0] == -(50ll << 33) && v.host[0] == 5);
}
} // namespace atomic_minimum

// The forms of one block and of the whole system do the same.
namespace atomic_scopes {
__global__ void scopes(int *i, unsigned *u, double *d) {
  atomicAdd_block(&i[0], 1), atomicAdd_system(&i[1], 2), atomicSub_system(&i[2], 1);
  atomicMax_block(&u[0], (unsigned)threadIdx.x), atomicOr_system(&u[1], 1u << threadIdx.x % 32);
  atomicAdd_block(d, 0.5);
}

static void check() {
  Values<int, 3> i;
  Values<unsigned, 2> u;
  Values<double, 1> d;
  scopes<<<1, 96>>>(i.device, u.device, d.device);
  i.read(), u.read(), d.read();
  EXPECT(i.host[0] == 96 && i.host[1] == 192 && i.host[2] == -96);
  EXPECT(u.host[0] == 95 && u.host[1] == ~0u && d.host[0] == 48);
}
} // namespace atomic_scopes

// Increment, decrement and compare-and-swap with a scope.
namespace atomic_scopes_of_others {
__global__ void scopes(unsigned *u, int *i) {
  atomicInc_block(&u[0], 9), atomicInc_system(&u[1], 9), atomicDec_block(&u[2], 9),
      atomicDec_system(&u[3], 9);
  if (threadIdx.x == 0) {
    i[1] = atomicCAS_block(&i[0], 0, 5);
    i[3] = atomicCAS_system(&i[2], 0, 6);
  }
}

static void check() {
  Values<unsigned, 4> u;
  Values<int, 4> i;
  scopes<<<1, 96>>>(u.device, i.device);
  u.read(), i.read();
  EXPECT(u.host[0] == 6 && u.host[1] == 6 && u.host[2] == 4 && u.host[3] == 4);
  EXPECT(i.host[0] == 5 && i.host[1] == 0 && i.host[2] == 6 && i.host[3] == 0);
}
} // namespace atomic_scopes_of_others

// Exchange, and compare and swap, of 16 bytes at once: many threads count in both halves together.
namespace atomic_sixteen_bytes {
__global__ void count(unsigned long long *pair, unsigned long long *taken) {
  unsigned long long low = 0, high = 0, a, b;
  for (bool done = false; !done;) {
    asm volatile("{ .reg .b128 d, x, y;\n"
                 "  mov.b128 x, {%3, %4};\n"
                 "  mov.b128 y, {%5, %6};\n"
                 "  atom.global.cas.b128 d, [%2], x, y;\n"
                 "  mov.b128 {%0, %1}, d; }"
                 : "=l"(a), "=l"(b)
                 : "l"(pair), "l"(low), "l"(high), "l"(low + 1), "l"(high - 3)
                 : "memory");
    done = a == low && b == high;
    low = a, high = b;
  }
  asm volatile("{ .reg .b128 d, x; mov.b128 x, {%3, %3}; atom.global.exch.b128 d, [%2], x; mov.b128 {%0, %1}, d; }"
               : "=l"(a), "=l"(b)
               : "l"(pair + 2), "l"((unsigned long long)threadIdx.x + 1)
               : "memory");
  taken[threadIdx.x] = a == b ? a : ~0ull;
}

static void check() {
  Values<unsigned long long, 4> pair;
  Values<unsigned long long, 64> taken;
  count<<<1, 64>>>(pair.device, taken.device);
  pair.read(), taken.read();
  EXPECT(pair.host[0] == 64 && pair.host[1] == 0ull - 3 * 64);
  unsigned long long sum = pair.host[2];
  for (int i = 0; i < 64; i++)
    sum += taken.host[i];
  EXPECT(pair.host[2] == pair.host[3] && sum == 64 * 65 / 2);
}
} // namespace atomic_sixteen_bytes

// atomicSub of int and unsigned.
namespace atomic_subtract {
__global__ void subtract(int *i, unsigned *u) {
  atomicSub(i, 3);
  atomicSub(u, 2u);
}

static void check() {
  Values<int, 1> i;
  Values<unsigned, 1> u;
  subtract<<<2, 100>>>(i.device, u.device);
  i.read(), u.read();
  EXPECT(i.host[0] == -600 && u.host[0] == -400u);
}
} // namespace atomic_subtract

// Atomic operations on vectors of floats and of pairs of bfloats: each element for itself.
namespace atomic_vectors {
__global__ void add(float *sums, unsigned *pairs, float *last) {
  float x, y;
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sums), "f"(1.0f), "f"(2.0f), "f"(3.0f),
               "f"(threadIdx.x * 1.0f)
               : "memory");
  asm volatile("red.global.add.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(pairs), "r"(0x3f804000), "r"(0x40403f80)
               : "memory");
  asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
               : "=f"(x), "=f"(y)
               : "l"(sums + 4), "f"(1.0f), "f"(-1.0f)
               : "memory");
  if (x == 31)
    *last = y;
}

static void check() {
  Values<float, 8> sums;
  Values<float, 1> last;
  Values<unsigned, 2> pairs;
  add<<<1, 32>>>(sums.device, pairs.device, last.device);
  sums.read(), last.read(), pairs.read();
  const float expected[] = {32, 64, 96, 31 * 16, 32, -32};
  for (int i = 0; i < 6; i++)
    EXPECT(sums.host[i] == expected[i]);
  EXPECT(last.host[0] == -31);
  EXPECT(pairs.host[0] == 0x42004280 && pairs.host[1] == 0x42c04200); // 32 and 64, 96 and 32
}
} // namespace atomic_vectors

// One active lane adds for all: ballot of the active mask, leader, shuffle of the base.
namespace warp_aggregated_atomic {
__global__ void append(int *count, int *list) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t % 3)
    return;
  unsigned active = __activemask();
  int leader = __ffs(active) - 1, lane = lane_id(), base = 0;
  if (lane == leader)
    base = atomicAdd(count, __popc(active));
  base = __shfl_sync(active, base, leader);
  list[base + __popc(active & ((1u << lane) - 1))] = t;
}

static void check() {
  Values<int, 1> count;
  Values<int, 200> list;
  append<<<4, 128>>>(count.device, list.device);
  count.read(), list.read();
  EXPECT(count.host[0] == 171);
  int sum = 0;
  for (int i = 0; i < 171; i++)
    sum += list.host[i];
  EXPECT(sum == 3 * 170 * 171 / 2);
}
} // namespace warp_aggregated_atomic

int main() {
  behaviour(atomic_bits::check);
  behaviour(atomic_decrement::check);
  behaviour(atomic_exchange::check);
  behaviour(atomic_increment::check);
  behaviour(atomic_maximum::check);
  behaviour(atomic_minimum::check);
  behaviour(atomic_scopes::check);
  behaviour(atomic_scopes_of_others::check);
  behaviour(atomic_sixteen_bytes::check);
  behaviour(atomic_subtract::check);
  behaviour(atomic_vectors::check);
  behaviour(warp_aggregated_atomic::check);
  return finish();
}
