// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A driver without a GPU: gpuprof's part of libcuda.so.1.
 * FAKE_CUDA_DEVICES is the number of reported devices; with FAKE_CUDA_CONTEXT each has a context. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int cuInit(unsigned flags) { return flags ? 1 : 0; }

int cuCtxGetCurrent(void **context) {
  static int the_context;
  *context = &the_context;
  return 0;
}

int cuDeviceGetCount(int *count) {
  const char *wanted = getenv("FAKE_CUDA_DEVICES");
  *count = wanted ? atoi(wanted) : 1;
  return 0;
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  (void)device;
  *flags = 0;
  *active = getenv("FAKE_CUDA_CONTEXT") != NULL;
  return 0;
}

/* One module, the program itself: beside kernels of these names lie functions of the test. */
int cuFuncGetModule(void **module, void *function) {
  *module = function;
  return 0;
}
static const struct {
  const char *name, *function;
} siblings[] = {
    {"counted$gpuprof_count", "fake_counting_clone"},      {"light$gpuprof_count", "fake_counting_clone"},
    {"reads$gpuprof_count", "fake_counting_clone"},        {"ordered$gpuprof_count", "fake_counting_clone"},
    {"refused$gpuprof_count", "fake_counting_clone"},      {"watched$gpuprof_count", "fake_counting_clone"},
    {"light$gpuprof_in_kernel", "fake_copy_with_counters"}, {"twinned$gpuprof_in_kernel", "fake_twin"}, {"free$gpuprof_addresses", "fake_address_clone"},
    {"light$gpuprof_addresses", "fake_address_clone"},     {"copied$gpuprof_unique", "fake_unique_copy"},
    {"checked$gpuprof_warps", "fake_warp_copy"},           {"large$gpuprof_in_kernel", "fake_large_twin"},
    {"large$gpuprof_in_kernel$bounded", "fake_bounded_twin"},
};
int fake_searches; /* by name */
int cuModuleGetFunction(void **function, void *module, const char *name) {
  (void)module;
  fake_searches++;
  *function = NULL;
  for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++)
    if (!strcmp(siblings[i].name, name))
      *function = dlsym(RTLD_DEFAULT, siblings[i].function);
  return *function ? 0 : 500;
}
/* Allocations are a MiB each, above the first; nothing is allocated below. Tests set the kinds of memory. */
int fake_pointer_kind = 2;  /* CUmemorytype */
int fake_pointer_plain = 1; /* of cudaMalloc */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **data, unsigned long long pointer) {
  enum { TYPE = 2, MANAGED = 8, PLAIN = 10, START = 11, SIZE = 12, POOL = 17, MEBIBYTE = 1 << 20 };
  const int known = pointer >= MEBIBYTE;
  for (unsigned i = 0; i < count; i++)
    switch (attributes[i]) {
    case START:
      *(unsigned long long *)data[i] = known ? pointer / MEBIBYTE * MEBIBYTE : 0;
      break;
    case SIZE:
      *(size_t *)data[i] = known ? MEBIBYTE : 0;
      break;
    case POOL:
      *(void **)data[i] = NULL;
      break;
    default:
      *(int *)data[i] = !known ? 0 : attributes[i] == TYPE ? fake_pointer_kind : attributes[i] == PLAIN ? fake_pointer_plain : 0;
    }
  return 0;
}
static struct {
  void *function;
  int attribute, value;
} attributes[64];
static size_t attribute_count;
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  *value = 0;
  for (size_t i = 0; i < attribute_count; i++)
    if (attributes[i].function == function && attributes[i].attribute == attribute)
      *value = attributes[i].value;
  return 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  size_t i = 0;
  while (i < attribute_count && (attributes[i].function != function || attributes[i].attribute != attribute))
    i++;
  if (i == sizeof attributes / sizeof *attributes)
    return 1;
  attributes[i].function = function;
  attributes[i].attribute = attribute;
  attributes[i].value = value;
  attribute_count += i == attribute_count;
  return 0;
}
int fake_blocks; /* that fit a multiprocessor */
int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *function, int block_size, size_t shared, unsigned flags) {
  (void)function, (void)block_size, (void)shared, (void)flags;
  *blocks = fake_blocks;
  return 0;
}
static int launch(void *function, void **arguments) {
  ((void (*)(void **))(uintptr_t)function)(arguments);
  return 0;
}
/* Arguments in one block: of 8 and 4 bytes. */
int cuFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes) {
  (void)function;
  *offset = 8 * index;
  *bytes = index ? 4 : 8;
  return index < 2 ? 0 : 1;
}
int cuLaunchKernel(void *function, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f,
                   unsigned shared, void *stream, void **arguments, void **extra) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)shared, (void)stream, (void)extra;
  return launch(function, arguments);
}
int cuLaunchCooperativeKernel(void *function, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f,
                              unsigned shared, void *stream, void **arguments) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)shared, (void)stream;
  return launch(function, arguments);
}
/* CUlaunchConfig */
struct launch_configuration {
  unsigned grid[3], block[3], shared;
  void *stream;
  struct {
    int id, padding, value[16];
  } *attributes;
  unsigned attribute_count;
};
int fake_launches_beside, fake_refuses_beside; /* kernels that may begin before the end of the one before them */
int cuLaunchKernelEx(const struct launch_configuration *configuration, void *function, void **arguments, void **extra) {
  (void)extra;
  for (unsigned i = 0; i < configuration->attribute_count; i++)
    if (configuration->attributes[i].id == 6 && configuration->attributes[i].value[0]) {
      if (fake_refuses_beside)
        return 801;
      fake_launches_beside++;
    }
  return launch(function, arguments);
}
int cuFuncGetName(const char **name, const void *function) {
  (void)function;
  *name = "_Z6loadedv";
  return 0;
}
/* The first field of the parameters is the function run by the node. */
struct node_parameters {
  void *function;
  unsigned grid[3], block[3], dynamic_shared_bytes;
  void **arguments, **extra;
};
void *fake_function_of_node, *fake_node_changed, *fake_executable_changed;
size_t fake_arguments_of_node;   /* set by a test: how many there are, 8 bytes each */
unsigned char fake_arguments[64]; /* their values, or the block of arguments */
size_t fake_block_bytes;         /* of that block */
int cuGraphExecKernelNodeSetParams_v2(void *executable, void *node, const struct node_parameters *parameters) {
  fake_executable_changed = executable;
  fake_node_changed = node;
  fake_function_of_node = parameters->function;
  for (size_t i = 0; i < fake_arguments_of_node && parameters->arguments; i++)
    memcpy(fake_arguments + 8 * i, parameters->arguments[i], 8);
  if (!fake_arguments_of_node || parameters->arguments)
    return 0;
  fake_block_bytes = *(const size_t *)parameters->extra[3];
  memcpy(fake_arguments, parameters->extra[1], fake_block_bytes);
  return parameters->extra[4] ? 1 : 0;
}
