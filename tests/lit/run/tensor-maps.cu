// Tensor maps: values, pixels, and stores.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "tensor_maps.h"

// Copies by tensor maps in im2col mode: pixels of images one after the other, as a convolution with padding and strides reads them.
namespace tensor_maps_pixels {
enum { Channels = 16, Width = 6, Height = 5, Images = 3, Pixels = 24, Taken = 8, Bytes = Pixels * Taken * 2 };

__global__ void copy(const __grid_constant__ TensorMap map, int c, int w, int h, int n, int right, int down, unsigned short *out) {
  alignas(128) __shared__ unsigned short box[Bytes / 2];
  alignas(8) __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) {
    make_barrier(&barrier, 1);
    expect(&barrier, Bytes);
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                 "[%0], [%2, {%3, %4, %5, %6}], [%1], {%7, %8};" ::"r"(address_of(box)),
                 "r"(address_of(&barrier)), "l"(&map), "r"(c), "r"(w), "r"(h), "r"(n), "h"((unsigned short)right),
                 "h"((unsigned short)down)
                 : "memory");
  }
  __syncthreads();
  wait(&barrier, 0);
  for (int i = threadIdx.x; i < Bytes / 2; i += blockDim.x)
    out[i] = box[i];
}

static Values<unsigned short, Channels * Width * Height * Images> tensor;
static Values<unsigned short, Bytes / 2> box;

// A filter of 3 x 3 with a border of one: its centre goes from pixel to pixel, its corner begins one to the left and above.
static void check(int step, int c, int w, int h, int n, int right, int down) {
  const unsigned long long dimensions[] = {Channels, Width, Height, Images},
                           strides[] = {Channels * 2, Channels * Width * 2, Channels * Width * Height * 2};
  const int lower[] = {-1, -1}, upper[] = {-1, -1};
  const unsigned steps[] = {1, (unsigned)step, (unsigned)step, 1};
  TensorMap map;
  EXPECT(encode_columns(&map, U16, 4, tensor.device, dimensions, strides, lower, upper, Taken, Pixels, steps, 0, Plain, 0, 0) == 0);
  copy<<<1, 32>>>(map, c, w, h, n, right, down, box.device);
  box.read();
  int wrong = 0;
  for (int pixel = 0; pixel < Pixels; pixel++) {
    const int x = w + right, y = h + down;
    const bool inside = x >= 0 && x < Width && y >= 0 && y < Height && n < Images;
    for (int i = 0; i < Taken; i++)
      wrong += box.host[pixel * Taken + i] !=
               (inside ? tensor.host[((n * Height + y) * Width + x) * Channels + c + i] : 0);
    if ((w += step) > Width - 2) {
      w = -1;
      if ((h += step) > Height - 2)
        h = -1, n++;
    }
  }
  if (wrong)
    printf("step %d at %d,%d,%d,%d and %d,%d: %d wrong\n", step, c, w, h, n, right, down, wrong);
  EXPECT(!wrong);
}

static void check() {
  for (unsigned i = 0; i < sizeof tensor.host / 2; i++)
    tensor.host[i] = (unsigned short)(i + 1);
  tensor.write();
  check(1, 0, -1, -1, 0, 0, 0);
  check(1, 8, -1, -1, 0, 2, 1);
  check(1, 0, 3, 2, 1, 1, 2);
  check(2, 8, -1, -1, 1, 1, 1);
  check(1, 0, -1, 1, 2, 2, 2);
}
} // namespace tensor_maps_pixels

