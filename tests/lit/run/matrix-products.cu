// mma.sync of every type of elements, held to plain sums, and the counts of each kernel: all shapes and depths, signs, saturation,
// numbers and sinks among the registers. A namespace is a type.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json half::multiply launches=1 flops.tensor.fp16=10240 flops.tensor_mma_sync.fp16=10240 flops.total=10240
// RUN: %py %S/Inputs/kernel_has.py %t.json bfloat16::multiply launches=1 flops.tensor.bf16=6144 flops.tensor_mma_sync.bf16=6144 flops.total=6144
// RUN: %py %S/Inputs/kernel_has.py %t.json tf32::multiply launches=1 flops.tensor.tf32=3072 flops.tensor_mma_sync.tf32=3072 flops.total=3072
// RUN: %py %S/Inputs/kernel_has.py %t.json doubles::multiply launches=1 flops.tensor.fp64=7680 flops.tensor_mma_sync.fp64=7680 flops.total=7680
// RUN: %py %S/Inputs/kernel_has.py %t.json float8::multiply launches=1 flops.tensor.fp8=16384 flops.tensor_mma_sync.fp8=16384 flops.total=16384
// RUN: %py %S/Inputs/kernel_has.py %t.json bytes::multiply launches=1 flops.tensor.int8=22528 flops.tensor_mma_sync.int8=22528 flops.total=0
// RUN: %py %S/Inputs/kernel_has.py %t.json nibbles::multiply launches=1 flops.tensor.int4=45056 flops.tensor_mma_sync.int4=45056 flops.total=0
// RUN: %py %S/Inputs/kernel_has.py %t.json bits::multiply launches=1 flops.tensor.int1=114688 flops.tensor_mma_sync.int1=114688 flops.total=0
// RUN: %py %S/Inputs/kernel_has.py %t.json quads::multiply launches=1 flops.tensor.fp16=10240 flops.tensor_mma_sync.fp16=10240 flops.total=10240
// RUN: %py %S/Inputs/kernel_has.py %t.json immediates::row_sums counts launches=1 threads=32 flops.total=4096 flops.tensor.fp16=4096 flops.tensor_mma_sync.fp16=4096 bytes.global.store=256
// On chips with a faster instruction mma.sync has a ceiling of its own, or that of the faster one and a note.
// RUN: env GPUPROF_CHIP=b200 GPUPROF_OUTPUT=%t.b200.json %t >%t.out
// RUN: %py %S/Inputs/tensor_ceilings.py %t.json %t.b200.json | %FileCheck --check-prefix=CEILINGS %s
// CEILINGS: h200: wgmma 989 datasheet, mma.sync 659 measured on an H200; notes: 0
// CEILINGS-NEXT: b200: tcgen05 2250 datasheet; notes: 1
// CHECK: all right
#include "fragments.h"
#include "integer_products.h"
#include "lanes.h"
#include "products_of_two_depths.h"

// mma.sync of fp16: both depths, sums in fp32 and in fp16, and the counts of each.
namespace half {
typedef Matrices<16, 8, 16, float> All;

__global__ void multiply(const unsigned *a, const unsigned *b, const float *c, float *wide, float *shallow,
                         unsigned *narrow) {
  unsigned x[4], y[2], first_x[2], first_y[1];
  float z[4], d[4], e[4];
  unsigned h[2] = {0x3c003c00, 0x3c003c00}; // ones
  take<16, 16, 16, false>(x, a);
  take<16, 8, 16, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k16.row.col.f32.f16.f16.f32", "r", "f", d, x, y, z);
  first_x[0] = x[0], first_x[1] = x[1], first_y[0] = y[0]; // the first 8 of the depth
  MMA_2_1_4("m16n8k8.row.col.f32.f16.f16.f32", "r", "f", e, first_x, first_y, z);
  asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
      : "+r"(h[0]), "+r"(h[1])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  put<4>(wide, d);
  put<4>(shallow, e);
  for (int i = 0; i < 4; i++)
    narrow[sum_place(i)] = h[i / 2] >> i % 2 * 16 & 0xffff;
}

// 1, 2, 3… to 8 in fp16
static unsigned half_code(int n) {
  static const unsigned codes[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800};
  return codes[n];
}
// The exact range of fp16: up to 2048.
static unsigned code_of_sum(int n) {
  int exponent = 0;
  while (n >> (exponent + 1))
    exponent++;
  return (exponent + 15) << 10 | ((n << 10 >> exponent) & 0x3ff);
}

static void check() {
  All m;
  Values<float, 128> shallow;
  Values<unsigned, 128> narrow;
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 16; k++)
      m.a.host[i * 16 + k] = half_code(small_number(i, k, 9));
  for (int k = 0; k < 16; k++)
    for (int j = 0; j < 8; j++)
      m.b.host[k * 8 + j] = half_code(small_number(j, k, 7));
  for (int i = 0; i < 128; i++)
    m.c.host[i] = i - 0.5f;
  m.write();
  multiply<<<1, 32>>>(m.a.device, m.b.device, m.c.device, m.d.device, shallow.device, narrow.device);
  m.d.read(), shallow.read(), narrow.read();
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      int sum = 0, first = 0;
      for (int k = 0; k < 16; k++) {
        int product = small_number(i, k, 9) * small_number(j, k, 7);
        sum += product;
        first += k < 8 ? product : 0;
      }
      EXPECT(m.d.host[i * 8 + j] == sum + m.c.host[i * 8 + j]);
      EXPECT(shallow.host[i * 8 + j] == first + m.c.host[i * 8 + j]);
      EXPECT(narrow.host[i * 8 + j] == code_of_sum(sum + 1));
    }
}
} // namespace half

