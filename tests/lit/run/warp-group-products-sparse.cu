// Sparse wgmma: half of A's elements are present, in shared memory or in registers, selected by metadata.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// Computed products, two operations each: 64 · 8 · half of each depth.
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.fp16=32768 flops.tensor.int8=32768 flops.total=32768
// CHECK: all right
#include "warp_groups.h"

enum { M = 64, N = 8, RowBytes = 32, ColumnBytes = 64 };

// Rows of A and columns of B in tiles of 8 x 16 bytes, tiles of a row side by side.
static __host__ __device__ inline int place(int line, int byte, int bytes) {
  return line / 8 * 8 * bytes + byte / 16 * 128 + line % 8 * 16 + byte % 16;
}

#define SUMS "{%0,%1,%2,%3}"

__global__ void multiply(const unsigned *left, const unsigned *right, const unsigned *halves_at, const unsigned *bytes_at,
                         float *out) {
  alignas(128) __shared__ unsigned char rows[2][M * RowBytes], columns[2][N * ColumnBytes];
  for (int i = threadIdx.x; i < 2 * M * RowBytes / 4; i += 128)
    ((unsigned *)rows)[i] = left[i];
  for (int i = threadIdx.x; i < 2 * N * ColumnBytes / 4; i += 128)
    ((unsigned *)columns)[i] = right[i];
  publish();
  const unsigned long long a = descriptor(rows[0], None, 128, 256), b = descriptor(columns[0], None, 128, 512);
  const unsigned long long of_bytes = descriptor(rows[1], None, 128, 256), b_of_bytes = descriptor(columns[1], None, 128, 512);
  const unsigned where = halves_at[threadIdx.x], where_bytes = bytes_at[threadIdx.x];
  unsigned registers[4];
  int whole[4] = {1, 1, 1, 1};
  float d[4] = {0, 0, 0, 0}, e[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; i++)
    registers[i] = *(unsigned *)(rows[0] + place(threadIdx.x / 32 * 16 + lane_id() / 4 + i % 2 * 8,
                                                 i / 2 * 16 + lane_id() % 4 * 4, RowBytes));
  fence_registers(d), fence_registers(e);
  begin_products();
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 " SUMS ", %4, %5, %6, 1, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b), "r"(where));
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 " SUMS ", {%4,%5,%6,%7}, %8, %9, 1, 1, -1, 1, 0;"
               : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])
               : "r"(registers[0]), "r"(registers[1]), "r"(registers[2]), "r"(registers[3]), "l"(b), "r"(where));
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8 " SUMS ", %4, %5, %6, 0, 1;"
               : "+r"(whole[0]), "+r"(whole[1]), "+r"(whole[2]), "+r"(whole[3])
               : "l"(of_bytes), "l"(b_of_bytes), "r"(where_bytes));
  end_products();
  fence_registers(d), fence_registers(e);
  for (int i = 0; i < 4; i++) {
    const int at = sum_row(i) * N + sum_column(i);
    out[at] = d[i];
    out[M * N + at] = e[i];
    out[2 * M * N + at] = (float)whole[i];
  }
}

static const int choices[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static int number(int i, int k) { return (i * 3 + k * 5 + i * k) % 7 - 3; }

int main() {
  static Values<unsigned, 2 * M * RowBytes / 4> a;
  static Values<unsigned, 2 * N * ColumnBytes / 4> b;
  static Values<unsigned, 128> halves_at, bytes_at;
  static Values<float, 3 * M * N> out;
  static int left[2][M][64], right[2][64][N];
  for (int bytes = 0; bytes < 2; bytes++) {
    const int depth = bytes ? 64 : 32, size = bytes ? 1 : 2;
    auto put = [&](unsigned *to, int at, int value) {
      const unsigned short half = half_of(value);
      const signed char byte = (signed char)value;
      memcpy((char *)to + at, bytes ? (const void *)&byte : &half, size);
    };
    for (int row = 0; row < M; row++)
      for (int group = 0; group < depth / 4; group++) {
        const int *choice = choices[(row * 5 + group * 7 + row * group) % 6], thread = row / 16 * 32 + row % 8 * 4, upper = row % 16 / 8;
        const unsigned nibble = (unsigned)(choice[0] | choice[1] << 2);
        if (bytes)
          bytes_at.host[thread + group / 8 * 2 + upper] |= nibble << group % 8 * 4;
        else // of the third and fourth thread
          halves_at.host[thread + 2 + group / 4] |= nibble << (upper * 16 + group % 4 * 4);
        for (int i = 0; i < 2; i++) {
          const int value = number(row, group * 2 + i);
          left[bytes][row][group * 4 + choice[i]] = value;
          put(a.host + bytes * M * RowBytes / 4, place(row, (group * 2 + i) * size, RowBytes), value);
        }
      }
    for (int k = 0; k < depth; k++)
      for (int j = 0; j < N; j++) {
        right[bytes][k][j] = number(j + 3, k);
        put(b.host + bytes * N * ColumnBytes / 4, place(j, k * size, ColumnBytes), right[bytes][k][j]);
      }
  }
  a.write(), b.write(), halves_at.write(), bytes_at.write();
  multiply<<<1, 128>>>(a.device, b.device, halves_at.device, bytes_at.device, out.device);
  out.read();
  int wrong[3] = {};
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      int sums[2] = {};
      for (int bytes = 0; bytes < 2; bytes++)
        for (int k = 0; k < 64; k++)
          sums[bytes] += left[bytes][i][k] * right[bytes][k][j];
      wrong[0] += out.host[i * N + j] != sums[0];
      wrong[1] += out.host[M * N + i * N + j] != -sums[0];
      wrong[2] += out.host[2 * M * N + i * N + j] != sums[1] + 1;
    }
  EXPECT(!wrong[0]);
  EXPECT(!wrong[1]);
  EXPECT(!wrong[2]);
  return finish();
}
