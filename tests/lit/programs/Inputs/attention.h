/* softmax(scale q k^T) v of one head in double precision, over the keys visible to a query by `sees`. */
#ifndef ATTENTION_H
#define ATTENTION_H

#include "program.h"

template <class Sees>
static std::vector<double> host_attention(const float *q, const float *k, const float *v, int queries,
                                          int keys, int width, double scale, Sees sees) {
  std::vector<double> out((size_t)queries * width);
  std::vector<double> p(keys);
  for (int i = 0; i < queries; i++) {
    double most = -1e300, sum = 0;
    for (int j = 0; j < keys; j++) {
      double score = 0;
      for (int d = 0; d < width; d++)
        score += (double)q[i * width + d] * k[j * width + d];
      p[j] = score * scale;
      if (sees(i, j) && p[j] > most)
        most = p[j];
    }
    for (int j = 0; j < keys; j++)
      sum += p[j] = sees(i, j) ? std::exp(p[j] - most) : 0;
    for (int j = 0; j < keys; j++)
      for (int d = 0; d < width; d++)
        out[(size_t)i * width + d] += p[j] / sum * v[j * width + d];
  }
  return out;
}

#endif
