"""random_kernels.py SEED COUNT: a program of COUNT kernels made at random, whose threads wait for one another.

Each kernel is free of races and of undefined behaviour, so whatever runs it has to give the same results and counts:
barriers, shuffles, votes and matrix instructions in branches and loops that all threads of the block, or of a warp, go
alike; others where they part; threads, and warps, that return early; shared and local arrays; atomics; arithmetic of
integers, fp64, fp32 and half; device functions, inlined or called, and recursion; inline PTX; regions and directives; values
of which some are the same in all threads. The program prints a sum of each kernel's results.
"""
import random
import sys

WORDS = ("a", "b", "c")  # of each thread
SHARED = 256


class Kernel:
    def __init__(self, chance, number):
        self.chance, self.number, self.fresh = chance, number, 0
        self.block = chance.choice([(32, 1, 1), (64, 1, 1), (96, 1, 1), (256, 1, 1), (16, 4, 1), (8, 8, 2), (32, 3, 1),
                                    (40, 1, 1), (7, 5, 1), (33, 2, 1)])
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.whole = self.threads % 32 == 0  # warps
        self.left = chance.randint(6, 16)    # statements
        self.lines = []
        self.regions = chance.random() < 0.4

    # ---- Expressions. `level`: 0 the same in all threads, 1 in all of a warp, 2 differs.
    def term(self, level):
        words = ["u", "n", "blockIdx.x", "%du" % self.chance.randint(0, 9), "(u ^ blockIdx.y)"]
        if level > 0:
            words += ["w", "(w + u)"] * 3
        if level > 1:
            words += list(WORDS) * 3 + ["t", "threadIdx.x", "threadIdx.y", "own[%s %% 4]" % self.chance.choice(WORDS)]
        return self.chance.choice(words)

    def expression(self, level=2):
        one, other = self.term(level), self.term(level)
        return self.chance.choice(["%s + %s", "%s * 3 - %s", "%s ^ %s", "(%s >> 2) + %s", "max((unsigned)(%s), (unsigned)(%s))",
                                   "%s * (%s | 1)", "(%s & 1) ? 5u : (unsigned)(%s)"]) % (one, other)

    def condition(self, level=2):
        one, other = self.term(level), self.term(level)
        return self.chance.choice(["((%s) & 3) != ((%s) & 1)", "((%s) %% 5) < ((%s) %% 7)", "((%s) ^ (%s)) & 2"]) % (one, other)

    def name(self, stem):
        self.fresh += 1
        return "%s%d" % (stem, self.fresh)

    def line(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    # ---- Operations of one thread.
    def arithmetic(self, depth):
        """Arithmetic of floating-point numbers, all of which stay small and not negative."""
        word = self.chance.choice(WORDS)
        self.line(depth, self.chance.choice([
            "d = d * 0.25 + (double)(%s %% 1024) / 3.0;" % word,
            "d = fabs(d - f) * 0.5 + sqrt(d);",
            "d = fmin(d, (double)%s) + fma(d, 0.125, 1.0);" % word,
            "f = sqrtf(f) + fminf(f, 100.0f) / (float)(%s %% 16 + 1);" % word,
            "f = fmaf(f, 0.5f, (float)(%s %% 8)) - truncf(f * 0.25f);" % word,
            "f = f > 8.0f ? f * 0.125f : f + (float)h;",
            "h = (_Float16)((float)h * 0.5f) + (_Float16)(%s %% 32);" % word,
            "h = h > (_Float16)16.0f ? h * (_Float16)0.25f : h + (_Float16)1.0f;",
            "%s ^= (unsigned)(long long)d + (unsigned)(float)h;" % word,
            "%s += __float_as_uint(f) >> 20;" % word]))

    def called(self, depth):
        """Device functions, and instructions of PTX."""
        one, other = self.chance.choice(WORDS), self.chance.choice(WORDS)
        self.line(depth, self.chance.choice([
            "%s = mixed(%s, %s);" % (one, one, self.expression()),
            "%s += called(%s, %s, own);" % (one, other, self.term(2)),
            "%s ^= recursive(%s %% 6, %s);" % (one, other, self.term(2)),
            "f = fabsf(smooth(f)) * 0.5f;",
            'asm("add.cc.u32 %%0, %%0, %%1; addc.u32 %%0, %%0, 7;" : "+r"(%s) : "r"(%s));' % (one, other),
            'asm("{ .reg .pred p; setp.lt.u32 p, %%0, %%1; @p add.u32 %%0, %%0, %%1; selp.b32 %%0, %%0, %%1, p; }" : "+r"(%s) : "r"(%s));' % (one, other),
            'asm("lop3.b32 %%0, %%0, %%1, %%2, 0x6a;" : "+r"(%s) : "r"(%s), "r"(t));' % (one, other),
            'asm volatile("bfind.u32 %%0, %%1; bfe.u32 %%0, %%0, 1, 8;" : "=r"(%s) : "r"(%s));' % (one, other),
            "%s = __byte_perm(%s, %s, 0x3412) + __popc(%s) + __clz(%s);" % (one, one, other, other, one)]))

    def tally(self, depth):
        """Integer sums that all threads add to, in any order; nobody reads them before the end."""
        self.line(depth, "atomicAdd(&sums[(%s) %% 16], %s);" % (self.expression(), self.term(2)))

    def directive(self, depth):
        if self.chance.random() < 0.5:
            self.lines.append("#pragma gpuprof count(\"c%d\", (long long)(%s %% 100))" % (self.chance.randint(0, 2), self.term(2)))
        else:
            self.lines.append("#pragma gpuprof spike((int)(%s %% 3) - 1)" % self.term(2))

    def assign(self, depth):
        word = self.chance.choice(WORDS)
        kind = self.chance.randint(0, 12)
        if kind == 7 or kind == 8:
            self.arithmetic(depth)
        elif kind == 9 or kind == 10:
            self.called(depth)
        elif kind == 11:
            self.tally(depth)
        elif kind == 12 and self.regions:
            self.line(depth, "{")
            self.directive(depth + 1)
            self.line(depth, "}")
        elif kind == 0:
            self.line(depth, "own[%s %% 4] += %s;" % (self.term(2), self.expression()))
        elif kind == 1:
            self.line(depth, "f = f * 0.5f + (float)(int)((%s) %% 64);" % self.expression())
        elif kind == 2:
            self.line(depth, "%s += in[(%s) %% 512];" % (word, self.expression()))
        elif kind == 3:
            self.line(depth, "%s ^= (unsigned)f;" % word)
        else:
            self.line(depth, "%s %s %s;" % (word, self.chance.choice(["=", "+=", "^="]), self.expression()))

    def alone(self, depth):
        kind = self.chance.randint(0, 3)
        if kind == 0:
            self.line(depth, "if (%s) {" % self.condition())
            self.assign(depth + 1)
            if self.chance.random() < 0.5:
                self.line(depth, "} else {")
                self.assign(depth + 1)
            self.line(depth, "}")
        elif kind == 1:
            i = self.name("i")
            self.line(depth, "for (unsigned %s = 0; %s < (%s) %% 6; %s++) {" % (i, i, self.expression(), i))
            if self.chance.random() < 0.4:
                self.line(depth + 1, "if (%s) %s;" % (self.condition(), self.chance.choice(["break", "continue"])))
            self.line(depth + 1, "a += %s * %s;" % (i, self.term(2)))
            self.assign(depth + 1)
            self.line(depth, "}")
        elif kind == 2:
            self.line(depth, "switch ((%s) %% 4) {" % self.expression())
            for case in range(3):
                self.line(depth, "case %d:" % case)
                self.assign(depth + 1)
                if self.chance.random() < 0.7:
                    self.line(depth + 1, "break;")
            self.line(depth, "}")
        else:
            self.assign(depth)

    # ---- Operations of a whole warp.
    def lanes(self, depth):
        one, other = self.chance.choice(WORDS), self.chance.choice(WORDS)
        kind = self.chance.randint(0, 9 if self.whole else 7)
        if kind == 0:
            self.line(depth, "%s += __shfl_%s_sync(all, %s, %s);" % (one, self.chance.choice(["up", "down", "xor"]), other,
                                                                     self.chance.randint(0, 17)))
        elif kind == 1:
            self.line(depth, "%s ^= __shfl_sync(all, %s, (%s) %% 32, %d);" % (one, other, self.term(2), self.chance.choice([8, 16, 32])))
        elif kind == 2:
            self.line(depth, "f += __shfl_xor_sync(all, f, %d) * 0.25f;" % self.chance.choice([1, 2, 4, 8, 16]))
        elif kind == 3:
            self.line(depth, "%s += __ballot_sync(all, %s);" % (one, self.condition()))
        elif kind == 4:
            self.line(depth, "if (__%s_sync(all, %s)) %s += %d;" % (self.chance.choice(["any", "all"]), self.condition(), one,
                                                                    self.chance.randint(1, 99)))
        elif kind == 5:
            mask = self.name("m")
            self.line(depth, "{")
            self.line(depth + 1, "bool in%s = %s;" % (mask, self.condition()))
            self.line(depth + 1, "unsigned %s = __ballot_sync(all, in%s);" % (mask, mask))
            self.line(depth + 1, "if (in%s) {" % mask)
            self.line(depth + 2, "%s += __shfl_sync(%s, %s, __ffs(%s) - 1);" % (one, mask, other, mask))
            if self.chance.random() < 0.5:
                self.line(depth + 2, "%s ^= __reduce_add_sync(%s, %s);" % (other, mask, one))
            self.line(depth + 1, "}")
            self.line(depth, "}")
        elif kind == 6:
            self.line(depth, "%s += __match_any_sync(all, %s %% 5) + __reduce_max_sync(all, %s);" % (one, other, self.term(2)))
        elif kind == 7:
            self.line(depth, "__syncwarp(all);")
        elif kind == 8:
            self.line(depth, "%s += transposed(%s);" % (one, other))
        else:
            self.line(depth, "product(%s, %s, own);" % (one, other))

    # ---- Operations of all threads of the block.
    def exchange(self, depth):
        word = self.chance.choice(WORDS)
        kind = self.chance.randint(0, 7)
        if kind <= 1:
            self.line(depth, "shared[t] = %s;" % self.expression())
            self.line(depth, "__syncthreads();")
            self.line(depth, "%s += shared[(t + %s) %% threads];" % (word, self.term(self.chance.choice([0, 1, 2]))))
            self.line(depth, "__syncthreads();")
        elif kind == 2:
            self.line(depth, "if (t < 7) counts[t] = %s;" % self.term(2))
            self.line(depth, "__syncthreads();")
            self.line(depth, "atomicAdd(&counts[(%s) %% 7], %s);" % (self.expression(), self.term(2)))
            self.line(depth, "__syncthreads();")
            self.line(depth, "%s += counts[(%s) %% 7];" % (word, self.term(2)))
            self.line(depth, "__syncthreads();")
        elif kind == 3:
            self.line(depth, "u += __syncthreads_%s(%s);" % (self.chance.choice(["count", "and", "or"]), self.condition()))
        elif kind == 4:
            self.line(depth, "for (unsigned step = threads / 2; step > 0; step /= 2) {")
            self.line(depth + 1, "shared[t] = %s;" % word)
            self.line(depth + 1, "__syncthreads();")
            self.line(depth + 1, "if (t < step) %s += shared[t + step];" % word)
            self.line(depth + 1, "__syncthreads();")
            self.line(depth, "}")
        elif kind <= 6:  # a few threads of each row store what all have computed
            apart = self.chance.choice([2, 8, 16, 32, 64])
            self.line(depth, "%s ^= %s;" % (word, self.expression()))
            self.line(depth, "if (%s) shared[t] = %s + %s;" % (self.chance.choice(
                ["threadIdx.x %% %d == %d" % (apart, self.chance.randint(0, apart - 1)), "threadIdx.x / %d == %d" % (apart, self.chance.randint(0, 3)),
                 "threadIdx.x == %d" % self.chance.randint(0, 40), "threadIdx.x / %d > %d" % (apart, self.chance.randint(0, 2)),
                 "threadIdx.x %% %d == 1 && threadIdx.x > %s %% 9" % (apart, self.term(0)), "threadIdx.x > %d" % self.chance.randint(0, 9)]),
                word, self.term(2)))
            self.line(depth, "__syncthreads();")
            self.line(depth, "%s += shared[(t + %s) %% threads];" % (self.chance.choice(WORDS), self.term(self.chance.choice([0, 1, 2]))))
            self.line(depth, "__syncthreads();")
        else:
            self.line(depth, "u = u * 5 + %s;" % self.expression(0))

    # ---- Statements. `together`: who comes here: "block", "warp", or "thread".
    def statement(self, depth, together, in_loop):
        self.left -= 1
        draw = self.chance.random()
        if draw < 0.2 or together == "thread":
            self.alone(depth)
        elif draw < 0.45:
            self.lanes(depth)
        elif draw < 0.6 and together == "block":
            self.exchange(depth)
        elif draw < 0.68 and in_loop and depth < 5:
            level = 0 if together == "block" else 1
            self.line(depth, "if (%s) %s;" % (self.condition(level), self.chance.choice(["break", "continue"])))
        elif depth < 4:
            self.nested(depth, together)
        else:
            self.assign(depth)

    def nested(self, depth, together):
        self.region(depth)
        kind = self.chance.randint(0, 4)
        level = 0 if together == "block" else 1
        loop = False
        if kind == 0:  # all who are here, or none
            self.line(depth, "if (%s) {" % self.condition(level))
        elif kind == 1:
            loop = True
            i = self.name("i")
            self.line(depth, "for (unsigned %s = 0; %s < (%s) %% 5; %s++) {" % (i, i, self.expression(level), i))
        elif kind == 2:  # whole warps, but not all
            together = "warp"
            self.line(depth, "if (%s) {" % self.chance.choice(
                ["w == %d" % self.chance.randint(0, 2), self.condition(1), "t < %d" % self.chance.choice([32, 64]), "w % 2"]))
        elif kind == 3 and together == "block":  # until nobody wants to go on
            loop = True
            i = self.name("i")
            self.line(depth, "for (unsigned %s = 0; __syncthreads_or((a + %s) %% 7 > 2 && %s < 4); %s++) {" % (i, i, i, i))
        else:
            together = "thread"
            self.line(depth, "if (%s) {" % self.condition())
        self.body(depth + 1, together, loop)
        if not loop and self.chance.random() < 0.4:
            self.line(depth, "} else {")
            self.body(depth + 1, "thread" if together == "warp" else together, False)
        self.line(depth, "}")

    def region(self, depth):
        """Before a statement: a region of its own, in kernels that have regions."""
        if self.regions and self.chance.random() < 0.3:
            self.lines.append("#pragma gpuprof %s" % self.chance.choice(["region(\"%s\")" % self.name("r"), "region(\"same\")", "region", "ignore"]))

    def step(self, depth):
        if self.regions and self.chance.random() < 0.2:
            self.lines.append("#pragma gpuprof step((long long)(%s))" % self.term(0))

    def body(self, depth, together, in_loop):
        self.step(depth)
        for _ in range(self.chance.randint(1, 3)):
            if self.left > 0:
                self.statement(depth, together, in_loop)
        self.assign(depth)

    def source(self):
        returns = self.chance.random()
        while self.left > 0:
            self.statement(0, "block", False)
            if returns < 0.25 and self.whole and self.left == 4:  # whole warps, whose lanes nobody names later
                self.line(0, "if (w > %d) return;" % self.chance.randint(0, 3))
                self.left -= 1
        bounds = "__launch_bounds__(%d) " % self.threads if self.chance.random() < 0.5 else ""
        head = ["#pragma gpuprof region(\"k%d\")" % self.number] if self.regions else []
        head += ["__global__ void %skernel%d(const unsigned *in, unsigned *out, unsigned *sums, unsigned n) {" % (bounds, self.number),
                "  __shared__ unsigned shared[%d], counts[7];" % SHARED,
                "  const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), w = t / 32;",
                "  const unsigned threads = blockDim.x * blockDim.y * blockDim.z, all = %s;" % self.mask(),
                "  const unsigned place = (blockIdx.x + gridDim.x * blockIdx.y) * threads + t;",
                "  unsigned a = in[place % 512], b = t * 7, c = blockIdx.x + 3, u = n, own[4] = {t, 1, n, 2};",
                "  float f = t;", "  double d = b % 17;", "  _Float16 h = (_Float16)(float)(t % 9);",
                "  if (t < 7) counts[t] = 0;",
                "  shared[t] = t;", "  __syncthreads();"]
        if self.chance.random() < 0.3:
            head.append("  if (blockIdx.x == 1) return;")
        tail = ["  out[place] = a ^ b * 3 ^ c * 5 ^ u * 7 ^ own[0] ^ own[1] * 9 ^ own[2] ^ own[3] ^ (unsigned)(int)f ^ (unsigned)(long long)d "
                "^ (unsigned)(float)h;", "}", ""]
        return "\n".join(head + self.lines + tail)

    def mask(self):  # the existing lanes of a warp
        rest = self.threads % 32
        return "~0u" if not rest else "w == threads / 32 ? %du : ~0u" % ((1 << rest) - 1)

    def launch(self):
        return "  run<%d>(kernel%d, dim3(%d, %d, %d));" % (self.threads, self.number, *self.block)


PRELUDE = """#include <cstdio>
#include <cstring>
__device__ unsigned transposed(unsigned pair) {
  unsigned result;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(pair));
  return result;
}
__device__ void product(unsigned &a, unsigned b, unsigned (&c)[4]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a), "r"(b), "r"(b ^ 5));
}
__device__ __forceinline__ unsigned mixed(unsigned a, unsigned b) { return a & 1 ? a * b + 3 : (a ^ b) >> 1; }
__device__ __noinline__ unsigned called(unsigned a, unsigned b, unsigned (&own)[4]) {
  for (unsigned i = 0; i < (b & 3); i++)
    own[i] += a ^ i;
  return a % 3 ? own[b % 4] : a + b;
}
__device__ __noinline__ unsigned recursive(unsigned depth, unsigned a) {
  return depth == 0 ? a : recursive(depth - 1, a * 3 + depth) ^ a;
}
template <class T> __device__ T smooth(T x) { return x * (T)0.5 + (x > (T)1 ? (T)1 / x : x * x); }
"""
MAIN = """template <int Threads> void run(void (*kernel)(const unsigned *, unsigned *, unsigned *, unsigned), dim3 block) {
  static unsigned host[512], results[6 * Threads + 16];
  unsigned *in, *out, sum = 0;
  for (int i = 0; i < 512; i++)
    host[i] = i * 2654435761u >> 7;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof results);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof results);
  kernel<<<dim3(3, 2), block>>>(in, out, out + 6 * Threads, 5);
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  for (unsigned result : results)
    sum = sum * 31 + result;
  printf("%d %08x\\n", (int)error, sum);
  cudaFree(in);
  cudaFree(out);
}
"""


def program(seed, count):
    chance = random.Random(seed)
    kernels = [Kernel(chance, number) for number in range(count)]
    parts = [PRELUDE] + [kernel.source() for kernel in kernels] + [MAIN, "int main() {"]
    return "\n".join(parts + [kernel.launch() for kernel in kernels] + ["}", ""])


if __name__ == "__main__":
    sys.stdout.write(program(int(sys.argv[1]), int(sys.argv[2])))
