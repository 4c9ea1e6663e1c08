/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps of a transformer (pre-norm, rotary positions, GELU, no biases), in bf16 with fp32 master weights, out of the kernels of
 * kernels/: forward, forward and backward, or whole training steps with AdamW.
 *
 *   gpuprof cc -O3 -std=c++17 samples/transformer_step/transformer_step.cu -o transformer_step
 *   ./transformer_step small --context 512
 *
 * Sequences are such that each token follows from the one before, so that the loss falls. Ends with 1 if it does not.
 */
#include <cuda_runtime.h>

#include <string.h>

#include "layers.cuh"

enum Mode { kForward, kBackward, kTrain };
static const char *const kModes[] = {"forward", "backward", "train"};

struct Options {
  const Sizes *sizes = &kSizes[0];
  Mode mode = kTrain;
  int context = 64, batch = 2, steps = 4, warmup = 1;
  float rate = 1e-3f;
  bool checks = false;
};

/* ---- The start ---- */

/* Weights from −spread to spread, or 1 where the spread is 0: the same on every device. State of AdamW may be absent. */
#pragma gpuprof region("start") phase(warmup)
__global__ void fill(Bf16 *weight, float *master, float *first, float *second, size_t count, float spread, unsigned seed) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
    unsigned bits = (unsigned)i * 2654435761u + seed;
    bits = (bits ^ bits >> 15) * 2246822519u;
    bits = (bits ^ bits >> 13) * 3266489917u;
    const float value = spread > 0 ? spread * ((float)((bits ^ bits >> 16) >> 8) / 8388608.0f - 1) : 1.0f;
    weight[i] = snn_element<Bf16>(value);
    if (master) {
      master[i] = value;
      first[i] = second[i] = 0;
    }
  }
}

static void start(Model &m) {
  unsigned seed = 1;
  for (Parameter *p : m.parameters())
    fill<<<kBlocks, kThreads>>>(p->weight.get(), p->master.get(), p->first.get(), p->second.get(), p->weight.size(), p->spread, seed++);
  fill<<<kBlocks, kThreads>>>(m.embedding.get(), m.embedding_master.get(), m.embedding_first.get(), m.embedding_second.get(),
                              m.embedding.size(), 1.0f, seed);
  std::vector<int> tokens(m.rows), targets(m.rows);
  for (int b = 0; b < m.batch; ++b)
    for (int t = 0, token = 17 * b + 1; t < m.length; ++t) {
      tokens[(size_t)b * m.length + t] = token;
      token = (token * 5 + 7) % m.sizes.vocabulary;
      targets[(size_t)b * m.length + t] = token;
    }
  std::vector<float2> turns(m.turns.size());
  rotary_turns(turns.data(), m.length, m.sizes.width / m.sizes.heads, 10000);
  m.tokens.write(tokens);
  m.targets.write(targets);
  m.turns.write(turns);
}

/* ---- Steps ---- */

static double loss(const Model &m) {
  double sum = 0;
  for (float own : m.losses.read())
    sum += own;
  return sum / (double)m.rows;
}

/* Multiply-adds of weights are 2 FLOPs forward and 4 backward; a row of attention sees half of the keys. */
static double nominal(const Model &m, Mode mode) {
  const double weights = 2 * m.matrix_weights() * (double)m.rows;
  const double attention = 4.0 * m.sizes.layers * m.batch * m.sizes.width * (m.length * (m.length + 1.0) / 2);
  return mode == kForward ? weights + attention : 3 * weights + 3.5 * attention;
}

static void run_step(Model &m, const Options &options, int step) {
#pragma gpuprof region("forward") phase(forward)
  forward(m);
  if (options.mode == kForward)
    return;
#pragma gpuprof region("backward") phase(backward)
  backward(m);
  if (options.mode == kBackward)
    return;
#pragma gpuprof region("optimizer") phase(optimizer)
  optimize(m, options.rate, step + 1);
}