// mma.sync of bf16: both depths, sums in fp32.
namespace bfloat16 {
__global__ void multiply(const unsigned *a, const unsigned *b, const float *c, float *deep, float *shallow) {
  unsigned x[4], y[2];
  float z[4], d[4], e[4];
  take<16, 16, 16, false>(x, a);
  take<16, 8, 16, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k16.row.col.f32.bf16.bf16.f32", "r", "f", d, x, y, z);
  MMA_2_1_4("m16n8k8.row.col.f32.bf16.bf16.f32", "r", "f", e, x, y, z);
  put<4>(deep, d);
  put<4>(shallow, e);
}

static void check() {
  check_two_depths<16>(
      [](const unsigned *a, const unsigned *b, const float *c, float *deep, float *shallow) {
        multiply<<<1, 32>>>(a, b, c, deep, shallow);
      },
      [](float value) { return bits_of(value) >> 16; });
}
} // namespace bfloat16

// mma.sync of tf32: both depths; of the operands the lower 13 bits are not read.
namespace tf32 {
__global__ void multiply(const unsigned *a, const unsigned *b, const float *c, float *deep, float *shallow) {
  unsigned x[4], y[2];
  float z[4], d[4], e[4];
  take<32, 16, 8, false>(x, a);
  take<32, 8, 8, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k8.row.col.f32.tf32.tf32.f32", "r", "f", d, x, y, z);
  MMA_2_1_4("m16n8k4.row.col.f32.tf32.tf32.f32", "r", "f", e, x, y, z);
  put<4>(deep, d);
  put<4>(shallow, e);
}

static void check() {
  check_two_depths<8>(
      [](const unsigned *a, const unsigned *b, const float *c, float *deep, float *shallow) {
        multiply<<<1, 32>>>(a, b, c, deep, shallow);
      },
      [](float value) { return bits_of(value) | 0x1fff; }); // the lower bits are not read
}
} // namespace tf32

// mma.sync of fp64: 8 x 8 x 4, and 16 x 8 of three depths.
namespace doubles {
// As take() of fragments.h, with 64 bits a register.
template <int Rows, bool Transposed, int Registers>
__device__ void take_doubles(double (&registers)[Registers], const double *matrix, int columns) {
  for (int r = 0; r < Registers; r++) {
    int row = lane_id() / 4 + r % (Rows / 8) * 8, column = r / (Rows / 8) * 4 + lane_id() % 4;
    registers[r] = matrix[Transposed ? column * Rows + row : row * columns + column];
  }
}

__global__ void multiply(const double *a, const double *b, const double *c, double *out) {
  double x[8], y[4], z[4], d[4], small[2], x_small[1], y_small[1];
  take_doubles<16, false>(x, a, 16);
  take_doubles<8, true>(y, b, 8);
  take_doubles<8, false>(x_small, a, 16);
  take_doubles<8, true>(y_small, b, 8);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_1_1_2("m8n8k4.row.col.f64.f64.f64.f64", "d", "d", small, x_small, y_small, z);
  put<2>(out, small);
  MMA_2_1_4("m16n8k4.row.col.f64.f64.f64.f64", "d", "d", d, x, y, z);
  put<4>(out + 128, d);
  MMA_4_2_4("m16n8k8.row.col.f64.f64.f64.f64", "d", "d", d, x, y, z);
  put<4>(out + 256, d);
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, "
      "{%16,%17,%18,%19};"
      : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
      : "d"(x[0]), "d"(x[1]), "d"(x[2]), "d"(x[3]), "d"(x[4]), "d"(x[5]), "d"(x[6]), "d"(x[7]), "d"(y[0]), "d"(y[1]),
        "d"(y[2]), "d"(y[3]), "d"(z[0]), "d"(z[1]), "d"(z[2]), "d"(z[3]));
  put<4>(out + 384, d);
}

