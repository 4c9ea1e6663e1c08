// Launches in clusters of blocks: accepted and refused ones, attributes, occupancy and nodes of
// graphs. The number of fitting clusters is left out: it depends on a GPU's working multiprocessors.
// REQUIRES: cuda-13, llvm-at-least-20
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/clusters.txt %t.out
#include "table.h"

__global__ void fine(int *p) { p[threadIdx.x] = 1; }
__global__ void wide(int *p) { p[threadIdx.x] = 2; }
__global__ void asked(int *p) { p[threadIdx.x] = 3; }
__global__ void __cluster_dims__(2, 1, 1) two(int *p) { p[threadIdx.x] = 4; }
__global__ void __cluster_dims__(2, 2, 1) four(int *p) { p[threadIdx.x] = 5; }
__global__ void meets() { __syncthreads(); }
__global__ void dynamic(int *p) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[31 - threadIdx.x];
}

static cudaLaunchAttribute attribute[3];
static int *p;

static cudaLaunchConfig_t configured(dim3 grid, dim3 block, unsigned x, unsigned y, unsigned z, size_t shared = 0) {
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = grid;
  configuration.blockDim = block;
  configuration.dynamicSmemBytes = shared;
  configuration.attrs = attribute;
  configuration.numAttrs = 1;
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = x;
  attribute[0].val.clusterDim.y = y;
  attribute[0].val.clusterDim.z = z;
  return configuration;
}

static cudaError_t launch(void (*kernel)(int *), dim3 grid, dim3 block, unsigned x, unsigned y, unsigned z,
                          size_t shared = 0) {
  cudaLaunchConfig_t configuration = configured(grid, block, x, y, z, shared);
  void *arguments[] = {&p};
  return cudaLaunchKernelExC(&configuration, (const void *)kernel, arguments);
}

static cudaError_t plain(void (*kernel)(int *), dim3 grid) {
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = grid;
  configuration.blockDim = dim3(32);
  void *arguments[] = {&p};
  return cudaLaunchKernelExC(&configuration, (const void *)kernel, arguments);
}

static void show(const char *name, void (*kernel)(int *)) {
  cudaFuncAttributes a;
  cudaError_t error = cudaFuncGetAttributes(&a, (const void *)kernel);
  std::printf("%s: %s must be set %d, required %d %d %d, policy %d, non-portable %d\n", name, cudaGetErrorName(error),
              a.clusterDimMustBeSet, a.requiredClusterWidth, a.requiredClusterHeight, a.requiredClusterDepth,
              a.clusterSchedulingPolicyPreference, a.nonPortableClusterSizeAllowed);
}
#define SHOW(kernel) show(#kernel, kernel)

static cudaError_t largest(int *size, void (*kernel)(int *), dim3 grid, dim3 block, size_t shared) {
  cudaLaunchConfig_t configuration = configured(grid, block, 1, 1, 1, shared);
  configuration.numAttrs = 0;
  return cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel, &configuration);
}

static cudaError_t active(int *count, void (*kernel)(int *), dim3 grid, dim3 block, unsigned x, size_t shared) {
  cudaLaunchConfig_t configuration = configured(grid, block, x, 1, 1, shared);
  return cudaOccupancyMaxActiveClusters(count, (const void *)kernel, &configuration);
}

