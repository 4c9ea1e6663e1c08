// Machine instructions that integer work needs at least: values that their users cannot compute by themselves. Addresses, loop
// counters and what ptxas merges count nothing.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/integer_floor.py %t.json | %FileCheck --match-full-lines %s
// RUN: env COLUMNS=100 %gpuprof report --why hamming %t.json | %FileCheck --check-prefix=WHY %s

// A word: one xor that is counted, one population count.
// CHECK: hamming: multiply 0, logic 2048, add 0, popc 2048, bound integer
// WHY: integers 2.05 k population counts

// A round of a hash: two products, two xors that a product takes, three shifts that a xor takes. The last xor might be
// merged with one of the next round.
// CHECK-NEXT: hash: multiply 4096, logic 10240, add 0, popc 0, bound integer

// Addresses and counters alone.
// CHECK-NEXT: scale: multiply 0, logic 0, add 0, popc 0, bound dram
// CHECK-NEXT: product: multiply 0, logic 0, add 0, popc 0, bound core

// The same in all lanes: the uniform datapath does it once a warp.
// CHECK-NEXT: uniform: multiply 0, logic 0, add 0, popc 0, bound dram
__global__ void hamming(const unsigned *a, const unsigned *b, unsigned *out, int words) {
  unsigned sum = 0;
  for (int w = 0; w < words; ++w)
    sum += __popc(a[threadIdx.x] ^ b[w]);
  out[threadIdx.x] = sum;
}

__global__ void hash(unsigned *out, int rounds) {
  unsigned x = out[threadIdx.x];
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    x ^= x >> 16;
  }
  out[threadIdx.x] = x;
}

__global__ void scale(float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] *= 2.0f;
}

__global__ void product(const float *a, float *c, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * a[threadIdx.x] + sum;
  c[threadIdx.x] = sum;
}

__global__ void uniform(const unsigned *a, unsigned *out, int n) {
  unsigned sum = 0;
  for (int k = 0; k < n; ++k)
    sum += __popc(a[k] ^ 0x12345678u);
  out[threadIdx.x] = sum;
}

int main() {
  unsigned *p;
  cudaMalloc(&p, 3 * 64 * 32 * sizeof *p);
  hamming<<<1, 32>>>(p, p + 64 * 32, p + 2 * 64 * 32, 64);
  hash<<<1, 32>>>(p, 64);
  scale<<<1, 32>>>((float *)p, 64 * 32);
  product<<<1, 32>>>((float *)p, (float *)p, 4096);
  uniform<<<1, 32>>>(p, p + 2 * 64 * 32, 64);
  return cudaDeviceSynchronize();
}
