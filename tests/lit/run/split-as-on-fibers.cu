// Kernels with barriers and warp operations give the same results and counts as loops over threads and with a stack for
// each thread: blocks of several dimensions and of a partial warp, early returns, loops, values live across barriers.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -I%S/Inputs -O2 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 6
// CHECK: all right
#include "lanes.h"

__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, warps = (blockDim.x + 31) / 32;
  float sum = i < n ? in[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < warps ? part[threadIdx.x] : 0;
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x == 0)
      out[blockIdx.x] = sum;
  }
}

__global__ void scan(const float *in, float *out, int n) {
  __shared__ float part[2][256];
  int t = threadIdx.x, from = 0;
  part[0][t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    float sum = part[from][t];
    if (t >= distance)
      sum += part[from][t - distance];
    part[1 - from][t] = sum;
    from = 1 - from;
    __syncthreads();
  }
  out[t] = part[from][t];
}

__global__ void product(const float *a, const float *b, float *c, int edge) {
  __shared__ float of_a[8][8], of_b[8][8];
  int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < edge; first += 8) {
    of_a[threadIdx.y][threadIdx.x] = a[row * edge + first + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * edge + column];
    __syncthreads();
    for (int k = 0; k < 8; k++)
      sum += of_a[threadIdx.y][k] * of_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * edge + column] = sum;
}

__global__ void early(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  if (t >= n)
    return;
  s[t] = in[t];
  __syncthreads();
  for (int turn = 0; turn < 3; turn++) {
    float next = s[(t + 1) % n];
    __syncthreads();
    s[t] += next;
    __syncthreads();
  }
  out[t] = s[t];
}

__global__ void votes(const float *in, float *out) {
  int t = threadIdx.x;
  unsigned ballot = __ballot_sync(~0u, in[t] > 0.5f);
  int any = __any_sync(~0u, in[t] > 0.9f), all = __all_sync(~0u, in[t] >= 0);
  int many = __syncthreads_count(in[t] > 0.5f), either = __syncthreads_or(t == 3), both = __syncthreads_and(t < 64);
  double d = __shfl_xor_sync(~0u, (double)in[t], 5);
  out[t] = (float)(__popc(ballot) + 100 * any + 200 * all + 400 * either + 800 * both) + many / 128.0f + (float)d / 1024;
}

__global__ void arrays(const float *in, float *out) {
  float own[4];
  __shared__ float s[96];
  for (int i = 0; i < 4; i++)
    own[i] = in[threadIdx.x] * (i + 1);
  s[threadIdx.x] = own[(int)(in[threadIdx.x] * 4) % 4];
  __syncthreads();
  own[threadIdx.x % 4] = s[(threadIdx.x + 7) % blockDim.x];
  __syncthreads();
  out[threadIdx.x] = own[(threadIdx.x + 1) % 4] + own[threadIdx.x % 4];
}

template <int N> void show(const char *name, Values<float, N> &values) {
  values.read();
  for (int i = 0; i < N; i++)
    printf("%s %d %a\n", name, i, values.host[i]);
}

int main() {
  Values<float, 1024> in;
  Values<float, 8> sums;
  Values<float, 256> sums_before, products;
  Values<float, 128> rest;
  Values<float, 70> voted;
  Values<float, 90> own;
  for (int i = 0; i < 1024; i++)
    in.host[i] = (float)(i * 7919 % 1009) / 1024;
  in.write();
  reduce<<<8, 128>>>(in.device, sums.device, 1000);
  scan<<<1, 256>>>(in.device, sums_before.device, 250);
  product<<<dim3(2, 2), dim3(8, 8)>>>(in.device, in.device + 256, products.device, 16);
  early<<<1, 128>>>(in.device, rest.device, 70);
  votes<<<1, 70>>>(in.device, voted.device);
  arrays<<<1, 90>>>(in.device, own.device);
  show("sum", sums);
  show("before", sums_before);
  show("product", products);
  show("rest", rest);
  show("vote", voted);
  show("own", own);
  double all = 0;
  for (int i = 0; i < 1000; i++)
    all += in.host[i];
  for (int i = 0; i < 8; i++)
    all -= sums.host[i];
  EXPECT(all < 1e-3 && all > -1e-3);
  EXPECT(voted.host[0] != 0 && own.host[89] != 0);
  return finish();
}
