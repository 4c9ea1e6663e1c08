// Stands in for a library whose code runs on a GPU only: it opens CUDA's driver itself, once, as NVIDIA's libraries do.
#include <dlfcn.h>
#include <pthread.h>

static int status = 1; // CUBLAS_STATUS_NOT_INITIALIZED

static void look(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  int (*initialize)(unsigned) = driver ? (int (*)(unsigned))dlsym(driver, "cuInit") : 0;
  status = initialize ? initialize(0) != 0 : 1;
}

int cublasCreate_v2(void **handle) {
  static pthread_once_t looked = PTHREAD_ONCE_INIT;
  (void)handle;
  pthread_once(&looked, look);
  return status;
}
