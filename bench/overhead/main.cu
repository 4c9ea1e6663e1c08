/* Times the variants of each kernel on a GPU, in turn, launch by launch,
 * by CUPTI's kernel records: see run. A stand-in for gpuprof's runtime
 * gives the kernels their counters, so nothing but the kernels differs. */
#include "overhead.h"

#include "gpuprof/abi.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <cupti.h>
#include <dlfcn.h>
#include <string>
#include <vector>

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "overhead: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

/* ---- Counters: the runtime's part ---- */

/* Units register in constructors, possibly before those of this file. */
static std::vector<gpuprof_host_unit *> &units() {
  static std::vector<gpuprof_host_unit *> all;
  return all;
}
extern "C" void __gpuprof_register_unit(gpuprof_host_unit *unit) { units().push_back(unit); }
extern "C" void __gpuprof_unregister_unit(gpuprof_host_unit *) {}
extern "C" uint32_t __gpuprof_region_enter(gpuprof_region_site *) { return 0; }
extern "C" void __gpuprof_region_exit(uint32_t) {}

static std::vector<std::pair<uint64_t *, size_t>> counters; /* of each kernel: address, numbers */

static void switch_on(const gpuprof_host_unit *unit) {
  void *address;
  gpuprof_device_unit found;
  check(cudaGetSymbolAddress(&address, unit->device_unit), "the unit's descriptor");
  check(cudaMemcpy(&found, address, sizeof found, cudaMemcpyDeviceToHost), "reading it");
  std::string sheet(found.sheet_bytes, ' ');
  check(cudaMemcpy(&sheet[0], (void *)found.sheet, sheet.size(), cudaMemcpyDeviceToHost),
        "reading the sheet");
  std::vector<uint64_t> bases(found.kernel_count);
  size_t at = 0;
  for (uint64_t &base : bases) {
    at = sheet.find("groups=", at) + strlen("groups=");
    if (sheet.find("\nclone\t" + std::to_string(&base - &bases[0]) + "\t") != std::string::npos)
      continue; /* it has no counters of its own */
    const size_t numbers = GPUPROF_COUNTER_SLOTS * strtoul(&sheet[at], nullptr, 10);
    uint64_t *memory;
    check(cudaMalloc(&memory, numbers * sizeof *memory), "memory for counters");
    check(cudaMemset(memory, 0, numbers * sizeof *memory), "clearing it");
    counters.push_back({memory, numbers});
    base = (uint64_t)memory;
  }
  check(cudaMemcpy((void *)found.counters, bases.data(), bases.size() * sizeof bases[0],
                   cudaMemcpyHostToDevice),
        "switching counters on");
}

static int counted_kernels() {
  int counted = 0;
  for (auto [memory, numbers] : counters) {
    std::vector<uint64_t> values(numbers);
    check(cudaMemcpy(values.data(), memory, numbers * sizeof values[0], cudaMemcpyDeviceToHost),
          "reading counters");
    counted += std::any_of(values.begin(), values.end(), [](uint64_t value) { return value != 0; });
  }
  return counted;
}

/* ---- Times ---- */

static decltype(&cuptiActivityGetNextRecord) next_record;
static std::vector<double> times; /* us, in the order of the kernels' runs */

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *records) {
  *size = 1 << 20;
  *buffer = (uint8_t *)aligned_alloc(8, *size);
  *records = 0;
}

