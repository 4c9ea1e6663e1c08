// A program compiled with CUDA 11: its shorter structures are filled up to their end and no further,
// and cudaGetDriverEntryPoint has three parameters. Sizes and offsets are those of CUDA 11.8's header.
// RUN: %clangxx -fplugin=%plugin %minicuda -DCUDART_VERSION=11080 -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

enum { PROPERTIES = 728, FUNCTION = 56, POINTER = 24, TEXTURE = 68, TEXTURE_V2 = 72, RESOURCE = 64, MORE = 512 };

// A structure with a pattern behind its end.
template <int Bytes> struct Room {
  alignas(8) unsigned char bytes[Bytes + MORE];
  Room() { memset(bytes, 0xa5, sizeof bytes); }
  bool keeps_what_follows() const {
    for (int i = Bytes; i < Bytes + MORE; i++)
      if (bytes[i] != 0xa5)
        return false;
    return true;
  }
  template <class T> T &at(int offset) { return *(T *)(bytes + offset); }
};

extern "C" {
cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, void *unused);
cudaError_t cudaCreateTextureObject(unsigned long long *object, const void *resource, const void *texture, const void *view);
cudaError_t cudaCreateTextureObject_v2(unsigned long long *object, const void *resource, const void *texture, const void *view);
cudaError_t cudaGetTextureObjectTextureDesc(void *texture, unsigned long long object);
cudaError_t cudaGetTextureObjectTextureDesc_v2(void *texture, unsigned long long object);
cudaError_t cudaGetTextureObjectResourceDesc(void *resource, unsigned long long object);
cudaError_t cudaThreadExit(void);
}

__global__ void kernel(int *p) { *p = 1; }

int main() {
  int *p;
  OK(cudaMalloc(&p, 4096));

  Room<PROPERTIES> properties;
  OK(cudaGetDeviceProperties((cudaDeviceProp *)properties.bytes, 0));
  EXPECT(properties.at<int>(308) == 32 && properties.at<int>(360) == 9 && properties.at<int>(712) == 32);
  EXPECT(properties.at<size_t>(720) == 1024 && properties.keeps_what_follows());

  Room<FUNCTION> function;
  OK(cudaFuncGetAttributes((cudaFuncAttributes *)function.bytes, (const void *)kernel));
  EXPECT(function.at<int>(24) == 1024 && function.at<int>(44) == 49152 && function.keeps_what_follows());

  Room<POINTER> pointer;
  OK(cudaPointerGetAttributes((cudaPointerAttributes *)pointer.bytes, p));
  EXPECT(pointer.at<int>(0) == cudaMemoryTypeDevice && pointer.at<void *>(8) == p && pointer.keeps_what_follows());

  // A texture of 256 floats in linear memory.
  Room<RESOURCE> resource, told_resource;
  Room<TEXTURE> texture, told;
  memset(resource.bytes, 0, RESOURCE);
  memset(texture.bytes, 0, TEXTURE);
  resource.at<int>(0) = 2;
  resource.at<void *>(8) = p;
  resource.at<int>(16) = 32; // channels: bits of the first, and their kind
  resource.at<int>(32) = 2;
  resource.at<size_t>(40) = 1024;
  texture.at<int>(0) = 1;
  texture.at<int>(64) = 1;
  unsigned long long object = 0;
  OK(cudaCreateTextureObject(&object, resource.bytes, texture.bytes, nullptr));
  OK(cudaGetTextureObjectTextureDesc(told.bytes, object));
  OK(cudaGetTextureObjectResourceDesc(told_resource.bytes, object));
  EXPECT(!memcmp(told.bytes, texture.bytes, TEXTURE) && told.keeps_what_follows());
  EXPECT(!memcmp(told_resource.bytes, resource.bytes, RESOURCE) && told_resource.keeps_what_follows());
  Room<TEXTURE_V2> texture_v2, told_v2;
  memset(texture_v2.bytes, 0, TEXTURE_V2);
  texture_v2.at<int>(68) = 1;
  OK(cudaCreateTextureObject_v2(&object, resource.bytes, texture_v2.bytes, nullptr));
  OK(cudaGetTextureObjectTextureDesc_v2(told_v2.bytes, object));
  EXPECT(told_v2.at<int>(68) == 1 && told_v2.keeps_what_follows());

  void *entry = nullptr;
  int status = 77;
  OK(cudaGetDriverEntryPoint("cuInit", &entry, 0, &status)); // the accidental value of a fourth register is no place for a result
  EXPECT(entry && status == 77);
  OK(cudaThreadExit());
  return finish();
}
