/* Inputs and comparisons of the programs that check matrix products. */
#ifndef GPUPROF_TESTS_KERNELS_GEMM_CHECKS_H
#define GPUPROF_TESTS_KERNELS_GEMM_CHECKS_H

#include "attention_checks.h"

#include "../../kernels/transformer/gemm.cuh"

/* An operand on both sides: `at(side, depth)` wherever its lines lie. */
template <typename Element> struct Operand {
  GemmLines lines;
  int stride;
  AttentionMatrix<Element> matrix;

  Operand(GemmLines lines, int sides, int depth, Random &random)
      : lines(lines), stride(((lines == kAlong ? depth : sides) + 7) / 8 * 8),
        matrix((size_t)(lines == kAlong ? sides : depth) * stride, random, 1.0f) {}
  double at(int side, int depth) const {
    return matrix.values[lines == kAlong ? (size_t)side * stride + depth : (size_t)depth * stride + side];
  }
};

template <typename Out> struct OutElement : AttentionElement<Out> {};
template <> struct OutElement<float> {
  static constexpr const char *name = "fp32";
  static constexpr double rounding = 0;
  static float value(float element) { return element; }
  static float element(float value) { return value; }
};

/* C = A·B with random operands. */
template <typename Element, typename Out, int End> struct GemmData {
  typedef OutElement<Out> Of;
  Random random{1};
  Operand<Element> a, b;
  AttentionMatrix<Element> bias;
  GemmShape shape;
  std::vector<Out> before;
  Array<Out> c;

  GemmData(GemmLines a_lines, GemmLines b_lines, int rows, int columns, int depth)
      : a(a_lines, rows, depth, random), b(b_lines, columns, depth, random), bias(columns, random, 1.0f),
        shape{rows, columns, depth, a.stride, b.stride, columns + columns % 2}, before(fill()), c(before) {}

  GemmArguments arguments() const { return {a.matrix.get(), b.matrix.get(), bias.get(), c.get(), shape}; }
  std::string name(const char *what) const {
    return std::string(what) + ", " + AttentionElement<Element>::name + " to " + Of::name;
  }
  void compare(Cases &cases) const {
    const std::vector<Out> after = c.read();
    Difference difference;
    for (int row = 0; row < shape.rows; ++row)
      for (int column = 0; column < shape.columns; ++column) {
        double sum = (End & kGemmBias) ? bias.values[column] : 0;
        for (int k = 0; k < shape.depth; ++k)
          sum += a.at(row, k) * b.at(column, k);
        const size_t place = (size_t)row * shape.c_stride + column;
        sum += (End & kGemmAdd) ? Of::value(before[place]) : 0;
        difference.add(Of::value(after[place]), sum);
      }
    difference.expect(cases, "products", Of::rounding + 1e-6 * shape.depth);
  }

private:
  std::vector<Out> fill() {
    std::vector<Out> values;
    for (size_t i = 0; i < (size_t)shape.rows * shape.c_stride; ++i)
      values.push_back(Of::element(random.uniform(-1, 1)));
    return values;
  }
};

#endif
