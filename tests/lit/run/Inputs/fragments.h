/* Matrices in the registers of a warp, as PTX ISA lays them out for mma.sync, and the same product by plain loops. */
#ifndef FRAGMENTS_H
#define FRAGMENTS_H

#include "lanes.h"

/* The codes of elements, one a word, row by row: A is M x K, B is K x N; C and D are numbers. */
template <int M, int N, int K, class Sum> struct Matrices {
  Values<unsigned, M * K> a;
  Values<unsigned, K * N> b;
  Values<Sum, M * N> c, d;
  void write() { a.write(), b.write(), c.write(); }
};

/* A small number varying from place to place: 0 to modulus - 1. */
static inline int small_number(int row, int column, int modulus) { return (row * 7 + column * 3 + row * column) % modulus; }

#ifdef __CUDACC__
/* Registers of a lane: `rows` x `columns` elements of so many bits; groups of four lanes have a row of every 8, each lane
 * neighbours of it. `transposed`: the matrix is held by its columns, as B is. */
template <int Bits, int Rows, int Columns, bool Transposed, int Registers>
__device__ void take(unsigned (&registers)[Registers], const unsigned *matrix) {
  const int per = 32 / Bits, group = lane_id() / 4, member = lane_id() % 4;
  for (int r = 0; r < Registers; r++) {
    registers[r] = 0;
    for (int i = 0; i < per; i++) {
      int row = group + r % (Rows / 8) * 8, column = r / (Rows / 8) * 4 * per + member * per + i;
      registers[r] |= matrix[Transposed ? column * Rows + row : row * Columns + column] << (i * Bits % 32);
    }
  }
}

/* The place of element i of the lane's C and D, of 8 or 16 rows and 8 columns. */
static __device__ inline int sum_place(int i) {
  return (lane_id() / 4 + i / 2 * 8) * 8 + lane_id() % 4 * 2 + i % 2;
}

/* The first `count` elements of the lane's D to their places. */
template <int count, class Out, class Sum, int Registers>
__device__ void put(Out *out, const Sum (&d)[Registers]) {
  for (int i = 0; i < count; i++)
    out[sum_place(i)] = d[i];
}

/* d = a * b + c, by forms of mma.sync named after the numbers of registers of a, b and c. `name`
 * follows "mma.sync.aligned."; `X` is the constraint of operands, `S` the constraint of sums. */
#define MMA_4_2_4(name, X, S, d, a, b, c)                                                                    \
  asm("mma.sync.aligned." name " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                  \
      : "=" S(d[0]), "=" S(d[1]), "=" S(d[2]), "=" S(d[3])                                                   \
      : X(a[0]), X(a[1]), X(a[2]), X(a[3]), X(b[0]), X(b[1]), S(c[0]), S(c[1]), S(c[2]), S(c[3]))
#define MMA_2_1_4(name, X, S, d, a, b, c)                                                                    \
  asm("mma.sync.aligned." name " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"                              \
      : "=" S(d[0]), "=" S(d[1]), "=" S(d[2]), "=" S(d[3])                                                   \
      : X(a[0]), X(a[1]), X(b[0]), S(c[0]), S(c[1]), S(c[2]), S(c[3]))
#define MMA_1_1_2(name, X, S, d, a, b, c)                                                                    \
  asm("mma.sync.aligned." name " {%0,%1}, {%2}, {%3}, {%4,%5};"                                              \
      : "=" S(d[0]), "=" S(d[1])                                                                             \
      : X(a[0]), X(b[0]), S(c[0]), S(c[1]))
#endif

#endif
