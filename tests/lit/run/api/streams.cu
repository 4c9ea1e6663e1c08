// Streams, events and host functions called by streams.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/streams.txt %t.out
#include "table.h"

static cudaError_t answers[5]; // of functions called by a stream, which may not call CUDA
static void called(void *data) {
  void *p;
  int device;
  *(int *)data += 1;
  answers[0] = cudaMalloc(&p, 4);
  answers[1] = cudaStreamQuery(0);
  answers[2] = cudaDeviceSynchronize();
  answers[3] = cudaGetDevice(&device);
}
static void back(cudaStream_t, cudaError_t status, void *data) {
  *(int *)data += 10;
  answers[4] = status;
}

int main() {
  cudaStream_t a, b;
  unsigned flags = 99;
  int priority = 99, count = 0;
  TITLE("streams");
  CALL(cudaStreamCreate(nullptr));
  CALL(cudaStreamCreate(&a));
  CALL(cudaStreamCreateWithFlags(&b, 7));
  CALL(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CALL(cudaStreamGetFlags(b, &flags));
  VALUE(flags);
  CALL(cudaStreamGetFlags(0, &flags));
  VALUE(flags);
  CALL(cudaStreamGetFlags(cudaStreamPerThread, &flags));
  VALUE(flags);
  CALL(cudaStreamGetFlags(b, nullptr));
  cudaStream_t c;
  CALL(cudaStreamCreateWithPriority(&c, 0, -100));
  CALL(cudaStreamGetPriority(c, &priority));
  VALUE(priority);
  CALL(cudaStreamDestroy(c));
  CALL(cudaStreamCreateWithPriority(&c, 0, 100));
  CALL(cudaStreamGetPriority(c, &priority));
  VALUE(priority);
  CALL(cudaStreamGetPriority(0, &priority));
  VALUE(priority);
  CALL(cudaStreamGetPriority(c, nullptr));
  CALL(cudaStreamDestroy(c));
  CALL(cudaStreamDestroy(0));
  CALL(cudaStreamDestroy(cudaStreamLegacy));
  CALL(cudaStreamDestroy(cudaStreamPerThread));
  CALL(cudaStreamSynchronize(a));
  CALL(cudaStreamSynchronize(0));
  CALL(cudaStreamQuery(a));
  CALL(cudaStreamQuery(cudaStreamLegacy));
  unsigned long long first = 0, second = 0;
  CALL(cudaStreamGetId(a, &first));
  CALL(cudaStreamGetId(b, &second));
  VALUE(first != second);
  CALL(cudaStreamGetId(a, nullptr));
  int device = 9;
  CALL(cudaStreamGetDevice(a, &device));
  VALUE(device);
  CALL(cudaStreamGetDevice(0, &device));
  cudaStreamAttrValue value = {};
  CALL(cudaStreamGetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &value));
  VALUE(value.syncPolicy);
  value.syncPolicy = cudaSyncPolicySpin;
  CALL(cudaStreamSetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &value));
  CALL(cudaStreamCopyAttributes(b, a));
  memset(&value, 0, sizeof value);
  CALL(cudaStreamGetAttribute(b, cudaStreamAttributeSynchronizationPolicy, &value));
  VALUE(value.syncPolicy);
  CALL(cudaStreamGetAttribute(a, (cudaStreamAttrID)77, &value));
  TITLE("events");
  cudaEvent_t e, f, g;
  float ms = -1;
  CALL(cudaEventCreate(nullptr));
  CALL(cudaEventCreateWithFlags(&e, 0x100));
  CALL(cudaEventCreateWithFlags(&e, cudaEventInterprocess));
  CALL(cudaEventCreateWithFlags(&g, cudaEventDisableTiming));
  CALL(cudaEventCreate(&e));
  CALL(cudaEventCreate(&f));
  CALL(cudaEventQuery(e));
  CALL(cudaEventSynchronize(e));
  CALL(cudaEventElapsedTime(&ms, e, f));
  CALL(cudaEventElapsedTime(nullptr, e, f));
  CALL(cudaEventElapsedTime(&ms, nullptr, f));
  CALL(cudaStreamWaitEvent(a, e, 0));
  CALL(cudaStreamWaitEvent(a, nullptr, 0));
  CALL(cudaStreamWaitEvent(a, e, 77));
  CALL(cudaEventRecord(nullptr, a));
  CALL(cudaEventRecord(e, a));
  CALL(cudaEventRecord(f, a));
  CALL(cudaEventRecord(g, a));
  CALL(cudaEventRecordWithFlags(f, a, 77));
  CALL(cudaEventSynchronize(f));
  CALL(cudaEventQuery(f));
  CALL(cudaEventElapsedTime(&ms, e, f));
  VALUE(ms >= 0);
  CALL(cudaEventElapsedTime(&ms, e, g));
  CALL(cudaEventSynchronize(nullptr));
  CALL(cudaEventQuery(nullptr));
  CALL(cudaEventDestroy(nullptr));
  CALL(cudaEventDestroy(e));
  TITLE("functions of the host");
  CALL(cudaLaunchHostFunc(a, nullptr, nullptr));
  CALL(cudaLaunchHostFunc(a, called, &count));
  CALL(cudaStreamSynchronize(a));
  CALL(cudaStreamAddCallback(a, nullptr, nullptr, 0));
  CALL(cudaStreamAddCallback(a, back, &count, 1));
  CALL(cudaStreamAddCallback(a, back, &count, 0));
  CALL(cudaStreamSynchronize(a));
  VALUE(count);
  for (cudaError_t answer : answers)
    std::printf("%s\n", cudaGetErrorName(answer));
  int *managed, *plain;
  cudaMallocManaged(&managed, 4096);
  cudaMalloc(&plain, 4096);
  CALL(cudaStreamAttachMemAsync(a, managed, 0, cudaMemAttachGlobal));
  CALL(cudaStreamAttachMemAsync(a, managed, 0, cudaMemAttachSingle));
  CALL(cudaStreamAttachMemAsync(a, managed, 0, 77));
  CALL(cudaStreamAttachMemAsync(a, plain, 0, cudaMemAttachGlobal));
  CALL(cudaStreamAttachMemAsync(a, (int *)nullptr, 0, cudaMemAttachGlobal));
  CALL(cudaStreamSynchronize(a));
  return 0;
}
