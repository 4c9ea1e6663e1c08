/* A recurrent network of excitatory and inhibitory leaky integrate-and-fire neurons with real connectivity, delays and
 * exponential synapses, driven by random spikes. Excitatory synapses learn by the times of spikes.
 *
 *   gpuprof cc -O2 -std=c++17 samples/snn_simulation/snn_simulation.cu -o snn_simulation
 *   ./snn_simulation && gpuprof report gpuprof-*.json
 *
 * Ends with 1 if the network's spikes differ from the host's count of them.
 */
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>

#include "../../kernels/snn/events.cuh"
#include "../../kernels/snn/stdp.cuh"
#include "../../kernels/snn/synapses.cuh"

enum {
  kExcitatory = 800,
  kInhibitory = 200,
  kNeurons = kExcitatory + kInhibitory,
  kOutDegree = 100,
  kSlots = 9, /* delays of 1 to 8 ms */
  kSteps = 1000,
  kWindow = 100, /* ms of a line of rates */
  kBlock = 128,
  kEventBlocks = 16
};

static const float kLeak = 0.95f, kThreshold = 1.0f;                 // a membrane of 20 ms
static const float kExcitatoryDecay = 0.8f, kInhibitoryDecay = 0.9f; // currents of 5 and 10 ms
static const float kExcitatoryWeight = 0.008f, kInhibitoryWeight = -0.03f;
static const float kDrive = 0.15f,
                   kDriveRate = 0.35f; // a spike from outside, and how often it comes in a step
static const float kTraceDecay = 0.95f;
static const StdpParameters kPlasticity = {0.0008f, 0.0010f, 0.0f, 0.016f};

/* In [0, 1), of a neuron and a step. */
__host__ __device__ inline float random_at(unsigned neuron, unsigned step) {
  unsigned x = neuron * 0x9e3779b9u ^ (step + 1) * 0x85ebca6bu;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return (float)((x ^ x >> 16) >> 8) / 16777216.0f;
}

#pragma gpuprof region("simulation.neurons") phase(forward) category(snn)
__global__ void neurons(const float *excitation, const float *inhibition, float *membrane,
                        signed char *spikes, int step) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= kNeurons)
    return;
  const float drive = random_at(n, step) < kDriveRate ? kDrive : 0.0f;
  const float v = fmaf(kLeak, membrane[n], excitation[n] + inhibition[n] + drive);
  const bool fired = v >= kThreshold;
  membrane[n] = fired ? 0.0f : v;
  spikes[n] = fired;
#pragma gpuprof spike(fired)
}

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "snn_simulation: %s\n", cudaGetErrorString(error));
  exit(1);
}

