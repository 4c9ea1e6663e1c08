// Copies by tensor maps to shared memory: one to five dimensions, edges of the tensor, steps, every swizzling mode, short rows.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py -c "import json, sys; k = json.load(open(sys.argv[1]))['kernels']; print(sum(r['bytes']['global']['load'] > 0 for r in k), len(k))" %t.json | %FileCheck --check-prefix=BYTES %s
// BYTES: {{^}}[[ALL:[1-9][0-9]*]] [[ALL]]{{$}}
// CHECK: all right
#include "tensor_maps.h"

enum { Bytes = 8192, Elements = 4096, Unwritten = 0xab };

__global__ void copy(const __grid_constant__ TensorMap map, int rank, const int *corner, int expected, unsigned char *out) {
  alignas(1024) __shared__ unsigned char box[Bytes];
  alignas(8) __shared__ unsigned long long barrier;
  for (int i = threadIdx.x; i < Bytes; i += blockDim.x)
    box[i] = Unwritten;
  if (threadIdx.x == 0)
    make_barrier(&barrier, 1);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&barrier, expected);
    switch (rank) {
    case 1:
      load(box, &map, &barrier, corner[0]);
      break;
    case 2:
      load(box, &map, &barrier, corner[0], corner[1]);
      break;
    case 3:
      load(box, &map, &barrier, corner[0], corner[1], corner[2]);
      break;
    case 4:
      load(box, &map, &barrier, corner[0], corner[1], corner[2], corner[3]);
      break;
    default:
      load(box, &map, &barrier, corner[0], corner[1], corner[2], corner[3], corner[4]);
    }
  }
  wait(&barrier, 0);
  for (int i = threadIdx.x; i < Bytes; i += blockDim.x)
    out[i] = box[i];
}

static Values<unsigned short, Elements> tensor;
static Values<unsigned char, Bytes> box;
static Values<int, 5> corner;

// The element at these places, or 0 outside.
static unsigned short element(const Tensor &t, const long long *at) {
  unsigned long long offset = at[0];
  for (unsigned i = 0; i < t.rank; i++) {
    if (at[i] < 0 || at[i] >= (long long)t.dimensions[i])
      return 0;
    offset += i ? at[i] * t.strides[i - 1] / 2 : 0;
  }
  return tensor.host[offset];
}

// The place of a row's byte: rows shorter than a swizzled unit leave the rest unchanged.
static int place(const Tensor &t, int row, int byte) {
  const int span = t.swizzle ? 16 << t.swizzle : 16, bytes = (int)t.box[0] * 2;
  const int offset = row * (bytes > span ? bytes : span) + byte;
  return offset ^ (offset >> 7 & (span / 16 - 1)) << 4;
}

static void check(const Tensor &t, int x, int y = 0, int z = 0, int u = 0, int v = 0) {
  TensorMap map;
  EXPECT(encode(&map, t) == 0);
  const int at[5] = {x, y, z, u, v};
  int rows = 1, counts[5] = {1, 1, 1, 1, 1};
  for (unsigned i = 1; i < t.rank; i++)
    rows *= counts[i] = (int)((t.box[i] + t.steps[i] - 1) / t.steps[i]);
  memcpy(corner.host, at, sizeof at);
  corner.write();
  copy<<<1, 64>>>(map, (int)t.rank, corner.device, rows * (int)t.box[0] * 2, box.device);
  box.read();
  static unsigned char wanted[Bytes];
  memset(wanted, Unwritten, Bytes);
  for (int row = 0; row < rows; row++)
    for (unsigned i = 0; i < t.box[0]; i++) {
      long long from[5] = {x + (int)i};
      for (unsigned d = 1, rest = row; d < t.rank; rest /= counts[d++])
        from[d] = at[d] + (long long)(rest % counts[d] * t.steps[d]);
      const unsigned short value = element(t, from);
      memcpy(wanted + place(t, row, 2 * (int)i), &value, 2);
    }
  EXPECT(!memcmp(wanted, box.host, Bytes));
}

int main() {
  for (int i = 0; i < Elements; i++)
    tensor.host[i] = (unsigned short)(i * 7 + 1);
  tensor.write();
  auto of = [](unsigned rank, const unsigned(&dimensions)[5], const unsigned(&size)[5]) {
    return dense(U16, 2, tensor.device, rank, dimensions, size);
  };
  const Tensor line = of(1, {100}, {64}), plane = of(2, {64, 40}, {32, 8});
  check(line, 8);
  check(line, -16);
  check(line, 72);
  check(line, 504);
  check(plane, 16, 4);
  check(plane, 48, 36);
  check(plane, -8, -3);
  check(plane, 0, 40);
  check(of(3, {16, 10, 9}, {8, 4, 5}), 8, 8, -1);
  check(of(4, {8, 6, 5, 4}, {8, 3, 2, 3}), 0, 5, 4, 2);
  check(of(5, {8, 4, 5, 3, 4}, {8, 2, 3, 2, 4}), 0, 1, 3, 2, -2);
  check(of(5, {8, 4, 5, 3, 4}, {8, 2, 3, 2, 4}), 8, 1, 3, 2, -2);
  Tensor stepped = of(3, {16, 12, 16}, {16, 7, 8});
  stepped.steps[1] = 3;
  stepped.steps[2] = 2;
  check(stepped, 0, 2, 5);
  for (int swizzle = Swizzle32; swizzle <= Swizzle128; swizzle++)
    for (unsigned width = 8; width <= 8u << swizzle; width += 8) {
      Tensor swizzled = of(2, {64, 40}, {width, 16});
      swizzled.swizzle = swizzle;
      check(swizzled, 8, 30);
    }
  Tensor wide = of(2, {64, 40}, {64, 8});
  wide.strides[0] = 160; // rows with something between them
  check(wide, 0, 3);
  return finish();
}
