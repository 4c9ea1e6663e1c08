// Shortest paths by Bellman and Ford, from one array of distances into the next: no result depends on the
// order.
// RUN: %program
#include "graph.h"

enum { VERTICES = 400, DEGREE = 4, FAR = 1 << 29 };

__global__ void relax(const int *row, const int *source, const int *weight, const int *before, int *after,
                      int *changed) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= VERTICES)
    return;
  int old = before[v], best = old, end = row[v + 1];
#pragma gpuprof region("relax.edges")
  for (int e = row[v]; e < end; e++) {
    int through = before[source[e]] + weight[e];
    best = through < best ? through : best;
  }
  after[v] = best;
  if (best != old)
    atomicAdd(changed, 1);
}

int main() {
  Graph g = make_graph(VERTICES, DEGREE); // read as incoming edges
  Buffer<int> row(VERTICES + 1), source(g.edges()), weight(g.edges()), a(VERTICES, FAR), b(VERTICES),
      changed(1);
  row.host = g.row;
  source.host = g.target;
  weight.host = g.weight;
  row.up();
  source.up();
  weight.up();
  a[0] = 0;
  a.up();
  std::vector<int> host = a.host;
  int *before = a.device, *after = b.device;
  long long rounds = 0, improvements = 0;
  do {
    changed[0] = 0;
    changed.up();
    relax<<<(VERTICES + 127) / 128, 128>>>(row.device, source.device, weight.device, before, after,
                                           changed.device);
    changed.down();
    improvements += changed[0];
    std::swap(before, after);
    rounds++;
  } while (changed[0]);
  to_host(a.host.data(), before, VERTICES);

  for (bool better = true; better;) { // in place, until nothing changes: the same distances
    better = false;
    for (int v = 0; v < VERTICES; v++)
      for (int e = g.row[v]; e < g.row[v + 1]; e++)
        if (host[g.target[e]] + g.weight[e] < host[v]) {
          host[v] = host[g.target[e]] + g.weight[e];
          better = true;
        }
  }
  EXPECT(a.host == host && rounds > 3);

  counts("relax", {{"bytes.global.load", 4 * rounds * (3 * VERTICES + 3 * g.edges())},
                   {"bytes.global.store", 4 * rounds * VERTICES},
                   {"bytes.global.atomic", 4 * improvements},
                   {"atomic_ops", improvements}});
  counts("region:relax.edges", {{"bytes.global.load", 4 * rounds * (VERTICES + 3 * g.edges())}});
  return finish();
}
