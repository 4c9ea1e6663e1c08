// Sparse mma.sync: A's rows hold two of each four elements, one of two words, two pairs
// of eight nibbles; every type and depth, and choices of the lanes with the metadata.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// Computed products, two operations each: 16 · 8 · half of each depth.
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=13 flops.tensor.fp16=8192 flops.tensor.bf16=4096 flops.tensor.tf32=5120 flops.tensor.int8=12288 flops.tensor.int4=40960 flops.tensor.fp8=8192
// CHECK: all right
#include "fragments.h"

// The lane's registers of A and B, and its metadata; sums of integers come as floats.
struct Registers {
  unsigned a[4], b[4], metadata;
};

#define SPARSE(number, form, selector, lists, letter, sum)                                                   \
  case number:                                                                                               \
    asm volatile("mma.sp::ordered_metadata.sync.aligned." form " {%0,%1,%2,%3}, " lists ", {%0,%1,%2,%3}, %12, " selector ";" \
                 : "+" letter(sum[0]), "+" letter(sum[1]), "+" letter(sum[2]), "+" letter(sum[3])            \
                 : "r"(r.a[0]), "r"(r.a[1]), "r"(r.a[2]), "r"(r.a[3]), "r"(r.b[0]), "r"(r.b[1]), "r"(r.b[2]),    \
                   "r"(r.b[3]), "r"(r.metadata));                                                            \
    break;
#define FLOATS(number, form, selector, lists) SPARSE(number, form, selector, lists, "f", d)
#define INTEGERS(number, form, selector, lists) SPARSE(number, form, selector, lists, "r", whole)
#define SHORT "{%4,%5}, {%8,%9}"
#define LONG "{%4,%5,%6,%7}, {%8,%9,%10,%11}"

__global__ void multiply(int form, const Registers *registers, float *out) {
  const Registers r = registers[threadIdx.x];
  float d[4] = {0.5f, 0.5f, 0.5f, 0.5f};
  int whole[4] = {0, 0, 0, 0};
  switch (form) {
    FLOATS(0, "m16n8k16.row.col.f32.f16.f16.f32", "0x1", SHORT)
    FLOATS(1, "m16n8k16.row.col.f32.f16.f16.f32", "0x3", SHORT)
    FLOATS(2, "m16n8k32.row.col.f32.f16.f16.f32", "0x1", LONG)
    FLOATS(3, "m16n8k32.row.col.f32.bf16.bf16.f32", "0x0", LONG)
    FLOATS(4, "m16n8k8.row.col.f32.tf32.tf32.f32", "0x2", SHORT)
    FLOATS(5, "m16n8k16.row.col.f32.tf32.tf32.f32", "0x0", LONG)
    FLOATS(6, "m16n8k16.row.col.f32.tf32.tf32.f32", "0x1", LONG)
    INTEGERS(7, "m16n8k32.row.col.s32.s8.s8.s32", "0x1", SHORT)
    INTEGERS(8, "m16n8k64.row.col.s32.u8.u8.s32", "0x0", LONG)
    INTEGERS(9, "m16n8k64.row.col.s32.s4.s4.s32", "0x0", SHORT)
    INTEGERS(10, "m16n8k128.row.col.s32.u4.u4.s32", "0x0", LONG)
    INTEGERS(11, "m16n8k128.row.col.s32.s4.s4.s32", "0x0", LONG)
    FLOATS(12, "m16n8k64.row.col.f32.e4m3.e4m3.f32", "0x0", LONG)
  }
  for (int i = 0; i < 4; i++)
    out[sum_place(i)] = d[i] + (float)whole[i];
}

enum Type { Half, BFloat, TF32, Signed, Unsigned, E4M3 };
struct Form {
  Type type;
  int bits, depth, selector;
};
static const Form forms[13] = {{Half, 16, 16, 1},   {Half, 16, 16, 3}, {Half, 16, 32, 1},    {BFloat, 16, 32, 0},  {TF32, 32, 8, 2},
                               {TF32, 32, 16, 0},   {TF32, 32, 16, 1}, {Signed, 8, 32, 1},   {Unsigned, 8, 64, 0}, {Signed, 4, 64, 0},
                               {Unsigned, 4, 128, 0}, {Signed, 4, 128, 0}, {E4M3, 8, 64, 0}};

