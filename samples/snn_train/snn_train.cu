/* Trains a convolutional spiking network: bars of four directions, coded as random spikes, through two
 * spiking convolutions and a linear layer whose currents are averaged over the time steps. Layers run over
 * all steps at a time; the backward pass goes through the steps with a surrogate gradient, and Adam moves the
 * weights.
 *
 *   gpuprof cc -O2 -std=c++17 samples/snn_train/snn_train.cu -o snn_train
 *   ./snn_train && gpuprof report gpuprof-*.json
 *
 * Ends with 1 if the network did not learn.
 */
#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#include "../../kernels/snn/convolution.cuh"
#include "../../kernels/snn/encoders.cuh"
#include "../../kernels/snn/integrate_fire.cuh"
#include "../../kernels/snn/linear.cuh"

enum { kSide = 12, kClasses = 4, kBatch = 32, kSteps = 4, kImages = kSteps * kBatch };
enum { kIterations = 40, kWarmUp = 2, kShown = 5, kTests = 4, kBlock = 128, kEventBlocks = 32, kSlices = 8 };

static const float kRate = 0.005f; // of learning

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "snn_train: %s\n", cudaGetErrorString(error));
  exit(1);
}
static unsigned blocks(size_t threads) { return (unsigned)ceil_div(threads, kBlock); }

/* ---- Kernels of training missing in kernels/snn ---- */

/* dW[u][v][c][n] = Σ s·dY over the images of a slice: partial sums [slices][weights]. A thread a weight and
 * slice. */
#pragma gpuprof region("convolution.weight_gradient") phase(backward) category(snn)
__global__ void convolution_weight_gradient(const signed char *__restrict__ spikes,
                                            const float *__restrict__ gradient, float *__restrict__ partial,
                                            ConvolutionShape s) {
  const int weights = s.kernel * s.kernel * s.channels * s.outputs;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= weights)
    return;
  const int n = i % s.outputs, c = i / s.outputs % s.channels, position = i / s.outputs / s.channels;
  const int u = position / s.kernel, v = position % s.kernel, height = s.out_height(), width = s.out_width();
  float sum = 0.0f;
  for (int image = blockIdx.y; image < s.batch; image += gridDim.y)
    for (int oy = 0; oy < height; ++oy)
      for (int ox = 0; ox < width; ++ox) {
        const int y = oy * s.stride + u - s.padding, x = ox * s.stride + v - s.padding;
        if (y < 0 || y >= s.height || x < 0 || x >= s.width)
          continue;
        if (spikes[((image * s.height + y) * s.width + x) * s.channels + c])
          sum += gradient[((image * height + oy) * width + ox) * s.outputs + n];
      }
  partial[blockIdx.y * weights + i] = sum;
}

/* dX[y][x][c] = Σ_{u,v,n} dY·w over the outputs reached by the input. A thread an input. */
#pragma gpuprof region("convolution.input_gradient") phase(backward) category(snn)
__global__ void convolution_input_gradient(const float *__restrict__ gradient,
                                           const float *__restrict__ weight,
                                           float *__restrict__ input_gradient, ConvolutionShape s) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.batch * s.height * s.width * s.channels)
    return;
  const int c = i % s.channels, x = i / s.channels % s.width, y = i / s.channels / s.width % s.height;
  const int image = i / s.channels / s.width / s.height;
  float sum = 0.0f;
  for (int position = 0; position < s.kernel * s.kernel; ++position) {
    const int down = y + s.padding - position / s.kernel, right = x + s.padding - position % s.kernel;
    const int oy = down / s.stride, ox = right / s.stride;
    if (down < 0 || right < 0 || down % s.stride || right % s.stride || oy >= s.out_height() ||
        ox >= s.out_width())
      continue;
    const float *from = gradient + ((image * s.out_height() + oy) * s.out_width() + ox) * s.outputs;
    const float *own = weight + (position * s.channels + c) * s.outputs;
    for (int n = 0; n < s.outputs; ++n)
      sum = fmaf(from[n], own[n], sum);
  }
  input_gradient[i] = sum;
}

/* Softmax cross-entropy of the currents' mean over steps, and its gradient with respect to them. A thread a
 * sample. */
