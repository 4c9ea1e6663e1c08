// nvcuda::wmma of bfloat16, tf32, double, bytes, nibbles and bits.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -fplugin-arg-gpuprof-arch=sm_80 -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply_bfloat flops.tensor.bf16=8192
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply_tf32 flops.tensor.tf32=4096
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply_double flops.tensor.fp64=512
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply_bytes flops.tensor.int8=8192
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply_nibbles flops.tensor.int4=4096
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply_bits flops.tensor.int1=16384
// CHECK: all right
#include "lanes.h"
#include <mma.h>
using namespace nvcuda;
using wmma::col_major;
using wmma::row_major;

// One product of fragments at a, b and c with the leading dimensions of their shape.
template <int M, int N, int K, class Element, class Memory, class Sum, class RowsB>
static __device__ void multiply(const Memory *a, const Memory *b, const Sum *c, Sum *d) {
  wmma::fragment<wmma::matrix_a, M, N, K, Element, row_major> left;
  wmma::fragment<wmma::matrix_b, M, N, K, Element, RowsB> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
  wmma::load_matrix_sync(left, a, K);
  wmma::load_matrix_sync(right, b, std::is_same<RowsB, row_major>::value ? N : K);
  wmma::load_matrix_sync(sum, c, N, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, N, wmma::mem_row_major);
}

__global__ void multiply_bfloat(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const float *c, float *d) {
  multiply<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, row_major>(a, b, c, d);
}
__global__ void multiply_tf32(const float *a, const float *b, const float *c, float *d) {
  multiply<16, 16, 8, wmma::precision::tf32, float, float, row_major>(a, b, c, d);
}
__global__ void multiply_double(const double *a, const double *b, const double *c, double *d) {
  multiply<8, 8, 4, double, double, double, row_major>(a, b, c, d);
}
__global__ void multiply_bytes(const signed char *a, const signed char *b, const int *c, int *d) {
  multiply<16, 16, 16, signed char, signed char, int, row_major>(a, b, c, d);
}
__global__ void multiply_nibbles(const int *a, const int *b, const int *c, int *d) {
  multiply<8, 8, 32, wmma::experimental::precision::s4, int, int, col_major>(a, b, c, d);
}
__global__ void multiply_bits(const unsigned *a, const unsigned *b, const int *c, int *d) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
  wmma::load_matrix_sync(left, a, 128);
  wmma::load_matrix_sync(right, b, 128);
  wmma::load_matrix_sync(sum, c, 8, wmma::mem_row_major);
  wmma::bmma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

static int number(int i) { return i * 7 % 5 - 2; }

// A is M x K by rows, B by rows or columns: element i of each in memory is number(i) of it.
template <class Memory, class Sum, class Kernel> static void run(int m, int n, int k, bool rows_b, Kernel kernel) {
  Values<Memory, 256> a, b;
  Values<Sum, 256> c, d;
  for (int i = 0; i < 256; i++)
    a.host[i] = Memory(float(number(i))), b.host[i] = Memory(float(number(3 * i))), c.host[i] = i % 100;
  a.write(), b.write(), c.write();
  kernel<<<1, 32>>>(a.device, b.device, c.device, d.device);
  d.read();
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int sum = (i * n + j) % 100;
      for (int l = 0; l < k; l++)
        sum += number(i * k + l) * number(3 * (rows_b ? l * n + j : j * k + l));
      EXPECT(d.host[i * n + j] == sum);
    }
}

// Bits-wide numbers in words, by rows and by columns.
template <class Memory, class Kernel> static void run_packed(int bits, int k, Kernel kernel) {
  Values<Memory, 32> a, b;
  Values<int, 64> c, d;
  auto code = [=](int i) { return bits == 1 ? i * 7 % 3 == 1 : number(i); };
  const int per = 32 / bits;
  const unsigned mask = (1u << bits) - 1;
  for (int i = 0; i < 8 * k; i++) {
    a.host[i / per] |= (code(i) & mask) << i % per * bits;
    b.host[i / per] |= (code(3 * i + 1) & mask) << i % per * bits;
  }
  for (int i = 0; i < 64; i++)
    c.host[i] = i;
  a.write(), b.write(), c.write();
  kernel<<<1, 32>>>(a.device, b.device, c.device, d.device);
  d.read();
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      int sum = i * 8 + j;
      for (int l = 0; l < k; l++) {
        int x = code(i * k + l), y = code(3 * (j * k + l) + 1);
        sum += bits == 1 ? x ^ y : x * y;
      }
      EXPECT(d.host[i * 8 + j] == sum);
    }
}

int main() {
  run<__nv_bfloat16, float>(16, 16, 16, true, multiply_bfloat);
  run<float, float>(16, 16, 8, true, multiply_tf32);
  run<double, double>(8, 8, 4, true, multiply_double);
  run<signed char, int>(16, 16, 16, true, multiply_bytes);
  run_packed<int>(4, 32, multiply_nibbles);
  run_packed<unsigned>(1, 128, multiply_bits);
  return finish();
}