// A code of a small number of the type, 0 to 3, or -2 to 1 where there are signs.
static int number(Type type, int which) { return type == Unsigned ? which % 4 : which % 4 - 2; }
static unsigned code(Type type, int value) {
  const unsigned sign = value < 0, size = (unsigned)(value < 0 ? -value : value);
  static const unsigned halves[] = {0, 0x3c00, 0x4000, 0x4200}, bfloats[] = {0, 0x3f80, 0x4000, 0x4040}, bytes[] = {0, 0x38, 0x40, 0x44};
  switch (type) {
  case Half:
    return halves[size] | sign << 15;
  case BFloat:
    return bfloats[size] | sign << 15;
  case TF32:
    return (bfloats[size] | sign << 15) << 16;
  case E4M3:
    return bytes[size] | sign << 7;
  default:
    return (unsigned)value;
  }
}

static int left[16][128], right[128][8]; // with A's zeros
static Values<Registers, 32> registers;

static void put(unsigned *words, int row, int column, int rows, int bits, unsigned value) {
  const int per = 32 / bits, tiles = rows / 8, r = column / (4 * per) * tiles + row / 8;
  const unsigned mask = bits == 32 ? ~0u : (1u << bits) - 1;
  words[r] |= (value & mask) << (column % per * bits % 32);
}

// The two present parts of a group of four: pairs of numbers in the order of the row.
static const int choices[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// PTX ISA's figures: bits of a row's groups, by threads.
static void put_metadata(const Form &f, int row, int group, unsigned nibble) {
  const int quad = row % 8 * 4, upper = row / 8;
  if (f.bits >= 16) {
    const int lanes = f.depth * 16 / f.bits >= 32 || (f.bits == 32 && f.depth == 16) ? 2 : 1;
    registers.host[quad + lanes * f.selector + group / 4].metadata |= nibble << (upper * 16 + group % 4 * 4);
  } else {
    registers.host[quad + 2 * f.selector + group / 8 * 2 + upper].metadata |= nibble << group % 8 * 4;
  }
}

static void put_group(const Form &f, int row, int group) {
  const int *choice = choices[(row * 5 + group * 7 + row * group) % 6];
  const int size = f.bits == 32 ? 2 : f.bits == 4 ? 8 : 4, together = f.bits == 4 ? 2 : 1, held = size / 2;
  if (f.bits == 32)
    put_metadata(f, row, group, choice[0] % 2 ? 0xe : 0x4);
  else
    put_metadata(f, row, group, (unsigned)(choice[0] | choice[1] << 2));
  for (int i = 0; i < held; i++) {
    const int column = group * held + i, per = 32 / f.bits, value = number(f.type, row * 3 + column * 5 + row * column);
    const int at = f.bits == 32 ? choice[0] % 2 : choice[i / together] * together + i % together;
    left[row][group * size + at] = value;
    put(registers.host[row % 8 * 4 + column / per % 4].a, row, column, 16, f.bits, code(f.type, value));
  }
}

int main() {
  static Values<float, 128> out;
  for (int which = 0; which < 13; which++) {
    const Form &f = forms[which];
    memset(left, 0, sizeof left);
    memset(registers.host, 0, sizeof registers.host);
    const int size = f.bits == 32 ? 2 : f.bits == 4 ? 8 : 4;
    for (int row = 0; row < 16; row++)
      for (int group = 0; group < f.depth / size; group++)
        put_group(f, row, group);
    for (int k = 0; k < f.depth; k++)
      for (int j = 0; j < 8; j++) {
        right[k][j] = number(f.type, k * 7 + j * 3 + k * j);
        put(registers.host[j * 4 + k / (32 / f.bits) % 4].b, j, k, 8, f.bits, code(f.type, right[k][j]));
      }
    registers.write();
    multiply<<<1, 32>>>(which, registers.device, out.device);
    out.read();
    int wrong = 0;
    for (int i = 0; i < 16; i++)
      for (int j = 0; j < 8; j++) {
        float sum = 0.5f;
        for (int k = 0; k < f.depth; k++)
          sum += (float)(left[i][k] * right[k][j]);
        wrong += out.host[i * 8 + j] != sum;
      }
    if (wrong)
      printf("form %d: %d wrong\n", which, wrong);
    EXPECT(!wrong);
  }
  return finish();
}
