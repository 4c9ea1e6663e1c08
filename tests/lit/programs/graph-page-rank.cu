// PageRank by pulling: each vertex adds up the shares of its predecessors.
// RUN: %program_by_clones
#include "graph.h"

enum { VERTICES = 300, DEGREE = 6, ROUNDS = 8 };
static constexpr float DAMPING = 0.85f;

#pragma gpuprof region("rank.shares")
__global__ void shares(const float *rank, const int *out_degree, float *share) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= VERTICES)
    return;
  float s = 0;
  int d = out_degree[v];
  if (d > 0)
    s = rank[v] / (float)d;
  share[v] = s;
}

#pragma gpuprof region("rank.pull")
__global__ void pull(const int *row, const int *source, const float *share, float *rank) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= VERTICES)
    return;
  float sum = 0;
  int end = row[v + 1];
  for (int e = row[v]; e < end; e++)
    sum += share[source[e]];
  rank[v] = (1.0f - DAMPING) / VERTICES + DAMPING * sum;
}

int main() {
  Graph g = make_graph(VERTICES, DEGREE); // read as incoming edges
  Buffer<int> row(VERTICES + 1), source(g.edges()), out_degree(VERTICES);
  Buffer<float> rank(VERTICES, 1.0f / VERTICES), share(VERTICES);
  row.host = g.row;
  source.host = g.target;
  for (int v : g.target)
    out_degree[v]++;
  row.up();
  source.up();
  out_degree.up();
  for (int round = 0; round < ROUNDS; round++) {
    shares<<<3, 100>>>(rank.device, out_degree.device, share.device);
    pull<<<5, 64>>>(row.device, source.device, share.device, rank.device);
  }
  rank.down();

  std::vector<double> r(VERTICES, 1.0 / VERTICES);
  for (int round = 0; round < ROUNDS; round++) {
    std::vector<double> next(VERTICES, (1.0 - DAMPING) / VERTICES);
    for (int v = 0; v < VERTICES; v++)
      for (int e = g.row[v]; e < g.row[v + 1]; e++)
        next[v] += DAMPING * r[g.target[e]] / out_degree[g.target[e]];
    r = next;
  }
  long long pointing = 0, pulling = 0;
  for (int v = 0; v < VERTICES; v++) {
    EXPECT(near(rank[v] * VERTICES, r[v] * VERTICES));
    pointing += out_degree[v] > 0;
    pulling += g.degree(v) > 0; // the rank of the others is a constant
  }

  counts("shares", {{"flops.fp32.div", ROUNDS * pointing},
                    {"bytes.global.load", 4 * ROUNDS * (VERTICES + pointing)},
                    {"bytes.global.store", 4 * ROUNDS * VERTICES}});
  counts("pull", {{"flops.fp32.add", ROUNDS * g.edges()},
                  {"flops.fp32.fma", 2 * ROUNDS * pulling},
                  {"bytes.global.load", 4 * ROUNDS * (2 * VERTICES + 2 * g.edges())},
                  {"bytes.global.store", 4 * ROUNDS * VERTICES}});
  return finish();
}