#pragma gpuprof region("loss") phase(backward) category(snn)
__global__ void softmax_loss(const float *__restrict__ current, const int *__restrict__ label,
                             float *__restrict__ loss, int *__restrict__ right,
                             float *__restrict__ gradient) {
  const int sample = blockIdx.x * blockDim.x + threadIdx.x;
  if (sample >= kBatch)
    return;
  float logit[kClasses], total = 0.0f;
  int best = 0;
#pragma unroll
  for (int k = 0; k < kClasses; ++k) {
    logit[k] = 0.0f;
    for (int t = 0; t < kSteps; ++t)
      logit[k] += current[(t * kBatch + sample) * kClasses + k] * (1.0f / kSteps);
    best = logit[k] > logit[best] ? k : best;
  }
  const float largest = fmaxf(fmaxf(logit[0], logit[1]), fmaxf(logit[2], logit[3]));
#pragma unroll
  for (int k = 0; k < kClasses; ++k)
    total += __expf(logit[k] - largest);
#pragma unroll
  for (int k = 0; k < kClasses; ++k) {
    const float p = __expf(logit[k] - largest) / total;
    const bool wanted = k == label[sample];
    if (wanted)
      loss[sample] = -__logf(p);
    for (int t = 0; t < kSteps; ++t)
      gradient[(t * kBatch + sample) * kClasses + k] =
          (p - (wanted ? 1.0f : 0.0f)) * (1.0f / (kSteps * kBatch));
  }
  right[sample] = best == label[sample];
}

/* Adam (Kingma and Ba, 2015). A thread a weight; `step` is the learning rate with both corrections. */
#pragma gpuprof region("adam") phase(optimizer) category(snn)
__global__ void adam(float *__restrict__ weight, const float *__restrict__ gradient, float *__restrict__ mean,
                     float *__restrict__ square, int weights, float step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= weights)
    return;
  const float g = gradient[i], m = fmaf(0.1f, g - mean[i], mean[i]),
              v = fmaf(0.001f, g * g - square[i], square[i]);
  mean[i] = m;
  square[i] = v;
  weight[i] = fmaf(-step, m / (sqrtf(v) + 1e-8f), weight[i]);
}

/* ---- The network ---- */

