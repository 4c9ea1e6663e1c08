// Gravity between all pairs of bodies, a tile of them in shared memory at a time, and leapfrog steps.
// RUN: %program
#include "program.h"

enum { N = 192, THREADS = 64, STEPS = 3 };
static constexpr float SOFTENING = 1e-2f, DT = 1e-3f;

#pragma gpuprof region("bodies.accelerate")
__global__ void accelerate(const float4 *position, float3 *acceleration) {
  __shared__ float4 tile[THREADS];
  int i = blockIdx.x * THREADS + threadIdx.x;
  float4 own = position[i];
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < N; first += THREADS) {
    tile[threadIdx.x] = position[first + threadIdx.x];
    __syncthreads();
#pragma gpuprof region("bodies.pairs")
    for (int j = 0; j < THREADS; j++) {
      float4 other = tile[j];
      float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
      float inverse = rsqrtf(r2);
      float f = other.w * inverse * inverse * inverse;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    __syncthreads();
  }
  acceleration[i] = make_float3(ax, ay, az);
}

__global__ void move(float4 *position, float3 *velocity, const float3 *acceleration) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  float4 p = position[i];
  float3 v = velocity[i], a = acceleration[i];
  v = make_float3(v.x + DT * a.x, v.y + DT * a.y, v.z + DT * a.z);
  velocity[i] = v;
  position[i] = make_float4(p.x + DT * v.x, p.y + DT * v.y, p.z + DT * v.z, p.w);
}

int main() {
  Buffer<float4> position(N);
  Buffer<float3> velocity(N), acceleration(N);
  Random random;
  for (float4 &p : position.host)
    p = make_float4(random.symmetric(), random.symmetric(), random.symmetric(), random.unit());
  position.up();
  std::vector<double> p(4 * N), v(3 * N), a(3 * N);
  for (int i = 0; i < N; i++) {
    p[4 * i] = position[i].x;
    p[4 * i + 1] = position[i].y;
    p[4 * i + 2] = position[i].z;
    p[4 * i + 3] = position[i].w;
  }
  for (int step = 0; step < STEPS; step++) {
    accelerate<<<N / THREADS, THREADS>>>(position.device, acceleration.device);
    move<<<N / THREADS, THREADS>>>(position.device, velocity.device, acceleration.device);
    for (int i = 0; i < N; i++)
      for (int c = 0; c < 3; c++) {
        a[3 * i + c] = 0;
        for (int j = 0; j < N; j++) {
          double r2 = SOFTENING;
          for (int d = 0; d < 3; d++)
            r2 += (p[4 * j + d] - p[4 * i + d]) * (p[4 * j + d] - p[4 * i + d]);
          a[3 * i + c] += p[4 * j + 3] * (p[4 * j + c] - p[4 * i + c]) / (r2 * std::sqrt(r2));
        }
      }
    for (int i = 0; i < N; i++)
      for (int c = 0; c < 3; c++)
        p[4 * i + c] += DT * (v[3 * i + c] += DT * a[3 * i + c]);
  }
  position.down();
  for (int i = 0; i < N; i++)
    EXPECT(near(position[i].x, p[4 * i]) && near(position[i].y, p[4 * i + 1]) &&
           near(position[i].z, p[4 * i + 2]));

  // A pair: three differences; a product and two fused ones for r2, and the softening added; one reciprocal
  // root; three products; three fused.
  const long long pairs = (long long)STEPS * N * N, bodies = STEPS * N;
  counts("region:bodies.pairs", {{"flops.fp32.add", 4 * pairs},
                                 {"flops.fp32.mul", 4 * pairs},
                                 {"flops.fp32.fma", 2 * 5 * pairs},
                                 {"special_functions", pairs},
                                 {"bytes.shared.load", 16 * pairs}});
  counts("accelerate", {{"flops.fp32.add", 4 * pairs},
                        {"flops.fp32.mul", 4 * pairs},
                        {"flops.fp32.fma", 2 * 5 * pairs},
                        {"special_functions", pairs},
                        {"bytes.shared.load", 16 * pairs},
                        {"bytes.shared.store", 16 * bodies * (N / THREADS)},
                        {"bytes.global.load", bodies * (12 + 16 * N / THREADS)}, // its own mass no body reads
                        {"bytes.global.store", 12 * bodies}});
  counts("move", {{"flops.fp32.fma", 2 * 6 * bodies},
                  {"bytes.global.load", (16 + 12 + 12) * bodies},
                  {"bytes.global.store", (12 + 16) * bodies}});
  return finish();
}