/* AdamW's first step moves each weight by the rate against the sign of its gradient, unless it is 0: to first order the loss falls by
 * rate · Σ|gradient|. Returns how far it fell, over that. */
static double first_step_ratio(Model &m, Options options) {
  options.mode = kBackward;
  run_step(m, options, 0);
  const double before = loss(m);
  double sum = 0;
  for (Parameter *p : m.parameters())
    for (Bf16 element : p->gradient.read()) {
      const unsigned bits = (unsigned)element.bits << 16 & 0x7fffffffu;
      float value;
      memcpy(&value, &bits, sizeof value);
      sum += value;
    }
  for (float value : m.embedding_gradient.read())
    sum += fabs(value);
  optimize(m, options.rate, 1);
  options.mode = kForward;
  run_step(m, options, 1);
  return (before - loss(m)) / (options.rate * sum);
}

static int run_steps(Model &m, const Options &options) {
  int done = 0;
  double first = 0, last = 0;
#pragma gpuprof region("warm-up") phase(warmup)
  for (; done < options.warmup; ++done)
    run_step(m, options, done);
  for (int step = 0; step < options.steps; ++step, ++done) {
#pragma gpuprof region("step")
    {
#pragma gpuprof step(step)
#pragma gpuprof expect flops(nominal(m, options.mode)) items(m.rows)
      run_step(m, options, done);
    }
    last = loss(m);
    first = step ? first : last;
    printf("step %d: loss %.3f\n", step, last);
  }
  return options.mode == kTrain && options.steps > 1 && !(last < first);
}

/* ---- The command line ---- */

static int usage(const char *program) {
  fprintf(stderr,
          "usage: %s [tiny|small|medium|large|xl|2.7B] [--mode forward|backward|train] [--context N] [--batch N]\n"
          "       [--steps N] [--warmup N] [--check]\n",
          program);
  return 2;
}

static bool take_number(const char *name, int argc, char **argv, int &i, int &value) {
  if (strcmp(argv[i], name) || i + 1 >= argc)
    return false;
  value = atoi(argv[++i]);
  return true;
}

static bool take_mode(int argc, char **argv, int &i, Options &options) {
  if (strcmp(argv[i], "--mode") || i + 1 >= argc)
    return false;
  ++i;
  for (int mode = kForward; mode <= kTrain; ++mode)
    if (!strcmp(argv[i], kModes[mode])) {
      options.mode = (Mode)mode;
      return true;
    }
  return false;
}

static bool take_size(const char *name, Options &options) {
  for (const Sizes &sizes : kSizes)
    if (!strcmp(name, sizes.name)) {
      options.sizes = &sizes;
      return true;
    }
  return false;
}

static bool read_options(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    const bool is_check = !strcmp(argv[i], "--check");
    options.checks |= is_check;
    if (!is_check && !take_size(argv[i], options) && !take_mode(argc, argv, i, options) &&
        !take_number("--context", argc, argv, i, options.context) && !take_number("--batch", argc, argv, i, options.batch) &&
        !take_number("--steps", argc, argv, i, options.steps) && !take_number("--warmup", argc, argv, i, options.warmup))
      return false;
  }
  return options.context > 0 && options.batch > 0 && options.steps > 0 && options.warmup >= 0;
}

int main(int argc, char **argv) {
  Options options;
  if (!read_options(argc, argv, options))
    return usage(argv[0]);
  Model model(*options.sizes, options.batch, options.context, options.mode != kForward || options.checks);
  printf("%s: %.1f M weights in products, context %d, batch %d, %s\n", options.sizes->name, model.matrix_weights() / 1e6,
         options.context, options.batch, kModes[options.mode]);
  start(model);
  int code = 0;
  if (options.checks) {
    options.rate = 1e-3f;
    const double ratio = first_step_ratio(model, options);
    printf("the loss falls by %.2f of what gradients say\n", ratio);
    code = !(ratio > 0.9 && ratio < 1.1);
  } else {
    code = run_steps(model, options);
  }
  check(cudaDeviceSynchronize(), "the step");
  return code;
}
