// Variables of the device, and classes and arrays there.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include "run.h"

// A structure with pointers to device memory, passed by value and kept in device memory.
namespace device_arrays_of_structures {
struct Matrix {
  int rows, columns;
  float *data;
  __host__ __device__ float &at(int r, int c) const { return data[r * columns + c]; }
};
__global__ void transpose(Matrix from, const Matrix *to) {
  to->at(threadIdx.x, threadIdx.y) = from.at(threadIdx.y, threadIdx.x);
}

static void check() {
  Values<float, 12> a, b;
  Values<Matrix, 1> to;
  for (int i = 0; i < 12; i++)
    a.host[i] = i;
  a.write();
  to.host[0] = {4, 3, b.device};
  to.write();
  transpose<<<1, dim3(4, 3)>>>({3, 4, a.device}, to.device);
  b.read();
  for (int i = 0; i < 12; i++)
    EXPECT(b.host[i % 4 * 3 + i / 4] == i);
}
} // namespace device_arrays_of_structures

// Classes with constructors, operators and references in device code.
namespace device_classes {
struct Complex {
  float re, im;
  __host__ __device__ Complex(float re = 0, float im = 0) : re(re), im(im) {}
  __host__ __device__ Complex operator*(const Complex &o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __host__ __device__ Complex &operator+=(const Complex &o) {
    re += o.re, im += o.im;
    return *this;
  }
};
__global__ void iterate(float *out) {
  Complex c(0.01f * threadIdx.x, 0.25f), z;
  for (int i = 0; i < 5; i++) {
    z = z * z;
    z += c;
  }
  out[threadIdx.x] = z.re + z.im;
}

static void check() {
  Values<float, 64> out;
  iterate<<<1, 64>>>(out.device);
  out.read();
  for (int t = 0; t < 64; t++) {
    Complex c(0.01f * t, 0.25f), z;
    for (int i = 0; i < 5; i++) {
      z = z * z;
      z += c;
    }
    float difference = out.host[t] - (z.re + z.im);
    EXPECT(difference < 1e-5f && difference > -1e-5f);
  }
}
} // namespace device_classes

// A device variable holding another's address, and one reached by cudaGetSymbolAddress.
namespace device_variable_addresses {
__device__ int values[4] = {5, 6, 7, 8};
__device__ int *cursor = values + 1;
__global__ void read(int *out, const int *direct) {
  out[0] = *cursor, out[1] = cursor[2], out[2] = direct[3], out[3] = direct == values;
}

static void check() {
  Values<int, 4> out;
  void *address = nullptr;
  size_t bytes = 0;
  OK(cudaGetSymbolAddress(&address, values));
  OK(cudaGetSymbolSize(&bytes, values));
  read<<<1, 1>>>(out.device, (const int *)address);
  out.read();
  EXPECT(out.host[0] == 6 && out.host[1] == 8 && out.host[2] == 8 && out.host[3] == 1 && bytes == 16);
}
} // namespace device_variable_addresses

// Kernels' writes into a device variable stay there for later kernels and for the host.
namespace device_variable_kept {
__device__ int total = 10;
__global__ void add(int n) { atomicAdd(&total, n); }

static void check() {
  int host = 0;
  add<<<1, 32>>>(1);
  add<<<2, 32>>>(10);
  OK(cudaMemcpyFromSymbol(&host, total, sizeof host));
  EXPECT(host == 10 + 32 + 640);
  host = -1;
  OK(cudaMemcpyToSymbol(total, &host, sizeof host));
  add<<<1, 1>>>(3);
  OK(cudaMemcpyFromSymbol(&host, total, sizeof host));
  EXPECT(host == 2);
}
} // namespace device_variable_kept

// Device and constant variables of class type, with constant initialisation, and parameters read in place.
namespace device_variables_of_classes {
class Box {
public:
  constexpr __host__ __device__ Box(int side) : side(side) {}
  __device__ int volume() const { return side * side * side; }
  __device__ void grow(int by) { side += by; }

private:
  int side;
};
struct Point {
  float x, y;
};
struct Path {
  Point points[2];
  Box box;
};

__device__ Box box(6);
__constant__ Box unit(1);
__device__ Path path = {{{1, 2}, {3, 4}}, Box(2)};
__device__ Box boxes[3] = {Box(1), Box(2), Box(3)};

// The address of a __grid_constant__ parameter is the parameter's own.
static __device__ __attribute__((noinline)) float second(const Path *p) { return p->points[1].y; }

__global__ void use(const __grid_constant__ Path given, float *out) {
  out[0] = box.volume() + unit.volume();
  out[1] = path.points[1].x + path.box.volume();
  out[2] = boxes[threadIdx.x + 2].volume();
  out[3] = second(&given);
  box.grow(1);
}

static void check() {
  Values<float, 4> out;
  const Path given = {{{5, 6}, {7, 8}}, Box(9)};
  use<<<1, 1>>>(given, out.device);
  out.read();
  EXPECT(out.host[0] == 217 && out.host[1] == 11 && out.host[2] == 27 && out.host[3] == 8);
  use<<<1, 1>>>(given, out.device);
  out.read();
  EXPECT(out.host[0] == 344); // a kernel's write stays
  Box other(3);
  OK(cudaMemcpyToSymbol(box, &other, sizeof other));
  use<<<1, 1>>>(given, out.device);
  out.read();
  EXPECT(out.host[0] == 28);
}
} // namespace device_variables_of_classes

int main() {
  behaviour(device_arrays_of_structures::check);
  behaviour(device_classes::check);
  behaviour(device_variable_addresses::check);
  behaviour(device_variable_kept::check);
  behaviour(device_variables_of_classes::check);
  return finish();
}
