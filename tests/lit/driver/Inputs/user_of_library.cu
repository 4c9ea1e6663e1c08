// Calls the library before any function of CUDA, and launches a kernel all the same.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

extern "C" int cublasCreate_v2(void **handle);
__global__ void work(float *p) { p[threadIdx.x] = 1; }

static int driver_alone() {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  for (const char *name : {"cuStreamWaitValue32", "cuMemPrefetchAsync", "cuGraphInstantiate", "cuLinkCreate_v2"})
    if (!driver || !dlsym(driver, name))
      std::printf("no %s\n", name); // cuFFT gives up there
  auto text = driver ? (int (*)(int, const char **))dlsym(driver, "cuGetErrorString") : nullptr;
  const char *said = nullptr;
  if (text && !text(100, &said))
    std::printf("%s\n", said);
  auto initialize = driver ? (int (*)(unsigned))dlsym(driver, "cuInit") : nullptr;
  return initialize ? initialize(0) : -1;
}

int main(int count, char **arguments) {
  if (count > 1 && !strcmp(arguments[1], "driver")) {
    std::printf("driver: %d\n", driver_alone());
    return 0;
  }
  void *handle = nullptr;
  int first = cublasCreate_v2(&handle), second = cublasCreate_v2(&handle);
  std::printf("library: %d %d\n", first, second);
  if (count > 1)
    return 0;
  float *p;
  cudaMalloc(&p, 32 * sizeof *p);
  work<<<1, 32>>>(p);
  std::printf("kernel: %d\n", cudaDeviceSynchronize());
}
