// A seven-point stencil in three dimensions: a column a thread, whose last three planes it keeps in
// registers.
// RUN: %program
#include "program.h"

enum { NX = 40, NY = 20, NZ = 12 };
static constexpr float C0 = 0.5f, C1 = 0.125f;

#pragma gpuprof region("stencil")
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= NX - 1 || y < 1 || y >= NY - 1)
    return;
  const int plane = NX * NY;
  int at = y * NX + x;
  float below = in[at], centre = in[at + plane];
  for (int z = 1; z < NZ - 1; z++) {
    at += plane;
    float above = in[at + plane];
    float sum = in[at - 1] + in[at + 1] + in[at - NX] + in[at + NX] + below + above;
    out[at] = C0 * centre + C1 * sum;
    below = centre;
    centre = above;
  }
}

int main() {
  Buffer<float> in(NX * NY * NZ), out(NX * NY * NZ);
  Random random;
  for (float &x : in.host)
    x = random.symmetric();
  in.up();
  stencil<<<dim3(2, 5), dim3(32, 4)>>>(in.device, out.device);
  out.down();
  for (int z = 1; z < NZ - 1; z++)
    for (int y = 1; y < NY - 1; y++)
      for (int x = 1; x < NX - 1; x++) {
        const float *c = &in[(z * NY + y) * NX + x];
        double sum = (double)c[-1] + c[1] + c[-NX] + c[NX] + c[-NX * NY] + c[NX * NY];
        EXPECT(near(out[(z * NY + y) * NX + x], C0 * c[0] + C1 * sum));
      }

  // A point: five additions, a product and a fused one; five loads, and two more a column.
  const long long columns = (NX - 2) * (NY - 2), points = columns * (NZ - 2);
  counts("stencil", {{"flops.fp32.add", 5 * points},
                     {"flops.fp32.mul", points},
                     {"flops.fp32.fma", 2 * points},
                     {"bytes.global.load", 4 * (5 * points + 2 * columns)},
                     {"bytes.global.store", 4 * points}});
  return finish();
}
