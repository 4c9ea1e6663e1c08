/* Products of integers by mma.sync held to plain sums. */
#ifndef INTEGER_PRODUCTS_H
#define INTEGER_PRODUCTS_H
#include "fragments.h"

using IntegerLaunch = void (*)(const unsigned *a, const unsigned *b, const int *c, int *out);

/* The value of a code of so many bits. */
template <int bits> long long value(unsigned code, bool is_signed) {
  return is_signed && code >> (bits - 1) ? (long long)code - (1 << bits) : code;
}

/* The launched kernel multiplies operands of so many bits four times, as `forms` has it, and writes each product behind the one
 * before, 128 numbers further. Returns the program's exit status. */
template <int bits> void check_integer_products(IntegerLaunch launch) {
  const int depth = 256 / bits;
  Values<unsigned, 16 * depth> a;
  Values<unsigned, 8 * depth> b;
  Values<int, 128> c;
  Values<int, 512> out;
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < depth; k++)
      a.host[i * depth + k] = small_number(i, k, 1009) % (1 << bits);
  for (int k = 0; k < depth; k++)
    for (int j = 0; j < 8; j++)
      b.host[k * 8 + j] = small_number(j, k, 997) % (1 << bits);
  for (int i = 0; i < 128; i++)
    c.host[i] = i % 3 ? i - 50 : 0x7ffffff0;
  a.write(), b.write(), c.write();
  launch(a.device, b.device, c.device, out.device);
  out.read();
  const struct {
    int rows, depth;
    bool a_signed, b_signed, saturate;
  } forms[] = {{16, depth, true, true, false},
               {16, depth / 2, false, true, false},
               {8, depth / 2, true, false, false},
               {16, depth, false, false, true}};
  for (int f = 0; f < 4; f++)
    for (int i = 0; i < forms[f].rows; i++)
      for (int j = 0; j < 8; j++) {
        long long sum = c.host[i * 8 + j];
        for (int k = 0; k < forms[f].depth; k++)
          sum += value<bits>(a.host[i * depth + k], forms[f].a_signed) * value<bits>(b.host[k * 8 + j], forms[f].b_signed);
        if (forms[f].saturate && sum > 0x7fffffff)
          sum = 0x7fffffff;
        EXPECT(out.host[f * 128 + i * 8 + j] == (int)sum);
      }
}

#endif
