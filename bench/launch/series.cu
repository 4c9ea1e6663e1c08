// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What series of launches take by the clock, from the first launch to the last kernel's end. Usage: series KIND TURNS; prints the
// least and the median of the turns, in us a launch. `series list' prints the kinds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

static void check(cudaError_t error, int line) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "series: line %d: %s\n", line, cudaGetErrorString(error));
  exit(1);
}
#define CHECK(call) check(call, __LINE__)

// ---- Kernels ----

__global__ void scale(float *x, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * factor + 1;
}

__global__ void iterate(float *x, float factor, int turns, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = x[i];
  for (int turn = 0; turn < turns; turn++)
    value = value * factor + 1;
  x[i] = value;
}

// A thread a row: its clone reads the rows' ends.
__global__ void sparse_product(const int *__restrict__ ends, const int *__restrict__ columns, const float *__restrict__ values,
                               const float *__restrict__ x, float *__restrict__ y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = ends[row]; k < ends[row + 1]; k++)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}

// A warp a row of a length of its own, maximum and sum in one pass.
__global__ void online_softmax(const float *__restrict__ in, const int *__restrict__ lengths, float *__restrict__ out, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  const int length = lengths[row];
  float most = -1e30f, sum = 0;
  for (int c = lane; c < length; c += 32) {
    const float value = in[(size_t)row * columns + c], larger = fmaxf(most, value);
    sum = sum * __expf(most - larger) + __expf(value - larger);
    most = larger;
  }
  for (int distance = 16; distance; distance /= 2) {
    const float other = __shfl_xor_sync(~0u, most, distance), larger = fmaxf(most, other);
    sum *= __expf(most - larger);
    most = larger;
    sum += __shfl_xor_sync(~0u, sum, distance);
  }
  for (int c = lane; c < length; c += 32)
    out[(size_t)row * columns + c] = __expf(in[(size_t)row * columns + c] - most) / sum;
}

// Rows get their lengths anew: clones that read them run again.
__global__ void write_lengths(int *lengths, const int *from) { lengths[threadIdx.x] = from[threadIdx.x]; }

// What follows depends on values that the kernel writes: no clone counts it.
__global__ void relax(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = x[i];
  while (value > 1)
    value = value * 0.5f;
  x[i] = value + 4;
}

// ---- Kinds ----

static const int elements = 1 << 24, rows = 1 << 18, columns = 256, block = 256;
static float *x, *y, *values;
static int *ends, *places, *lengths, *same_lengths;
static cudaStream_t stream;
static cudaGraphExec_t graph;

static int blocks(int n) { return (n + block - 1) / block; }

static void same(int) { scale<<<blocks(elements), block, 0, stream>>>(x, 0.5f, elements); }
static void grid_differs(int i) { scale<<<blocks(elements - 4096 * i), block, 0, stream>>>(x, 0.5f, elements - 4096 * i); }
static void turns_differ(int i) { iterate<<<blocks(elements), block, 0, stream>>>(x, 0.5f, 4 + i % 4096, elements); }
static void sparse(int) { sparse_product<<<blocks(rows), block, 0, stream>>>(ends, places, values, x, y, rows); }
static void ragged(int) { online_softmax<<<blocks(rows / 8 * 32), block, 0, stream>>>(x, lengths, y, rows / 8, columns); }
static void ragged_written(int i) {
  write_lengths<<<1, 32, 0, stream>>>(lengths, same_lengths);
  ragged(i);
}
static void counters(int) { relax<<<blocks(elements), block, 0, stream>>>(x, elements); }
static void tiny(int) { scale<<<1, 32, 0, stream>>>(x, 0.5f, 32); }
static void tiny_counters(int) { relax<<<1, 32, 0, stream>>>(x, 32); }
static void tiny_graph(int) { CHECK(cudaGraphLaunch(graph, stream)); }

static const struct {
  const char *name;
  void (*launch)(int i);
  int launches;
} kinds[] = {
    {"same", same, 200},       {"grid-differs", grid_differs, 1000}, {"turns-differ", turns_differ, 1000},
    {"sparse", sparse, 200},   {"ragged", ragged, 200},              {"ragged-written", ragged_written, 200},
    {"counters", counters, 200},
    {"tiny", tiny, 2000},      {"tiny-counters", tiny_counters, 2000},
    {"graph", tiny_graph, 100},
};

// Rows of 0 to 31 numbers.
static void make_rows() {
  std::vector<int> end(rows + 1, 0), length(rows), place;
  for (int row = 0; row < rows; row++) {
    end[row + 1] = end[row] + row * 7 % 32;
    length[row] = 32 + row * 13 % (columns - 31);
  }
  place.resize(end[rows]);
  for (size_t k = 0; k < place.size(); k++)
    place[k] = (int)(k * 2654435761u % elements);
  CHECK(cudaMalloc(&ends, end.size() * sizeof(int)));
  CHECK(cudaMalloc(&lengths, length.size() * sizeof(int)));
  CHECK(cudaMalloc(&same_lengths, length.size() * sizeof(int)));
  CHECK(cudaMemcpy(same_lengths, length.data(), length.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&places, place.size() * sizeof(int)));
  CHECK(cudaMalloc(&values, place.size() * sizeof(float)));
  CHECK(cudaMemset(values, 0, place.size() * sizeof(float)));
  CHECK(cudaMemcpy(ends, end.data(), end.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(lengths, length.data(), length.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(places, place.data(), place.size() * sizeof(int), cudaMemcpyHostToDevice));
}

static void make_graph() {
  cudaGraph_t recorded;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 120; i++)
    tiny(i);
  CHECK(cudaStreamEndCapture(stream, &recorded));
  CHECK(cudaGraphInstantiate(&graph, recorded, 0));
}

// Numbers of launches go on from turn to turn: grids and trip counts that differ are new in each.
static double turn(void (*launch)(int), int launches, int *number) {
  CHECK(cudaStreamSynchronize(stream));
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; i++)
    launch((*number)++ % 4000);
  CHECK(cudaStreamSynchronize(stream));
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / launches;
}

int main(int count, char **arguments) {
  const char *wanted = count > 1 ? arguments[1] : "list";
  const int turns = std::max(1, count > 2 ? atoi(arguments[2]) : 11), share = std::max(1, count > 3 ? atoi(arguments[3]) : 1);
  for (const auto &kind : kinds) {
    if (!strcmp(wanted, "list")) {
      puts(kind.name);
      continue;
    }
    if (strcmp(wanted, kind.name))
      continue;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&x, elements * sizeof(float)));
    CHECK(cudaMalloc(&y, (size_t)rows * columns / 8 * sizeof(float)));
    CHECK(cudaMemset(x, 0, elements * sizeof(float)));
    make_rows();
    make_graph();
    const int launches = std::max(1, kind.launches / share);
    int number = 0;
    std::vector<double> us;
    turn(kind.launch, launches, &number);
    for (int i = 0; i < turns; i++)
      us.push_back(turn(kind.launch, launches, &number));
    std::sort(us.begin(), us.end());
    printf("%.2f %.2f\n", us[0], us[turns / 2]);
    return 0;
  }
  if (strcmp(wanted, "list"))
    fprintf(stderr, "series: there is no kind '%s': `series list' prints them\n", wanted);
  return strcmp(wanted, "list") != 0;
}
