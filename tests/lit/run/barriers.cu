// Barriers of a block: counted, named, reducing, as objects, in three dimensions, and behind returned threads.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

// Returned threads do not hold up a barrier of the others.
namespace barrier_after_return {
__global__ void reverse(int *out, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  if (t >= n)
    return;
  s[t] = t;
  __syncthreads();
  out[t] = s[n - 1 - t];
}

static void check() {
  Values<int, 128> out;
  reverse<<<1, 128>>>(out.device, 70);
  out.read();
  for (int i = 0; i < 128; i++)
    EXPECT(out.host[i] == (i < 70 ? 69 - i : 0));
}
} // namespace barrier_after_return

// __syncthreads_and is non-zero where all predicates hold.
namespace barrier_and {
__global__ void both(int *out) {
  int yes = __syncthreads_and(threadIdx.x < 96) != 0, no = __syncthreads_and(threadIdx.x != 95) != 0;
  out[threadIdx.x] = yes + 2 * no;
}

static void check() {
  Values<int, 96> out;
  both<<<1, 96>>>(out.device);
  out.read();
  for (int i = 0; i < 96; i++)
    EXPECT(out.host[i] == 1);
}
} // namespace barrier_and

// bar.arrive: one warp fills the data awaited by the other, and goes on without waiting.
namespace barrier_arrive {
__global__ void produce(int *out) {
  __shared__ int box[32];
  if (threadIdx.x < 32) {
    box[threadIdx.x] = threadIdx.x * 3;
    __threadfence_block();
    asm volatile("bar.arrive 2, 64;" ::: "memory");
    out[threadIdx.x] = 1;
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = box[63 - threadIdx.x];
  }
}

static void check() {
  Values<int, 64> out;
  produce<<<2, 64>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 1 && out.host[32 + i] == (31 - i) * 3);
}
} // namespace barrier_arrive

// __syncthreads_count gives every thread how many predicates held.
namespace barrier_count {
__global__ void count(int *out) { out[threadIdx.x] = __syncthreads_count(threadIdx.x % 7 == 2); }

static void check() {
  Values<int, 100> out;
  count<<<1, 100>>>(out.device);
  out.read();
  for (int i = 0; i < 100; i++)
    EXPECT(out.host[i] == 14);
}
} // namespace barrier_count

// Named barriers: two consuming warps and two later producing warps meet at barriers of 64 threads.
namespace barrier_named {
static __device__ void meet(int id) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(64) : "memory"); }
__global__ void pairs(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, pair = t / 32 % 2;
  if (t >= 64)
    s[t - 64] = 3 * (t - 64);
  meet(1 + pair);
  if (t < 64)
    out[t] = s[pair * 32 + 31 - t % 32];
}

static void check() {
  Values<int, 64> out;
  pairs<<<1, 128>>>(out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i] == 3 * (i / 32 * 32 + 31 - i % 32));
}
} // namespace barrier_named

// mbarrier objects in inline PTX: arrivals with a state and by parity, several phases, a dropped arrival, bytes of bulk copies.
namespace barrier_objects {
enum { Threads = 96, Rounds = 4 };

static __device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ void wait_parity(unsigned barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
}

// In each round a thread reads its neighbour's value of the round before.
__global__ void rounds(int *out) {
  alignas(8) __shared__ unsigned long long barrier;
  __shared__ int values[2][Threads];
  const int t = threadIdx.x;
  const unsigned b = shared_address(&barrier);
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(Threads) : "memory");
  __syncthreads();
  int value = t;
  for (int r = 0; r < Rounds; r++) {
    values[r % 2][t] = value;
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
    unsigned done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(b), "l"(state) : "memory");
    value += values[r % 2][(t + 1) % Threads];
  }
  out[t] = value;
}

// The first 32 threads leave after one phase; the others go on without them.
__global__ void dropped(int *out) {
  alignas(8) __shared__ unsigned long long barrier;
  __shared__ int sum;
  const int t = threadIdx.x;
  const unsigned b = shared_address(&barrier);
  if (t == 0) {
    sum = 0;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(Threads) : "memory");
  }
  __syncthreads();
  atomicAdd(&sum, 1);
  if (t < 32) {
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(b) : "memory");
    return;
  }
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
  wait_parity(b, 0);
  out[t] = sum;
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
  wait_parity(b, 1);
}

// One thread orders a bulk copy, whose bytes complete the phase; then another takes them back.
__global__ void bulk(const int *in, int *out) {
  alignas(16) __shared__ int data[Threads];
  alignas(8) __shared__ unsigned long long barrier;
  const int t = threadIdx.x;
  const unsigned b = shared_address(&barrier), d = shared_address(data);
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"((int)sizeof data) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(d), "l"(in),
                 "r"((int)sizeof data), "r"(b)
                 : "memory");
  }
  wait_parity(b, 0);
  const int value = data[Threads - 1 - t];
  __syncthreads();
  data[t] = value * 2;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 32) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(d), "r"((int)sizeof data) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