static void check() {
  Values<double, 256> a;
  Values<double, 128> b, c;
  Values<double, 512> out;
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 16; k++)
      a.host[i * 16 + k] = small_number(i, k, 9) - 4.5;
  for (int k = 0; k < 16; k++)
    for (int j = 0; j < 8; j++)
      b.host[k * 8 + j] = small_number(j, k, 7) + 0.25;
  for (int i = 0; i < 128; i++)
    c.host[i] = i - 0.5;
  a.write(), b.write(), c.write();
  multiply<<<1, 32>>>(a.device, b.device, c.device, out.device);
  out.read();
  const int depths[] = {4, 4, 8, 16}, rows[] = {8, 16, 16, 16};
  for (int shape = 0; shape < 4; shape++)
    for (int i = 0; i < rows[shape]; i++)
      for (int j = 0; j < 8; j++) {
        double sum = c.host[i * 8 + j];
        for (int k = 0; k < depths[shape]; k++)
          sum += a.host[i * 16 + k] * b.host[k * 8 + j];
        EXPECT(out.host[shape * 128 + i * 8 + j] == sum);
      }
}
} // namespace doubles

// mma.sync of 8-bit floats, of one kind and of both.
namespace float8 {
__global__ void multiply(const unsigned *a, const unsigned *b, const unsigned *wide_b, const float *c, float *out) {
  unsigned x[4], y[2], w[2];
  float z[4], d[4];
  take<8, 16, 32, false>(x, a);
  take<8, 8, 32, true>(y, b);
  take<8, 8, 32, true>(w, wide_b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k32.row.col.f32.e4m3.e4m3.f32", "r", "f", d, x, y, z);
  put<4>(out, d);
  MMA_4_2_4("m16n8k32.row.col.f32.e4m3.e5m2.f32", "r", "f", d, x, w, z);
  put<4>(out + 128, d);
}

static void check() {
  // 0, 1, 2, 3, 4, 5, 6, 7 in both kinds; values with a third bit of precision in the first only
  const unsigned e4m3[] = {0, 0x38, 0x40, 0x44, 0x48, 0x4a, 0x4c, 0x4e}, e5m2[] = {0, 0x3c, 0x40, 0x42, 0x44};
  Values<unsigned, 16 * 32> a;
  Values<unsigned, 32 * 8> b, wide;
  Values<float, 128> c;
  Values<float, 256> out;
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 32; k++)
      a.host[i * 32 + k] = e4m3[small_number(i, k, 8)] | (i + k) % 2 << 7;
  for (int k = 0; k < 32; k++)
    for (int j = 0; j < 8; j++)
      b.host[k * 8 + j] = e4m3[small_number(j, k, 7)], wide.host[k * 8 + j] = e5m2[small_number(j, k, 5)];
  for (int i = 0; i < 128; i++)
    c.host[i] = i;
  a.write(), b.write(), wide.write(), c.write();
  multiply<<<1, 32>>>(a.device, b.device, wide.device, c.device, out.device);
  out.read();
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      float narrow = c.host[i * 8 + j], other = narrow;
      for (int k = 0; k < 32; k++) {
        float left = small_number(i, k, 8) * ((i + k) % 2 ? -1.0f : 1.0f);
        narrow += left * small_number(j, k, 7);
        other += left * small_number(j, k, 5);
      }
      EXPECT(out.host[i * 8 + j] == narrow && out.host[128 + i * 8 + j] == other);
    }
}
} // namespace float8

