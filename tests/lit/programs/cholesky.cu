// Cholesky's factors of a symmetric matrix in double precision, a column a pair of launches, then a
// triangular system in one block.
// RUN: %program_by_clones
#include "program.h"

enum { N = 40 };

#pragma gpuprof region("cholesky.column")
__global__ void column(double *a, int k) { // a[i][k] /= sqrt(a[k][k])
  __shared__ double root;
  if (threadIdx.x == 0)
    root = sqrt(a[k * N + k]);
  __syncthreads();
  double r = root;
  for (int i = k + threadIdx.x; i < N; i += blockDim.x)
    a[i * N + k] = i == k ? r : a[i * N + k] / r;
}

#pragma gpuprof region("cholesky.update")
__global__ void update(double *a, int k) { // right of column k, below the diagonal
  int i = blockIdx.y * blockDim.y + threadIdx.y + k + 1, j = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
  if (i < N && j <= i)
    a[i * N + j] -= a[i * N + k] * a[j * N + k];
}

#pragma gpuprof region("cholesky.solve")
__global__ void solve(const double *a, double *b) { // a x = b, in place
  __shared__ double x;
  int t = threadIdx.x;
  double rest = b[t];
  for (int k = 0; k < N; k++) {
    if (t == k)
      x = rest / a[k * N + k];
    __syncthreads();
    double known = x;
    if (t > k)
      rest -= a[t * N + k] * known;
    if (t == k)
      b[k] = known;
    __syncthreads();
  }
}

int main() {
  Buffer<double> a(N * N), b(N);
  Random random;
  std::vector<double> factor(N * N), matrix(N * N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      factor[i * N + j] = i == j ? 2 + random.unit() : random.symmetric();
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        matrix[i * N + j] += factor[i * N + k] * factor[j * N + k];
  a.host = matrix;
  for (int i = 0; i < N; i++) // the solution is 1, 2, 3, ...
    for (int j = 0; j <= i; j++)
      b[i] += factor[i * N + j] * (j + 1);
  a.up();
  b.up();
  for (int k = 0; k < N; k++) {
    column<<<1, 32>>>(a.device, k);
    if (int rest = N - 1 - k)
      update<<<dim3((rest + 7) / 8, (rest + 7) / 8), dim3(8, 8)>>>(a.device, k);
  }
  solve<<<1, N>>>(a.device, b.device);
  a.down();
  b.down();
  for (int i = 0; i < N; i++) {
    EXPECT(near(b[i], i + 1, 1e-9));
    for (int j = 0; j <= i; j++)
      EXPECT(near(a[i * N + j], factor[i * N + j], 1e-9));
  }

  const long long below = N * (N - 1) / 2, updates = (N - 1) * N * (N + 1) / 6;
  counts("column", {{"flops.fp64.sqrt", N},
                    {"flops.fp64.div", below},
                    {"bytes.global.load", 8 * (N + below)},
                    {"bytes.global.store", 8 * (N + below)},
                    {"bytes.shared.load", 8 * 32 * N},
                    {"bytes.shared.store", 8 * N}});
  counts("update", {{"flops.fp64.fma", 2 * updates},
                    {"bytes.global.load", 24 * updates},
                    {"bytes.global.store", 8 * updates}});
  counts("solve", {{"flops.fp64.div", N},
                   {"flops.fp64.fma", 2 * below},
                   {"bytes.global.load", 8 * (2 * N + below)},
                   {"bytes.global.store", 8 * N},
                   {"bytes.shared.load", 8 * N * N},
                   {"bytes.shared.store", 8 * N}});
  return finish();
}
