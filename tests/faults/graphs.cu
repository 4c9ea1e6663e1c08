// Graphs, events, managed and pooled memory.
#include "programs.h"

__global__ void add(float *p) { p[threadIdx.x] += 1; }
int main() {
  float host[32] = {}, *p, *managed;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaEvent_t begin, end;
  NEED(cudaStreamCreate(&stream));
  NEED(cudaEventCreate(&begin));
  NEED(cudaEventCreate(&end));
  NEED(cudaMallocAsync((void **)&p, sizeof host, stream));
  NEED(cudaMallocManaged((void **)&managed, sizeof host));
  NEED(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(p);
  NEED(cudaGetLastError());
  NEED(cudaMemcpyAsync(managed, p, sizeof host, cudaMemcpyDeviceToDevice, stream));
  add<<<1, 32, 0, stream>>>(managed);
  NEED(cudaGetLastError());
  NEED(cudaStreamEndCapture(stream, &graph));
  NEED(cudaGraphInstantiate(&executable, graph, 0));
  NEED(cudaEventRecord(begin, stream));
  for (int i = 0; i < 3; i++)
    NEED(cudaGraphLaunch(executable, stream));
  NEED(cudaEventRecord(end, stream));
  NEED(cudaEventSynchronize(end));
  float ms;
  NEED(cudaEventElapsedTime(&ms, begin, end));
  NEED(cudaDeviceSynchronize());
  EXPECT(managed[3] == 4);
  NEED(cudaGraphExecDestroy(executable));
  NEED(cudaGraphDestroy(graph));
  NEED(cudaEventDestroy(begin));
  NEED(cudaEventDestroy(end));
  NEED(cudaFreeAsync(p, stream));
  NEED(cudaFree(managed));
  NEED(cudaStreamDestroy(stream));
  std::printf("all right\n");
}