// mma.sync of s8 and u8: all shapes, mixed signs, wrapping and saturating sums.
namespace bytes {
__global__ void multiply(const unsigned *a, const unsigned *b, const int *c, int *out) {
  unsigned x[4], y[2], z[4], d[4];
  take<8, 16, 32, false>(x, a);
  take<8, 8, 32, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k32.row.col.s32.s8.s8.s32", "r", "r", d, x, y, z);
  put<4>(out, d);
  MMA_2_1_4("m16n8k16.row.col.s32.u8.s8.s32", "r", "r", d, x, y, z);
  put<4>(out + 128, d);
  MMA_1_1_2("m8n8k16.row.col.s32.s8.u8.s32", "r", "r", d, x, y, z);
  put<2>(out + 256, d);
  MMA_4_2_4("m16n8k32.row.col.satfinite.s32.u8.u8.s32", "r", "r", d, x, y, z);
  put<4>(out + 384, d);
}

static void check() {
  check_integer_products<8>([](const unsigned *a, const unsigned *b, const int *c, int *out) {
    multiply<<<1, 32>>>(a, b, c, out);
  });
}
} // namespace bytes

// mma.sync of s4 and u4: all shapes, mixed signs, wrapping and saturating sums.
namespace nibbles {
__global__ void multiply(const unsigned *a, const unsigned *b, const int *c, int *out) {
  unsigned x[4], y[2], z[4], d[4];
  take<4, 16, 64, false>(x, a);
  take<4, 8, 64, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k64.row.col.s32.s4.s4.s32", "r", "r", d, x, y, z);
  put<4>(out, d);
  MMA_2_1_4("m16n8k32.row.col.s32.u4.s4.s32", "r", "r", d, x, y, z);
  put<4>(out + 128, d);
  MMA_1_1_2("m8n8k32.row.col.s32.s4.u4.s32", "r", "r", d, x, y, z);
  put<2>(out + 256, d);
  MMA_4_2_4("m16n8k64.row.col.satfinite.s32.u4.u4.s32", "r", "r", d, x, y, z);
  put<4>(out + 384, d);
}

static void check() {
  check_integer_products<4>([](const unsigned *a, const unsigned *b, const int *c, int *out) {
    multiply<<<1, 32>>>(a, b, c, out);
  });
}
} // namespace nibbles

// mma.sync of single bits: exclusive or and and, all shapes.
namespace bits {
__global__ void multiply(const unsigned *a, const unsigned *b, const int *c, int *out) {
  unsigned x[4], y[2];
  int z[4], d[4];
  take<1, 16, 256, false>(x, a);
  take<1, 8, 256, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k256.row.col.s32.b1.b1.s32.xor.popc", "r", "r", d, x, y, z);
  put<4>(out, d);
  MMA_2_1_4("m16n8k128.row.col.s32.b1.b1.s32.and.popc", "r", "r", d, x, y, z);
  put<4>(out + 128, d);
  MMA_1_1_2("m8n8k128.row.col.s32.b1.b1.s32.xor.popc", "r", "r", d, x, y, z);
  put<2>(out + 256, d);
}

static void check() {
  Values<unsigned, 16 * 256> a;
  Values<unsigned, 256 * 8> b;
  Values<int, 128> c;
  Values<int, 384> out;
  for (int i = 0; i < 16 * 256; i++)
    a.host[i] = i * 2654435761u >> 17 & 1;
  for (int i = 0; i < 256 * 8; i++)
    b.host[i] = i * 2246822519u >> 13 & 1;
  for (int i = 0; i < 128; i++)
    c.host[i] = i - 50;
  a.write(), b.write(), c.write();
  multiply<<<1, 32>>>(a.device, b.device, c.device, out.device);
  out.read();
  const int rows[] = {16, 16, 8}, depths[] = {256, 128, 128};
  for (int f = 0; f < 3; f++)
    for (int i = 0; i < rows[f]; i++)
      for (int j = 0; j < 8; j++) {
        int sum = c.host[i * 8 + j];
        for (int k = 0; k < depths[f]; k++) {
          unsigned x = a.host[i * 256 + k], y = b.host[k * 8 + j];
          sum += f == 1 ? x & y : x ^ y;
        }
        EXPECT(out.host[f * 128 + i * 8 + j] == sum);
      }
}
} // namespace bits

