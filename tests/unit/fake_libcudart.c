// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A CUDA runtime without a GPU: device memory is the host's, kernels are host
 * functions, work is done at once. Every call is written to a log for the
 * tests. Much of the real one is missing on purpose: tests need it missing.
 */
#include "fake_graph.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dim3 {
  unsigned x, y, z;
};
struct launch_config {
  struct dim3 grid, block;
  size_t dynamic_shared_bytes;
  void *stream;
  void *attributes;
  unsigned attribute_count;
};

static char log_text[1 << 16];
static int capturing_stream_status;
static int last_error;
static int event_ticks, event_without_time;

const char *fake_log(void) { return log_text; }
void fake_log_clear(void) { log_text[0] = 0; }
void fake_set_capture_status(int status) { capturing_stream_status = status; }

static void say(const char *format, ...) {
  size_t used = strlen(log_text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(log_text + used, sizeof log_text - used, format, arguments);
  va_end(arguments);
}

static int fail(int error) { return last_error = error; }

int fake_asks; /* calls that only ask or set something, and are in no log */

/* ---- Registration ---- */
struct symbol {
  const void *shadow;
  size_t bytes;
  void *memory;
};
static struct symbol symbols[16];
static int symbol_count, fatbin_count;
static void *handles[16];

void **__cudaRegisterFatBinary(void *wrapper) {
  say("fatbin %p\n", wrapper);
  return &handles[fatbin_count++ % 16];
}
void __cudaRegisterFatBinaryEnd(void **handle) { say("end %d\n", (int)((void **)handle - handles)); }
void __cudaUnregisterFatBinary(void **handle) { say("unregister %d\n", (int)((void **)handle - handles)); }

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
                            void *tid, void *bid, void *block, void *grid, int *warp) {
  (void)host, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  say("function %d %s %s %d\n", (int)((void **)handle - handles), name, device, limit);
}
void __cudaRegisterVar(void **handle, char *shadow, char *address, const char *name, int external,
                       size_t bytes, int constant, int global) {
  (void)address, (void)external, (void)global;
  symbols[symbol_count++ % 16] = (struct symbol){shadow, bytes, calloc(1, bytes)};
  say("variable %d %s %zu %d\n", (int)((void **)handle - handles), name, bytes, constant);
}

/* ---- Devices and memory ---- */
/* FAKE_CUDART_ERROR: the error of every call with a driver that is too old. */
int cudaGetDeviceCount(int *count) {
  *count = 1;
  return getenv("FAKE_CUDART_ERROR") ? fail(atoi(getenv("FAKE_CUDART_ERROR"))) : 0;
}
int cudaGetDevice(int *device) {
  fake_asks++;
  *device = 0;
  return 0;
}
int cudaSetDevice(int device) { return device ? fail(101) : 0; }
int cudaDeviceSynchronize(void) {
  say("synchronize\n");
  return 0;
}
/* Freed memory stays readable, without its values. */
static struct {
  void *pointer;
  size_t bytes;
} allocations[256];
int cudaDeviceReset(void) {
  say("reset\n");
  for (int i = 0; i < 256; i++)
    if (allocations[i].pointer)
      memset(allocations[i].pointer, 0xee, allocations[i].bytes);
  return 0;
}
/* FAKE_CUDART_DEVICES: their number (1); all have one identifier. */
static int is_device(int device) {
  const char *devices = getenv("FAKE_CUDART_DEVICES");
  return device >= 0 && device < (devices ? atoi(devices) : 1);
}
int cudaGetDeviceProperties(char *properties, int device) {
  if (!is_device(device))
    return fail(101);
  memset(properties, 0, 1000);
  strcpy(properties, "Fake GPU");
  for (int i = 0; i < 16; i++)
    properties[256 + i] = (char)(i * 17);
  return 0;
}
int cudaDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 16 ? 132 : attribute == 13 ? 1980000 : attribute == 75 ? 9 : 0;
  return is_device(device) ? 0 : fail(101);
}
int cudaMalloc(void **pointer, size_t bytes) {
  say("malloc %zu\n", bytes);
  if (bytes > 1u << 30)
    return fail(2);
  *pointer = malloc(bytes);
  memset(*pointer, 0xcd, bytes);
  for (int i = 0; i < 256; i++)
    if (!allocations[i].pointer) {
      allocations[i].pointer = *pointer;
      allocations[i].bytes = bytes;
      break;
    }
  return 0;
}
int cudaFree(void *pointer) {
  for (int i = 0; i < 256; i++)
    if (allocations[i].pointer == pointer)
      allocations[i].pointer = NULL;
  free(pointer);
  return 0;
}
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
  say("copy %zu %d %p\n", bytes, kind, stream);
  memcpy(to, from, bytes);
  return 0;
}
int cudaMemsetAsync(void *pointer, int value, size_t bytes, void *stream) {
  fake_asks++;
  (void)stream;
  memset(pointer, value, bytes);
  return 0;
}
static struct symbol *find_symbol(const void *shadow) {
  for (int i = 0; i < 16; i++)
    if (symbols[i].shadow == shadow)
      return &symbols[i];
  return NULL;
}
int cudaGetSymbolAddress(void **pointer, const void *shadow) {
  fake_asks++;
  struct symbol *s = find_symbol(shadow);
  *pointer = s ? s->memory : NULL;
  return s ? 0 : fail(13);
}
int cudaGetSymbolSize(size_t *bytes, const void *shadow) {
  struct symbol *s = find_symbol(shadow);
  *bytes = s ? s->bytes : 0;
  return s ? 0 : fail(13);
}

