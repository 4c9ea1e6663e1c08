// The driver's arrays, copies in two dimensions and texture objects: integers
// are read as fractions without the flag, the opposite of the runtime's default.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include <cuda.h>
#include "run.h"

enum { Width = 8, Height = 4 };

__global__ void floats(cudaTextureObject_t texture, float *out) {
  out[threadIdx.y * Width + threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
__global__ void bytes(cudaTextureObject_t texture, unsigned *out) {
  out[threadIdx.y * Width + threadIdx.x] = tex2D<unsigned char>(texture, threadIdx.x, threadIdx.y);
}

#define DONE(call) EXPECT((call) == CUDA_SUCCESS)

static CUarray made(CUarray_format format, const void *rows, size_t row_bytes) {
  CUDA_ARRAY_DESCRIPTOR shape = {};
  shape.Width = Width, shape.Height = Height, shape.Format = format, shape.NumChannels = 1;
  CUarray array = nullptr;
  if (cuArrayCreate(&array, &shape) != CUDA_SUCCESS)
    return nullptr;
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = rows, copy.srcPitch = row_bytes;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
  copy.WidthInBytes = row_bytes, copy.Height = Height;
  return cuMemcpy2D(&copy) == CUDA_SUCCESS ? array : nullptr;
}

static CUtexObject textureOf(CUarray array, unsigned flags) {
  CUDA_RESOURCE_DESC what = {};
  what.resType = CU_RESOURCE_TYPE_ARRAY, what.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = CU_TR_FILTER_MODE_POINT, how.flags = flags;
  CUtexObject texture = 0;
  return cuTexObjectCreate(&texture, &what, &how, nullptr) == CUDA_SUCCESS ? texture : 0;
}

int main() {
  float rows[Height][Width], fractions[Height * Width], *out;
  unsigned char small[Height][Width];
  unsigned whole[Height * Width];
  for (int i = 0; i < Height * Width; i++) {
    rows[i / Width][i % Width] = i * 1.5f;
    small[i / Width][i % Width] = i * 8;
  }
  DONE(cuInit(0));
  cudaMalloc(&out, sizeof fractions);
  const dim3 block(Width, Height);

  CUarray array = made(CU_AD_FORMAT_FLOAT, rows, sizeof rows[0]);
  floats<<<1, block>>>(textureOf(array, 0), out);
  cudaMemcpy(fractions, out, sizeof fractions, cudaMemcpyDefault);
  for (int i = 0; i < Height * Width; i++)
    EXPECT(fractions[i] == i * 1.5f);

  CUarray of_bytes = made(CU_AD_FORMAT_UNSIGNED_INT8, small, sizeof small[0]);
  CUtexObject as_fractions = textureOf(of_bytes, 0), as_integers = textureOf(of_bytes, CU_TRSF_READ_AS_INTEGER);
  floats<<<1, block>>>(as_fractions, out);
  cudaMemcpy(fractions, out, sizeof fractions, cudaMemcpyDefault);
  bytes<<<1, block>>>(as_integers, reinterpret_cast<unsigned *>(out));
  cudaMemcpy(whole, out, sizeof whole, cudaMemcpyDefault);
  for (int i = 0; i < Height * Width; i++)
    EXPECT(fractions[i] == static_cast<float>(i * 8 / 255.0) && whole[i] == i * 8u);

  // A part of the array to rows with a larger pitch.
  float part[2][16] = {};
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY, copy.srcArray = array, copy.srcXInBytes = 8, copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = part, copy.dstPitch = sizeof part[0], copy.dstXInBytes = 4;
  copy.WidthInBytes = 12, copy.Height = 2;
  DONE(cuMemcpy2D(&copy));
  EXPECT(part[0][0] == 0 && part[0][1] == rows[1][2] && part[0][3] == rows[1][4] && part[0][4] == 0 && part[1][1] == rows[2][2]);
  DONE(cuTexObjectDestroy(as_integers));
  DONE(cuArrayDestroy(array));
  return finish();
}
