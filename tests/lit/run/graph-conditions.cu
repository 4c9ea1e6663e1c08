// Conditional nodes of graphs: values set by kernels run bodies
// once, repeatedly, or one of several; executed bodies are counted.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json countdown launches=10 threads=10
// CHECK: all right
#include "run.h"

__global__ void decide(cudaGraphConditionalHandle handle, unsigned value) { cudaGraphSetConditional(handle, value); }
__global__ void countdown(int *p, cudaGraphConditionalHandle handle) {
  p[0] -= 1;
  cudaGraphSetConditional(handle, p[0] > 0);
}
__global__ void add(int *p, int n) { *p += n; }

static cudaGraphNode_t kernel(cudaGraph_t graph, void *function, void **arguments) {
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams parameters = {};
  parameters.func = function;
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  return node;
}
static cudaGraph_t *condition(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle,
                              cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNode_t node;
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  OK(cudaGraphAddNode(&node, graph, after ? &after : nullptr, nullptr, after != nullptr, &parameters));
  return parameters.conditional.phGraph_out;
}

int main() {
  int host[4] = {5, 0, 0, 0}, *p = to_device(host, 4);
  cudaGraph_t graph;
  cudaGraphExec_t run;
  cudaGraphConditionalHandle handle;

  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  void *loop[] = {&p, &handle};
  kernel(condition(graph, nullptr, handle, cudaGraphCondTypeWhile, 1)[0], (void *)countdown, loop);
  OK(cudaGraphInstantiate(&run, graph, 0));
  OK(cudaGraphLaunch(run, 0));
  to_host(host, p, 4);
  EXPECT(host[0] == 0);
  host[0] = 5;
  OK(cudaMemcpy(p, host, 4, cudaMemcpyHostToDevice));
  OK(cudaGraphLaunch(run, 0));
  to_host(host, p, 4);
  EXPECT(host[0] == 0);

  for (unsigned value = 0; value < 3; value++) {
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    void *decision[] = {&handle, &value};
    cudaGraphNode_t first = kernel(graph, (void *)decide, decision);
    cudaGraph_t *bodies = condition(graph, first, handle, cudaGraphCondTypeSwitch, 2);
    int *places[] = {p + 1, p + 2}, one = 1, ten = 10;
    void *left[] = {&places[0], &one}, *right[] = {&places[1], &ten};
    kernel(bodies[0], (void *)add, left);
    kernel(bodies[1], (void *)add, right);
    OK(cudaGraphInstantiate(&run, graph, 0));
    OK(cudaGraphLaunch(run, 0));
    OK(cudaGraphExecDestroy(run));
    OK(cudaGraphDestroy(graph));
  }
  to_host(host, p, 4);
  EXPECT(host[1] == 1 && host[2] == 10);
  return finish();
}