/* ---- Errors ---- */
int cudaGetLastError(void) {
  fake_asks++;
  int error = last_error;
  last_error = 0;
  return error;
}
int cudaPeekAtLastError(void) { return last_error; }
const char *cudaGetErrorString(int error) { return error ? "fake error" : "no error"; }

/* ---- Streams and events ---- */
int cudaStreamCreateWithFlags(void **stream, unsigned flags) {
  *stream = malloc(1);
  say("stream %u\n", flags);
  return 0;
}
int cudaStreamSynchronize(void *stream) {
  fake_asks++;
  (void)stream;
  return 0;
}
int cudaStreamIsCapturing(void *stream, int *status) {
  fake_asks++;
  (void)stream;
  *status = capturing_stream_status;
  return capturing_stream_status == 906 ? fail(906) : 0;
}
int cudaStreamBeginCapture(void *stream, int mode) {
  (void)stream, (void)mode;
  capturing_stream_status = 1;
  return 0;
}
int cudaStreamEndCapture(void *stream, void **graph) {
  (void)stream;
  *graph = NULL;
  capturing_stream_status = 0;
  return 0;
}

/* ---- Graphs ---- */
int cudaGraphGetNodes(struct fake_node *graph, struct fake_node **nodes, size_t *count) {
  for (*count = 0; graph[*count].type >= 0; ++*count)
    if (nodes)
      nodes[*count] = &graph[*count];
  return 0;
}
int cudaGraphNodeGetType(const struct fake_node *node, int *type) {
  *type = node->type;
  return 0;
}
int cudaGraphKernelNodeGetParams(const struct fake_node *node, void *parameters) {
  memcpy(parameters, &node->kernel, sizeof node->kernel);
  return 0;
}
int cudaGraphChildGraphNodeGetGraph(const struct fake_node *node, struct fake_node **graph) {
  *graph = node->child;
  return 0;
}
int cudaGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) {
  (void)graph, (void)flags;
  *executable = malloc(1);
  return 0;
}
/* The node is the parameters' fake_node; a conditional one gets the test's content as its body. */
int cudaGraphAddNode_v2(void **node, void *graph, const void *dependencies, const void *data, size_t count, void *parameters) {
  (void)graph, (void)dependencies, (void)data, (void)count, (void)parameters;
  return *node ? 0 : fail(1);
}
int cudaGraphExecUpdate(void *executable, void *graph, void *result, void *old_result) {
  (void)executable, (void)graph, (void)result, (void)old_result;
  return 0;
}
int cudaGraphExecKernelNodeSetParams(void *executable, void *node, const void *parameters) {
  (void)executable, (void)node, (void)parameters;
  return 0;
}
void (*fake_graph_launched)(void);
int cudaGraphLaunch(void *executable, void *stream) {
  (void)executable, (void)stream;
  if (fake_graph_launched)
    fake_graph_launched();
  return 0;
}
int cudaGraphExecDestroy(void *executable) {
  free(executable);
  return 0;
}

