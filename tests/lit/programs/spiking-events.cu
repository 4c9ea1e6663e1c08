// A network driven by events: firing neurons put their number into a queue, and only
// the synapses in the rows of queued neurons are touched. Work follows the spikes.
// RUN: %program
#include "graph.h"

enum { NEURONS = 400, DEGREE = 8, STEPS = 15 };
static constexpr float LEAK = 0.75f, THRESHOLD = 1.0f;

#pragma gpuprof region("events.deliver") category(snn)
__global__ void deliver(const int *queue, const int *queued, const int *row, const int *target,
                        const float *weight,
                        float *current) { // a block a spike at a time, a thread a synapse
  int n = *queued;
  for (int q = blockIdx.x; q < n; q += gridDim.x) {
    int from = queue[q], end = row[from + 1];
    for (int e = row[from] + threadIdx.x; e < end; e += blockDim.x) {
      atomicAdd(&current[target[e]], weight[e]);
#pragma gpuprof count("synaptic_operations", 1)
    }
  }
}

#pragma gpuprof region("events.integrate") category(snn)
__global__ void integrate(float *current, const float *drive, float *potential, int *queue, int *queued) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= NEURONS)
    return;
  float v = potential[i] * LEAK + (current[i] + drive[i]);
  current[i] = 0;
  int spike = v >= THRESHOLD;
  if (spike) {
    v -= THRESHOLD;
    queue[atomicAdd(queued, 1)] = i;
  }
  potential[i] = v;
#pragma gpuprof spike(spike)
}

int main() {
  Graph g = make_graph(NEURONS, DEGREE);
  Buffer<int> row(NEURONS + 1), target(g.edges()), queue(NEURONS), queued(1);
  Buffer<float> weight(g.edges()), current(NEURONS), drive(NEURONS), potential(NEURONS);
  row.host = g.row;
  target.host = g.target;
  for (int e = 0; e < g.edges(); e++) // 64ths: the order of additions does not matter
    weight[e] = (float)g.weight[e] / 64;
  Random random;
  for (float &d : drive.host)
    d = (float)random.below(20) / 64;
  row.up();
  target.up();
  weight.up();
  drive.up();
  long long fired = 0, operations = 0, wasted = 0;
  std::vector<float> v(NEURONS), c(NEURONS);
  std::vector<int> expected;
  for (int t = 0; t < STEPS; t++) {
    deliver<<<4, 32>>>(queue.device, queued.device, row.device, target.device, weight.device, current.device);
    queued[0] = 0;
    queued.up();
    integrate<<<(NEURONS + 63) / 64, 64>>>(current.device, drive.device, potential.device, queue.device,
                                           queued.device);
    queue.down();
    queued.down();

    for (int from : expected) {
      operations += g.degree(from);
      for (int e = row[from]; e < row[from + 1]; e++)
        c[target[e]] += weight[e];
    }
    wasted += (long long)expected.size();
    expected.clear();
    for (int i = 0; i < NEURONS; i++) {
      v[i] = std::fma(v[i], LEAK, c[i] + drive[i]);
      c[i] = 0;
      if (v[i] >= THRESHOLD) {
        v[i] -= THRESHOLD;
        expected.push_back(i);
      }
    }
    fired += (long long)expected.size();
    std::vector<int> seen(queue.host.begin(), queue.host.begin() + queued[0]);
    std::sort(seen.begin(), seen.end()); // the queue's order is free
    EXPECT(seen == expected);
  }
  potential.down();
  for (int i = 0; i < NEURONS; i++)
    EXPECT(near(potential[i], v[i]));
  EXPECT(fired > NEURONS / 2 && fired < NEURONS * STEPS / 4);

  // Every thread of a block reads the spike's number and its row's bounds; a synapse is a target, a weight,
  // an atomic.
  const long long threads = 32, steps = (long long)STEPS * NEURONS;
  counts("deliver", {{"bytes.global.load", 4 * (STEPS * 4 * threads + 3 * threads * wasted + 2 * operations)},
                     {"bytes.global.atomic", 4 * operations},
                     {"flops.fp32.accumulate", operations},
                     {"user_counters.synaptic_operations", operations}});
  counts("integrate", {{"flops.fp32.add", steps + fired},
                       {"flops.fp32.fma", 2 * steps},
                       {"bytes.global.load", 12 * steps},
                       {"bytes.global.store", 8 * steps + 4 * fired},
                       {"bytes.global.atomic", 4 * fired},
                       {"atomic_ops", fired},
                       {"snn.spikes_positive", fired},
                       {"snn.silent", steps - fired}});
  return finish();
}
