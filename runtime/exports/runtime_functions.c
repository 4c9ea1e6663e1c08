// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The functions exported by libgpuprof under CUDA's names. Most pass straight on to the device in use. The
 * core sees registrations, launch configurations, launches, captures and the device's end first.
 */
#include "base/device.h"
#include "base/state.h"
#include "core/gate.h"
#include "core/host_waits.h"
#include "exports/captures.h"
#include "exports/copy_list.h"
#include "exports/cuda_functions.h"
#include "exports/driver_launches.h"
#include "exports/forward.h"
#include "exports/function_settings.h"
#include "exports/memory_functions.h"
#include "exports/registration.h"
#include "launch/device_reset.h"
#include "launch/launch_hook.h"
#include "report/report.h"

#define EXPORT __attribute__((visibility("default")))

/* The public headers declaring these functions are CUDA's, and never included here. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define GP_CUDART(name, parameters, arguments, cpu)                                                          \
  EXPORT int name parameters { GP_CUDART_FORWARD(name, arguments) }
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu) GP_CUDART(name, parameters, arguments, cpu)
#define GP_CUDART_TEXT(name, parameters, arguments, cpu)                                                     \
  EXPORT const char *name parameters { return gp_cudart()->name arguments; }
/* memory_functions.c has these. */
#define GP_CUDART_ALLOCATES(name, parameters, arguments, cpu, kind, stream, address, bytes)
#define GP_CUDART_RELEASES(name, parameters, arguments, cpu, space, stream, address)
#define GP_CUDART_ALLOCATES_ALIAS(name, base, parameters, arguments, cpu, kind, stream, address, bytes)
#define GP_CUDART_RELEASES_ALIAS(name, base, parameters, arguments, cpu, space, stream, address)
#define GP_CUDART_LAUNCH(name, parameters, arguments, cpu)
#define GP_CUDART_LAUNCH_ALIAS(name, base, parameters, arguments, cpu)
#define GP_CUDART_LAUNCH_VERSION(name, base, parameters, arguments, cpu)
#include "exports/cudart.inc"

#include <stdlib.h>

/* ---- Attributes and occupancy ---- */

EXPORT int cudaFuncSetAttribute(const void *function, int attribute, int value) {
  const int error = gp_cudart()->cudaFuncSetAttribute(function, attribute, value);
  gp_function_settings_change();
  return error;
}

/* Launches run the kernel or its twin with counters: a cooperative grid must fit the device with either. */
static int fit_twin(int error, int *blocks, const void *function, int block_size, size_t dynamic_shared_bytes, unsigned flags) {
  const int of_twin = error ? -1 : gp_launch_twin_blocks(function, block_size, dynamic_shared_bytes, flags);
  if (of_twin > 0 && of_twin < *blocks) /* 0: a twin with fewer registers runs, or the kernel */
    *blocks = of_twin;
  return error;
}

EXPORT int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block_size,
                                                         size_t dynamic_shared_bytes) {
  const int error = gp_cudart()->cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, dynamic_shared_bytes);
  return fit_twin(error, blocks, function, block_size, dynamic_shared_bytes, 0);
}

EXPORT int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int block_size,
                                                                  size_t dynamic_shared_bytes, unsigned flags) {
  const int error = gp_cudart()->cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                                        dynamic_shared_bytes, flags);
  return fit_twin(error, blocks, function, block_size, dynamic_shared_bytes, flags);
}

EXPORT struct gp_cuda_channel_format cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (struct gp_cuda_channel_format){x, y, z, w, kind};
}

/* ---- Registration ---- */
EXPORT void **__cudaRegisterFatBinary(void *wrapper) { return gp_register_fatbin(wrapper); }

EXPORT void __cudaRegisterFatBinaryEnd(void **handle) { gp_register_end(handle); }

EXPORT void __cudaUnregisterFatBinary(void **handle) { gp_unregister_fatbin(handle); }

EXPORT char __cudaInitModule(void **handle) { return gp_initialize_module(handle); }