// Copies by tensor maps from shared memory: stores, and reductions of every type with some. Rows and
// columns outside of the tensor are written only where they share 16 bytes with its last column.
namespace tensor_maps_stores {
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

// Boxes of 32 bytes x 4 rows at the last columns, some of them outside, like the last row of the second block.
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

static void check() {
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
  // Subnormal numbers, which some types lack, and a NaN.
  auto with_nan = [](unsigned sum) { return [=](unsigned, unsigned x) { return x == 0x7fc12345 ? 0x7fffffffu : sum; }; };
  check<unsigned>(F32, 1, 3, 0x7fc12345, 0x80000000, with_nan(3), 1);
  check<unsigned>(F32_FTZ, 1, 3, 0x7fc12345, 0x80000000, with_nan(0), 1);
  check<unsigned>(TF32, 1, 3, 0x7fc12345, 0x80000000, with_nan(3), 1);
  check<unsigned>(TF32_FTZ, 1, 3, 0x7fc12345, 0x80000000, with_nan(0), 1);
}
} // namespace tensor_maps_stores

// Elements changed by copies with tensor maps: NaN outside of a tensor of
// floats on request, floats as read by a tensor core, all others unchanged.
namespace tensor_maps_values {
enum { Bytes = 128 };

__global__ void copy(const __grid_constant__ TensorMap map, int x, unsigned char *out) {
  alignas(128) __shared__ unsigned char box[Bytes];
  alignas(8) __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) {
    make_barrier(&barrier, 1);
    expect(&barrier, Bytes);
    load(box, &map, &barrier, x);
  }
  __syncthreads();
  wait(&barrier, 0);
  for (int i = threadIdx.x; i < Bytes; i += blockDim.x)
    out[i] = box[i];
}

static Values<unsigned char, Bytes> given, got;

// The box begins 16 bytes before the tensor.
static void run(int type, int bytes, int fill) {
  const unsigned count = Bytes / bytes;
  Tensor t = dense(type, bytes, given.device, 1, {count}, {count});
  t.fill = fill;
  TensorMap map;
  EXPECT(encode(&map, t) == 0);
  memset(got.host, 0xcc, Bytes);
  got.write();
  copy<<<1, 32>>>(map, -16 / bytes, got.device);
  got.read();
}

static void check_as_they_are(int type, int bytes, int fill) {
  run(type, bytes, fill);
  for (int i = 0; i < 16; i += 2)
    EXPECT(got.host[i] == (fill ? 0xf7 : 0) && got.host[i + 1] == (fill ? 0x7f : 0));
  EXPECT(!memcmp(got.host + 16, given.host, Bytes - 16));
}

static void check() {
  for (int i = 0; i < Bytes; i++)
    given.host[i] = (unsigned char)(i * 37 + 11);
  given.write();
  for (int fill = 0; fill < 2; fill++) {
    check_as_they_are(F16, 2, fill);
    check_as_they_are(BF16, 2, fill);
    check_as_they_are(F32, 4, fill);
    check_as_they_are(F64, 8, fill);
  }
  check_as_they_are(U8, 1, 0);
  check_as_they_are(S32, 4, 0);
  check_as_they_are(U64, 8, 0);
  // To nearest, even, in the 10 bits behind the point.
  const unsigned floats[][2] = {{0x3f800000, 0x3f800000}, {0x3f801000, 0x3f800000}, {0x3f801001, 0x3f802000},
                                {0x3f803000, 0x3f804000}, {0xbf802fff, 0xbf802000}, {0x7f800000, 0x7f800000},
                                {0x7f800001, 0x7fffe000}, {0x7f7fffff, 0x7f800000}, {0x00000001, 0x00000000},
                                {0x80001000, 0x80000000}, {0x007fffff, 0x00800000}};
  for (int i = 0; i < Bytes / 4; i++)
    memcpy(given.host + 4 * i, floats[i % 11], 4);
  given.write();
  check_as_they_are(F32, 4, 0);
  check_as_they_are(F32_FTZ, 4, 0);
  run(TF32, 4, 1);
  for (int i = 0; i < Bytes / 4; i++) {
    unsigned bits, wanted = i < 4 ? 0x7ff77ff7 : floats[(i - 4) % 11][1];
    memcpy(&bits, got.host + 4 * i, 4);
    EXPECT(bits == wanted);
  }
}
} // namespace tensor_maps_values

int main() {
  behaviour(tensor_maps_pixels::check);
  behaviour(tensor_maps_stores::check);
  behaviour(tensor_maps_values::check);
  return finish();
}
