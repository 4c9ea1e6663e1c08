// mma.sync of fp64: 8 x 8 x 4, and 16 x 8 of three depths.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.fp64=7680 flops.total=7680
// CHECK: all right
#include "fragments.h"

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

int main() {
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
  return finish();
}
