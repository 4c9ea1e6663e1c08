// Memory of every kind: allocated, attached, pinned, registered, pitched, managed, set, copied, and freed.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"
#include "lanes.h"

// cudaStreamAttachMemAsync takes managed memory as a whole, and a stream
// of the program's for memory used by it alone: results of an H200.
namespace memory_attached {
extern "C" cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags);
enum { GLOBAL = 1, SINGLE = 4 };

static void check() {
  cudaStream_t stream;
  void *managed, *device;
  int host;
  OK(cudaStreamCreate(&stream));
  OK(cudaMallocManaged(&managed, 4096));
  OK(cudaMalloc(&device, 4096));
  OK(cudaStreamAttachMemAsync(stream, managed, 0, SINGLE));
  OK(cudaStreamAttachMemAsync(stream, managed, 4096, GLOBAL));
  EXPECT(cudaStreamAttachMemAsync(stream, managed, 100, SINGLE) == cudaErrorInvalidValue);
  EXPECT(cudaStreamAttachMemAsync(stream, device, 0, SINGLE) == cudaErrorInvalidValue);
  EXPECT(cudaStreamAttachMemAsync(stream, &host, 0, SINGLE) == cudaErrorInvalidValue);
  EXPECT(cudaStreamAttachMemAsync(stream, managed, 0, 9) == cudaErrorInvalidValue);
  EXPECT(cudaStreamAttachMemAsync(0, managed, 0, SINGLE) == cudaErrorInvalidValue);
}
} // namespace memory_attached

// Copies in all directions; cudaMemcpyDefault finds its own by the pointers.
namespace memory_copies {
static void check() {
  Values<int, 4> a, b;
  int host[4] = {1, 2, 3, 4}, back[4] = {};
  OK(cudaMemcpy(a.device, host, sizeof host, cudaMemcpyDefault));
  OK(cudaMemcpy(b.device, a.device, sizeof host, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(back, b.device, sizeof host, cudaMemcpyDefault));
  EXPECT(!memcmp(host, back, sizeof host));
  OK(cudaMemcpy(back, host + 2, 2 * sizeof(int), cudaMemcpyHostToHost));
  EXPECT(back[0] == 3 && back[1] == 4);
  OK(cudaMemcpy(back, host, 0, cudaMemcpyHostToHost));
  EXPECT(cudaMemcpy(back, host, 4, (cudaMemcpyKind)77) == cudaErrorInvalidMemcpyDirection);
}
} // namespace memory_copies

// Freeing null is no error; freeing unallocated memory, or twice, is cudaErrorInvalidValue.
namespace memory_freed_wrongly {
static void check() {
  int *p, local = 0;
  OK(cudaFree(nullptr));
  OK(cudaMalloc(&p, 64));
  OK(cudaFree(p));
  EXPECT(cudaFree(p) == cudaErrorInvalidValue);
  EXPECT(cudaFree(&local) == cudaErrorInvalidValue);
}
} // namespace memory_freed_wrongly

// Managed memory is read and written by both sides.
namespace memory_managed {
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

static void check() {
  int *p;
  OK(cudaMallocManaged(&p, 64 * sizeof(int)));
  for (int i = 0; i < 64; i++)
    p[i] = i;
  twice<<<1, 64>>>(p);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; i++)
    EXPECT(p[i] == 2 * i);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, p));
  EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == p &&
         attributes.hostPointer == p);
  OK(cudaFree(p));
}
} // namespace memory_managed

// Kernels see pinned host memory under its device address.
namespace memory_pinned {
__global__ void fill(int *p) { p[threadIdx.x] = 3 * threadIdx.x; }

static void check() {
  int *host, *mapped;
  OK(cudaHostAlloc(&host, 32 * sizeof(int), cudaHostAllocMapped));
  OK(cudaHostGetDevicePointer(&mapped, host, 0));
  fill<<<1, 32>>>(mapped);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; i++)
    EXPECT(host[i] == 3 * i);
  OK(cudaFreeHost(host));
}
} // namespace memory_pinned

