// Copies by tensor maps from shared memory: stores, and reductions of every type that has some; of rows and columns outside of
// the tensor only those are written that share 16 bytes with its last column.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "tensor_maps.h"

enum { Columns = 27, Rows = 6, Pitch = 256, Bytes = Rows * Pitch, BoxBytes = 512 };

// Each of the blocks sends its box, at a place of its own.
__global__ void write(const __grid_constant__ TensorMap map, const unsigned *given, int operation, int x, int step) {
  alignas(1024) __shared__ unsigned box[BoxBytes / 4];
  for (int i = threadIdx.x; i < BoxBytes / 4; i += blockDim.x)
    box[i] = given[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    send(&map, box, x, step * (int)blockIdx.x, operation);
    finish_stores();
  }
}

template <class T> struct Cells {
  Values<unsigned, Bytes / 4> memory;
  T &at(int row, int column) { return *(T *)((char *)memory.host + row * Pitch + column * (int)sizeof(T)); }
};
template <class T> static T *given_at(Values<unsigned, BoxBytes / 4> &given) { return (T *)given.host; }

// Boxes of 32 bytes x 4 rows at the last columns, of which some are outside, as is the last row of the second block.
template <class T, class F> static void check(int type, int operation, T old, T first, T second, F combined, int blocks = 2) {
  static Cells<T> cells;
  static Values<unsigned, BoxBytes / 4> given;
  const int chunk = 16 / (int)sizeof(T), at = (Columns - 1) / chunk * chunk, width = 2 * chunk;
  Tensor t = {type, 2, cells.memory.device, {Columns, Rows}, {Pitch}, {(unsigned)width, 4}, {1, 1}, Plain, 0};
  TensorMap map;
  EXPECT(encode(&map, t) == 0);
  memset(cells.memory.host, 0x5a, Bytes);
  for (int row = 0; row < Rows; row++)
    for (int column = 0; column < at + chunk; column++)
      cells.at(row, column) = old;
  for (int i = 0; i < 4 * width; i++)
    given_at<T>(given)[i] = i % 2 ? second : first;
  cells.memory.write(), given.write();
  static Cells<T> wanted;
  memcpy(wanted.memory.host, cells.memory.host, Bytes);
  for (int block = 0; block < blocks; block++)
    for (int row = 0; row < 4; row++)
      for (int i = 0; i < width; i++) {
        const int to_row = 3 * block + row, to_column = at + i;
        if (to_row < Rows && i < chunk)
          wanted.at(to_row, to_column) = combined(wanted.at(to_row, to_column), given_at<T>(given)[row * width + i]);
      }
  write<<<blocks, 32>>>(map, given.device, operation, at, 3);
  cells.memory.read();
  if (memcmp(cells.memory.host, wanted.memory.host, Bytes))
    printf("type %d, operation %d\n", type, operation);
  EXPECT(!memcmp(cells.memory.host, wanted.memory.host, Bytes));
}

int main() {
  typedef unsigned long long Long;
  check<unsigned char>(U8, 0, 1, 7, 9, [](unsigned char, unsigned char x) { return x; });
  check<unsigned short>(U16, 0, 1, 7, 9, [](unsigned short, unsigned short x) { return x; });
  check<double>(F64, 0, 1, 7, 9, [](double, double x) { return x; });
  check<unsigned>(U32, 1, 5, 7, ~0u, [](unsigned a, unsigned b) { return a + b; });
  check<Long>(U64, 1, 1ull << 40, 7, ~0ull, [](Long a, Long b) { return a + b; });
  check<float>(F32, 1, 0.5f, 1.25f, -3, [](float a, float b) { return a + b; });
  check<unsigned>(U32, 2, 1u << 31, 7, ~0u, [](unsigned a, unsigned b) { return a < b ? a : b; });
  check<int>(S32, 2, 3, -7, 9, [](int a, int b) { return a < b ? a : b; });
  check<unsigned>(U32, 3, 1u << 31, 7, ~0u, [](unsigned a, unsigned b) { return a > b ? a : b; });
  check<int>(S32, 3, 3, -7, 9, [](int a, int b) { return a > b ? a : b; });
  check<long long>(S64, 3, 3, -7, 9, [](long long a, long long b) { return a > b ? a : b; });
  check<Long>(U64, 2, 3, 1ull << 63, 2, [](Long a, Long b) { return a < b ? a : b; });
  check<unsigned>(U32, 4, 0xff00ffu, 0xf0f0f0f0, 0xffff, [](unsigned a, unsigned b) { return a & b; });
  check<unsigned>(U32, 5, 0xff00ffu, 0xf0f0f0f0, 0xffff, [](unsigned a, unsigned b) { return a | b; });
  check<unsigned>(U32, 6, 0xff00ffu, 0xf0f0f0f0, 0xffff, [](unsigned a, unsigned b) { return a ^ b; });
  check<Long>(U64, 5, 1ull << 50, 1ull << 60, 3, [](Long a, Long b) { return a | b; });
  check<unsigned>(U32, 7, 5, 5, 9, [](unsigned a, unsigned b) { return a >= b ? 0 : a + 1; });
  check<unsigned>(U32, 8, 5, 4, 9, [](unsigned a, unsigned b) { return !a || a > b ? b : a - 1; });
  // Halves 1.5 and, with -2 and 4, the sums -0.5 and 5.5; bfloats likewise; the blocks share no row here.
  typedef unsigned short Code;
  check<Code>(F16, 1, 0x3e00, 0xc000, 0x4400, [](Code, Code x) { return (Code)(x == 0xc000 ? 0xb800 : 0x4580); }, 1);
  check<Code>(BF16, 1, 0x3fc0, 0xc000, 0x4080, [](Code, Code x) { return (Code)(x == 0xc000 ? 0xbf00 : 0x40b0); }, 1);
  check<Code>(F16, 2, 0x3e00, 0xc000, 0x4400, [](Code, Code x) { return (Code)(x == 0xc000 ? 0xc000 : 0x3e00); });
  check<Code>(BF16, 3, 0x3fc0, 0xc000, 0x4080, [](Code, Code x) { return (Code)(x == 0xc000 ? 0x3fc0 : 0x4080); });
  // Subnormal numbers, which some types do not have, and a NaN.
  auto with_nan = [](unsigned sum) { return [=](unsigned, unsigned x) { return x == 0x7fc12345 ? 0x7fffffffu : sum; }; };
  check<unsigned>(F32, 1, 3, 0x7fc12345, 0x80000000, with_nan(3), 1);
  check<unsigned>(F32_FTZ, 1, 3, 0x7fc12345, 0x80000000, with_nan(0), 1);
  check<unsigned>(TF32, 1, 3, 0x7fc12345, 0x80000000, with_nan(3), 1);
  check<unsigned>(TF32_FTZ, 1, 3, 0x7fc12345, 0x80000000, with_nan(0), 1);
  return finish();
}
