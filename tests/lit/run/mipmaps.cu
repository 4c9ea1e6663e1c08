// Mipmapped arrays: sizes of levels, copies to each, and fetches by a level of detail with either filter between levels, clamps and
// a bias; coordinates are normalized whatever the texture says, as on an H200.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

enum { W = 8, H = 4, LEVELS = 3, LODS = 7 };

// Every texel of a level holds 100 times the level, and its number.
__global__ void fetch(cudaTextureObject_t texture, const float *lods, float *out) {
  int i = threadIdx.x;
  out[i] = tex2DLod<float>(texture, 0.97f, 0.97f, lods[i]);
}

__global__ void fetch_by_gradient(cudaTextureObject_t texture, float step, float *out) {
  *out = tex2DGrad<float>(texture, 0.97f, 0.97f, make_float2(step, 0), make_float2(0, step / 2));
}

static cudaTextureObject_t texture_of(cudaMipmappedArray_t array, cudaTextureFilterMode between, float bias) {
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  cudaTextureObject_t object = 0;
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.mipmapFilterMode = between;
  texture.mipmapLevelBias = bias;
  texture.minMipmapLevelClamp = bias ? 0.25f : 0;
  texture.maxMipmapLevelClamp = bias ? 1.5f : 10;
  OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  return object;
}

int main() {
  cudaMipmappedArray_t array;
  cudaArray_t level;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), same;
  cudaExtent extent;
  unsigned flags;
  float texels[W * H];
  OK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(W, H, 0), LEVELS));
  for (int l = 0; l < LEVELS; l++) {
    OK(cudaGetMipmappedArrayLevel(&level, array, l));
    OK(cudaArrayGetInfo(&same, &extent, &flags, level));
    EXPECT(extent.width == W >> l && extent.height == H >> l && extent.depth == 0);
    for (int i = 0; i < W * H; i++)
      texels[i] = 100 * l + i;
    OK(cudaMemcpy2DToArray(level, 0, 0, texels, (W >> l) * 4, (W >> l) * 4, H >> l, cudaMemcpyHostToDevice));
  }
  EXPECT(cudaGetMipmappedArrayLevel(&level, array, LEVELS) == cudaErrorInvalidValue);

  // The last texels of the levels are 31, 107 and 201.
  const float lods[LODS] = {-1, 0.25f, 0.4999f, 0.5f, 1.5f, 2, 5};
  const float nearest[LODS] = {31, 31, 31, 107, 201, 201, 201};
  const float between[LODS] = {31, 50, 31 + 76 * 127 / 256.f, 69, 154, 201, 201};
  const float biased[LODS] = {50, 31 + 76 * 192 / 256.f, 31 + 76 * 255 / 256.f, 107, 154, 154, 154};
  float *places = to_device(lods, LODS), *device = to_device(lods, LODS), out[LODS];
  cudaTextureObject_t points = texture_of(array, cudaFilterModePoint, 0), lines = texture_of(array, cudaFilterModeLinear, 0),
                      clamped = texture_of(array, cudaFilterModeLinear, 0.5f);
  fetch<<<1, LODS>>>(points, places, device);
  to_host(out, device, LODS);
  EXPECT(!memcmp(out, nearest, sizeof out));
  fetch<<<1, LODS>>>(lines, places, device);
  to_host(out, device, LODS);
  EXPECT(!memcmp(out, between, sizeof out));
  fetch<<<1, LODS>>>(clamped, places, device);
  to_host(out, device, LODS);
  EXPECT(!memcmp(out, biased, sizeof out));
  // A step of two texels is level 1.
  fetch_by_gradient<<<1, 1>>>(points, 2.f / W, device);
  to_host(out, device, 1);
  EXPECT(out[0] == 107);
  for (cudaTextureObject_t object : {points, lines, clamped})
    OK(cudaDestroyTextureObject(object));
  OK(cudaFreeMipmappedArray(array));
  return finish();
}
