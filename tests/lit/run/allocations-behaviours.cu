// Memory that is released twice, by another thread, by a reset or not at all; captured, mapped, refused or not seen: what the document
// says of each. The program does what its argument names.
// RUN: %clangxx -x c++ -O1 -g -rdynamic -I%source/include %s -o %t %link -ldl -pthread
// RUN: %clangxx -x c++ -O1 -fPIC -shared -DLIBRARY -I%source/include %s -o %t.so %link
// RUN: rm -rf %t.out && mkdir %t.out
// RUN: sh -c 'for w in twice unknown peak leaks threads reset regions kinds graph exhausted mapped outlived library nothing moved statics; do GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.out/$w.json %t $w %t.so || exit 1; done'
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_MEMORY=off GPUPROF_OUTPUT=%t.out/off.json %t regions
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_MEMORY=on GPUPROF_OUTPUT=%t.out/on.json %t leaks
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_CPU_DEVICES=2 GPUPROF_OUTPUT=%t.out/devices.json %t devices
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.out/%%p.json %t forked %t.out
// RUN: %py %S/Inputs/memory_has.py %t.out/twice.json "m['refused_releases'] == 1" "m['releases'] == 1" "m['leaks'] == []"
// RUN: %py %S/Inputs/memory_has.py %t.out/unknown.json "m['unknown_releases'] == 0" "m['refused_releases'] == 1" "m['allocations'] == 0"
// RUN: %py %S/Inputs/memory_has.py %t.out/peak.json "m['peak_bytes'] == 7000" "m['end_bytes'] == 0" "0 < m['average_bytes'] < 7000" "[i['bytes'] for i in device(0)['at_peak']] == [4000, 3000]" "'second' in names(device(0)['at_peak'][0])[0]" "max(device(0)['curve']['most_bytes']) == 7000" "device(0)['curve']['last_bytes'][-1] == 0" "[l['bytes'] for l in m['largest']] == [6000, 4000, 3000]" "all(l['released'] for l in m['largest'])" "m['allocated_bytes'] == 13000"
// RUN: %py %S/Inputs/memory_has.py %t.out/leaks.json "m['leaked_bytes'] == 900" "m['leaked_allocations'] == 9" "leak('loop')['allocations'] == 8 and leak('loop')['bytes'] == 800" "'first(unsigned long)' in names(leak('loop')) and names(leak('loop'))[1] == 'leaks()' and 'main' in names(leak('loop'))" "leak(None)['bytes'] == 100"
// RUN: %py %S/Inputs/memory_has.py %t.out/on.json "m['leaked_bytes'] == 900" "leak('loop')['stack'] is None" "m['stacks'] == []"
// RUN: %py %S/Inputs/memory_has.py %t.out/off.json "m == {'peak_bytes': None, 'leaks': None}" "'GPUPROF_MEMORY is off' in notes" "row('outer')['allocated_bytes'] is None"
// RUN: %py %S/Inputs/memory_has.py %t.out/threads.json "m['allocations'] == m['releases'] == 8000" "m['leaks'] == []" "m['unknown_releases'] == 0" "m['peak_bytes'] <= 8 * 256" "m['allocated_bytes'] == 8000 * 256"
// RUN: %py %S/Inputs/memory_has.py %t.out/reset.json "m['reset_releases'] == 3" "m['leaks'] == []" "m['peak_bytes'] == 5000" "m['allocated_bytes'] == 5500"
// RUN: %py %S/Inputs/memory_has.py %t.out/regions.json "row('outer')['allocated_bytes'] == 3000 and row('outer')['net_bytes'] == 1000 and row('outer')['peak_bytes'] == 3000" "row('outer/inner')['allocated_bytes'] == 2000 and row('outer/inner')['releases'] == 0" "row('free')['net_bytes'] == -1000 and row('free')['allocations'] == 0 and row('free')['peak_bytes'] == 1000" "row('idle')['peak_bytes'] is None and row('idle')['net_bytes'] == 0"
// RUN: %py %S/Inputs/memory_has.py %t.out/kinds.json "device(0)['peak_bytes'] == 3000" "device(None)['peak_bytes'] == 4000" "m['peak_bytes'] == 3000" "kind('managed')['peak_bytes'] == 1000" "kind('pool')['releases'] == 1" "device(0)['default_pool']['used_peak_bytes'] == 2000" "device(0)['default_pool']['reserved_peak_bytes'] >= 2000"
// RUN: %py %S/Inputs/memory_has.py %t.out/graph.json "m['graphs'] == {'allocations': 1, 'bytes': 512, 'releases': 1}" "m['allocations'] == 0 and m['leaks'] == []" "'nodes of graphs' in notes" "m['unknown_releases'] == 0"
// RUN: %py %S/Inputs/memory_has.py %t.out/exhausted.json "m['exhausted']['allocations'] == 1" "m['exhausted']['first'][0]['bytes'] == 1 << 50" "m['exhausted']['first'][0]['region'] == 'hungry'" "m['exhausted']['first'][0]['held_bytes'] == 1500" "[h['bytes'] for h in m['exhausted']['first'][0]['held']] == [1000, 500]" "'memory ran out: cudaMalloc in region' in notes" "m['refused_allocations'] == 1"
// RUN: %py %S/Inputs/memory_has.py %t.out/mapped.json "kind('virtual')['peak_bytes'] == 2 << 20" "kind('virtual')['releases'] == 1" "m['peak_bytes'] == (2 << 20) + 1000" "m['end_bytes'] == 0"
// RUN: %py %S/Inputs/memory_has.py %t.out/outlived.json "kind('virtual')['releases'] == 1" "m['reset_releases'] == 1" "m['leaked_bytes'] == 1000" "m['end_bytes'] == 1000"
// RUN: %py %S/Inputs/memory_has.py %t.out/library.json "len(m['leaks']) == 2" "all(names(l)[0] == 'library_allocates' for l in m['leaks'] if l['bytes'] == 600)" "leak(None)['allocations'] == 2"
// RUN: %py %S/Inputs/memory_has.py %t.out/nothing.json "m['peak_bytes'] == 0" "m['leaks'] == []" "'places' not in m"
// RUN: %py %S/Inputs/memory_has.py %t.out/moved.json "leak('here')['bytes'] == 100 and leak('there')['bytes'] == 100" "leak('here')['stack'] != leak('there')['stack']"
// RUN: %py %S/Inputs/memory_has.py %t.out/statics.json "m['leaks'] == []" "m['allocations'] == m['releases'] == 1"
// RUN: %py %S/Inputs/memory_has.py %t.out/devices.json "device(0)['peak_bytes'] == 1000 and device(1)['peak_bytes'] == 2000" "m['peak_bytes'] == 3000" "leak('second')['device'] == 1"
// RUN: %py %S/Inputs/memory_has.py %t.out/child.json "m['allocations'] == 1 and m['releases'] == 0" "m['leaked_bytes'] == 50" "m['unknown_releases'] == 0"
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.out/exhausted.json %t.out/kinds.json %t.out/off.json %t.out/nothing.json
#include "gpuprof.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" {
int cudaMalloc(void **, size_t);
int cudaMallocManaged(void **, size_t, unsigned);
int cudaFree(void *);
int cudaMallocHost(void **, size_t);
int cudaMallocAsync(void **, size_t, void *);
int cudaFreeAsync(void *, void *);
int cudaDeviceReset(void);
int cudaSetDevice(int);
int cudaStreamCreate(void **);
int cudaStreamSynchronize(void *);
int cudaStreamBeginCapture(void *, int);
int cudaStreamEndCapture(void *, void **);
int cudaGraphInstantiateWithFlags(void **, void *, unsigned long long);
int cudaGraphLaunch(void *, void *);
int cuInit(unsigned);
int cuMemCreate(uint64_t *, size_t, const void *, unsigned long long);
int cuMemRelease(uint64_t);
int cuMemAddressReserve(uint64_t *, size_t, size_t, uint64_t, unsigned long long);
int cuMemMap(uint64_t, size_t, size_t, uint64_t, unsigned long long);
int cuMemUnmap(uint64_t, size_t);
}

