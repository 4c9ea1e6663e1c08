/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* For the corpus: data by a fixed generator, and results compared with the host's. A program
 * launches each of its kernels at a small size, and prints counts() if there is a closed form; a
 * key of several counts, such as flops.fp32, is their sum (tests/lit/programs/Inputs/counts.py). */
#ifndef CORPUS_H
#define CORPUS_H

#include "program.h"

/* Numbers equal on every machine, in device memory. Each matrix of a program has other ones. */
struct Floats : Buffer<float> {
  explicit Floats(size_t n, float scale = 1, float least = -1) : Buffer<float>(n) {
    static Random random;
    for (float &x : host)
      x = least * scale + (1 - least) * scale * random.unit();
    up();
  }
};

/* Whole numbers of [least, most]; their sums are exact in any order. */
template <class T> struct Whole : Buffer<T> {
  Whole(size_t n, int least, int most) : Buffer<T>(n) {
    static Random random;
    for (T &x : this->host)
      x = (T)(float)(least + random.below(most - least + 1));
    this->up();
  }
};

/* Fetches the results and compares each with expected(index). */
template <class T, class Expected>
void check(const char *what, Buffer<T> &got, Expected expected, double tolerance = 1e-5) {
  got.down();
  for (size_t i = 0; i < got.size(); i++) {
    double should = (double)expected((int)i), is = (double)(float)got[i];
    if (!near(is, should, tolerance) && failures++ < 10)
      std::printf("%s[%zu] is %.9g, expected %.9g\n", what, i, is, should);
  }
}

static inline int divided(int n, int by) { return (n + by - 1) / by; }

#endif