/* Memory on the device, zero to begin with. */
template <class T> T *allocate(size_t count) {
  T *memory;
  check(cudaMalloc((void **)&memory, count * sizeof(T)));
  check(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

struct Weights {
  int count;
  float *value, *gradient, *mean, *square;

  /* Uniform in ±range, from Philox. */
  Weights(int count, float range, uint64_t seed)
      : count(count), value(allocate<float>(count)), gradient(allocate<float>(count)),
        mean(allocate<float>(count)), square(allocate<float>(count)) {
    std::vector<float> start(count);
    for (int i = 0; i < count; ++i)
      start[i] = ((float)(philox(i, 0, seed).word[0] >> 8) * 0x1p-23f - 1.0f) * range;
    check(cudaMemcpy(value, start.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  }
  void update(int iteration) {
    const float step = kRate * sqrtf(1 - powf(0.999f, (float)iteration)) / (1 - powf(0.9f, (float)iteration));
    adam<<<blocks(count), kBlock>>>(value, gradient, mean, square, count, step);
  }
};

/* A layer of LIF neurons over all steps: `count` of them, all samples together. */
struct Neurons {
  size_t count;
  float *current, *potential, *membrane, *spike_gradient, *current_gradient;
  signed char *spikes;
  const IntegrateFire p = integrate_fire(2.0f, 1.0f, 0.0f);

  explicit Neurons(size_t count)
      : count(count), current(allocate<float>(count * kSteps)), potential(allocate<float>(count * kSteps)),
        membrane(allocate<float>(count)), spike_gradient(allocate<float>(count * kSteps)),
        current_gradient(allocate<float>(count * kSteps)), spikes(allocate<signed char>(count * kSteps)) {}
  unsigned grid() const { return (unsigned)snn_blocks(count, SnnAligned, sizeof(float), kBlock); }
  void forward() {
    check(cudaMemset(membrane, 0, count * sizeof(float)));
    integrate_fire_forward<SnnDecayInput, SnnHardReset, true, SnnAligned>
        <<<grid(), kBlock>>>(current, membrane, spikes, potential, count, count, kSteps, p);
  }
  void backward() {
    check(cudaMemset(membrane, 0, count * sizeof(float))); // takes the membrane's gradient now
    integrate_fire_backward<SnnDecayInput, SnnHardReset, true, SnnAligned><<<grid(), kBlock>>>(
        spike_gradient, potential, membrane, current_gradient, count, count, kSteps, p, atan_surrogate(2.0f));
  }
};

struct Convolution {
  ConvolutionShape shape;
  Weights weights;
  float *partial;
  int *events, *number;

  Convolution(ConvolutionShape shape, float range, uint64_t seed)
      : shape(shape), weights(9 * shape.channels * shape.outputs, range, seed),
        partial(allocate<float>((size_t)kSlices * weights.count)), events(allocate<int>(inputs())),
        number(allocate<int>(1)) {}
  int inputs() const { return shape.batch * shape.height * shape.width * shape.channels; }
  size_t neurons() const { return (size_t)shape.pixels() * shape.outputs / kSteps; }
  void forward(const signed char *spikes, Neurons &to) {
    check(cudaMemset(number, 0, sizeof(int)));
    check(cudaMemset(to.current, 0, to.count * kSteps * sizeof(float)));
    compact_events<<<(unsigned)ceil_div(inputs(), kEventBlock), kEventBlock>>>(spikes, events, number,
                                                                               inputs());
    convolution_scatter<3>
        <<<kEventBlocks, kEventBlock>>>(events, number, (const float *)weights.value, to.current, shape);
  }
  void weight_gradient(const signed char *spikes, const Neurons &to) {
    convolution_weight_gradient<<<dim3(blocks(weights.count), kSlices), kBlock>>>(spikes, to.current_gradient,
                                                                                  partial, shape);
    sum_slices<<<blocks(weights.count), kBlock>>>(partial, weights.gradient, weights.count, kSlices);
  }
  void input_gradient(const Neurons &to, Neurons &from) {
    convolution_input_gradient<<<blocks(inputs()), kBlock>>>(to.current_gradient, weights.value,
                                                             from.spike_gradient, shape);
  }
};

struct Network {
  float *image = allocate<float>(kBatch * kSide * kSide);
  int *label = allocate<int>(kBatch);
  signed char *input = allocate<signed char>(kImages * kSide * kSide);
  Convolution first{{kImages, kSide, kSide, 1, 8, 3, 1, 1, 1}, 1.5f, 1};
  Neurons first_neurons{first.neurons()};
  Convolution second{{kImages, kSide, kSide, 8, 16, 3, 2, 1, 1}, 0.6f, 2};
  Neurons second_neurons{second.neurons()};
  const int features = (int)second_neurons.count / kBatch;
  Weights linear{features * kClasses, 0.1f, 3};
  unsigned *columns = allocate<unsigned>((size_t)kImages / 32 * features);
  float *current = allocate<float>(kImages * kClasses), *gradient = allocate<float>(kImages * kClasses);
  float *loss = allocate<float>(kBatch);
  int *right = allocate<int>(kBatch);

  void forward(uint64_t seed) {
#pragma gpuprof region("forward") phase(forward) category(snn)
    {
#pragma gpuprof expect items(kBatch)
      encode<SnnAligned, float><<<blocks(kBatch * kSide * kSide / 4), kBlock>>>(
          image, input, (size_t)kBatch * kSide * kSide, (size_t)kBatch * kSide * kSide, kSteps,
          RateEncoder{seed});
#pragma gpuprof region("conv1") category(snn)
      {
        first.forward(input, first_neurons);
        first_neurons.forward();
      }
#pragma gpuprof region("conv2") category(snn)
      {
        second.forward(first_neurons.spikes, second_neurons);
        second_neurons.forward();
      }
#pragma gpuprof region("fc") category(snn)
      {
        check(cudaMemset(current, 0, kImages * kClasses * sizeof(float)));
        linear_scatter<<<dim3((unsigned)ceil_div(features, kEventWarps), kImages), kEventBlock>>>(
            second_neurons.spikes, (const float *)linear.value, current, features, kClasses);
      }
      softmax_loss<<<blocks(kBatch), kBlock>>>(current, label, loss, right, gradient);
    }
  }
  void backward() {
#pragma gpuprof region("backward") phase(backward) category(snn)
    {
#pragma gpuprof region("fc") category(snn)
      {
        pack_columns<<<dim3((unsigned)ceil_div(features, kEventBlock), kImages / 32, 1), kEventBlock>>>(
            second_neurons.spikes, columns, kImages, features);
        linear_weight_gradient<<<dim3(features, 1), kEventBlock>>>(columns, gradient, linear.gradient,
                                                                   kImages, features, kClasses);
        linear_input_gradient<1>
            <<<dim3((unsigned)ceil_div(features, kProductColumns), kImages / kProductSide),
               kProductThreads>>>(gradient, (const float *)linear.value, second_neurons.spike_gradient,
                                  kImages, features, kClasses);
      }
#pragma gpuprof region("conv2") category(snn)
      {
        second_neurons.backward();
        second.weight_gradient(first_neurons.spikes, second_neurons);
        second.input_gradient(second_neurons, first_neurons);
      }
#pragma gpuprof region("conv1") category(snn)
      {
        first_neurons.backward();
        first.weight_gradient(input, first_neurons);
      }
    }
  }
  void update(int iteration) {
#pragma gpuprof region("update") phase(optimizer) category(snn)
    {
      first.weights.update(iteration);
      second.weights.update(iteration);
      linear.update(iteration);
    }
  }
};

/* ---- Data: a bar through the image, of one of four directions, anywhere, with noise ---- */

static void make_batch(Network &net, uint64_t seed) {
  std::vector<float> image(kBatch * kSide * kSide);
  std::vector<int> label(kBatch);
  for (int b = 0; b < kBatch; ++b) {
    const PhiloxBlock drawn = philox(b, 1, seed);
    const int direction = drawn.word[0] % kClasses, at = drawn.word[1] % 5 - 2;
    label[b] = direction;
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const int away[] = {y - kSide / 2 - at, x - kSide / 2 - at, x - y - at, x + y - kSide + 1 - at};
        const int pixel = (b * kSide + y) * kSide + x;
        const float noise = (float)(philox(pixel, 2, seed).word[0] >> 8) * 0x1p-24f;
        image[pixel] = (abs(away[direction]) <= 1 ? 0.7f : 0.0f) + 0.2f * noise;
      }
  }
  check(cudaMemcpy(net.image, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(net.label, label.data(), label.size() * sizeof(int), cudaMemcpyHostToDevice));
}

struct Result {
  double loss = 0;
  int right = 0, samples = 0;

  void add(const Network &net) {
    float losses[kBatch];
    int rights[kBatch];
    check(cudaMemcpy(losses, net.loss, sizeof losses, cudaMemcpyDeviceToHost));
    check(cudaMemcpy(rights, net.right, sizeof rights, cudaMemcpyDeviceToHost));
    for (int b = 0; b < kBatch; ++b)
      loss += losses[b], right += rights[b];
    samples += kBatch;
  }
  double accuracy() const { return 100.0 * right / samples; }
};

static Result test(Network &net) {
  Result result;
#pragma gpuprof region("test") category(snn)
  for (int i = 0; i < kTests; ++i) {
    make_batch(net, 1000000 + i);
    net.forward(2000000 + i);
    result.add(net);
  }
  return result;
}

static void iterate(Network &net, int iteration, Result &result) {
  make_batch(net, iteration);
  net.forward(500000 + iteration);
  net.backward();
  net.update(iteration);
  result.add(net);
}

int main(void) {
  Network net;
  printf("%zu and %zu neurons a sample, %d weights, %d steps, batches of %d\n",
         net.first_neurons.count / kBatch, net.second_neurons.count / kBatch,
         net.first.weights.count + net.second.weights.count + net.linear.count, kSteps, kBatch);
  const double before = test(net).accuracy();
  printf("before training: %.1f %% right\n", before);
  Result shown;
#pragma gpuprof region("warm-up") phase(warmup)
  for (int iteration = 1; iteration <= kWarmUp; ++iteration)
    iterate(net, iteration, shown);
#pragma gpuprof region("training") category(snn)
  for (int iteration = kWarmUp + 1; iteration <= kIterations; ++iteration) {
    iterate(net, iteration, shown);
    if (iteration % kShown == 0) {
      printf("iteration %d: loss %.2f, %.1f %% right\n", iteration, shown.loss / shown.samples,
             shown.accuracy());
      shown = Result();
    }
  }
  const double after = test(net).accuracy();
  printf("after training: %.1f %% right\n", after);
  return after > 90 && after > before ? 0 : 1;
}
