// Kernels and functions as C++ has them: templates, overloads, lambdas, recursion, pointers, virtual functions, unions,
// jumps.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"
#include "lanes.h"

// cudaFuncGetAttributes tells static shared memory and launch bounds.
namespace function_attributes {
__global__ void __launch_bounds__(192) shared(int *p) {
  __shared__ int s[300];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[191 - threadIdx.x];
}
__global__ void plain() {}

static void check() {
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, shared));
  EXPECT(attributes.sharedSizeBytes == 1200 && attributes.maxThreadsPerBlock == 192);
  OK(cudaFuncGetAttributes(&attributes, plain));
  EXPECT(attributes.sharedSizeBytes == 0 && attributes.maxThreadsPerBlock == 1024);
}
} // namespace function_attributes

// The address of a device function, fetched by the host from a device variable, is passed to a kernel.
namespace function_pointer_from_host {
typedef float (*Function)(float);
static __device__ float square(float x) { return x * x; }
static __device__ float half_of(float x) { return x / 2; }
__device__ Function squared = square, halved = half_of;
__global__ void apply(Function f, float *out) { out[threadIdx.x] = f(threadIdx.x); }

static void check() {
  Values<float, 16> a, b;
  Function f, g;
  OK(cudaMemcpyFromSymbol(&f, squared, sizeof f));
  OK(cudaMemcpyFromSymbol(&g, halved, sizeof g));
  apply<<<1, 16>>>(f, a.device);
  apply<<<1, 16>>>(g, b.device);
  a.read(), b.read();
  for (int i = 0; i < 16; i++)
    EXPECT(a.host[i] == i * i && b.host[i] == i / 2.0f);
}
} // namespace function_pointer_from_host

// Device functions called by pointers out of a table in constant memory.
namespace function_pointers {
typedef int (*Operation)(int, int);
static __device__ int sum(int a, int b) { return a + b; }
static __device__ int product(int a, int b) { return a * b; }
static __device__ int difference(int a, int b) { return a - b; }
__constant__ Operation table[] = {sum, product, difference};
__global__ void run(int *out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x, 7); }

static void check() {
  Values<int, 33> out;
  run<<<1, 33>>>(out.device);
  out.read();
  for (int i = 0; i < 33; i++)
    EXPECT(out.host[i] == (i % 3 == 0 ? i + 7 : i % 3 == 1 ? i * 7 : i - 7));
}
} // namespace function_pointers

// A recursive device function, of a depth within a thread's stack.
namespace recursion {
static __device__ __noinline__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void run(int *out) { out[threadIdx.x] = ackermann(2, threadIdx.x); }

static void check() {
  Values<int, 8> out;
  run<<<1, 8>>>(out.device);
  out.read();
  for (int i = 0; i < 8; i++)
    EXPECT(out.host[i] == 2 * i + 3);
}
} // namespace recursion

// Objects made in a kernel call their classes' functions.
namespace virtual_functions {
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float radius) : radius(radius) {}
  __device__ float area() const override { return 3 * radius * radius; }
};
static __device__ __noinline__ float measure(const Shape &s) { return s.area() + 1000 * s.corners(); }
__global__ void run(float *out) {
  Square square(threadIdx.x);
  Circle circle(threadIdx.x);
  out[threadIdx.x] = threadIdx.x % 2 ? measure(square) : measure(circle);
}

static void check() {
  Values<float, 16> out;
  run<<<1, 16>>>(out.device);
  out.read();
  for (int i = 0; i < 16; i++)
    EXPECT(out.host[i] == (i % 2 ? i * i + 4000 : 3 * i * i));
}
} // namespace virtual_functions

// Lambdas of the host, with captures, run in kernels; and a lambda made inside a kernel.
namespace lambdas {
template <class F> __global__ void each(int n, F f) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    f(t);
}
__global__ void inside(int *out) {
  auto square = [](int v) { return v * v; };
  int factor = 2;
  auto scaled = [&factor](int v) { return v * factor; };
  out[threadIdx.x] = scaled(square(threadIdx.x));
}

static void check() {
  Values<int, 50> a, b;
  int *p = a.device, add = 11;
  each<<<2, 32>>>(50, [=] __device__(int t) { p[t] = t + add; });
  inside<<<1, 50>>>(b.device);
  a.read(), b.read();
  for (int i = 0; i < 50; i++)
    EXPECT(a.host[i] == i + 11 && b.host[i] == 2 * i * i);
}
} // namespace lambdas