/* An array on the device. */
template <class T> class Array {
public:
  explicit Array(size_t count) : count(count) {
    check(cudaMalloc((void **)&data, count * sizeof(T)));
    check(cudaMemset(data, 0, count * sizeof(T)));
  }
  Array(const std::vector<T> &values) : Array(values.size()) {
    check(cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Array() { cudaFree(data); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  std::vector<T> read() const {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  void clear() { check(cudaMemset(data, 0, count * sizeof(T))); }
  operator T *() const { return data; }

private:
  T *data = nullptr;
  size_t count;
};

static Connectivity connect(int sources, float weight) {
  Connectivity c = fixed_out_degree(sources, kOutDegree, kNeurons, [](int n) { return rand() % n; });
  for (int s = 0; s < c.synapses(); ++s) {
    c.weight[s] = weight;
    c.delay[s] = (unsigned char)(1 + rand() % (kSlots - 1));
  }
  return c;
}

/* Synapses of a population of sources, their arrivals, and their current. */
struct Projection {
  Array<int> offset, target, events, count;
  Array<float> weight, arriving, current;
  Array<unsigned char> delay;
  int sources;
  float decay;

  Projection(const Connectivity &c, float decay)
      : offset(c.offset), target(c.target), events(c.sources()), count(1), weight(c.weight),
        arriving((size_t)kSlots * kNeurons), current(kNeurons), delay(c.delay), sources(c.sources()),
        decay(decay) {}

  void step(int step) {
    synapse_step<<<(unsigned)ceil_div(kNeurons, kBlock), kBlock>>>(
        current, arriving + (size_t)(step % kSlots) * kNeurons, kNeurons, decay);
  }
  void deliver(const signed char *spikes, int step) {
    count.clear();
    compact_events<<<(unsigned)ceil_div(sources, kEventBlock), kEventBlock>>>(spikes, events, count, sources);
    synapse_deliver<true><<<kEventBlocks, kEventBlock>>>(events, count, offset, target, weight, delay,
                                                         arriving, kNeurons, step, kSlots);
  }
};

/* State for learning of the excitatory synapses: traces, and the way from a target to its synapses. */
struct Learning {
  Array<float> source_trace, target_trace;
  Array<int> offset, source, synapse, events, count;

  explicit Learning(const Incoming &in)
      : source_trace(kExcitatory), target_trace(kNeurons), offset(in.offset), source(in.source),
        synapse(in.synapse), events(kNeurons), count(1) {}

  void step(const Projection &synapses, const signed char *spikes) {
    count.clear();
    compact_events<<<(unsigned)ceil_div(kNeurons, kEventBlock), kEventBlock>>>(spikes, events, count,
                                                                               kNeurons);
    stdp_depress<<<kEventBlocks, kEventBlock>>>(synapses.events, synapses.count, synapses.offset,
                                                synapses.target, target_trace, synapses.weight, kPlasticity);
    stdp_potentiate<<<kEventBlocks, kEventBlock>>>(events, count, offset, source, synapse, source_trace,
                                                   synapses.weight, kPlasticity);
    stdp_traces<<<(unsigned)ceil_div(kExcitatory, kBlock), kBlock>>>(spikes, source_trace, kExcitatory,
                                                                     kTraceDecay);
    stdp_traces<<<(unsigned)ceil_div(kNeurons, kBlock), kBlock>>>(spikes, target_trace, kNeurons,
                                                                  kTraceDecay);
  }
};

struct Weights {
  double mean, least, largest;
};

static Weights weights_of(const std::vector<float> &values) {
  Weights w = {0, values[0], values[0]};
  for (float value : values) {
    w.mean += value / (double)values.size();
    w.least = value < w.least ? value : w.least;
    w.largest = value > w.largest ? value : w.largest;
  }
  return w;
}

int main() {
  srand(1);
  const Connectivity from_excitatory = connect(kExcitatory, kExcitatoryWeight);
  const Connectivity from_inhibitory = connect(kInhibitory, kInhibitoryWeight);
  Projection excitation(from_excitatory, kExcitatoryDecay), inhibition(from_inhibitory, kInhibitoryDecay);
  Learning learning(incoming_of(from_excitatory, kNeurons));
  Array<float> membrane(kNeurons);
  Array<signed char> spikes(kNeurons);

  printf("%d excitatory and %d inhibitory neurons, %d synapses, %d ms\n", kExcitatory, kInhibitory,
         from_excitatory.synapses() + from_inhibitory.synapses(), kSteps);
  long excited = 0, inhibited = 0, total = 0;
#pragma gpuprof region("simulation") phase(forward) category(snn)
  for (int step = 0; step < kSteps; ++step) {
#pragma gpuprof step(step / kWindow)
    excitation.step(step);
    inhibition.step(step);
    neurons<<<(unsigned)ceil_div(kNeurons, kBlock), kBlock>>>(excitation.current, inhibition.current,
                                                              membrane, spikes, step);
    excitation.deliver(spikes, step);
    inhibition.deliver(spikes + kExcitatory, step);
    learning.step(excitation, spikes);
    check(cudaGetLastError());

    const std::vector<signed char> now = spikes.read();
    excited += (long)spikes_in(&now[0], kExcitatory);
    inhibited += (long)spikes_in(&now[kExcitatory], kInhibitory);
    total += (long)spikes_in(&now[0], kNeurons);
    if ((step + 1) % kWindow == 0) {
      printf("%4d ms: excitatory %5.1f Hz, inhibitory %5.1f Hz\n", step + 1,
             excited * 1000.0 / kExcitatory / kWindow, inhibited * 1000.0 / kInhibitory / kWindow);
      excited = inhibited = 0;
    }
  }
  const Weights w = weights_of(excitation.weight.read());
  printf("%ld spikes, %ld synaptic operations of %ld possible\n", total, total * kOutDegree,
         (long)kSteps * kNeurons * kOutDegree);
  printf("excitatory weights: %.4f before, %.4f on average now, from %.4f to %.4f\n", kExcitatoryWeight,
         w.mean, w.least, w.largest);
  return total == 0;
}
