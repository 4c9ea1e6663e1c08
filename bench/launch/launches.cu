// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch costs the host: loops of launches by one and by several threads, of an empty kernel and of one
// that lasts some time. Usage: launches THREADS LAUNCHES SPIN_NS TURNS; prints the least and the median ns a launch.
// LAUNCH_CUPTI names what CUPTI is asked for, without gpuprof: kernel, callback, external, api, copies, joined by commas.
// `launches calls' prints what single calls cost that a profiler makes at each launch.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <thread>
#include <vector>

__global__ void empty(float *) {}

__global__ void spin(long long ns) {
  long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < ns);
}

// ---- CUPTI, as other profilers use it ----
#ifdef WITH_CUPTI
#include <cupti.h>
#include <map>
#include <mutex>

static decltype(&cuptiActivityPushExternalCorrelationId) push_id;
static decltype(&cuptiActivityPopExternalCorrelationId) pop_id;
static decltype(&cuptiActivityGetNextRecord) next_record;
static decltype(&cuptiActivityFlushAll) flush_all;
static bool with_external;
static thread_local uint32_t seen_correlation;
static std::mutex ids_lock;
static std::vector<uint32_t> seen, recorded; // correlation ids: of callbacks, of kernel records

static void give(uint8_t **buffer, size_t *bytes, size_t *records) {
  *bytes = 1 << 20;
  *buffer = (uint8_t *)aligned_alloc(64, *bytes);
  *records = 0;
}

static void take(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  CUpti_Activity *record = nullptr;
  while (next_record(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      std::lock_guard<std::mutex> hold(ids_lock);
      recorded.push_back(((CUpti_ActivityKernel4 *)record)->correlationId);
    }
  free(buffer);
}

static void see(void *, CUpti_CallbackDomain domain, CUpti_CallbackId, const void *argument) {
  const CUpti_CallbackData *call = (const CUpti_CallbackData *)argument;
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && call->callbackSite == CUPTI_API_EXIT)
    seen_correlation = call->correlationId;
}

template <class Function> static void find(void *library, const char *name, Function *function) {
  *(void **)function = dlsym(library, name);
  if (!*function) {
    printf("no %s\n", name);
    exit(1);
  }
}

static void start_cupti(const char *what) {
  void *library = dlopen(getenv("LAUNCH_CUPTI_LIBRARY"), RTLD_NOW);
  if (!library) {
    printf("%s\n", dlerror());
    exit(1);
  }
  decltype(&cuptiSubscribe) subscribe;
  decltype(&cuptiActivityRegisterCallbacks) callbacks;
  decltype(&cuptiActivityEnable) enable;
  decltype(&cuptiEnableCallback) callback;
  int (*enable_api)(uint32_t, uint8_t);
  find(library, "cuptiSubscribe", &subscribe);
  find(library, "cuptiActivityRegisterCallbacks", &callbacks);
  find(library, "cuptiActivityEnable", &enable);
  find(library, "cuptiEnableCallback", &callback);
  find(library, "cuptiActivityEnableRuntimeApi", &enable_api);
  find(library, "cuptiActivityPushExternalCorrelationId", &push_id);
  find(library, "cuptiActivityPopExternalCorrelationId", &pop_id);
  find(library, "cuptiActivityGetNextRecord", &next_record);
  find(library, "cuptiActivityFlushAll", &flush_all);
  CUpti_SubscriberHandle subscriber;
  int error = subscribe(&subscriber, see, nullptr) | callbacks(give, take);
  if (strstr(what, "kernel"))
    error |= enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  if (strstr(what, "api"))
    error |= enable_api(211, 1);
  if (strstr(what, "external"))
    error |= enable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
  if (strstr(what, "copies")) {
    error |= enable(CUPTI_ACTIVITY_KIND_MEMCPY) | enable(CUPTI_ACTIVITY_KIND_MEMSET) | enable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    for (uint32_t function = 31; function <= 52; function++) // cudaMemcpy… and cudaMemset… of the first version
      error |= enable_api(function, 1);
  }
  if (strstr(what, "callback"))
    error |= callback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, 307);
  with_external = strstr(what, "external") != nullptr;
  if (error)
    printf("CUPTI refused: %d\n", error);
}
#endif