static void check() {
  Values<int, Threads> out, sums, in, back;
  rounds<<<1, Threads>>>(out.device);
  dropped<<<1, Threads>>>(sums.device);
  for (int i = 0; i < Threads; i++)
    in.host[i] = i * i;
  in.write();
  bulk<<<1, Threads>>>(in.device, back.device);
  out.read(), sums.read(), back.read();
  int expected[Threads], next[Threads];
  for (int i = 0; i < Threads; i++)
    expected[i] = i;
  for (int r = 0; r < Rounds; r++) {
    for (int i = 0; i < Threads; i++)
      next[i] = expected[i] + expected[(i + 1) % Threads];
    memcpy(expected, next, sizeof next);
  }
  for (int i = 0; i < Threads; i++) {
    EXPECT(out.host[i] == expected[i]);
    EXPECT(sums.host[i] == (i < 32 ? 0 : Threads));
    EXPECT(back.host[i] == 2 * (Threads - 1 - i) * (Threads - 1 - i));
  }
}
} // namespace barrier_objects

// __syncthreads_or is non-zero where one predicate holds.
namespace barrier_or {
__global__ void either(int *out) {
  int yes = __syncthreads_or(threadIdx.x == 77) != 0, no = __syncthreads_or(threadIdx.x > 95) != 0;
  out[threadIdx.x] = yes + 2 * no;
}

static void check() {
  Values<int, 96> out;
  either<<<1, 96>>>(out.device);
  out.read();
  for (int i = 0; i < 96; i++)
    EXPECT(out.host[i] == 1);
}
} // namespace barrier_or

// bar.red in inline PTX: how many, whether all, whether any thread of the block says yes.
namespace barrier_reductions_of_ptx {
__global__ void ask(int *out) {
  int count, all, any;
  asm volatile("{ .reg .pred p, q, r, s;\n"
               "  setp.lt.u32 p, %3, 40;\n"
               "  bar.red.popc.u32 %0, 0, p;\n"
               "  bar.red.and.pred q, 0, p;\n"
               "  barrier.cta.red.or.aligned.pred r, 0, !p;\n"
               "  selp.s32 %1, 1, 0, q;\n"
               "  selp.s32 %2, 1, 0, r; }"
               : "=r"(count), "=r"(all), "=r"(any)
               : "r"(threadIdx.x));
  out[threadIdx.x] = count * 100 + all * 10 + any;
}

static void check() {
  Values<int, 64> out;
  ask<<<1, 64>>>(out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i] == 4001);
  ask<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 3210);
}
} // namespace barrier_reductions_of_ptx

// Barriers and warps of a block of three dimensions: lanes are numbered with x fastest.
namespace barrier_three_dimensions {
__global__ void number(int *out) {
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int first = __shfl_sync(~0u, t, 0);
  out[t] = __syncthreads_count(first == t / 32 * 32);
}

static void check() {
  Values<int, 96> out;
  number<<<1, dim3(4, 6, 4)>>>(out.device);
  out.read();
  for (int i = 0; i < 96; i++)
    EXPECT(out.host[i] == 96);
}
} // namespace barrier_three_dimensions

// exit in inline PTX ends a thread, also within a function that is not inlined; barriers do not wait for it.
namespace thread_exit {
__device__ __noinline__ void leave(int odd) {
  if (odd)
    asm volatile("exit;");
}

__global__ void half(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  leave(threadIdx.x % 2);
  __syncthreads();
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, 99; @p exit; }" ::"r"(threadIdx.x));
  out[blockIdx.x * blockDim.x + threadIdx.x] = 2;
}

static void check() {
  enum { Blocks = 3, Threads = 128 };
  Values<int, Blocks * Threads> out;
  half<<<Blocks, Threads>>>(out.device);
  out.read();
  for (int i = 0; i < Blocks * Threads; i++)
    EXPECT(out.host[i] == (i % 2 || i % Threads > 99 ? 1 : 2));
}
} // namespace thread_exit

// Recursion with a barrier at every level.
namespace recursion_with_barriers {
static __device__ __noinline__ int levels(int depth, int *s) {
  if (depth == 0)
    return s[(threadIdx.x + 1) % blockDim.x];
  s[threadIdx.x] += depth;
  __syncthreads();
  return levels(depth - 1, s) + 1;
}
__global__ void run(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = levels(10, s);
}

static void check() {
  Values<int, 64> out;
  run<<<1, 64>>>(out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i] == (i + 1) % 64 + 55 + 10);
}
} // namespace recursion_with_barriers

int main() {
  behaviour(barrier_after_return::check);
  behaviour(barrier_and::check);
  behaviour(barrier_arrive::check);
  behaviour(barrier_count::check);
  behaviour(barrier_named::check);
  behaviour(barrier_objects::check);
  behaviour(barrier_or::check);
  behaviour(barrier_reductions_of_ptx::check);
  behaviour(barrier_three_dimensions::check);
  behaviour(thread_exit::check);
  behaviour(recursion_with_barriers::check);
  return finish();
}
