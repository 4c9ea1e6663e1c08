// Products by wgmma and tensor maps: right, and as costly as the formula says, for each layout, end and odd size.
// RUN: %cases
// On a GPU: sm_90a
#include "gemm_checks.h"

#include "../../kernels/transformer/gemm_hopper.cuh"

extern "C" int encode_tiled(TensorMap *, int type, unsigned rank, void *address, const unsigned long long *dimensions,
                            const unsigned long long *strides, const unsigned *box, const unsigned *steps, int interleave,
                            int swizzle, int promotion, int fill) __asm__("cuTensorMapEncodeTiled");

template <typename Element, typename Out, class Tile, GemmLines ALines, GemmLines BLines, int End>
static void check(Cases &cases, const char *what, int rows, int columns, int depth, unsigned blocks) {
  const GemmData<Element, Out, End> data(ALines, BLines, rows, columns, depth);
  const auto kernel = gemm_hopper<Element, Out, Tile, ALines, BLines, End>;
  const ClosedForm cost = gemm_hopper_cost<Element, Out, Tile>(data.shape, ALines, BLines, End, blocks);
  GemmHopperArguments arguments;
  cases.begin(data.name(what));
  if (gemm_hopper_arguments<Element, Tile>(encode_tiled, &arguments, data.arguments(), ALines, BLines))
    cases.fail("no tensor map");
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::SharedBytes);
  kernel<<<blocks, Tile::Threads, Tile::SharedBytes>>>(arguments);
  cases.launched();
  data.compare(cases);
  cases.expect("gemm_hopper", cost, {{"gemm.hopper", cost}});
  cases.end(cost);
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  typedef GemmHopperTile<128, 3> Small;
  typedef GemmHopperTile<256, 4> Tile;
  check<Bf16, Bf16, Small, kAlong, kAlong, kGemmStore>(cases, "whole tiles", 256, 128, 320, 1);
  check<Fp16, Fp16, Small, kAlong, kAcross, kGemmStore>(cases, "right across", 70, 129, 65, 2);
  check<Bf16, float, Tile, kAcross, kAcross, kGemmBias | kGemmAdd>(cases, "both across, bias, added", 129, 266, 130, 2);
  check<Fp16, float, Small, kAcross, kAlong, kGemmAdd>(cases, "left across, added", 65, 63, 321, 3);
  return cases.finish();
}