#ifdef LIBRARY
extern "C" __attribute__((visibility("default"))) int library_allocates(int bytes) {
  void *p;
  return cudaMalloc(&p, bytes) || !p; // no tail call
}
#else
#define FUNCTION __attribute__((noinline))

FUNCTION void *first(size_t bytes) {
  void *p = nullptr;
  return cudaMalloc(&p, bytes) ? nullptr : p;
}
FUNCTION void *second(size_t bytes) {
  void *p = nullptr;
  return cudaMalloc(&p, bytes) ? nullptr : p;
}

static const char *argument;

void twice() {
  void *p = first(100);
  cudaFree(p);
  cudaFree(p);
}
void unknown() {
  static char own[64];
  cudaFree(own);
  cudaFree(nullptr);
}
void peak() {
  void *a = first(6000);
  cudaFree(a);
  a = first(3000);
  void *b = second(4000);
  usleep(2000);
  cudaFree(a);
  cudaFree(b);
}
void leaks() {
  {
    gpuprof::Region region("loop");
    for (int i = 0; i < 8; i++)
      first(100);
  }
  first(100);
}
void threads() {
  std::vector<std::thread> all;
  for (int t = 0; t < 8; t++)
    all.emplace_back([] {
      for (int i = 0; i < 1000; i++)
        cudaFree(first(256));
    });
  for (std::thread &t : all)
    t.join();
}
void reset() {
  first(2000);
  first(2500);
  second(500);
  cudaDeviceReset();
  cudaFree(first(500));
}
void regions() {
  void *kept, *inner;
  {
    gpuprof::Region outer("outer");
    kept = first(1000);
    {
      gpuprof::Region region("inner");
      inner = second(2000);
    }
    cudaFree(inner);
  }
  {
    gpuprof::Region idle("idle");
  }
  gpuprof::Region region("free");
  cudaFree(kept);
}
void kinds() {
  void *p;
  cudaMallocManaged(&p, 1000, 1);
  cudaMallocHost(&p, 4000);
  cudaMallocAsync(&p, 2000, nullptr);
  cudaFreeAsync(p, nullptr);
}
void graph() {
  void *stream, *graph, *run, *p = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, 0);
  cudaMallocAsync(&p, 512, stream);
  cudaFreeAsync(p, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiateWithFlags(&run, graph, 0);
  cudaGraphLaunch(run, stream);
  cudaStreamSynchronize(stream);
}
void exhausted() {
  first(500);
  second(1000);
  gpuprof::Region region("hungry");
  first((size_t)1 << 50);
  cudaMalloc(nullptr, 10);
}
static uint64_t map(size_t bytes) {
  const struct { int type, handles, location, device; void *security; unsigned char flags[8]; } device = {1, 0, 1, 0, nullptr, {}};
  uint64_t handle, address;
  cuInit(0);
  cudaFree(nullptr);
  if (cuMemCreate(&handle, bytes, &device, 0) || cuMemAddressReserve(&address, bytes, 0, 0, 0))
    return 0;
  cuMemMap(address, bytes, 0, handle, 0);
  cuMemRelease(handle); // the memory stays while it is mapped
  return address;
}
void mapped() {
  const uint64_t address = map(2 << 20);
  cudaFree(first(1000));
  cuMemUnmap(address, 2 << 20);
}
void outlived() {
  const uint64_t address = map(2 << 20);
  cudaDeviceReset(); // releases the memory of the mapping
  first(1000);
  cuMemUnmap(address, 2 << 20);
}
void library() {
  for (int i = 0; i < 2; i++) {
    void *opened = dlopen(argument, RTLD_NOW | RTLD_LOCAL);
    auto allocates = opened ? (int (*)(int))dlsym(opened, "library_allocates") : nullptr;
    if (allocates)
      allocates(300);
    if (opened)
      dlclose(opened);
  }
  gpuprof::Region region("after");
  first(40);
}
void nothing() { gpuprof::Region region("nothing"); }
// Both calls come from one place of one function, and differ in what called that.
FUNCTION void here() { gpuprof::Region region("here"); first(100); }
FUNCTION void there() { gpuprof::Region region("there"); first(100); }
void moved() {
  here();
  there();
  __asm__ volatile(""); // no tail call
}
// Destroyed after the first document was written.
static struct Keeper {
  void *memory = nullptr;
  ~Keeper() { cudaFree(memory); }
} keeper;
void statics() { keeper.memory = first(100); }
void devices() {
  first(1000);
  cudaSetDevice(1);
  gpuprof::Region region("second");
  second(2000);
}
void forked() {
  void *p = first(100);
  pid_t child = fork();
  if (child == 0) {
    cudaFree(p);
    first(50);
    return;
  }
  int status;
  waitpid(child, &status, 0);
  cudaFree(p);
  const std::string folder = argument;
  std::rename((folder + "/" + std::to_string(child) + ".json").c_str(), (folder + "/child.json").c_str());
}

static const struct { const char *name; void (*run)(); } ways[] = {
#define WAY(name) {#name, name},
    WAY(twice) WAY(unknown) WAY(peak) WAY(leaks) WAY(threads) WAY(reset) WAY(regions) WAY(kinds) WAY(graph) WAY(exhausted)
    WAY(mapped) WAY(outlived) WAY(library) WAY(nothing) WAY(moved) WAY(devices) WAY(forked) WAY(statics)};

int main(int count, char **arguments) {
  argument = count > 2 ? arguments[2] : "";
  for (const auto &way : ways)
    if (count > 1 && !std::strcmp(way.name, arguments[1]))
      return way.run(), 0;
  return 2;
}
#endif