int cudaThreadExchangeStreamCaptureMode(int *mode) {
  fake_asks++;
  static int current;
  int old = current;
  current = *mode;
  *mode = old;
  return 0;
}
int cudaEventCreate(void **event) {
  *event = calloc(1, sizeof(int));
  return 0;
}
/* Events without times take none of the times of the others. */
int cudaEventCreateWithFlags(void **event, unsigned flags) {
  *event = flags & 2 ? &event_without_time : calloc(1, sizeof(int));
  say("event %u\n", flags);
  return 0;
}
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
  (void)event;
  say("wait %p %u\n", stream, flags);
  return 0;
}
int cudaStreamGetId(void *stream, unsigned long long *id) {
  fake_asks++;
  *id = (uintptr_t)stream + 1000;
  return 0;
}
int cudaEventDestroy(void *event) {
  if (event == &event_without_time)
    return 0;
  free(event);
  return 0;
}
/* Each record is one millisecond after the one before. */
int cudaEventRecord(void *event, void *stream) {
  fake_asks++;
  if (event == &event_without_time) {
    say("record %p\n", stream);
    return 0;
  }
  *(int *)event = ++event_ticks;
  return 0;
}
int cudaEventQuery(void *event) {
  fake_asks++;
  return event == &event_without_time || *(int *)event ? 0 : 600;
}
int cudaEventSynchronize(void *event) {
  (void)event;
  return 0;
}
int cudaEventElapsedTime(float *milliseconds, void *start, void *end) {
  *milliseconds = (float)(*(int *)end - *(int *)start);
  return 0;
}

int cudaGetFuncBySymbol(void **function, const void *host) {
  fake_asks++;
  *function = (void *)(uintptr_t)host;
  return 0;
}
/* Another handle of the same kernel. */
int cudaGetKernel(void **kernel, const void *host) {
  *kernel = (void *)((uintptr_t)host | 1);
  return 0;
}

/* ---- Launches ---- */
/* Every kernel takes 500 ns, as the fake CUPTI's records say, if it is loaded. */
static void record_kernel(void) {
  static uint32_t correlation = 1000;
  void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  void (*fake_launch)(uint32_t) = NULL;
  void (*fake_kernel)(uint32_t, uint64_t, uint64_t) = NULL;
  if (!cupti)
    return;
  *(void **)&fake_launch = dlsym(cupti, "fake_launch");
  *(void **)&fake_kernel = dlsym(cupti, "fake_kernel");
  fake_launch(++correlation);
  fake_kernel(correlation, 1000 * correlation, 1000 * correlation + 500);
  dlclose(cupti);
}

/* A kernel with more registers than any block leaves it. */
const void *fake_too_large;
int fake_refusal = 701; /* its error */

static int launch(const char *how, const void *function, struct dim3 grid, struct dim3 block,
                  void **arguments, size_t bytes, void *stream) {
  say("%s %u,%u,%u %u,%u,%u %zu %p\n", how, grid.x, grid.y, grid.z, block.x, block.y, block.z, bytes, stream);
  if (block.x > 1024)
    return fail(9);
  if (function && function == fake_too_large)
    return fail(fake_refusal);
  ((void (*)(void **))((uintptr_t)function & ~(uintptr_t)1))(arguments);
  record_kernel();
  return 0;
}
int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t bytes, void *stream) {
  return launch("launch", function, grid, block, arguments, bytes, stream);
}
int cudaLaunchKernel_ptsz(const void *function, struct dim3 grid, struct dim3 block, void **arguments,
                          size_t bytes, void *stream) {
  return launch("launch_ptsz", function, grid, block, arguments, bytes, stream);
}
int cudaLaunchKernelExC(const struct launch_config *c, const void *function, void **arguments) {
  return launch("launch_ex", function, c->grid, c->block, arguments, c->dynamic_shared_bytes, c->stream);
}
/* cudaFuncAttributes: 40 registers, 16 bytes of local and 1,000 of shared memory, for sm_90. */
/* Five blocks of any kernel. */
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block_size, size_t shared) {
  (void)function, (void)block_size, (void)shared;
  *blocks = 5;
  return 0;
}
int cudaFuncGetAttributes(void *attributes, const void *function) {
  fake_asks++;
  const size_t sizes[] = {1000, 0, 16};
  const int numbers[] = {1024, 40, 90, 90, 0, 1 << 16, -1, 0, 0, 0, 0};
  memcpy(attributes, sizes, sizeof sizes);
  memcpy((char *)attributes + sizeof sizes, numbers, sizeof numbers);
  return function ? 0 : fail(98);
}
int cudaMemPrefetchAsync(const void *pointer, size_t bytes, uint64_t location, unsigned flags, void *stream) {
  (void)pointer;
  say("prefetch %zu %llx %u %p\n", bytes, (unsigned long long)location, flags, stream);
  return 0;
}
