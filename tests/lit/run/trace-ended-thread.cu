// A thread that ends within regions: they end with it, in the trace, too. The first launch of the
// program comes before its first region, and is none itself.
// RUN: %clangxx -fplugin=%plugin %minicuda -pthread -I%source/include -O1 %s -o %t %link
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_TRACE=%t.trace GPUPROF_OUTPUT=%t.json %t
// RUN: %FileCheck %s < %t.trace
// RUN: ! grep '"cat":"user_annotation","name":"nothing' %t.trace
// CHECK-DAG: "cat":"user_annotation","name":"outer"
// CHECK-DAG: "cat":"user_annotation","name":"inner"
#include <gpuprof.h>
#include <pthread.h>

__global__ void nothing() {}

static void *work(void *) {
  gpuprof_region_begin("outer");
  gpuprof_region_begin("inner");
  nothing<<<1, 1>>>();
  return nullptr;
}

int main() {
  nothing<<<1, 1>>>();
  pthread_t thread;
  if (pthread_create(&thread, nullptr, work, nullptr))
    return 1;
  pthread_join(thread, nullptr);
  return 0;
}
