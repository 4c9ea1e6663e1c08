// Streams and events: order, waiting, functions of the host, capture.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"
#include "lanes.h"

// cudaLaunchHostFunc and cudaStreamAddCallback run on the host behind the preceding work.
namespace stream_calls_host {
__global__ void set(int *p) { *p = 9; }
static int *managed, seen, called;
static void CUDART_CB look(void *data) {
  if (data == &seen)
    seen = *managed;
}
static void CUDART_CB call(cudaStream_t, cudaError_t status, void *) { called = status == cudaSuccess; }

static void check() {
  OK(cudaMallocManaged(&managed, sizeof(int)));
  set<<<1, 1>>>(managed);
  OK(cudaLaunchHostFunc(0, look, &seen));
  OK(cudaStreamAddCallback(0, call, nullptr, 0));
  OK(cudaDeviceSynchronize());
  EXPECT(seen == 9 && called);
}
} // namespace stream_calls_host

// Work given to one stream happens in its order, copies and memsets included.
namespace stream_order {
__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

static void check() {
  Values<int, 32> p;
  int host[32];
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaMemsetAsync(p.device, 0, sizeof host, stream));
  add<<<1, 32, 0, stream>>>(p.device, 5);
  OK(cudaMemcpyAsync(host, p.device, sizeof host, cudaMemcpyDeviceToHost, stream));
  add<<<1, 32, 0, stream>>>(p.device, 6);
  OK(cudaStreamSynchronize(stream));
  OK(cudaStreamQuery(stream));
  p.read();
  for (int i = 0; i < 32; i++)
    EXPECT(host[i] == 5 && p.host[i] == 11);
  OK(cudaStreamDestroy(stream));
}
} // namespace stream_order

// An event recorded in one stream orders another after it; an event of no use is ready at once.
namespace stream_waits_for_event {
__global__ void set(int *p, int v) { *p = v; }
__global__ void copy(const int *from, int *to) { *to = *from * 2; }

static void check() {
  Values<int, 2> p;
  cudaStream_t a, b;
  cudaEvent_t event, unused;
  OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithPriority(&b, cudaStreamNonBlocking, 0));
  OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  OK(cudaEventCreate(&unused));
  OK(cudaEventQuery(unused));
  set<<<1, 1, 0, a>>>(p.device, 21);
  OK(cudaEventRecord(event, a));
  OK(cudaStreamWaitEvent(b, event, 0));
  copy<<<1, 1, 0, b>>>(p.device, p.device + 1);
  OK(cudaEventSynchronize(event));
  p.read();
  EXPECT(p.host[1] == 42);
  OK(cudaEventDestroy(event));
  OK(cudaEventDestroy(unused));
  OK(cudaStreamDestroy(a));
  OK(cudaStreamDestroy(b));
}
} // namespace stream_waits_for_event

// A stream joined to a capture may be destroyed once its work is joined; otherwise the capture ends unjoined.
namespace capture_joined_stream {
__global__ void add(int *p, int n) { *p += n; }

static cudaError_t capture(int *p, bool joined, cudaGraph_t *graph) {
  cudaStream_t first, second;
  cudaEvent_t forked, done;
  OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  OK(cudaEventCreate(&forked));
  OK(cudaEventCreate(&done));
  OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, first>>>(p, 1);
  OK(cudaEventRecord(forked, first));
  OK(cudaStreamWaitEvent(second, forked, 0));
  add<<<1, 1, 0, second>>>(p + 1, 10);
  OK(cudaEventRecord(done, second));
  if (joined)
    OK(cudaStreamWaitEvent(first, done, 0));
  OK(cudaStreamDestroy(second));
  OK(cudaEventDestroy(forked));
  OK(cudaEventDestroy(done));
  cudaError_t error = cudaStreamEndCapture(first, graph);
  OK(cudaStreamDestroy(first));
  return error;
}

static void check() {
  int host[2] = {}, *p = to_device(host, 2);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t run;
  OK(capture(p, true, &graph));
  OK(cudaGraphInstantiate(&run, graph, 0));
  OK(cudaGraphLaunch(run, 0));
  OK(cudaGraphLaunch(run, 0));
  to_host(host, p, 2);
  EXPECT(host[0] == 2 && host[1] == 20);
  EXPECT(capture(p, false, &graph) == cudaErrorStreamCaptureUnjoined && graph == nullptr);
}
} // namespace capture_joined_stream

// cudaEventElapsedTime between events is not negative; it is an error where one was not recorded.
namespace events_time {
__global__ void nothing() {}

static void check() {
  cudaEvent_t start, stop, never;
  float milliseconds = -1;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&stop));
  OK(cudaEventCreate(&never));
  OK(cudaEventRecord(start));
  nothing<<<1, 1>>>();
  OK(cudaEventRecord(stop));
  OK(cudaEventSynchronize(stop));
  OK(cudaEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds >= 0);
  EXPECT(cudaEventElapsedTime(&milliseconds, start, never) == cudaErrorInvalidResourceHandle);
}
} // namespace events_time

int main() {
  behaviour(stream_calls_host::check);
  behaviour(stream_order::check);
  behaviour(stream_waits_for_event::check);
  behaviour(capture_joined_stream::check);
  behaviour(events_time::check);
  return finish();
}
