// Launches without counts: of an ignored kernel, in ignored statements, of a module's kernel, of a library's, and of a
// kernel that stops. Argument: "stop" for the last one.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>

static const char module_text[] = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry from_module(.param .u64 out) {
  .reg .b64 address;
  ld.param.u64 address, [out];
  cvta.to.global.u64 address, address;
  st.global.u32 [address], 7;
  ret;
})";

#pragma gpuprof ignore
__global__ void ignored(float *x) { x[threadIdx.x] = 1; }
__global__ void counted(float *x) { x[threadIdx.x] += 2; }

static void launches(float *x) {
#pragma gpuprof region("ignored kernel")
  ignored<<<1, 32>>>(x);
#pragma gpuprof region("both kernels")
  {
    ignored<<<1, 32>>>(x);
    counted<<<1, 32>>>(x);
  }
#pragma gpuprof region("ignored statement")
  {
#pragma gpuprof ignore
    counted<<<1, 32>>>(x);
    counted<<<1, 32>>>(x);
  }
#pragma gpuprof region("refused")
  counted<<<1, 4096>>>(x);
  cudaGetLastError();
}

static void graph(float *x) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  ignored<<<1, 32, 0, stream>>>(x);
  counted<<<1, 32, 0, stream>>>(x);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
#pragma gpuprof region("graph")
  for (int i = 0; i < 2; i++)
    cudaGraphLaunch(executable, stream);
#pragma gpuprof region("ignored graph")
  {
#pragma gpuprof ignore
    cudaGraphLaunch(executable, stream);
  }
  cudaStreamSynchronize(stream);
}

static void of_module(float *x) {
  cudaLibrary_t library;
  cudaKernel_t kernel;
  void *arguments[] = {&x};
  if (cudaLibraryLoadData(&library, module_text, nullptr, nullptr, 0, nullptr, nullptr, 0) ||
      cudaLibraryGetKernel(&kernel, library, "from_module")) {
    cudaGetLastError();
    return;
  }
#pragma gpuprof region("module")
  cudaLaunchKernel(reinterpret_cast<const void *>(kernel), 1, 1, arguments, 0, nullptr);
#pragma gpuprof region("ignored module")
  {
#pragma gpuprof ignore
    cudaLaunchKernel(reinterpret_cast<const void *>(kernel), 1, 1, arguments, 0, nullptr);
  }
}

static void of_library(float *x, const char *path) {
  void *library = dlopen(path, RTLD_NOW), *handle = nullptr;
  if (!library)
    return;
  auto create = reinterpret_cast<int (*)(void **)>(dlsym(library, "cublasCreate_v2"));
  auto add = reinterpret_cast<int (*)(void *, int, const float *, const float *, int, float *, int)>(
      dlsym(library, "cublasSaxpy_v2"));
  const float one = 1;
  if (!create || !add || create(&handle))
    return;
#pragma gpuprof region("library")
  add(handle, 64, &one, x, 1, x + 64, 1);
#pragma gpuprof region("library and kernel")
  {
    add(handle, 64, &one, x, 1, x + 64, 1);
    counted<<<1, 32>>>(x);
  }
#pragma gpuprof region("ignored library")
  {
#pragma gpuprof ignore
    add(handle, 64, &one, x, 1, x + 64, 1);
  }
}

int main(int count, char **arguments) {
  float *x;
  cudaMalloc(&x, 1024);
  cudaMemset(x, 0, 1024);
  if (count > 1 && !std::strcmp(arguments[1], "stop")) {
#pragma gpuprof region("before")
    counted<<<1, 32>>>(x);
    cudaDeviceSynchronize();
#pragma gpuprof region("stopped")
    counted<<<1, 32>>>(reinterpret_cast<float *>(16));
  } else {
    launches(x);
    graph(x);
    of_module(x);
    if (count > 1)
      of_library(x, arguments[1]);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
