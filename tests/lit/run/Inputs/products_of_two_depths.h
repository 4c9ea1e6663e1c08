/* Products of floats by mma.sync of a depth and of half of it, held to plain sums. */
#ifndef PRODUCTS_OF_TWO_DEPTHS_H
#define PRODUCTS_OF_TWO_DEPTHS_H
#include "fragments.h"

#include <cstring>

using FloatLaunch = void (*)(const unsigned *a, const unsigned *b, const float *c, float *deep, float *shallow);

static inline unsigned bits_of(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The launched kernel writes c + a * b, and the same of the first half of the depth. `code` makes an element of a number;
 * all sums are exact in any order. Returns the program's exit status. */
template <int Depth> void check_two_depths(FloatLaunch launch, unsigned (*code)(float)) {
  Matrices<16, 8, Depth, float> m;
  Values<float, 128> shallow;
  const auto left = [](int i, int k) { return small_number(i, k, 9) - 4.5f; };
  const auto right = [](int k, int j) { return small_number(j, k, 7) + 1.25f; };
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < Depth; k++)
      m.a.host[i * Depth + k] = code(left(i, k));
  for (int k = 0; k < Depth; k++)
    for (int j = 0; j < 8; j++)
      m.b.host[k * 8 + j] = code(right(k, j));
  for (int i = 0; i < 128; i++)
    m.c.host[i] = i - 0.5f;
  m.write();
  launch(m.a.device, m.b.device, m.c.device, m.d.device, shallow.device);
  m.d.read(), shallow.read();
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      float deep = m.c.host[i * 8 + j], first = deep;
      for (int k = 0; k < Depth; k++) {
        const float product = left(i, k) * right(k, j);
        deep += product;
        first += k < Depth / 2 ? product : 0;
      }
      EXPECT(m.d.host[i * 8 + j] == deep && shallow.host[i * 8 + j] == first);
    }
}

#endif
