// wgmma of every type of elements: sums in fp32, fp16 and integers, scales of -1, saturated sums, A in registers, bits.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.fp16=49152 flops.tensor.bf16=32768 flops.tensor.tf32=8192 flops.tensor.fp8=65536 flops.tensor.int8=98304 flops.tensor.int1=262144 flops.total=155648
// CHECK: all right
#include "warp_groups.h"

enum { M = 64, N = 8, Forms = 11, RowBytes = 32 };

// Rows of A and columns of B, of 32 bytes each, in tiles of 8 x 16 bytes, without swizzling.
static __host__ __device__ inline int place(int line, int byte) {
  return line / 8 * 256 + byte / 16 * 128 + line % 8 * 16 + byte % 16;
}

#define SUMS "{%0,%1,%2,%3}"
#define FLOATS(d) "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define WORDS(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define IN_SHARED(form, tail, ...)                                                                           \
  asm volatile("wgmma.mma_async.sync.aligned." form " " SUMS ", %4, %5, " tail ";" : __VA_ARGS__ : "l"(a), "l"(b))

__global__ void multiply(const unsigned *left, const unsigned *right, float *out, int *whole) {
  alignas(128) __shared__ unsigned char rows[M * RowBytes], columns[N * RowBytes];
  for (int i = threadIdx.x; i < M * RowBytes / 4; i += 128)
    ((unsigned *)rows)[i] = left[i];
  if (threadIdx.x < N * RowBytes / 4)
    ((unsigned *)columns)[threadIdx.x] = right[threadIdx.x];
  publish();
  const unsigned long long a = descriptor(rows, None, 128, 256), b = descriptor(columns, None, 128, 256);
  float f[7][4];
  unsigned w[4][4], h[2] = {0x3c003c00, 0x3c003c00}, registers[4];
  for (int i = 0; i < 4; i++) {
    for (int n = 0; n < 7; n++)
      f[n][i] = 0.5f;
    w[0][i] = w[1][i] = w[3][i] = 3;
    w[2][i] = 0x7ffffff0;
    const int row = threadIdx.x / 32 * 16 + lane_id() / 4 + i % 2 * 8, byte = i / 2 * 16 + lane_id() % 4 * 4;
    registers[i] = *(unsigned *)(rows + place(row, byte));
  }
  for (int n = 0; n < 7; n++)
    fence_registers(f[n]);
  begin_products();
  IN_SHARED("m64n8k16.f32.f16.f16", "1, 1, 1, 0, 0", FLOATS(f[0]));
  IN_SHARED("m64n8k16.f32.bf16.bf16", "1, -1, 1, 0, 0", FLOATS(f[1]));
  IN_SHARED("m64n8k8.f32.tf32.tf32", "1, 1, 1", FLOATS(f[2]));
  IN_SHARED("m64n8k32.f32.e4m3.e5m2", "1, 1, -1", FLOATS(f[3]));
  IN_SHARED("m64n8k32.f32.e5m2.e4m3", "0, -1, -1", FLOATS(f[4]));
  IN_SHARED("m64n8k32.s32.s8.u8", "1", WORDS(w[0]));
  IN_SHARED("m64n8k32.s32.u8.s8", "0", WORDS(w[1]));
  IN_SHARED("m64n8k32.satfinite.s32.s8.s8", "1", WORDS(w[2]));
  IN_SHARED("m64n8k256.s32.b1.b1.and.popc", "1", WORDS(w[3]));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0,%1}, %2, %3, 1, 1, 1, 0, 0;"
               : "+r"(h[0]), "+r"(h[1]) : "l"(a), "l"(b));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " SUMS ", {%4,%5,%6,%7}, %8, 1, -1, 1, 0;"
               : FLOATS(f[5])
               : "r"(registers[0]), "r"(registers[1]), "r"(registers[2]), "r"(registers[3]), "l"(b));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 " SUMS ", {%4,%5,%6,%7}, %8, 1, 1, 1, 0;"
               : FLOATS(f[6])
               : "r"(registers[0]), "r"(registers[1]), "r"(registers[2]), "r"(registers[3]), "l"(b));
  end_products();
  for (int n = 0; n < 7; n++)
    fence_registers(f[n]);
  for (int i = 0; i < 4; i++) {
    const int at = sum_row(i) * N + sum_column(i);
    for (int n = 0; n < 7; n++)
      out[n * M * N + at] = f[n][i];
    unsigned short half = (unsigned short)(h[i / 2] >> (i % 2 * 16));
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(half));
    out[7 * M * N + at] = wide;
    for (int n = 0; n < 4; n++)
      whole[n * M * N + at] = (int)w[n][i];
  }
}

