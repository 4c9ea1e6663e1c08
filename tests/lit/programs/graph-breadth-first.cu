// Breadth-first search: a frontier in, a frontier out, and an atomic claim of each vertex seen.
// RUN: %program
#include "graph.h"

enum { VERTICES = 600, DEGREE = 5 };

__global__ void expand(const int *row, const int *target, int *distance, const int *frontier, int size,
                       int *next, int *next_size, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  int v = frontier[i], end = row[v + 1];
#pragma gpuprof region("bfs.edges")
  for (int e = row[v]; e < end; e++) {
    int to = target[e];
    if (atomicCAS(&distance[to], -1, level) == -1) {
      next[atomicAdd(next_size, 1)] = to;
#pragma gpuprof count("claimed", 1)
    }
  }
}

int main() {
  Graph g = make_graph(VERTICES, DEGREE);
  Buffer<int> row(VERTICES + 1), target(g.edges()), distance(VERTICES, -1), a(VERTICES), b(VERTICES), size(1);
  row.host = g.row;
  target.host = g.target;
  row.up();
  target.up();
  distance[0] = 0;
  distance.up();
  int *frontier = a.device, *next = b.device, level = 1; // the frontier is vertex 0
#pragma gpuprof region("bfs")
  for (int n = 1; n > 0; level++) {
#pragma gpuprof step(level)
    size[0] = 0;
    size.up();
    expand<<<(n + 63) / 64, 64>>>(row.device, target.device, distance.device, frontier, n, next, size.device,
                                  level);
    size.down();
    n = size[0];
    std::swap(frontier, next);
  }
  distance.down();

  std::vector<int> expected(VERTICES, -1), queue = {0};
  expected[0] = 0;
  long long edges = 0;
  for (size_t head = 0; head < queue.size(); head++) {
    int v = queue[head];
    edges += g.degree(v);
    for (int e = g.row[v]; e < g.row[v + 1]; e++)
      if (expected[g.target[e]] < 0) {
        expected[g.target[e]] = expected[v] + 1;
        queue.push_back(g.target[e]);
      }
  }
  EXPECT(distance.host == expected);
  EXPECT(queue.size() > VERTICES / 2 && level > 3);

  // A vertex reached: its number and two row pointers. An edge: its target and a claim. A
  // successful claim: a place in the queue, and the store there. Vertex 0 is claimed by nobody.
  const long long reached = (long long)queue.size(), claimed = reached - 1;
  counts("expand", {{"bytes.global.load", 4 * (3 * reached + edges)},
                    {"bytes.global.store", 4 * claimed},
                    {"bytes.global.atomic", 4 * (edges + claimed)},
                    {"atomic_ops", edges + claimed},
                    {"user_counters.claimed", claimed}});
  return finish();
}