// Kernels from templates by type, by value, by function object and by pack.
namespace templates {
template <class T, int N> __global__ void scale(T *p) { p[threadIdx.x] *= N; }
template <class F, class T> __global__ void apply(F f, T *p) { p[threadIdx.x] = f(p[threadIdx.x]); }
template <class... Ts> __global__ void total(double *out, Ts... values) { *out = (0.0 + ... + values); }
struct Increase {
  int by;
  __host__ __device__ int operator()(int v) const { return v + by; }
};

static void check() {
  Values<int, 4> p;
  Values<double, 1> out;
  for (int i = 0; i < 4; i++)
    p.host[i] = i;
  p.write();
  scale<int, 3><<<1, 4>>>(p.device);
  apply<<<1, 4>>>(Increase{5}, p.device);
  total<<<1, 1>>>(out.device, 1, 2.5f, 3.25, 'A');
  p.read(), out.read();
  for (int i = 0; i < 4; i++)
    EXPECT(p.host[i] == 3 * i + 5);
  EXPECT(out.host[0] == 71.75);
}
} // namespace templates

// Kernels of equal names in different namespaces, one without a name.
namespace kernels_in_namespaces {
namespace a {
__global__ void run(int *p) { *p = 1; }
} // namespace a
namespace b {
__global__ void run(int *p) { *p = 2; }
} // namespace b
namespace {
__global__ void run(int *p) { *p = 3; }
} // namespace

static void check() {
  Values<int, 3> out;
  a::run<<<1, 1>>>(out.device);
  b::run<<<1, 1>>>(out.device + 1);
  run<<<1, 1>>>(out.device + 2);
  out.read();
  EXPECT(out.host[0] == 1 && out.host[1] == 2 && out.host[2] == 3);
}
} // namespace kernels_in_namespaces

// Kernels differing in their parameters only.
namespace kernels_overloaded {
__global__ void set(int *p, int v) { *p = v; }
__global__ void set(float *p, float v) { *p = v; }
__global__ void set(int *p, int v, int w) { *p = v * w; }

static void check() {
  Values<int, 2> i;
  Values<float, 1> f;
  set<<<1, 1>>>(i.device, 4);
  set<<<1, 1>>>(f.device, 0.5f);
  set<<<1, 1>>>(i.device + 1, 4, 5);
  i.read(), f.read();
  EXPECT(i.host[0] == 4 && f.host[0] == 0.5f && i.host[1] == 20);
}
} // namespace kernels_overloaded

// <<<>>> inside a function template and a member of a class template.
namespace launches_from_templates {
template <int N> __global__ void fill(int *p) { p[threadIdx.x] = N; }
template <int N> void launch(int *p, int threads) {
  if (threads > 0)
    fill<N><<<1, threads>>>(p);
}
template <int N> struct Layer {
  void forward(int *p) { fill<N + 1><<<dim3(1), dim3(4)>>>(p); }
};

static void check() {
  Values<int, 4> a, b;
  launch<6>(a.device, 4);
  Layer<8>().forward(b.device);
  a.read(), b.read();
  for (int i = 0; i < 4; i++)
    EXPECT(a.host[i] == 6 && b.host[i] == 9);
}
} // namespace launches_from_templates

// cudaLaunchKernel with an array of arguments.
namespace launch_by_pointer {
__global__ void set(int *p, char c, double d) { p[blockIdx.x] = c + (int)d; }

static void check() {
  Values<int, 3> p;
  char c = 5;
  double d = 37.5;
  void *arguments[] = {&p.device, &c, &d};
  OK(cudaLaunchKernel(set, dim3(3), dim3(1), arguments, 0, 0));
  p.read();
  EXPECT(p.host[0] == 42 && p.host[2] == 42);
}
} // namespace launch_by_pointer

// cudaLaunchKernelEx and cudaLaunchKernelExC with dynamic shared memory.
namespace launch_with_configuration {
__global__ void reverse(int *p, int n) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[n - 1 - threadIdx.x];
}

static void check() {
  Values<int, 40> a, b;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(1), configuration.blockDim = dim3(40),
  configuration.dynamicSmemBytes = 40 * sizeof(int);
  OK(cudaLaunchKernelEx(&configuration, reverse, a.device, 40));
  int n = 40;
  void *arguments[] = {&b.device, &n};
  OK(cudaLaunchKernelExC(&configuration, (const void *)reverse, arguments));
  a.read(), b.read();
  for (int i = 0; i < 40; i++)
    EXPECT(a.host[i] == 39 - i && b.host[i] == 39 - i);
}
} // namespace launch_with_configuration

// Structures of odd sizes and alignments as kernel arguments, beside each other.
namespace structures_as_arguments {
struct Three {
  char c[3];
};
struct alignas(16) Wide {
  float x, y;
};
struct Large {
  int v[100];
};
__global__ void read(Three three, Wide wide, bool b, Large large, short s, int *out) {
  out[0] = three.c[2], out[1] = (int)(wide.x + wide.y), out[2] = b, out[3] = large.v[99], out[4] = s;
}

static void check() {
  Values<int, 5> out;
  Large large = {};
  large.v[99] = 77;
  read<<<1, 1>>>({{1, 2, 3}}, {1.5f, 2.5f}, true, large, -5, out.device);
  out.read();
  EXPECT(out.host[0] == 3 && out.host[1] == 4 && out.host[2] == 1 && out.host[3] == 77 && out.host[4] == -5);
}
} // namespace structures_as_arguments

