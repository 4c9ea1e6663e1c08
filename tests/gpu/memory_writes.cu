// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of a kernel with a light clone around each way of writing what the clone reads. Each way is a region of its own; prints
// its name and the operations that it must have. A clone that is not run again after a write gives another number.
#include <cuda.h>
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "gpuprof.h"

#define OK(call) check((int)(call), __LINE__)
static void check(int error, int line) {
  if (!error)
    return;
  fprintf(stderr, "memory_writes: line %d: error %d\n", line, error);
  exit(1);
}

static const int rows = 4096, block = 128, pitch = 64;
static const size_t bytes = rows * sizeof(int);

// One operation for each number of a row.
__global__ void add_rows(const int *__restrict__ lengths, float *__restrict__ out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int k = 0; k < lengths[row]; k++)
    sum += out[row * 32 + k % 32];
  out[row * 32] = sum;
}

__global__ void fill(int *lengths, int value) { lengths[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void fill_behind(int *const *lengths, int value) { (*lengths)[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void raise(int *lengths) { atomicAdd(&lengths[blockIdx.x * blockDim.x + threadIdx.x], 1); }
struct Arrays {
  int count;
  int *lengths;
};
__global__ void fill_in_structure(Arrays arrays, int value) { arrays.lengths[blockIdx.x * blockDim.x + threadIdx.x] = value; }

static int *lengths, *other, **behind, *managed;
static float *out;
static cudaStream_t stream, second;
static unsigned long long expected;

static void add(const int *from, unsigned long long length, int launches = 4) {
  for (int i = 0; i < launches; i++)
    add_rows<<<rows / block, block, 0, stream>>>(from, out, rows);
  expected += (unsigned long long)rows * length * launches;
}

static std::vector<int> all(int value) { return std::vector<int>(rows, value); }

static void set(int value) { OK(cudaMemcpy(lengths, all(value).data(), bytes, cudaMemcpyHostToDevice)); }

// Launches with rows of 3 numbers, then of 5.
static void way(const char *name, const std::function<void()> &write, int length = 5) {
  set(3);
  const uint32_t token = gpuprof_region_begin(name);
  expected = 0;
  add(lengths, 3);
  write();
  add(lengths, length);
  OK(cudaStreamSynchronize(stream));
  gpuprof_region_end(token);
  printf("%s\t%llu\n", name, expected);
}

static void in_order(const std::function<void(cudaStream_t)> &write) { write(stream); }

static void on_second() {
  cudaEvent_t event;
  OK(cudaEventCreate(&event));
  OK(cudaEventRecord(event, stream));
  OK(cudaStreamWaitEvent(second, event, 0));
  fill<<<rows / block, block, 0, second>>>(lengths, 5);
  OK(cudaEventRecord(event, second));
  OK(cudaStreamWaitEvent(stream, event, 0));
  OK(cudaEventDestroy(event));
}

static const char *const ptx = ".version 7.0\n.target sm_50\n.address_size 64\n"
                               ".visible .entry loaded(.param .u64 p)\n{\n.reg .u64 %a<4>;\n.reg .u32 %r<5>;\n"
                               "ld.param.u64 %a1, [p];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
                               "mad.lo.u32 %r4, %r1, %r2, %r3;\nmul.wide.u32 %a2, %r4, 4;\nadd.u64 %a3, %a1, %a2;\n"
                               "mov.u32 %r1, 5;\nst.global.u32 [%a3], %r1;\nret;\n}\n";

static void by_loaded_module() {
  CUmodule module;
  CUfunction function;
  void *arguments[] = {&lengths};
  OK(cuModuleLoadData(&module, ptx));
  OK(cuModuleGetFunction(&function, module, "loaded"));
  OK(cuLaunchKernel(function, rows / block, 1, 1, block, 1, 1, 0, stream, arguments, nullptr));
}

static void by_graph(bool with_kernel) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  if (with_kernel)
    fill<<<rows / block, block, 0, stream>>>(lengths, 5);
  else
    OK(cudaMemcpyAsync(lengths, other, bytes, cudaMemcpyDeviceToDevice, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
}

// The next allocation of the size lies at the same place.
static void by_another_allocation() {
  OK(cudaStreamSynchronize(stream));
  OK(cudaFree(lengths));
  OK(cudaMalloc(&lengths, bytes));
  OK(cudaMemcpyAsync(lengths, other, bytes, cudaMemcpyDeviceToDevice, stream));
}

// A larger allocation begins at the same place; it is written behind the end of the first.
static void by_larger_allocation() {
  OK(cudaStreamSynchronize(stream));
  OK(cudaFree(lengths));
  OK(cudaMalloc(&lengths, 64 << 20));
  set(5);
  add(lengths, 5);
  fill<<<rows / block, block, 0, stream>>>(lengths + rows, 7);
  add(lengths + rows, 7);
  fill<<<rows / block, block, 0, stream>>>(lengths + rows, 2);
  add(lengths + rows, 2);
}

static void by_host_memory() {
  for (int value : {4, 6}) {
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < rows; i++)
      managed[i] = value;
    add(managed, value);
  }
  set(5);
}

static void by_2d() { OK(cudaMemcpy2DAsync(lengths, pitch * 4, other, pitch * 4, pitch * 4, rows / pitch, cudaMemcpyDeviceToDevice, stream)); }

static void by_3d() {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(other, pitch * 4, pitch * 4, rows / pitch);
  copy.dstPtr = make_cudaPitchedPtr(lengths, pitch * 4, pitch * 4, rows / pitch);
  copy.extent = make_cudaExtent(pitch * 4, rows / pitch, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  OK(cudaMemcpy3DAsync(&copy, stream));
}

static void by_peer() {
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpyPeerAsync(lengths, 0, other, 0, bytes, stream));
}

static void wait_for(void *flag) {
  while (!((std::atomic<int> *)flag)->load())
    ;
}

// A kernel submitted before some of the launches runs behind them.
static void behind_the_host() {
  static std::atomic<int> may_go;
  may_go = 0;
  OK(cudaStreamSynchronize(stream));
  OK(cudaLaunchHostFunc(second, wait_for, &may_go));
  fill<<<rows / block, block, 0, second>>>(lengths, 5);
  add(lengths, 3);
  OK(cudaStreamSynchronize(stream));
  may_go = 1;
  OK(cudaStreamSynchronize(second));
}

int main() {
  OK(cudaMalloc(&lengths, bytes));
  OK(cudaMalloc(&other, bytes));
  OK(cudaMalloc(&behind, sizeof *behind));
  OK(cudaMalloc(&out, rows * 32 * sizeof(float)));
  OK(cudaMallocManaged(&managed, bytes));
  OK(cudaMemset(out, 0, rows * 32 * sizeof(float)));
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  OK(cudaMemcpy(other, all(5).data(), bytes, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(behind, &lengths, sizeof lengths, cudaMemcpyHostToDevice));

  way("nothing", [] {}, 3);
  way("another array", [] { add(other, 5); }, 3);
  way("a kernel elsewhere", [] { fill<<<rows / block, block, 0, stream>>>((int *)out, 0); }, 3);
  way("cudaMemcpy", [] { OK(cudaStreamSynchronize(stream)); set(5); });
  way("cudaMemcpyAsync", [] { OK(cudaMemcpyAsync(lengths, other, bytes, cudaMemcpyDeviceToDevice, stream)); });
  way("cudaMemcpyAsync, any direction", [] { OK(cudaMemcpyAsync(lengths, other, bytes, cudaMemcpyDefault, stream)); });
  way("cudaMemsetAsync", [] { OK(cudaMemsetAsync(lengths, 0, bytes, stream)); }, 0);
  way("a part of it", [] { OK(cudaMemcpyAsync(lengths + rows / 2, other, bytes / 2, cudaMemcpyDeviceToDevice, stream)); }, 4);
  way("cudaMemcpy2D", by_2d);
  way("cudaMemcpy3D", by_3d);
  way("cudaMemcpyPeer", by_peer);
  way("cuMemsetD32", [] { OK(cuMemsetD32Async((CUdeviceptr)lengths, 5, rows, stream)); });
  way("a kernel", [] { fill<<<rows / block, block, 0, stream>>>(lengths, 5); });
  way("a kernel, structure", [] { fill_in_structure<<<rows / block, block, 0, stream>>>({rows, lengths}, 5); });
  way("a kernel, pointer in memory", [] { fill_behind<<<rows / block, block, 0, stream>>>(behind, 5); });
  way("atomics", [] { raise<<<rows / block, block, 0, stream>>>(lengths); }, 4);
  way("another stream", on_second);
  way("a loaded module", by_loaded_module);
  way("a graph of copies", [] { by_graph(false); });
  way("a graph of kernels", [] { by_graph(true); });
  way("another allocation", by_another_allocation);
  way("memory of the host", by_host_memory);
  way("a larger allocation", by_larger_allocation);
  way("behind the host", behind_the_host);
  return 0;
}
