// Launches with clones reading memory possibly written through arguments, and kernels in graphs and by
// handles, each in a region of its own: prints the required counts as in the report. On a GPU all of them,
// on the CPU device its features. Compile it with count=clone and with count=inkernel: counts are equal.
#include "drain.h"
#include "gpuprof.h"

#include <cstdint>

__global__ void add(float *x, float value, int n) {
  for (int i = 0; i < n; ++i)
    x[threadIdx.x] += value;
}

// It has counters: its control flow depends on memory it writes.
__global__ void halve(int *x) {
  while (x[threadIdx.x] > 1)
    x[threadIdx.x] /= 2;
}

struct Region {
  explicit Region(const char *name) : token(gpuprof_region_begin(name)) {}
  ~Region() {
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    gpuprof_region_end(token);
  }
  uint32_t token;
};

static void pointers() {
  int *both = new_threes(), *managed, *own = (int *)aligned_alloc(4096, 4096), *pinned, *pool;
  {
    Region region("apart");
    drain<<<1, 32>>>(new_threes(), new_threes());
  }
  {
    Region region("the same");
    drain<<<1, 32>>>(both, both);
  }
  {
    Region region("in structures");
    both = new_threes();
    drain_pair<<<1, 32>>>(Pair{both, both});
    drain_pair<<<1, 32>>>(Pair{new_threes(), new_threes()});
  }
  OK(cudaMallocManaged(&managed, 128));
  {
    Region region("managed");
    drain<<<1, 32>>>(threes(managed), new_threes());
    drain<<<1, 32>>>(managed, managed);
  }
  OK(cudaHostRegister(own, 4096, cudaHostRegisterMapped));
  OK(cudaMallocHost(&pinned, 128));
  {
    Region region("of the host");
    drain<<<1, 32>>>(threes(own), new_threes());
    drain<<<1, 32>>>(own, own);
    drain<<<1, 32>>>(threes(pinned), threes(own));
  }
  OK(cudaMallocAsync((void **)&pool, 128, nullptr));
  {
    Region region("of a pool");
    drain<<<1, 32>>>(threes(pool), new_threes());
    drain<<<1, 32>>>(pool, pool);
  }
}

/* A copy, drain of it, its pair and two others, captured; replayed in two regions. */
static void captured() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  int *in = new_threes(), *out = new_threes(), *both = new_threes(), *values = new_threes();
  float *x;
  OK(cudaMalloc(&x, 128));
  OK(cudaMemset(x, 0, 128));
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OK(cudaMemcpyAsync(both, in, 128, cudaMemcpyDeviceToDevice, stream));
  OK(cudaMemcpyAsync(values, in, 128, cudaMemcpyDeviceToDevice, stream));
  drain<<<1, 32, 0, stream>>>(in, out);
  drain<<<1, 32, 0, stream>>>(both, both);
  add<<<1, 32, 0, stream>>>(x, 1.0f, 5);
  halve<<<1, 32, 0, stream>>>(values);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  {
    Region region("graph twice");
    OK(cudaGraphLaunch(executable, stream));
    OK(cudaGraphLaunch(executable, stream));
  }
  {
    Region region("graph once");
    OK(cudaGraphLaunch(executable, stream));
  }
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamDestroy(stream));
}

/* A child graph with a kernel whose clone reads memory; then its node gets other arguments. */
static void built() {
  cudaGraph_t graph, child;
  cudaGraphNode_t node, first;
  cudaGraphExec_t executable;
  int *in = new_threes(), *out = new_threes(), *both = new_threes();
  void *apart[] = {&in, &out}, *same[] = {&both, &both};
  cudaKernelNodeParams parameters = {};
  parameters.func = (void *)drain;
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(32);
  parameters.kernelParams = apart;
  OK(cudaGraphCreate(&child, 0));
  OK(cudaGraphAddKernelNode(&node, child, nullptr, 0, &parameters));
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &parameters));
  OK(cudaGraphAddChildGraphNode(&node, graph, &first, 1, child));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  {
    Region region("child graph");
    OK(cudaGraphLaunch(executable, nullptr));
  }
  parameters.kernelParams = same;
  OK(cudaGraphExecKernelNodeSetParams(executable, first, &parameters));
  {
    Region region("node changed");
    OK(cudaGraphLaunch(executable, nullptr));
  }
  OK(cudaGraphExecDestroy(executable));
}

#if defined(ONLY_ON_GPU)
#include <cuda.h>

__global__ void set_condition(cudaGraphConditionalHandle handle, int *left) {
  cudaGraphSetConditional(handle, --*left > 0);
}

/* A body run three times. */
static void conditional() {
  cudaGraph_t graph;
  cudaGraphNode_t node, inner;
  cudaGraphExec_t executable;
  cudaGraphConditionalHandle handle;
  int *in = new_threes(), *out = new_threes(), *left = new_threes();
  void *arguments[] = {&in, &out}, *others[] = {&handle, &left};
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams loop = {};
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
  cudaKernelNodeParams parameters = {};
  parameters.func = (void *)drain;
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(32);
  parameters.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&inner, loop.conditional.phGraph_out[0], nullptr, 0, &parameters));
  parameters.func = (void *)set_condition;
  parameters.blockDim = dim3(1);
  parameters.kernelParams = others;
  cudaGraphNode_t last;
  OK(cudaGraphAddKernelNode(&last, loop.conditional.phGraph_out[0], &inner, 1, &parameters));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  Region region("loop of a graph");
  OK(cudaGraphLaunch(executable, nullptr));
}

static void handles() {
  cudaFunction_t function;
  cudaKernel_t kernel;
  void *launch = nullptr, *configured = nullptr;
  cudaDriverEntryPointQueryResult found;
  int *in = new_threes(), *out = new_threes(), *both = new_threes(), n = 4;
  float *x, value = 1.0f;
  OK(cudaMalloc(&x, 128));
  void *apart[] = {&in, &out}, *same[] = {&both, &both}, *added[] = {&x, &value, &n};
  OK(cudaGetFuncBySymbol(&function, (const void *)drain));
  OK(cudaGetKernel(&kernel, (const void *)add));
  OK(cudaGetDriverEntryPointByVersion("cuLaunchKernel", &launch, 12000, cudaEnableDefault, &found));
  OK(cudaGetDriverEntryPointByVersion("cuLaunchKernelEx", &configured, 12000, cudaEnableDefault, &found));
  Region region("handles");
  auto by_driver = (decltype(&cuLaunchKernel))launch;
  EXPECT(!by_driver((CUfunction)function, 1, 1, 1, 32, 1, 1, 0, nullptr, apart, nullptr));
  EXPECT(!by_driver((CUfunction)function, 1, 1, 1, 32, 1, 1, 0, nullptr, same, nullptr));
  OK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), added, 0, nullptr));
  struct {
    float *x;
    float value;
    int n;
  } block = {x, 2.0f, 3};
  size_t bytes = sizeof block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  OK(cudaGetFuncBySymbol(&function, (const void *)add));
  CUlaunchConfig one = {};
  one.gridDimX = one.gridDimY = one.gridDimZ = 1;
  one.blockDimX = 32;
  one.blockDimY = one.blockDimZ = 1;
  EXPECT(!((decltype(&cuLaunchKernelEx))configured)(&one, (CUfunction)function, nullptr, extra));
}
#endif

int main() {
  pointers();
  captured();
  built();
#if defined(ONLY_ON_GPU)
  conditional();
  handles();
#endif
  return finish();
}
