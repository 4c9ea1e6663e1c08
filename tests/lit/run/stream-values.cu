// cuStreamWaitValue and cuStreamWriteValue: words are written and waited for in the order of the stream, by all conditions and in
// batches; a wait ends when another thread writes, too.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 -pthread %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json timeout 60 %t | %FileCheck %s
// CHECK: all right
#include <cuda.h>
#include "run.h"
#include <atomic>
#include <thread>

#define DONE(call) EXPECT((call) == CUDA_SUCCESS)

__global__ void twice(unsigned *word) { *word *= 2; }

int main() {
  cudaStream_t stream;
  unsigned *words, seen[4];
  OK(cudaStreamCreate(&stream));
  OK(cudaMalloc(&words, sizeof seen));
  OK(cudaMemset(words, 0, sizeof seen));
  CUdeviceptr at = (CUdeviceptr)words;
  DONE(cuStreamWriteValue32(stream, at, 5, CU_STREAM_WRITE_VALUE_DEFAULT));
  DONE(cuStreamWaitValue32(stream, at, 5, CU_STREAM_WAIT_VALUE_EQ));
  twice<<<1, 1, 0, stream>>>(words);
  DONE(cuStreamWaitValue32(stream, at, 9, CU_STREAM_WAIT_VALUE_GEQ));
  DONE(cuStreamWaitValue32(stream, at, 0xfffffff0u, CU_STREAM_WAIT_VALUE_GEQ)); // cyclic
  DONE(cuStreamWaitValue32(stream, at, 2, CU_STREAM_WAIT_VALUE_AND));
  DONE(cuStreamWaitValue32(stream, at, 0, CU_STREAM_WAIT_VALUE_NOR));
  DONE(cuStreamWriteValue64(stream, at + 8, 1ull << 40, CU_STREAM_WRITE_VALUE_DEFAULT));
  EXPECT(cuStreamWriteValue64(stream, at + 8, 1, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) == CUDA_ERROR_INVALID_VALUE);
  DONE(cuStreamWaitValue64(stream, at + 8, 1ull << 40, CU_STREAM_WAIT_VALUE_EQ));
  CUstreamBatchMemOpParams operations[2] = {};
  operations[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operations[0].writeValue.address = at + 4;
  operations[0].writeValue.value = 77;
  operations[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  operations[1].waitValue.address = at + 4;
  operations[1].waitValue.value = 77;
  operations[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  DONE(cuStreamBatchMemOp(stream, 2, operations, 0));
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpy(seen, words, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0] == 10 && seen[1] == 77 && seen[2] == 0 && seen[3] == 256);
  EXPECT(cuStreamWaitValue32(stream, at + 1, 0, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuStreamWriteValue64(stream, at + 4, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuStreamWaitValue32(stream, 0, 0, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuStreamWaitValue32(stream, at, 0, 8) == CUDA_ERROR_INVALID_VALUE);

  // The host writes a word shared with the device.
  std::atomic<unsigned> *flag;
  OK(cudaHostAlloc((void **)&flag, sizeof *flag, cudaHostAllocMapped));
  *flag = 0;
  std::thread writer([=] { *flag = 3; });
  DONE(cuStreamWaitValue32(stream, (CUdeviceptr)flag, 3, CU_STREAM_WAIT_VALUE_EQ));
  OK(cudaStreamSynchronize(stream));
  writer.join();
  return finish();
}