EXPORT void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                                   int thread_limit, void *tid, void *bid, void *block, void *grid,
                                   int *warp_size) {
  (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
  gp_register_function(handle, host, name);
}

EXPORT void __cudaRegisterVar(void **handle, void *shadow, char *address, const char *name, int external,
                              size_t bytes, int constant, int global) {
  (void)address, (void)external, (void)global;
  gp_register_variable(handle, shadow, name, bytes, constant);
}

EXPORT void __cudaRegisterManagedVar(void **handle, void **pointer, char *address, const char *name,
                                     int external, size_t bytes, int constant, int global) {
  (void)address, (void)external, (void)constant, (void)global;
  gp_register_managed(handle, pointer, name, bytes);
}

/* ---- <<<…>>> ---- */
/* The configuration travels from the call site to the launch stub on a stack: arguments of a launch may
 * launch. A thread has only one in place: a library opened at run time has little thread-local memory. */
struct configuration {
  struct configuration *below;
  struct gp_cuda_dim3 grid, block;
  size_t dynamic_shared_bytes;
  void *stream;
};
static _Thread_local struct configuration lowest, *top;

EXPORT unsigned __cudaPushCallConfiguration(struct gp_cuda_dim3 grid, struct gp_cuda_dim3 block,
                                            size_t dynamic_shared_bytes, void *stream) {
  struct configuration *next = top ? malloc(sizeof *next) : &lowest;
  if (!next)
    return GP_CUDA_ERROR_MEMORY_ALLOCATION;
  *next = (struct configuration){top, grid, block, dynamic_shared_bytes, stream};
  top = next;
  return GP_CUDA_SUCCESS;
}

EXPORT int __cudaPopCallConfiguration(struct gp_cuda_dim3 *grid, struct gp_cuda_dim3 *block,
                                      size_t *dynamic_shared_bytes, void *stream) {
  struct configuration *popped = top;
  if (!popped)
    return GP_CUDA_ERROR_MISSING_CONFIGURATION;
  *grid = popped->grid;
  *block = popped->block;
  *dynamic_shared_bytes = popped->dynamic_shared_bytes;
  *(void **)stream = popped->stream;
  top = popped->below;
  if (popped != &lowest)
    free(popped);
  return GP_CUDA_SUCCESS;
}

/* ---- Launches ---- */
/* A null stream means the per-thread default stream in the _ptsz functions; this is that stream's own
 * handle. */
#define PER_THREAD_STREAM ((void *)2)
static void *per_thread(void *stream) { return stream ? stream : PER_THREAD_STREAM; }

/* A launch, the way to perform it, and the stream given by the program. */
struct call {
  struct gp_launch launch;
  int (*function)(const void *, struct gp_cuda_dim3, struct gp_cuda_dim3, void **, size_t, void *);
  void *stream;
};

static struct gp_cuda_dim3 dim3_of(const uint32_t size[3]) { return (struct gp_cuda_dim3){size[0], size[1], size[2]}; }

static int perform_launch(void *closure) {
  const struct call *c = closure;
  const struct gp_launch *l = &c->launch;
  return c->function(l->function, dim3_of(l->grid), dim3_of(l->block), l->arguments, l->dynamic_shared_bytes, c->stream);
}

#define LAUNCH(name, counted_stream, is_cooperative)                                                         \
  EXPORT int name(const void *function, struct gp_cuda_dim3 grid, struct gp_cuda_dim3 block,                 \
                  void **arguments, size_t dynamic_shared_bytes, void *stream) {                             \
    struct call call = {.launch = {.function = function,                                                     \
                                   .grid = {grid.x, grid.y, grid.z},                                         \
                                   .block = {block.x, block.y, block.z},                                     \
                                   .dynamic_shared_bytes = dynamic_shared_bytes,                             \
                                   .stream = counted_stream,                                                 \
                                   .arguments = arguments,                                                   \
                                   .cooperative = is_cooperative},                                           \
                        .function = gp_cudart()->name,                                                       \
                        .stream = stream};                                                                   \
    return gp_launch(call.launch, perform_launch, &call);                                                    \
  }
LAUNCH(cudaLaunchKernel, stream, 0)
LAUNCH(cudaLaunchKernel_ptsz, per_thread(stream), 0)
LAUNCH(cudaLaunchCooperativeKernel, stream, 1)
LAUNCH(cudaLaunchCooperativeKernel_ptsz, per_thread(stream), 1)

struct configured_launch {
  int (*call)(const struct gp_cuda_launch_config *, const void *, void **);
  const struct gp_cuda_launch_config *configuration;
  const void *function;
  void **arguments;
};

static int perform_configured_launch(void *closure) {
  const struct configured_launch *l = closure;
  return l->call(l->configuration, l->function, l->arguments);
}

static int launch_configured(struct configured_launch l, int of_thread) {
  const struct gp_cuda_launch_config *c = l.configuration;
  if (!c)
    return perform_configured_launch(&l);
  const struct gp_launch launch = {.function = l.function,
                                   .grid = {c->grid.x, c->grid.y, c->grid.z},
                                   .block = {c->block.x, c->block.y, c->block.z},
                                   .dynamic_shared_bytes = c->dynamic_shared_bytes,
                                   .stream = of_thread ? per_thread(c->stream) : c->stream,
                                   .arguments = l.arguments,
                                   .attributes = c->attributes,
                                   .attribute_count = c->attribute_count};
  return gp_launch(launch, perform_configured_launch, &l);
}

#define CONFIGURED_LAUNCH(name, of_thread)                                                                   \
  EXPORT int name(const struct gp_cuda_launch_config *configuration, const void *function,                   \
                  void **arguments) {                                                                        \
    return launch_configured(                                                                                \
        (struct configured_launch){gp_cudart()->name, configuration, function, arguments}, of_thread);       \
  }
CONFIGURED_LAUNCH(cudaLaunchKernelExC, 0)
CONFIGURED_LAUNCH(cudaLaunchKernelExC_ptsz, 1)

/* ---- Captures ---- */
/* A capture begins outside of snapshots: a snapshot may wait for the device, and this would end the
 * capture. */
#define BEGIN_CAPTURE(name)                                                                                  \
  EXPORT int name(void *stream, int mode) {                                                                  \
    gp_gate_enter();                                                                                         \
    int error = gp_cudart()->name(stream, mode);                                                             \
    if (!error)                                                                                              \
      gp_capture_begun();                                                                               \
    gp_gate_leave();                                                                                         \
    return error;                                                                                            \
  }
BEGIN_CAPTURE(cudaStreamBeginCapture)
BEGIN_CAPTURE(cudaStreamBeginCapture_ptsz)

/* An invalid handle ends nothing. Every other result ends the capture, including its invalidation. */
#define END_CAPTURE(name)                                                                                    \
  EXPORT int name(void *stream, void **graph) {                                                              \
    int error = gp_cudart()->name(stream, graph);                                                            \
    if (!error || error == GP_CUDA_ERROR_CAPTURE_INVALIDATED || error == GP_CUDA_ERROR_CAPTURE_UNJOINED)     \
      gp_capture_ended();                                                                               \
    return error;                                                                                            \
  }
END_CAPTURE(cudaStreamEndCapture)
END_CAPTURE(cudaStreamEndCapture_ptsz)

/* ---- The driver's launches ---- */
/* A program may later call an entry point returned by the CUDA runtime: it gets gpuprof's. */
static void replace_entry(const char *symbol, void **function, unsigned long long flags) {
  enum { PER_THREAD_DEFAULT_STREAM = 2 };
  void *hook = symbol && function && *function ? gp_driver_hook(symbol, (flags & PER_THREAD_DEFAULT_STREAM) != 0) : NULL;
  if (hook)
    *function = hook;
}

#define DRIVER_ENTRY(name, per_thread)                                                                       \
  EXPORT int name(const char *symbol, void **function, unsigned long long flags, int *status) {              \
    int error = gp_cudart()->name(symbol, function, flags, status);                                          \
    if (!error)                                                                                              \
      replace_entry(symbol, function, flags | per_thread);                                                   \
    return error;                                                                                            \
  }
DRIVER_ENTRY(cudaGetDriverEntryPoint, 0)
DRIVER_ENTRY(cudaGetDriverEntryPoint_ptsz, 2)

#define DRIVER_ENTRY_BY_VERSION(name, per_thread)                                                            \
  EXPORT int name(const char *symbol, void **function, unsigned version, unsigned long long flags, int *status) { \
    int error = gp_cudart()->name(symbol, function, version, flags, status);                                 \
    if (!error)                                                                                              \
      replace_entry(symbol, function, flags | per_thread);                                                   \
    return error;                                                                                            \
  }
DRIVER_ENTRY_BY_VERSION(cudaGetDriverEntryPointByVersion, 0)
DRIVER_ENTRY_BY_VERSION(cudaGetDriverEntryPointByVersion_ptsz, 2)

/* ---- Graphs ---- */
static const struct gp_graph_functions *graphs(void) { return gp_cuda_functions()->graphs; }

static int note_instantiated(int error, void *executable, void *graph) {
  if (!error && graphs())
    graphs()->instantiated(executable, graph);
  return error;
}

EXPORT int cudaGraphInstantiate(void **executable, void *graph, uintptr_t flags, void *log, size_t log_bytes) {
  const int error = gp_cudart()->cudaGraphInstantiate(executable, graph, flags, log, log_bytes);
  return note_instantiated(error, error ? NULL : *executable, graph);
}

EXPORT int cudaGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) {
  const int error = gp_cudart()->cudaGraphInstantiateWithFlags(executable, graph, flags);
  return note_instantiated(error, error ? NULL : *executable, graph);
}