// mma.sync.m8n8k4 of fp16: four products, one for each eight lanes, in all layouts.
namespace quads {
// By PTX ISA: lanes 4q to 4q + 3 and 16 more than these make product q; a lane below 16 has rows and columns below 4.
static __device__ int line() { return lane_id() % 4 + (lane_id() < 16 ? 0 : 4); }
static __device__ int quad() { return lane_id() / 4 % 4; }

// Four halves: of the lane's own line, along k, or, across, of lines 0 to 3 or 4 to 7 at k = lane % 4.
static __device__ void take_quad(unsigned (&r)[2], const unsigned short *lines, bool along) {
  unsigned short h[4];
  for (int i = 0; i < 4; i++) {
    int at = along ? line() * 4 + i : (i + (lane_id() < 16 ? 0 : 4)) * 4 + lane_id() % 4;
    h[i] = lines[quad() * 32 + at];
  }
  r[0] = h[0] | (unsigned)h[1] << 16, r[1] = h[2] | (unsigned)h[3] << 16;
}

static __device__ int place(int i) {
  return ((lane_id() & 1) + (i & 2) + (lane_id() < 16 ? 0 : 4)) * 8 + (i & 4) + (lane_id() & 2) + (i & 1);
}

#define WIDE(layouts, x, y)                                                                                  \
  asm("mma.sync.aligned.m8n8k4." layouts ".f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, "   \
      "{%12,%12,%12,%12,%12,%12,%12,%12};"                                                                   \
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])       \
      : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]), "f"(0.5f));                                              \
  for (int i = 0; i < 8; i++)                                                                                \
    wide[(form * 4 + quad()) * 64 + place(i)] = d[i];                                                        \
  form++;

__global__ void multiply(const unsigned short *a, const unsigned short *b, float *wide, unsigned short *narrow) {
  unsigned rows[2], columns[2], across_a[2], across_b[2], h[4];
  float d[8];
  int form = 0;
  take_quad(rows, a, true), take_quad(columns, b, true);
  take_quad(across_a, a, false), take_quad(across_b, b, false);
  WIDE("row.col", rows, columns)
  WIDE("row.row", rows, across_b)
  WIDE("col.col", across_a, columns)
  WIDE("col.row", across_a, across_b)
  asm("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%8,%8,%8};"
      : "=r"(h[0]), "=r"(h[1]), "=r"(h[2]), "=r"(h[3])
      : "r"(rows[0]), "r"(rows[1]), "r"(columns[0]), "r"(columns[1]), "r"(0));
  for (int i = 0; i < 8; i++)
    narrow[quad() * 64 + line() * 8 + i] = h[i / 2] >> i % 2 * 16 & 0xffff;
}

static void check() {
  const unsigned short codes[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400}; // 0 to 4
  Values<unsigned short, 128> a, b;
  Values<float, 1024> wide;
  Values<unsigned short, 256> narrow;
  for (int i = 0; i < 32; i++)
    for (int k = 0; k < 4; k++)
      a.host[i * 4 + k] = codes[small_number(i, k, 5)], b.host[i * 4 + k] = codes[small_number(k, i, 3)];
  a.write(), b.write();
  multiply<<<1, 32>>>(a.device, b.device, wide.device, narrow.device);
  wide.read(), narrow.read();
  for (int q = 0; q < 4; q++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        int sum = 0;
        for (int k = 0; k < 4; k++)
          sum += small_number(8 * q + i, k, 5) * small_number(k, 8 * q + j, 3);
        for (int form = 0; form < 4; form++)
          EXPECT(wide.host[(form * 4 + q) * 64 + i * 8 + j] == sum + 0.5f);
        int exponent = 0;
        while (sum >> (exponent + 1))
          exponent++;
        unsigned half = sum ? (exponent + 15) << 10 | ((sum << 10 >> exponent) & 0x3ff) : 0;
        EXPECT(narrow.host[q * 64 + i * 8 + j] == half);
      }
}
} // namespace quads

// mma.sync with numbers and sinks among its registers: sums of rows by a product with ones, as attention has them.
namespace immediates {
// 16 rows of 16 ones; row `lane / 4` adds a quarter, row `lane / 4 + 8` adds 1.5.
__global__ void row_sums(float *out) {
  float low, high;
  const unsigned ones = 0x3c003c00u; // two halves of 1
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, _, %1, _}, {%2, %2, %2, %2}, {%2, %2}, "
               "{0.25, 0., 1.5, 0.};"
               : "=f"(low), "=f"(high)
               : "r"(ones));
  out[threadIdx.x] = low;
  out[32 + threadIdx.x] = high;
}

static void check() {
  Values<float, 64> out;
  row_sums<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i] == (i < 32 ? 16.25f : 17.5f));
}
} // namespace immediates

int main() {
  behaviour(half::check);
  behaviour(bfloat16::check);
  behaviour(tf32::check);
  behaviour(doubles::check);
  behaviour(float8::check);
  behaviour(bytes::check);
  behaviour(nibbles::check);
  behaviour(bits::check);
  behaviour(quads::check);
  behaviour(immediates::check);
  return finish();
}
