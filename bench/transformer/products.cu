/* The kernels of gemm.cuh and gemm_hopper.cuh as functions called by products.py. Built plainly, without gpuprof. Without
 * PRODUCTS_HOPPER it has no kernel for sm_90a.
 */
#include "transformer/gemm.cuh"
#ifdef PRODUCTS_HOPPER
#include "transformer/gemm_hopper.cuh"
#endif

#include <cuda_runtime.h>

struct Call {
  const void *a, *b;
  void *c;
  GemmShape shape;
  int a_across, b_across;
};

static GemmArguments arguments_of(const Call &call) { return {call.a, call.b, nullptr, call.c, call.shape}; }

template <class Tile, GemmLines ALines, GemmLines BLines> static int launch(const GemmArguments &arguments, cudaStream_t stream) {
  const auto kernel = gemm<Bf16, Bf16, Tile, ALines, BLines, kGemmStore>;
  const int error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::SharedBytes);
  if (error)
    return error;
  kernel<<<(unsigned)gemm_blocks<Tile>(arguments.shape), Tile::Threads, Tile::SharedBytes, stream>>>(arguments);
  return cudaGetLastError();
}

/* 0, or CUDA's error; -1 for a layout that no pass of a layer has. */
template <class Tile> static int launch_layout(const Call &call, cudaStream_t stream) {
  const GemmArguments arguments = arguments_of(call);
  if (call.a_across)
    return call.b_across ? launch<Tile, kAcross, kAcross>(arguments, stream) : -1;
  return call.b_across ? launch<Tile, kAlong, kAcross>(arguments, stream) : launch<Tile, kAlong, kAlong>(arguments, stream);
}

extern "C" int two_stages(const Call *call, cudaStream_t stream) {
  return launch_layout<GemmTile<128, 128, 2, 2, 2, 2>>(*call, stream);
}
extern "C" int three_stages(const Call *call, cudaStream_t stream) {
  return launch_layout<GemmTile<128, 128, 2, 2, 3, 2>>(*call, stream);
}

#ifdef PRODUCTS_HOPPER
static TensorEncode tensor_encode() {
  static void *encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  if (!encode && cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found))
    encode = nullptr;
  return (TensorEncode)encode;
}

static int multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

template <class Tile, GemmLines ALines, GemmLines BLines> static int launch_hopper(const GemmArguments &arguments, cudaStream_t stream) {
  const auto kernel = gemm_hopper<Bf16, Bf16, Tile, ALines, BLines, kGemmStore>;
  static const int blocks = multiprocessors();
  GemmHopperArguments hopper;
  if (!tensor_encode())
    return cudaErrorNotSupported;
  int error = gemm_hopper_arguments<Bf16, Tile>(tensor_encode(), &hopper, arguments, ALines, BLines);
  if (!error)
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::SharedBytes);
  if (error)
    return error;
  kernel<<<blocks, Tile::Threads, Tile::SharedBytes, stream>>>(hopper);
  return cudaGetLastError();
}

extern "C" int hopper(const Call *call, cudaStream_t stream) {
  typedef GemmHopperTile<256, 4> Tile;
  const GemmArguments arguments = arguments_of(*call);
  if (call->a_across)
    return call->b_across ? launch_hopper<Tile, kAcross, kAcross>(arguments, stream) : -1;
  return call->b_across ? launch_hopper<Tile, kAlong, kAcross>(arguments, stream) : launch_hopper<Tile, kAlong, kAlong>(arguments, stream);
}
#endif