// A union read as another type, and one inside a structure passed by value.
namespace unions {
struct Value {
  int kind;
  union {
    float f;
    unsigned bits;
    unsigned char bytes[4];
  };
};
__global__ void read(Value v, unsigned *out) {
  v.f += 1.0f;
  out[0] = v.bits;
  out[1] = v.bytes[3];
  out[2] = v.kind;
}

static void check() {
  Values<unsigned, 3> out;
  Value v;
  v.kind = 9, v.f = 1.0f;
  read<<<1, 1>>>(v, out.device);
  out.read();
  EXPECT(out.host[0] == 0x40000000u && out.host[1] == 0x40 && out.host[2] == 9);
}
} // namespace unions

// Control flow without a tree: a switch with fall-through, and goto into a loop.
namespace switch_and_goto {
__global__ void run(int *out) {
  int t = threadIdx.x, v = 0;
  switch (t % 5) {
  case 0:
    v += 1;
  case 1:
    v += 10;
    break;
  case 3:
    v += 100;
  default:
    v += 1000;
  }
  if (t % 2)
    goto middle;
top:
  v += 3;
middle:
  v += 5;
  if (v < 40)
    goto top;
  out[t] = v;
}
static int expected(int t) {
  int v = t % 5 == 0 ? 11 : t % 5 == 1 ? 10 : t % 5 == 3 ? 1100 : 1000;
  for (bool skip = t % 2;; skip = false) {
    v += skip ? 5 : 8;
    if (v >= 40)
      return v;
  }
}

static void check() {
  Values<int, 40> out;
  run<<<1, 40>>>(out.device);
  out.read();
  for (int i = 0; i < 40; i++)
    EXPECT(out.host[i] == expected(i));
}
} // namespace switch_and_goto

// Threads build a list by exchanging its head, and one thread walks it.
namespace linked_list {
struct Node {
  int value;
  Node *next;
};
__global__ void push(Node *nodes, Node **head) {
  Node *own = &nodes[threadIdx.x];
  own->value = threadIdx.x;
  own->next = (Node *)atomicExch((unsigned long long *)head, (unsigned long long)own);
}
__global__ void walk(Node **head, int *out) {
  for (Node *n = *head; n; n = n->next)
    out[0]++, out[1] += n->value;
}

static void check() {
  Values<Node, 100> nodes;
  Values<Node *, 1> head;
  Values<int, 2> out;
  push<<<1, 100>>>(nodes.device, head.device);
  walk<<<1, 1>>>(head.device, out.device);
  out.read();
  EXPECT(out.host[0] == 100 && out.host[1] == 4950);
}
} // namespace linked_list

// threadIdx, blockIdx, blockDim and gridDim in three dimensions, and warpSize.
namespace built_in_variables {
__global__ void number(int *out) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int t = block * blockDim.x * blockDim.y * blockDim.z + thread;
  out[t] = t + 1 + (warpSize - 32);
}

static void check() {
  Values<int, 2 * 3 * 2 * 5 * 2 * 3> out;
  number<<<dim3(2, 3, 2), dim3(5, 2, 3)>>>(out.device);
  out.read();
  for (int i = 0; i < 360; i++)
    EXPECT(out.host[i] == i + 1);
}
} // namespace built_in_variables

// Grids of more blocks than workers, in each dimension.
namespace large_grids {
__global__ void count(unsigned *n) { atomicAdd(n, 1u); }

static void check() {
  Values<unsigned, 1> n;
  count<<<20000, 1>>>(n.device);
  count<<<dim3(1, 5000, 3), 2>>>(n.device);
  n.read();
  EXPECT(n.host[0] == 50000);
}
} // namespace large_grids

int main() {
  behaviour(function_attributes::check);
  behaviour(function_pointer_from_host::check);
  behaviour(function_pointers::check);
  behaviour(recursion::check);
  behaviour(virtual_functions::check);
  behaviour(lambdas::check);
  behaviour(templates::check);
  behaviour(kernels_in_namespaces::check);
  behaviour(kernels_overloaded::check);
  behaviour(launches_from_templates::check);
  behaviour(launch_by_pointer::check);
  behaviour(launch_with_configuration::check);
  behaviour(structures_as_arguments::check);
  behaviour(unions::check);
  behaviour(switch_and_goto::check);
  behaviour(linked_list::check);
  behaviour(built_in_variables::check);
  behaviour(large_grids::check);
  return finish();
}