#define INSTANTIATE_WITH_PARAMETERS(name)                                                                    \
  EXPORT int name(void **executable, void *graph, void *parameters) {                                        \
    const int error = gp_cudart()->name(executable, graph, parameters);                                      \
    return note_instantiated(error, error ? NULL : *executable, graph);                                      \
  }
INSTANTIATE_WITH_PARAMETERS(cudaGraphInstantiateWithParams)
INSTANTIATE_WITH_PARAMETERS(cudaGraphInstantiateWithParams_ptsz)

EXPORT int cudaGraphExecUpdate(void *executable, void *graph, void *result, void *old_result) {
  return note_instantiated(gp_cudart()->cudaGraphExecUpdate(executable, graph, result, old_result), executable, graph);
}

EXPORT int cudaGraphExecKernelNodeSetParams(void *executable, void *node,
                                            const struct gp_cuda_kernel_node *parameters) {
  int error = gp_cudart()->cudaGraphExecKernelNodeSetParams(executable, node, parameters);
  if (!error && graphs())
    graphs()->kernel_changed(executable, node, parameters);
  return error;
}

struct graph_launch {
  int (*call)(void *, void *);
  void *executable, *stream;
};

static int perform_graph_launch(void *closure) {
  const struct graph_launch *l = closure;
  return l->call(l->executable, l->stream);
}