// A float of so many bits out of exponent and mantissa; subnormal and special ones do not occur here.
static double small_float(unsigned code, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1, exponent = code >> mantissa_bits & ((1 << exponent_bits) - 1);
  const int mantissa = code & ((1 << mantissa_bits) - 1);
  double value = exponent ? 1 + (double)mantissa / (1 << mantissa_bits) : (double)mantissa / (1 << mantissa_bits);
  for (int e = (exponent ? exponent : 1) - bias; e > 0; e--)
    value *= 2;
  for (int e = (exponent ? exponent : 1) - bias; e < 0; e++)
    value /= 2;
  return code >> (exponent_bits + mantissa_bits) & 1 ? -value : value;
}

static unsigned char left_bytes[M][RowBytes], right_bytes[N][RowBytes];
static unsigned bits_at(const unsigned char *line, int index, int bits) {
  unsigned code = 0;
  memcpy(&code, line + index * bits / 8, bits / 8);
  return code;
}

// The product of a row and a column; formats are given by the bits of exponent and mantissa.
static double product(int i, int j, int bits, int exponent_a, int exponent_b, int mantissa_a, int mantissa_b) {
  double sum = 0;
  for (int k = 0; k < 256 / bits; k++)
    sum += small_float(bits_at(left_bytes[i], k, bits) >> (bits == 32 ? 13 : 0), exponent_a, mantissa_a) *
           small_float(bits_at(right_bytes[j], k, bits) >> (bits == 32 ? 13 : 0), exponent_b, mantissa_b);
  return sum;
}

static int integer_product(int i, int j, bool signed_a, bool signed_b) {
  int sum = 0;
  for (int k = 0; k < RowBytes; k++)
    sum += (signed_a ? (signed char)left_bytes[i][k] : left_bytes[i][k]) *
           (signed_b ? (signed char)right_bytes[j][k] : right_bytes[j][k]);
  return sum;
}

static bool is_near(float got, double wanted) {
  const double difference = got > wanted ? got - wanted : wanted - got, size = wanted < 0 ? -wanted : wanted;
  return difference <= 1e-3 * size + 2e-2;
}

int main() {
  static Values<unsigned, M * RowBytes / 4> a;
  static Values<unsigned, N * RowBytes / 4> b;
  static Values<float, 8 * M * N> out;
  static Values<int, 4 * M * N> whole;
  // Codes 0x30 to 0x3f and 0xb0 to 0xbf: numbers around 1 in every format with such a leading byte.
  for (int i = 0; i < M; i++)
    for (int k = 0; k < RowBytes; k++)
      left_bytes[i][k] = (unsigned char)(0x38 + (i * 3 + k * 5) % 8 + ((i + k) % 3 ? 0 : 0x80));
  for (int j = 0; j < N; j++)
    for (int k = 0; k < RowBytes; k++)
      right_bytes[j][k] = (unsigned char)(0x38 + (j * 5 + k * 3) % 8 + ((j + k) % 4 ? 0 : 0x80));
  for (int i = 0; i < M; i++)
    for (int k = 0; k < RowBytes; k++)
      ((unsigned char *)a.host)[place(i, k)] = left_bytes[i][k];
  for (int j = 0; j < N; j++)
    for (int k = 0; k < RowBytes; k++)
      ((unsigned char *)b.host)[place(j, k)] = right_bytes[j][k];
  a.write(), b.write();
  multiply<<<1, 128>>>(a.device, b.device, out.device, whole.device);
  out.read(), whole.read();
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      const int at = i * N + j;
      auto sums = [&](int n) { return out.host[n * M * N + at]; };
      const double half = product(i, j, 16, 5, 5, 10, 10), bfloat = product(i, j, 16, 8, 8, 7, 7);
      EXPECT(is_near(sums(0), 0.5 + half));
      EXPECT(is_near(sums(1), 0.5 - bfloat));
      EXPECT(is_near(sums(2), 0.5 + product(i, j, 32, 8, 8, 10, 10)));
      EXPECT(is_near(sums(3), 0.5 - product(i, j, 8, 4, 5, 3, 2)));
      EXPECT(is_near(sums(4), product(i, j, 8, 5, 4, 2, 3)));
      EXPECT(is_near(sums(5), 0.5 - half));
      EXPECT(is_near(sums(6), 0.5 + bfloat));
      EXPECT(is_near(sums(7), 1 + half));
      auto integers = [&](int n) { return whole.host[n * M * N + at]; };
      EXPECT(integers(0) == 3 + integer_product(i, j, true, false));
      EXPECT(integers(1) == integer_product(i, j, false, true));
      const int signed_sum = integer_product(i, j, true, true);
      EXPECT(integers(2) == (signed_sum > 15 ? 0x7fffffff : 0x7ffffff0 + signed_sum));
      int bits = 3;
      for (int k = 0; k < RowBytes; k++)
        bits += __builtin_popcount(left_bytes[i][k] & right_bytes[j][k]);
      EXPECT(integers(3) == bits);
    }
  return finish();
}