static void sizes() {
  TITLE("the size of a cluster");
  CALL(launch(fine, 4, 32, 1, 1, 1));
  CALL(launch(fine, 4, 32, 2, 1, 1));
  CALL(launch(fine, 4, 32, 3, 1, 1));
  CALL(launch(fine, 4, 32, 1, 2, 1));
  CALL(launch(fine, 4, 32, 8, 1, 1));
  CALL(launch(fine, 6, 32, 3, 1, 1));
  CALL(launch(fine, 8, 32, 8, 1, 1));
  CALL(launch(fine, 9, 32, 9, 1, 1));
  CALL(launch(fine, 16, 32, 16, 1, 1));
  CALL(launch(fine, dim3(4, 4, 4), 32, 2, 2, 2));
  CALL(launch(fine, dim3(4, 4, 4), 32, 4, 4, 1));
  CALL(launch(fine, dim3(4, 4, 4), 32, 1, 1, 4));
  CALL(launch(fine, dim3(2, 4, 6), 32, 2, 4, 1));
  CALL(launch(fine, dim3(2, 4, 6), 32, 2, 1, 4));
  CALL(launch(fine, 4, 32, 0, 0, 0));
  CALL(launch(fine, 4, 32, 0, 1, 1));
  CALL(launch(fine, 4, 32, 2, 0, 0));
  CALL(launch(fine, 4, 32, 2, 1, 0));
  CALL(launch(fine, 4, 32, 0x80000000u, 2, 1));
  CALL(launch(fine, 4, 1025, 2, 1, 1));
  CALL(launch(fine, 0, 32, 2, 1, 1));
  CALL(launch(fine, 8, 1024, 8, 1, 1));
  CALL(cudaDeviceSynchronize());
  TITLE("sizes that not every GPU has");
  CALL(cudaFuncSetAttribute(wide, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CALL(launch(wide, 9, 32, 9, 1, 1));
  CALL(launch(wide, 16, 32, 16, 1, 1));
  CALL(launch(wide, 16, 1024, 16, 1, 1));
  CALL(launch(wide, 17, 32, 17, 1, 1));
  CALL(launch(wide, 32, 32, 32, 1, 1));
  CALL(launch(wide, dim3(4, 4, 4), 32, 4, 4, 1));
  CALL(launch(wide, dim3(4, 4, 4), 32, 4, 4, 2));
  SHOW(wide);
  CALL(cudaFuncSetAttribute(wide, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
  SHOW(wide);
  CALL(cudaFuncSetAttribute(wide, cudaFuncAttributeNonPortableClusterSizeAllowed, -1));
  SHOW(wide);
  CALL(cudaFuncSetAttribute(wide, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  SHOW(wide);
  CALL(launch(wide, 16, 32, 16, 1, 1));
  CALL(cudaDeviceSynchronize());
}

static void of_the_source() {
  TITLE("a size in the source");
  SHOW(fine);
  SHOW(two);
  SHOW(four);
  LAUNCH((two<<<4, 32>>>(p)));
  LAUNCH((two<<<3, 32>>>(p)));
  LAUNCH((four<<<4, 32>>>(p)));
  LAUNCH((four<<<dim3(2, 2), 32>>>(p)));
  LAUNCH((four<<<dim3(2, 3), 32>>>(p)));
  CALL(plain(two, 4));
  CALL(plain(two, 5));
  CALL(launch(two, 4, 32, 2, 1, 1));
  CALL(launch(two, 4, 32, 4, 1, 1));
  CALL(launch(two, 4, 32, 1, 1, 1));
  CALL(launch(two, 4, 32, 0, 0, 0));
  CALL(cudaFuncSetAttribute(two, cudaFuncAttributeRequiredClusterWidth, 4));
  CALL(cudaFuncSetAttribute(two, cudaFuncAttributeRequiredClusterWidth, 2));
  SHOW(two);
  CALL(cudaDeviceSynchronize());
}

static void of_attributes() {
  TITLE("a size asked for by attributes");
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeClusterDimMustBeSet, 1));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeRequiredClusterWidth, -1));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeRequiredClusterWidth, 2));
  SHOW(asked);
  LAUNCH((asked<<<4, 32>>>(p)));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeRequiredClusterHeight, 1));
  LAUNCH((asked<<<4, 32>>>(p)));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeRequiredClusterDepth, 1));
  SHOW(asked);
  LAUNCH((asked<<<4, 32>>>(p)));
  LAUNCH((asked<<<3, 32>>>(p)));
  CALL(launch(asked, 4, 32, 2, 1, 1));
  CALL(launch(asked, 4, 32, 4, 1, 1));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeRequiredClusterWidth, 16));
  SHOW(asked);
  LAUNCH((asked<<<16, 32>>>(p)));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeRequiredClusterWidth, 0));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeRequiredClusterHeight, 0));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeRequiredClusterDepth, 0));
  SHOW(asked);
  LAUNCH((asked<<<3, 32>>>(p)));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeClusterSchedulingPolicyPreference, 0));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeClusterSchedulingPolicyPreference, 1));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeClusterSchedulingPolicyPreference, 2));
  SHOW(asked);
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeClusterSchedulingPolicyPreference, 3));
  CALL(cudaFuncSetAttribute(asked, cudaFuncAttributeClusterSchedulingPolicyPreference, -1));
  CALL(cudaFuncSetAttribute(fine, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CALL(cudaFuncSetAttribute(fine, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  CALL(cudaDeviceSynchronize());
}

static void with_others() {
  TITLE("with other attributes");
  cudaLaunchConfig_t configuration = configured(4, 32, 2, 1, 1);
  void *arguments[] = {&p};
  configuration.numAttrs = 2;
  attribute[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
  attribute[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
  CALL(cudaLaunchKernelExC(&configuration, (const void *)fine, arguments));
  attribute[1].val.clusterSchedulingPolicyPreference = (cudaClusterSchedulingPolicy)9;
  CALL(cudaLaunchKernelExC(&configuration, (const void *)fine, arguments));
  attribute[1].id = cudaLaunchAttributeClusterDimension;
  attribute[1].val.clusterDim = {4, 1, 1};
  CALL(cudaLaunchKernelExC(&configuration, (const void *)fine, arguments));
  attribute[1].val.clusterDim = {3, 1, 1};
  CALL(cudaLaunchKernelExC(&configuration, (const void *)fine, arguments));
  attribute[1].id = cudaLaunchAttributeCooperative;
  attribute[1].val.cooperative = 1;
  CALL(cudaLaunchKernelExC(&configuration, (const void *)meets, nullptr));
  configuration.gridDim = dim3(100000);
  CALL(cudaLaunchKernelExC(&configuration, (const void *)meets, nullptr));
  CALL(cudaLaunchCooperativeKernel((const void *)two, dim3(4), dim3(32), arguments, 0, 0));
  CALL(cudaLaunchCooperativeKernel((const void *)two, dim3(3), dim3(32), arguments, 0, 0));
  CALL(cudaDeviceSynchronize());
  TITLE("shared memory");
  CALL(launch(dynamic, 8, 32, 8, 1, 1, 48 * 1024));
  CALL(launch(dynamic, 8, 32, 8, 1, 1, 48 * 1024 + 1));
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  CALL(launch(dynamic, 8, 32, 8, 1, 1, 227 * 1024));
  CALL(cudaDeviceSynchronize());
}

static void in_a_graph() {
  TITLE("in a graph");
  void *arguments[] = {&p};
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t node;
  size_t nodes = 1;
  cudaStreamCreate(&stream);
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaLaunchConfig_t configuration = configured(4, 32, 2, 1, 1);
  configuration.stream = stream;
  CALL(cudaLaunchKernelExC(&configuration, (const void *)fine, arguments));
  CALL(cudaStreamEndCapture(stream, &graph));
  CALL(cudaGraphGetNodes(graph, &node, &nodes));
  VALUE(nodes);
  cudaLaunchAttributeValue attributes = {};
  CALL(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &attributes));
  VALUE(attributes.clusterDim.x);
  VALUE(attributes.clusterDim.y);
  attributes.clusterDim = {4, 1, 1};
  CALL(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &attributes));
  attributes.clusterDim = {0, 0, 0};
  CALL(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &attributes));
  VALUE(attributes.clusterDim.x);
  attributes.clusterDim = {3, 1, 1};
  CALL(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &attributes));
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  attributes.clusterDim = {2, 1, 1};
  CALL(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &attributes));
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaStreamSynchronize(stream));
}

