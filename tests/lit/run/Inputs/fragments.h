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

/* A small number that differs from place to place: 0 to modulus - 1. */
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

/* Where element i of the lane's C and D stands, which are of 8 or 16 rows and 8 columns. */
static __device__ inline int sum_place(int i) {
  return (lane_id() / 4 + i / 2 * 8) * 8 + lane_id() % 4 * 2 + i % 2;
}
#endif

#endif