// cudaMallocPitch, 2D copies to and from it, and a 2D memset of a part.
namespace memory_pitched {
__global__ void transpose(const char *in, size_t pitch, int *out, int width, int height) {
  int x = threadIdx.x, y = threadIdx.y;
  out[x * height + y] = ((const int *)(in + y * pitch))[x];
}

static void check() {
  enum { W = 7, H = 5 };
  int host[H][W], back[H][W];
  Values<int, W * H> out;
  char *p;
  size_t pitch;
  for (int i = 0; i < W * H; i++)
    host[i / W][i % W] = i;
  OK(cudaMallocPitch(&p, &pitch, W * sizeof(int), H));
  EXPECT(pitch >= W * sizeof(int) && pitch % 32 == 0);
  OK(cudaMemcpy2D(p, pitch, host, sizeof host[0], W * sizeof(int), H, cudaMemcpyHostToDevice));
  transpose<<<1, dim3(W, H)>>>(p, pitch, out.device, W, H);
  out.read();
  for (int i = 0; i < W * H; i++)
    EXPECT(out.host[i % W * H + i / W] == i);
  OK(cudaMemset2D(p + pitch, pitch, 0xff, 2 * sizeof(int), 3));
  OK(cudaMemcpy2D(back, sizeof back[0], p, pitch, W * sizeof(int), H, cudaMemcpyDeviceToHost));
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      EXPECT(back[y][x] == (y >= 1 && y < 4 && x < 2 ? -1 : host[y][x]));
  EXPECT(cudaMemcpy2D(back, 4, p, pitch, W * sizeof(int), H, cudaMemcpyDeviceToHost) ==
         cudaErrorInvalidPitchValue);
  EXPECT(cudaMemcpy2D(back, 4, p, pitch, W * sizeof(int), 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
}
} // namespace memory_pitched

// Kernels can use registered memory of the program.
namespace memory_registered {
__global__ void fill(int *p) { p[threadIdx.x] = 5 * threadIdx.x; }

static void check() {
  static int host[1024];
  int *mapped;
  OK(cudaHostRegister(host, sizeof host, cudaHostRegisterMapped));
  EXPECT(cudaHostRegister(nullptr, 4, cudaHostRegisterMapped) == cudaErrorInvalidValue);
  OK(cudaHostGetDevicePointer(&mapped, host, 0));
  fill<<<1, 32>>>(mapped);
  OK(cudaDeviceSynchronize());
  EXPECT(host[31] == 155);
  OK(cudaHostUnregister(host));
}
} // namespace memory_registered

// cudaMemset sets bytes, of a part too, and leaves the rest.
namespace memory_set {
static void check() {
  Values<unsigned, 8> p;
  for (unsigned &v : p.host)
    v = 7;
  p.write();
  OK(cudaMemset(p.device + 2, 0xab, 3 * sizeof(unsigned)));
  p.read();
  for (int i = 0; i < 8; i++)
    EXPECT(p.host[i] == (i >= 2 && i < 5 ? 0xababababu : 7));
}
} // namespace memory_set

// Copies to and from symbols in a stream, at an offset.
namespace symbol_copies_asynchronous {
__device__ int numbers[4];
__global__ void twice() { numbers[threadIdx.x] *= 2; }

static void check() {
  cudaStream_t stream;
  int in[2] = {5, 6}, out[4] = {};
  OK(cudaStreamCreate(&stream));
  OK(cudaMemcpyToSymbolAsync(numbers, in, sizeof in, sizeof(int), cudaMemcpyHostToDevice, stream));
  twice<<<1, 4, 0, stream>>>();
  OK(cudaMemcpyFromSymbolAsync(out, numbers, sizeof out, 0, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(out[0] == 0 && out[1] == 10 && out[2] == 12 && out[3] == 0);
  EXPECT(cudaMemcpyToSymbol(numbers, in, sizeof in, 3 * sizeof(int)) == cudaErrorInvalidValue);
}
} // namespace symbol_copies_asynchronous

// __constant__ variables: initial values, and values copied there by the host, at an offset, too.
namespace constant_memory {
struct Pair {
  int a;
  float b;
};
__constant__ int table[4] = {1, 2, 3, 4};
__constant__ Pair pair;
__global__ void read(int *out) { out[threadIdx.x] = table[threadIdx.x] * 100 + pair.a + (int)pair.b; }

static void check() {
  Values<int, 4> out;
  const Pair p = {7, 10.5f};
  const int last[2] = {30, 40};
  OK(cudaMemcpyToSymbol(pair, &p, sizeof p));
  read<<<1, 4>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 117 && out.host[3] == 417);
  OK(cudaMemcpyToSymbol(table, last, sizeof last, 2 * sizeof(int)));
  read<<<1, 4>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 117 && out.host[1] == 217 && out.host[2] == 3017 && out.host[3] == 4017);
}
} // namespace constant_memory

// malloc and free by each thread, and memory handed to another kernel.
namespace allocation_in_kernels {
__global__ void make(int **lists) {
  int t = threadIdx.x;
  int *own = (int *)malloc((t + 1) * sizeof(int));
  for (int i = 0; i <= t; i++)
    own[i] = i * t;
  lists[t] = own;
}
__global__ void use(int **lists, int *out) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i <= t; i++)
    sum += lists[t][i];
  out[t] = sum;
  free(lists[t]);
}

static void check() {
  Values<int *, 32> lists;
  Values<int, 32> out;
  make<<<1, 32>>>(lists.device);
  use<<<1, 32>>>(lists.device, out.device);
  out.read();
  for (int t = 0; t < 32; t++)
    EXPECT(out.host[t] == t * t * (t + 1) / 2);
}
} // namespace allocation_in_kernels

// Objects with virtual functions, made by new in one kernel, used and deleted in another.
namespace objects_kept_between_kernels {
struct Base {
  __device__ virtual ~Base() {}
  __device__ virtual int value() = 0;
};
template <int N> struct Derived : Base {
  int *deleted;
  __device__ explicit Derived(int *deleted) : deleted(deleted) {}
  __device__ ~Derived() override { atomicAdd(deleted, N); }
  __device__ int value() override { return N; }
};
__global__ void make(Base **objects, int *deleted) {
  objects[0] = new Derived<3>(deleted);
  objects[1] = new Derived<40>(deleted);
}
__global__ void use(Base **objects, int *out) {
  out[threadIdx.x] = objects[threadIdx.x]->value();
  delete objects[threadIdx.x];
}

static void check() {
  Values<Base *, 2> objects;
  Values<int, 2> out;
  Values<int, 1> deleted;
  make<<<1, 1>>>(objects.device, deleted.device);
  use<<<1, 2>>>(objects.device, out.device);
  out.read(), deleted.read();
  EXPECT(out.host[0] == 3 && out.host[1] == 40 && deleted.host[0] == 43);
}
} // namespace objects_kept_between_kernels

int main() {
  behaviour(memory_attached::check);
  behaviour(memory_copies::check);
  behaviour(memory_freed_wrongly::check);
  behaviour(memory_managed::check);
  behaviour(memory_pinned::check);
  behaviour(memory_pitched::check);
  behaviour(memory_registered::check);
  behaviour(memory_set::check);
  behaviour(symbol_copies_asynchronous::check);
  behaviour(constant_memory::check);
  behaviour(allocation_in_kernels::check);
  behaviour(objects_kept_between_kernels::check);
  return finish();
}