#define LAUNCH_GRAPH(name, counted_stream)                                                                   \
  EXPORT int name(void *executable, void *stream) {                                                          \
    struct graph_launch l = {gp_cudart()->name, executable, stream};                                         \
    return graphs() ? graphs()->launch(executable, counted_stream, perform_graph_launch, &l) : perform_graph_launch(&l); \
  }
LAUNCH_GRAPH(cudaGraphLaunch, stream)
LAUNCH_GRAPH(cudaGraphLaunch_ptsz, per_thread(stream))

/* From CUDA 13 on, and under the name of version 2, there is an additional parameter. */
static void note_conditional(void **node, const struct gp_cuda_node_parameters *parameters) {
  if (graphs() && parameters && parameters->type == GP_CUDA_NODE_CONDITIONAL && parameters->bodies)
    graphs()->conditional(*node, parameters->bodies, parameters->body_count);
}

static void note_node(void **node, void *parameters) {
  note_conditional(node, parameters);
  gp_memory_note_node(parameters);
}

static int has_edge_data(void) {
  static int version;
  return (version || !gp_cudart()->cudaRuntimeGetVersion(&version)) && version >= 13000;
}

#define ADD_NODE(name, has_more)                                                                             \
  EXPORT int name(void **node, void *graph, const void *dependencies, uintptr_t data_or_count,               \
                  uintptr_t count_or_parameters, void *parameters) {                                         \
    int error =                                                                                              \
        gp_cudart()->name(node, graph, dependencies, data_or_count, count_or_parameters, parameters);        \
    if (!error)                                                                                              \
      note_node(node, (has_more) ? parameters : (void *)count_or_parameters);                                \
    return error;                                                                                            \
  }
ADD_NODE(cudaGraphAddNode, has_edge_data())
ADD_NODE(cudaGraphAddNode_v2, 1)

EXPORT int cudaGraphExecDestroy(void *executable) {
  if (graphs())
    graphs()->destroyed(executable);
  return gp_cudart()->cudaGraphExecDestroy(executable);
}

/* ---- The end of the device ---- */
/* All device memory is freed, and the program may go on: counts on the device are fetched first. */
EXPORT int cudaDeviceReset(void) {
  const struct gp_cudart *cuda = gp_cudart();
  int device = -1;
  struct gp_host_wait wait;
  gp_host_wait_begin(&wait, "cudaDeviceReset", GP_WAITS_ALWAYS);
  gp_report_hold();
  if (gp_state() != GP_OFF && !gp_device()->current(&device)) {
    gp_device()->flush();
    gp_device_resets(device);
    if (gp_cuda_functions()->reset)
      gp_cuda_functions()->reset(device);
  }
  const int error = cuda->cudaDeviceReset();
  if (!error)
    gp_memory_note_reset(device);
  gp_report_release();
  gp_host_wait_end(&wait, GP_WAITS_ALWAYS);
  return error;
}