static cudaError_t set(cudaGraphNode_t node, unsigned x, unsigned y, unsigned z) {
  cudaLaunchAttributeValue value = {};
  value.clusterDim = {x, y, z};
  return cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value);
}

static void cluster_of(cudaGraphNode_t node) {
  cudaLaunchAttributeValue value = {};
  cudaError_t error = cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value);
  std::printf("cluster of the node: %s %u %u %u\n", cudaGetErrorName(error), value.clusterDim.x, value.clusterDim.y,
              value.clusterDim.z);
}

static cudaGraphNode_t node_of(cudaGraph_t graph, void (*kernel)(int *), unsigned blocks) {
  static void *arguments[] = {&p};
  cudaKernelNodeParams parameters = {(void *)kernel, dim3(blocks), dim3(32), 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  return node;
}

static cudaError_t change(cudaGraphNode_t node, void (*kernel)(int *), unsigned blocks) {
  cudaKernelNodeParams parameters;
  cudaError_t error = cudaGraphKernelNodeGetParams(node, &parameters);
  parameters.func = (void *)kernel;
  parameters.gridDim = dim3(blocks);
  return error ? error : cudaGraphKernelNodeSetParams(node, &parameters);
}

static cudaError_t change(cudaGraphExec_t executable, cudaGraphNode_t node, void (*kernel)(int *), unsigned blocks) {
  cudaKernelNodeParams parameters;
  cudaError_t error = cudaGraphKernelNodeGetParams(node, &parameters);
  parameters.func = (void *)kernel;
  parameters.gridDim = dim3(blocks);
  return error ? error : cudaGraphExecKernelNodeSetParams(executable, node, &parameters);
}

static void nodes_of_graphs() {
  TITLE("nodes of graphs");
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t a = node_of(graph, fine, 16), b = node_of(graph, two, 4);
  node_of(graph, two, 3);
  cluster_of(a);
  cluster_of(b);
  CALL(set(a, 9, 1, 1));
  CALL(set(a, 16, 1, 1));
  CALL(set(a, 2, 0, 1));
  CALL(set(a, 8, 1, 1));
  CALL(set(b, 4, 1, 1));
  CALL(set(b, 2, 1, 1));
  cluster_of(b);
  CALL(set(a, 0, 0, 0));
  cluster_of(a);
  TITLE("other parameters for a node");
  CALL(set(a, 4, 1, 1));
  CALL(change(a, fine, 8));
  cluster_of(a);
  CALL(change(a, fine, 6));
  CALL(change(a, two, 8));
  cluster_of(a);
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  CALL(change(executable, a, fine, 16));
  CALL(change(executable, a, fine, 6));
  CALL(change(executable, a, two, 8));
  CALL(change(executable, b, two, 3));
  CALL(cudaGraphLaunch(executable, 0));
  CALL(cudaDeviceSynchronize());
  TITLE("attributes of one node for another");
  cudaGraphNode_t c = node_of(graph, fine, 16), d = node_of(graph, fine, 16), e = node_of(graph, fine, 3);
  CALL(cudaGraphKernelNodeCopyAttributes(c, d));
  CALL(set(d, 2, 1, 1));
  CALL(cudaGraphKernelNodeCopyAttributes(c, d));
  cluster_of(c);
  CALL(cudaGraphKernelNodeCopyAttributes(e, d));
  cluster_of(e);
  CALL(cudaGraphKernelNodeCopyAttributes(b, d));
  cluster_of(b);
}

#define LARGEST(...)                                                                                         \
  size = -1;                                                                                                 \
  CALL(largest(&size, __VA_ARGS__));                                                                         \
  VALUE(size)
#define ACTIVE(...)                                                                                          \
  count = -1;                                                                                                \
  CALL(active(&count, __VA_ARGS__));                                                                         \
  VALUE(count > 0)

static void occupancy() {
  int size, count;
  TITLE("occupancy");
  LARGEST(fine, 64, 128, 0);
  LARGEST(fine, 64, 1024, 0);
  LARGEST(fine, 1, 128, 0);
  LARGEST(fine, 64, 1025, 0);
  LARGEST(fine, 64, 128, 100 * 1024);
  LARGEST(dynamic, 64, 128, 227 * 1024);
  LARGEST(two, 64, 128, 0);
  CALL(largest(nullptr, fine, 64, 128, 0));
  CALL(largest(&size, nullptr, 64, 128, 0));
  CALL(cudaFuncSetAttribute(wide, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  LARGEST(wide, 64, 128, 0);
  ACTIVE(fine, 64, 128, 2, 0);
  ACTIVE(fine, 64, 1024, 2, 0);
  ACTIVE(fine, 64, 1024, 1, 0);
  ACTIVE(fine, 64, 1024, 4, 0);
  ACTIVE(fine, 64, 1024, 8, 0);
  ACTIVE(fine, 63, 1024, 3, 0);
  ACTIVE(fine, 64, 32, 8, 0);
  ACTIVE(dynamic, 64, 32, 8, 227 * 1024);
  ACTIVE(dynamic, 64, 32, 4, 100 * 1024);
  ACTIVE(fine, 64, 32, 16, 0);
  ACTIVE(wide, 64, 1024, 16, 0);
  ACTIVE(fine, 63, 32, 2, 0);
  ACTIVE(two, 64, 128, 2, 0);
  ACTIVE(two, 64, 128, 4, 0);
  ACTIVE(fine, 64, 1025, 2, 0);
  CALL(active(nullptr, fine, 64, 128, 2, 0));
  CALL(active(&count, nullptr, 64, 128, 2, 0));
  cudaLaunchConfig_t configuration = configured(64, 128, 2, 1, 1);
  configuration.numAttrs = 0;
  CALL(cudaOccupancyMaxActiveClusters(&count, (const void *)fine, &configuration));
  VALUE(count);
  CALL(cudaOccupancyMaxActiveClusters(&count, (const void *)two, &configuration));
  VALUE(count > 0);
}

int main() {
  cudaMalloc(&p, 1 << 20);
  int value = 0;
  CALL(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
  VALUE(value);
  sizes();
  of_the_source();
  of_attributes();
  with_others();
  occupancy();
  in_a_graph();
  nodes_of_graphs();
  return 0;
}
