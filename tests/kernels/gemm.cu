// Products on tensor cores: right, and as costly as the formula says, for each layout, end and odd size.
// RUN: %cases
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

template <typename Element, typename Out, class Tile, GemmLines ALines, GemmLines BLines, int End>
static void check(Cases &cases, const char *what, int rows, int columns, int depth) {
  typedef OutElement<Out> Of;
  Random random(1);
  const Operand<Element> a(ALines, rows, depth, random), b(BLines, columns, depth, random);
  const AttentionMatrix<Element> bias(columns, random, 1.0f);
  const int stride = columns + columns % 2;
  std::vector<Out> before;
  for (size_t i = 0; i < (size_t)rows * stride; ++i)
    before.push_back(Of::element(random.uniform(-1, 1)));
  const Array<Out> c(before);
  const GemmShape shape = {rows, columns, depth, a.stride, b.stride, stride};
  const GemmArguments arguments = {a.matrix.get(), b.matrix.get(), bias.get(), c.get(), shape};
  const ClosedForm cost = gemm_cost<Element, Out, Tile>(shape, ALines, BLines, End);

  cases.begin(std::string(what) + ", " + AttentionElement<Element>::name + " to " + Of::name);
  cudaFuncSetAttribute(gemm<Element, Out, Tile, ALines, BLines, End>, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::SharedBytes);
  gemm<Element, Out, Tile, ALines, BLines, End><<<(unsigned)gemm_blocks<Tile>(shape), Tile::Threads, Tile::SharedBytes>>>(arguments);
  cases.launched();
  const std::vector<Out> after = c.read();
  Difference difference;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      double sum = (End & kGemmBias) ? bias.values[column] : 0;
      for (int k = 0; k < depth; ++k)
        sum += a.at(row, k) * b.at(column, k);
      sum += (End & kGemmAdd) ? Of::value(before[(size_t)row * stride + column]) : 0;
      difference.add(Of::value(after[(size_t)row * stride + column]), sum);
    }
  difference.expect(cases, "products", Of::rounding + 1e-6 * depth);
  cases.expect("gemm", cost, {{"gemm", cost}});
  cases.end(cost);
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  typedef GemmTile<64, 64, 1, 1, 3, 1> Small; /* the kernels' loops, on fewer threads */
  typedef GemmTile<128, 128, 2, 2, 3, 2> Tile;
  check<Bf16, Bf16, Tile, kAlong, kAlong, kGemmStore>(cases, "whole tiles", 128, 128, 192);
  check<Bf16, Bf16, Tile, kAlong, kAlong, kGemmBias>(cases, "odd, with a bias", 131, 77, 99);
  check<Fp16, Fp16, Tile, kAlong, kAcross, kGemmStore>(cases, "right across", 70, 129, 65);
  check<Bf16, float, Tile, kAcross, kAcross, kGemmAdd>(cases, "both across, added", 129, 66, 130);
  check<Fp16, float, Small, kAcross, kAlong, kGemmBias | kGemmAdd>(cases, "left across, bias, added", 65, 63, 321);
  check<Bf16, Bf16, Small, kAlong, kAcross, kGemmAdd>(cases, "more bands of tiles", 9 * 64, 2 * 64 + 1, 7);
  return cases.finish();
}
