// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data-parallel training of a small network with a process for each GPU. README.md says what it shows.
//   ./start 4 ./multi_gpu       or: mpirun -n 4 ./multi_gpu
#include "all_reduce.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int INPUTS = 64, HIDDEN = 128, CLASSES = 8, ROWS = 64; // rows of a part of a batch
constexpr int PARTS = 4, ITERATIONS = 20, WARM_UP = 1;           // a batch has four parts, whatever the number of ranks
constexpr int FIRST = (INPUTS + 1) * HIDDEN, SECOND = (HIDDEN + 1) * CLASSES; // weights of the layers, with biases
constexpr int WEIGHTS = FIRST + SECOND;
constexpr int SUMS = WEIGHTS + 1; // gradients and the loss: what the ranks add up
constexpr int THREADS = 128;
constexpr float RATE = 0.05f, MOMENTUM = 0.9f;

#define CHECK(call)                                                                                                  \
  do {                                                                                                               \
    cudaError_t error = (call);                                                                                      \
    if (error != cudaSuccess) {                                                                                      \
      std::fprintf(stderr, "multi_gpu: %s: %s\n", #call, cudaGetErrorString(error));                                 \
      std::exit(1);                                                                                                  \
    }                                                                                                                \
  } while (0)

// ---- Kernels: each sum is made by one thread, in one order ----

__device__ int here() { return blockIdx.x * blockDim.x + threadIdx.x; }

// y[row][o] = bias + sum of x[row][i] w[i][o]; the bias stands behind the weights.
__global__ void linear(float *y, const float *x, const float *w, int inputs, int outputs, bool relu) {
  const int at = here(), row = at / outputs, o = at % outputs;
  if (row >= ROWS)
    return;
  float sum = w[inputs * outputs + o];
  for (int i = 0; i < inputs; i++)
    sum += x[row * inputs + i] * w[i * outputs + o];
  y[at] = relu ? fmaxf(sum, 0) : sum;
}

// Turns logits into their gradients; a thread a row.
__global__ void cross_entropy(float *logits, const int *labels, float *losses) {
  const int row = here();
  if (row >= ROWS)
    return;
  float *z = logits + row * CLASSES, most = z[0], sum = 0;
  for (int c = 1; c < CLASSES; c++)
    most = fmaxf(most, z[c]);
  for (int c = 0; c < CLASSES; c++)
    sum += expf(z[c] - most);
  losses[row] = logf(sum) - (z[labels[row]] - most);
  for (int c = 0; c < CLASSES; c++)
    z[c] = (expf(z[c] - most) / sum - (c == labels[row])) / (ROWS * PARTS);
}

__global__ void linear_weights(float *dw, const float *x, const float *dy, int inputs, int outputs) {
  const int at = here(), i = at / outputs, o = at % outputs;
  float sum = 0;
  if (i > inputs)
    return;
  for (int row = 0; row < ROWS; row++)
    sum += (i < inputs ? x[row * inputs + i] : 1) * dy[row * outputs + o];
  dw[at] = sum;
}

// Through the layer and the ReLU before it.
__global__ void linear_inputs(float *dx, const float *dy, const float *w, const float *x, int inputs, int outputs) {
  const int at = here(), row = at / inputs, i = at % inputs;
  float sum = 0;
  if (row >= ROWS)
    return;
  for (int o = 0; o < outputs; o++)
    sum += dy[row * outputs + o] * w[i * outputs + o];
  dx[at] = x[at] > 0 ? sum : 0;
}

__global__ void mean_loss(float *loss, const float *losses) {
  float sum = 0;
  for (int row = 0; row < ROWS; row++)
    sum += losses[row];
  *loss = sum / (ROWS * PARTS);
}

__global__ void add(float *a, const float *b, int count) {
  if (here() < count)
    a[here()] += b[here()];
}

__global__ void momentum_step(float *w, float *velocity, const float *gradient, int count) {
  if (here() >= count)
    return;
  velocity[here()] = MOMENTUM * velocity[here()] + gradient[here()];
  w[here()] -= RATE * velocity[here()];
}

static int blocks(int threads) { return (threads + THREADS - 1) / THREADS; }

// ---- Data: each part of a batch has a number, so that it is the same in whichever rank ----

static unsigned random_of(unsigned seed) {
  seed = (seed ^ 61) ^ (seed >> 16);
  seed *= 9;
  seed ^= seed >> 4;
  seed *= 0x27d4eb2d;
  return seed ^ seed >> 15;
}
static float noise(unsigned seed) { return float(random_of(seed) % 20001) / 10000 - 1; }

struct Batch {
  std::vector<float> x = std::vector<float>(ROWS * INPUTS);
  std::vector<int> labels = std::vector<int>(ROWS);

  explicit Batch(unsigned number) {
    for (int row = 0; row < ROWS; row++) {
      const unsigned seed = number * ROWS + row;
      labels[row] = int(random_of(seed) % CLASSES);
      for (int i = 0; i < INPUTS; i++)
        x[row * INPUTS + i] = noise(1000003u * labels[row] + i) + 1.5f * noise(seed * INPUTS + i + 77777);
    }
  }
};

// ---- Training ----

template <class T> static T *on_device(int count) {
  T *memory;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CHECK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

class Network {
public:
  Network() {
    std::vector<float> start(WEIGHTS);
    for (int i = 0; i < WEIGHTS; i++)
      start[i] = 0.1f * noise(424242 + i);
    CHECK(cudaMemcpy(weights, start.data(), WEIGHTS * sizeof(float), cudaMemcpyHostToDevice));
  }

  // Gradients and loss of one part of a batch.
  void run(const Batch &batch, float *sums) {
    float *second = weights + FIRST;
    CHECK(cudaMemcpy(x, batch.x.data(), batch.x.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(labels, batch.labels.data(), batch.labels.size() * sizeof(int), cudaMemcpyHostToDevice));
#pragma gpuprof region("forward") phase(forward)
    {
      linear<<<blocks(ROWS * HIDDEN), THREADS>>>(hidden, x, weights, INPUTS, HIDDEN, true);
      linear<<<blocks(ROWS * CLASSES), THREADS>>>(logits, hidden, second, HIDDEN, CLASSES, false);
    }
#pragma gpuprof region("loss") phase(forward)
    {
      cross_entropy<<<blocks(ROWS), THREADS>>>(logits, labels, losses);
      mean_loss<<<1, 1>>>(sums + WEIGHTS, losses);
    }
#pragma gpuprof region("backward") phase(backward)
    {
      linear_weights<<<blocks(SECOND), THREADS>>>(sums + FIRST, hidden, logits, HIDDEN, CLASSES);
      linear_inputs<<<blocks(ROWS * HIDDEN), THREADS>>>(slope, logits, second, hidden, HIDDEN, CLASSES);
      linear_weights<<<blocks(FIRST), THREADS>>>(sums, x, slope, INPUTS, HIDDEN);
    }
  }

  void move(const float *gradient) {
#pragma gpuprof region("momentum") phase(optimizer)
    momentum_step<<<blocks(WEIGHTS), THREADS>>>(weights, velocity, gradient, WEIGHTS);
  }

  unsigned long long checksum() const {
    std::vector<unsigned char> bytes(WEIGHTS * sizeof(float));
    CHECK(cudaMemcpy(bytes.data(), weights, bytes.size(), cudaMemcpyDeviceToHost));
    unsigned long long sum = 14695981039346656037u;
    for (unsigned char byte : bytes)
      sum = (sum ^ byte) * 1099511628211u;
    return sum;
  }

private:
  float *weights = on_device<float>(WEIGHTS), *velocity = on_device<float>(WEIGHTS);
  float *x = on_device<float>(ROWS * INPUTS), *hidden = on_device<float>(ROWS * HIDDEN), *slope = on_device<float>(ROWS * HIDDEN);
  float *logits = on_device<float>(ROWS * CLASSES), *losses = on_device<float>(ROWS);
  int *labels = on_device<int>(ROWS);
};

// Adds arrays of `count` pairwise, as the ranks' arrays are added: the order does not depend on the number of ranks.
static void add_pairwise(float *parts, int part_count, int count) {
  for (int step = 1; step < part_count; step *= 2)
    for (int i = 0; i + step < part_count; i += 2 * step)
      add<<<blocks(count), THREADS>>>(parts + i * count, parts + (i + step) * count, count);
}

// The rank's parts of one batch, the sum over ranks, and the step. Returns the loss of the whole batch.
static float iterate(Network &network, AllReduce &ranks, float *parts, int iteration) {
  const int own = PARTS / ranks.size();
  for (int i = 0; i < own; i++)
    network.run(Batch(iteration * PARTS + ranks.rank() * own + i), parts + i * SUMS);
#pragma gpuprof region("accumulate") phase(backward)
  add_pairwise(parts, own, SUMS);
#pragma gpuprof region("all-reduce") phase(communication) category(communication)
  ranks.sum(parts, SUMS);
  network.move(parts);
  float loss;
  CHECK(cudaMemcpy(&loss, parts + WEIGHTS, sizeof loss, cudaMemcpyDeviceToHost));
  return loss;
}

int main() {
  int devices = 1;
  CHECK(cudaGetDeviceCount(&devices));
  CHECK(cudaSetDevice(AllReduce::local_rank() % devices));
  AllReduce ranks(SUMS);
  if (PARTS % ranks.size())
    return std::fprintf(stderr, "multi_gpu: start 1, 2 or 4 ranks\n"), 1;
  const bool speaks = ranks.rank() == 0;
  Network network;
  float *parts = on_device<float>(PARTS * SUMS), loss = 0;
  if (speaks)
    std::printf("%d rank%s, all-reduce by %s\n", ranks.size(), ranks.size() > 1 ? "s" : "", ranks.way());
#pragma gpuprof region("warm-up") phase(warmup)
  for (int i = 0; i < WARM_UP; i++)
    loss = iterate(network, ranks, parts, i);
#pragma gpuprof region("training")
  for (int i = WARM_UP; i < ITERATIONS; i++) {
    loss = iterate(network, ranks, parts, i);
    if (speaks && (i + 1) % 5 == 0)
      std::printf("iteration %d: loss %.2f\n", i + 1, loss);
  }
  if (speaks)
    std::printf("weights: %016llx\n", network.checksum());
  return 0;
}