static void launch(long long spin_ns, cudaStream_t stream) {
#ifdef WITH_CUPTI
  static uint64_t id;
  if (with_external)
    push_id(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, ++id);
#endif
  if (spin_ns)
    spin<<<1, 1, 0, stream>>>(spin_ns);
  else
    empty<<<1, 32, 0, stream>>>(nullptr);
#ifdef WITH_CUPTI
  uint64_t last;
  if (with_external)
    pop_id(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
  if (seen_correlation) {
    std::lock_guard<std::mutex> hold(ids_lock);
    seen.push_back(seen_correlation);
  }
#endif
}

static double turn(int threads, int launches, long long spin_ns, const std::vector<cudaStream_t> &streams) {
  std::vector<std::thread> all;
  const auto start = std::chrono::steady_clock::now();
  for (int t = 0; t < threads; t++)
    all.emplace_back([&, t] {
      for (int i = 0; i < launches; i++)
        launch(spin_ns, streams[t]);
    });
  for (auto &thread : all)
    thread.join();
  const auto end = std::chrono::steady_clock::now();
  cudaDeviceSynchronize();
  return std::chrono::duration<double, std::nano>(end - start).count() / launches;
}

// ---- Single calls ----
template <class Call> static void time_call(const char *name, Call call) {
  enum { CALLS = 100000 };
  for (int i = 0; i < CALLS / 10; i++)
    call();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < CALLS; i++)
    call();
  const auto end = std::chrono::steady_clock::now();
  printf("%-44s %8.1f ns\n", name, std::chrono::duration<double, std::nano>(end - start).count() / CALLS);
}

static void time_calls() {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static std::atomic<uint64_t> shared{0};
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int device;
  cudaStreamCaptureStatus status;
  timespec time;
  time_call("clock_gettime(CLOCK_MONOTONIC)", [&] { clock_gettime(CLOCK_MONOTONIC, &time); });
  time_call("rdtsc", [&] { shared.store(__builtin_ia32_rdtsc(), std::memory_order_relaxed); });
  time_call("a mutex, locked and unlocked", [&] { pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock); });
  time_call("an atomic addition", [&] { shared.fetch_add(1); });
  time_call("cudaGetDevice", [&] { cudaGetDevice(&device); });
  time_call("cudaStreamIsCapturing, default stream", [&] { cudaStreamIsCapturing(nullptr, &status); });
  time_call("cudaStreamIsCapturing, a stream", [&] { cudaStreamIsCapturing(stream, &status); });
}

int main(int count, char **arguments) {
  if (count > 1 && !strcmp(arguments[1], "calls")) {
    time_calls();
    return 0;
  }
  const int threads = count > 1 ? atoi(arguments[1]) : 1, launches = count > 2 ? atoi(arguments[2]) : 500;
  const long long spin_ns = count > 3 ? atoll(arguments[3]) : 0;
  const int turns = count > 4 ? atoi(arguments[4]) : 21;
#ifdef WITH_CUPTI
  const char *what = getenv("LAUNCH_CUPTI");
  if (what)
    start_cupti(what);
#endif
  std::vector<cudaStream_t> streams(threads);
  for (auto &stream : streams)
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  std::vector<double> ns;
  turn(threads, launches, spin_ns, streams);
  for (int i = 0; i < turns; i++)
    ns.push_back(turn(threads, launches, spin_ns, streams));
  std::sort(ns.begin(), ns.end());
  printf("%8.0f %8.0f", ns[0], ns[turns / 2]);
#ifdef WITH_CUPTI
  if (what) {
    flush_all(1);
    std::sort(seen.begin(), seen.end());
    std::sort(recorded.begin(), recorded.end());
    std::vector<uint32_t> both;
    std::set_intersection(seen.begin(), seen.end(), recorded.begin(), recorded.end(), std::back_inserter(both));
    printf("   %zu kernel records, %zu ids seen in callbacks, %zu of both", recorded.size(), seen.size(), both.size());
  }
#endif
  printf("\n");
  return cudaGetLastError() != cudaSuccess;
}
