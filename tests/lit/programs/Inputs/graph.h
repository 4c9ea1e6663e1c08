/* Graphs with vertices of very different degrees, in compressed rows. */
#ifndef GRAPH_H
#define GRAPH_H

#include "program.h"
#include <algorithm>

struct Graph {
  std::vector<int> row, target, weight; /* edges of v: row[v] to row[v + 1] - 1; weights 1 to 20 */
  int vertices() const { return (int)row.size() - 1; }
  int edges() const { return (int)target.size(); }
  int degree(int v) const { return row[v + 1] - row[v]; }
};

/* About `degree` edges a vertex, most of them to vertices of low numbers; no edge is there twice. */
static inline Graph make_graph(int vertices, int degree) {
  Graph g;
  Random random;
  g.row.push_back(0);
  for (int v = 0; v < vertices; v++) {
    std::vector<int> to;
    for (int e = random.below(2 * degree + 1); e > 0; e--)
      to.push_back((int)((float)vertices * random.unit() * random.unit()));
    std::sort(to.begin(), to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
    g.target.insert(g.target.end(), to.begin(), to.end());
    g.row.push_back((int)g.target.size());
  }
  for (int e = 0; e < g.edges(); e++)
    g.weight.push_back(1 + random.below(20));
  return g;
}

#endif
