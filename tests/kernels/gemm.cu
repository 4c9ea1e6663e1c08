// Products on tensor cores: right, and as costly as the formula says, for each layout, end and odd size.
// RUN: %cases
#include "gemm_checks.h"

template <typename Element, typename Out, class Tile, GemmLines ALines, GemmLines BLines, int End>
static void check(Cases &cases, const char *what, int rows, int columns, int depth) {
  const GemmData<Element, Out, End> data(ALines, BLines, rows, columns, depth);
  const auto kernel = gemm<Element, Out, Tile, ALines, BLines, End>;
  const ClosedForm cost = gemm_cost<Element, Out, Tile>(data.shape, ALines, BLines, End);
  cases.begin(data.name(what));
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::SharedBytes);
  kernel<<<(unsigned)gemm_blocks<Tile>(data.shape), Tile::Threads, Tile::SharedBytes>>>(data.arguments());
  cases.launched();
  data.compare(cases);
  cases.expect("gemm", cost, {{"gemm", cost}});
  cases.end(cost);
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  typedef GemmTile<64, 64, 1, 1, 3, 1> Small; /* the kernels' loops, on fewer threads */
  typedef GemmTile<128, 128, 2, 2, 3, 2> Tile;
  check<Bf16, Bf16, Tile, kAlong, kAcross, kGemmBias>(cases, "several warps, odd, with a bias", 131, 140, 99);
  check<Bf16, Bf16, Small, kAlong, kAlong, kGemmStore>(cases, "whole tiles", 128, 64, 192);
  check<Fp16, Fp16, Small, kAlong, kAcross, kGemmStore>(cases, "right across", 70, 129, 65);
  check<Bf16, float, Small, kAcross, kAcross, kGemmAdd>(cases, "both across, added", 129, 66, 130);
  check<Fp16, float, Small, kAcross, kAlong, kGemmBias | kGemmAdd>(cases, "left across, bias, added", 65, 63, 321);
  check<Fp16, Fp16, Small, kAlong, kAcross, kGemmStore>(cases, "more bands of tiles", 9 * 64, 2 * 64 + 1, 7);
  check<Fp16, Fp16, Small, kAlong, kAlong, kGemmBias | kGemmAdd>(cases, "lines of 16 bytes, bias, added", 33, 128, 64);
  return cases.finish();
}