static void CUPTIAPI take_buffer(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  CUpti_Activity *record = nullptr;
  while (next_record(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto *kernel = (const CUpti_ActivityKernel9 *)record;
      times.push_back((kernel->end - kernel->start) / 1000.0);
    }
  free(buffer);
}

static decltype(&cuptiActivityFlushAll) flush_all;

static void start_timing() {
  void *library = nullptr;
  for (const char *name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
    if (!library)
      library = dlopen(name, RTLD_NOW);
  if (!library) {
    fprintf(stderr, "overhead: libcupti is not found: put its folder into LD_LIBRARY_PATH\n");
    exit(1);
  }
  next_record = (decltype(next_record))dlsym(library, "cuptiActivityGetNextRecord");
  flush_all = (decltype(flush_all))dlsym(library, "cuptiActivityFlushAll");
  auto take = (decltype(&cuptiActivityRegisterCallbacks))dlsym(library, "cuptiActivityRegisterCallbacks");
  auto enable = (decltype(&cuptiActivityEnable))dlsym(library, "cuptiActivityEnable");
  if (!next_record || !flush_all || !take || !enable || take(give_buffer, take_buffer) ||
      enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) {
    fprintf(stderr, "overhead: CUPTI does not give kernel records here\n");
    exit(1);
  }
}

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/* ---- The table ---- */

struct Row {
  Kernel kernel;
  const char *name;
  Size size;
};

static const Row rows[] = {
    {LifStep, "lif_step, 1 M neurons", {1 << 20, 0}},
    {LifStep, "lif_step, 16 M neurons", {1 << 24, 0}},
    {StbifForward, "stbif_forward, 256 K neurons, 4 steps", {1 << 18, 4}},
    {StbifForward, "stbif_forward, 4 M neurons, 4 steps", {1 << 22, 4}},
    {StbifBackward, "stbif_backward, 256 K neurons, 4 steps", {1 << 18, 4}},
    {StbifBackward, "stbif_backward, 4 M neurons, 4 steps", {1 << 22, 4}},
    {AttentionScores, "attention_scores, 256 rows, 4 heads", {256, 4}},
    {AttentionScores, "attention_scores, 1024 rows, 8 heads", {1024, 8}},
    {AttentionSoftmax, "attention_softmax, 256 rows, 4 heads", {256, 4}},
    {AttentionSoftmax, "attention_softmax, 512 rows, 4 heads", {512, 4}},
    {AttentionSoftmax, "attention_softmax, 2048 rows, 8 heads", {2048, 8}},
    {AttentionValues, "attention_values, 256 rows, 4 heads", {256, 4}},
    {AttentionValues, "attention_values, 1024 rows, 8 heads", {1024, 8}},
    {AttentionTiled, "attention_tiled, 512 rows, 8 heads", {512, 8}},
    {AttentionTiled, "attention_tiled, 2048 rows, 16 heads", {2048, 16}},
    {AttentionTiledCausal, "attention_tiled causal, 2048 rows, 16 heads", {2048, 16}},
};

/* Medians of `rounds` rounds. In each round every variant runs twice in a row, each time in another
 * order. The second run counts: it finds the cache of its own first run, not the previous variant's. */
static std::vector<double> measure(const Row &row, const Memory &memory, int rounds) {
  for (int v = 0; v < variant_count; v++)
    for (int i = 0; i < 3; i++)
      variants[v].launch(row.kernel, row.size, memory);
  check(cudaDeviceSynchronize(), row.name);
  flush_all(1);
  times.clear();
  for (int round = 0; round < rounds; round++)
    for (int run = 0; run < 2 * variant_count; run++)
      variants[(round + run / 2) % variant_count].launch(row.kernel, row.size, memory);
  check(cudaDeviceSynchronize(), row.name);
  flush_all(1);
  if (times.size() != 2 * (size_t)rounds * variant_count) {
    fprintf(stderr, "overhead: %zu kernel records instead of %d\n", times.size(), 2 * rounds * variant_count);
    exit(1);
  }
  std::vector<double> medians;
  for (int v = 0; v < variant_count; v++) {
    std::vector<double> own;
    for (int round = 0; round < rounds; round++)
      own.push_back(
          times[2 * (round * variant_count + (v - round % variant_count + variant_count) % variant_count) + 1]);
    medians.push_back(median(own));
  }
  return medians;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 201;
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "no GPU");
  start_timing();
  Memory memory;
  const size_t floats = (size_t)1 << 26;
  std::vector<float> values(floats);
  uint32_t state = 1;
  for (float &value : values)
    value = (state = state * 1664525u + 1013904223u) / 4294967296.0f;
  for (float **array :
       {&memory.in[0], &memory.in[1], &memory.in[2], &memory.out[0], &memory.out[1], &memory.out[2]}) {
    check(cudaMalloc(array, floats * sizeof(float)), "memory");
    check(cudaMemcpy(*array, values.data(), floats * sizeof(float), cudaMemcpyHostToDevice), "filling it");
  }
  for (const gpuprof_host_unit *unit : units())
    switch_on(unit);

  printf("%s, %d rounds; us of a launch, median; ratios to the first column\n\n| kernel |", properties.name,
         rounds);
  for (int v = 0; v < variant_count; v++)
    printf(v ? " %s | ratio |" : " %s |", variants[v].name);
  printf(" registers |\n|---|");
  for (int v = 0; v < 2 * variant_count; v++)
    printf("---|");
  printf("\n");
  std::vector<double> logs(variant_count, 0), highest(variant_count, 0);
  for (const Row &row : rows) {
    const std::vector<double> medians = measure(row, memory, rounds);
    std::string registers;
    printf("| %s |", row.name);
    for (int v = 0; v < variant_count; v++) {
      const double ratio = medians[v] / medians[0];
      logs[v] += log(ratio);
      highest[v] = std::max(highest[v], ratio);
      printf(v ? " %.2f | %.3f |" : " %.2f |", medians[v], ratio);
      cudaFuncAttributes facts;
      check(cudaFuncGetAttributes(&facts, variants[v].function(row.kernel)), row.name);
      registers += (v ? ", " : "") + std::to_string(facts.numRegs);
    }
    printf(" %s |\n", registers.c_str());
  }
  printf("| geometric mean |");
  for (int v = 0; v < variant_count; v++)
    v ? printf(" | %.3f |", exp(logs[v] / (sizeof rows / sizeof rows[0]))) : printf(" |");
  printf(" |\n| highest |");
  for (int v = 0; v < variant_count; v++)
    v ? printf(" | %.3f |", highest[v]) : printf(" |");
  printf(" |\n\n%d of %zu counted kernels have counts\n", counted_kernels(), counters.size());
  return !counters.empty() && counted_kernels() == (int)counters.size() ? 0 : 1;
}
