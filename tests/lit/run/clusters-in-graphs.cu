// Launches in clusters are captured with their clusters; a node can be given others.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json tell launches=2
// CHECK: all right
#include "clusters.h"

__global__ void tell(unsigned *out) { out[blockIdx.x] = cluster_size() * 100 + cluster_rank(); }

int main() {
  Values<unsigned, 8> out;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t node;
  size_t nodes = 1;
  OK(cudaStreamCreate(&stream));
  cudaLaunchAttribute attribute = {};
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(8);
  configuration.blockDim = dim3(32);
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {4, 1, 1};
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaLaunchKernelEx(&configuration, tell, out.device));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, stream));
  out.read();
  for (unsigned i = 0; i < 8; i++)
    EXPECT(out.host[i] == 400 + i % 4);
  OK(cudaGraphGetNodes(graph, &node, &nodes));
  cudaLaunchAttributeValue value = {};
  value.clusterDim = {2, 1, 1};
  OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, stream));
  out.read();
  for (unsigned i = 0; i < 8; i++)
    EXPECT(out.host[i] == 200 + i % 2);
  return finish();
}
