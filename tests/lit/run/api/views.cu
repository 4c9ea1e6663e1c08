// Textures of an array in another format, of some levels of a mipmapped array, and sRGB; and impossible views.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/views.txt %t.out
#include "table.h"

enum { W = 8, H = 4, LEVELS = 3 };
static float *out;

template <class T> __global__ void fetch(cudaTextureObject_t t, float *out, float x, float y) {
  T v = tex2D<T>(t, x, y);
  const auto *c = reinterpret_cast<const decltype(v.x) *>(&v);
  for (unsigned i = 0; i < sizeof v / sizeof v.x; i++)
    out[i] = float(c[i]);
}
__global__ void fetch_level(cudaTextureObject_t t, float *out) {
  for (int level = 0; level < 3; level++)
    for (int i = 0; i < 4; i++)
      out[level * 4 + i] = tex2DLod<float>(t, 0.125f + 0.25f * i, 0.5f, float(level));
}
__global__ void fetch_layer(cudaTextureObject_t t, float *out) {
  for (int layer = 0; layer < 3; layer++)
    out[layer] = tex2DLayered<float>(t, 1.5f, 1.5f, layer);
}
__global__ void sweep(cudaTextureObject_t t, float *out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = tex2D<float4>(t, i + 0.5f, 0.5f).x;
}

static void show(const char *name, int n) {
  static float host[300];
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s: %s\n ", name, cudaGetErrorName(error));
  for (int i = 0; i < n; i++)
    std::printf(" %a", host[i]);
  std::printf("\n");
}

static cudaResourceDesc of(cudaArray_t array) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  return r;
}
static cudaResourceViewDesc view_of(cudaResourceViewFormat format, size_t width, size_t height) {
  cudaResourceViewDesc v = {};
  v.format = format;
  v.width = width;
  v.height = height;
  return v;
}
static bool make(cudaTextureObject_t *t, const cudaResourceDesc &r, const cudaTextureDesc &d, const cudaResourceViewDesc &v) {
  cudaError_t error = cudaCreateTextureObject(t, &r, &d, &v);
  std::printf("%s\n", cudaGetErrorName(error));
  cudaGetLastError();
  return !error;
}

static void formats(cudaArray_t array) {
  cudaResourceDesc r = of(array);
  cudaTextureDesc d = {};
  cudaResourceViewDesc v, got;
  cudaTextureObject_t t = 0;
  TITLE("views of an array of 32-bit words");
  v = view_of(cudaResViewFormatUnsignedChar4, W, H);
  CALL(cudaCreateTextureObject(&t, &r, &d, &v));
  fetch<uchar4><<<1, 1>>>(t, out, 2.5f, 1.5f);
  show("four bytes", 4);
  memset(&got, 9, sizeof got);
  CALL(cudaGetTextureObjectResourceViewDesc(&got, t));
  VALUE(got.format);
  VALUE(got.width);
  VALUE(got.height);
  VALUE(got.depth);
  VALUE(got.lastMipmapLevel);
  CALL(cudaGetTextureObjectResourceViewDesc(nullptr, t));
  CALL(cudaDestroyTextureObject(t));
  v = view_of(cudaResViewFormatHalf2, W, H);
  CALL(cudaCreateTextureObject(&t, &r, &d, &v));
  fetch<float2><<<1, 1>>>(t, out, 2.5f, 1.5f);
  show("two halves", 2);
  CALL(cudaDestroyTextureObject(t));
  v = view_of(cudaResViewFormatFloat1, W, H);
  d.filterMode = cudaFilterModeLinear;
  CALL(cudaCreateTextureObject(&t, &r, &d, &v));
  d.filterMode = cudaFilterModePoint;
  for (cudaResourceViewFormat f : {cudaResViewFormatNone, cudaResViewFormatSignedShort2, cudaResViewFormatUnsignedInt1,
                                   cudaResViewFormatUnsignedInt2, cudaResViewFormatUnsignedChar1, cudaResViewFormatFloat4,
                                   cudaResViewFormatUnsignedBlockCompressed1, (cudaResourceViewFormat)99}) {
    v = view_of(f, W, H);
    VALUE(f);
    CALL(cudaCreateTextureObject(&t, &r, &d, &v));
  }
  for (size_t width : {size_t(0), size_t(4), size_t(16)}) {
    v = view_of(cudaResViewFormatUnsignedInt1, width, H);
    VALUE(width);
    CALL(cudaCreateTextureObject(&t, &r, &d, &v));
  }
  v = view_of(cudaResViewFormatUnsignedInt1, W, H);
  v.depth = 1;
  CALL(cudaCreateTextureObject(&t, &r, &d, &v));
  v = view_of(cudaResViewFormatUnsignedInt1, W, H);
  v.lastMipmapLevel = 1;
  CALL(cudaCreateTextureObject(&t, &r, &d, &v));
  v = view_of(cudaResViewFormatUnsignedInt1, W, H);
  v.lastLayer = 1;
  CALL(cudaCreateTextureObject(&t, &r, &d, &v));
  CALL(cudaCreateTextureObject(&t, &r, &d, nullptr));
  CALL(cudaGetTextureObjectResourceViewDesc(&got, t));
  VALUE(got.format);
  CALL(cudaDestroyTextureObject(t));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = out;
  linear.res.linear.desc = cudaCreateChannelDesc<float>();
  linear.res.linear.sizeInBytes = 256;
  v = view_of(cudaResViewFormatFloat1, 64, 0);
  CALL(cudaCreateTextureObject(&t, &linear, &d, &v));
}

static void levels() {
  cudaMipmappedArray_t mipmapped;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  float host[W * W];
  TITLE("views of levels");
  CALL(cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(W, W, 0), LEVELS));
  for (int level = 0; level < LEVELS; level++) {
    cudaArray_t array;
    CALL(cudaGetMipmappedArrayLevel(&array, mipmapped, level));
    int size = W >> level;
    for (int i = 0; i < size * size; i++)
      host[i] = 100 * level + i;
    CALL(cudaMemcpy2DToArray(array, 0, 0, host, size * 4, size * 4, size, cudaMemcpyHostToDevice));
  }
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = mipmapped;
  cudaTextureDesc d = {};
  d.normalizedCoords = 1;
  d.maxMipmapLevelClamp = LEVELS - 1;
  cudaTextureObject_t t = 0;
  for (unsigned first = 0; first < 3; first++)
    for (unsigned last = first; last < 4; last++) {
      cudaResourceViewDesc v = view_of(cudaResViewFormatFloat1, W, W);
      v.firstMipmapLevel = first;
      v.lastMipmapLevel = last;
      VALUE(first * 10 + last);
      if (!make(&t, r, d, v))
        continue;
      fetch_level<<<1, 1>>>(t, out);
      show("levels 0 to 2 of the view", 12);
      cudaDestroyTextureObject(t);
    }
  cudaResourceViewDesc smaller = view_of(cudaResViewFormatFloat1, W / 2, W / 2);
  smaller.firstMipmapLevel = 1;
  smaller.lastMipmapLevel = 2;
  CALL(cudaCreateTextureObject(&t, &r, &d, &smaller));
}

static void layers() {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  float host[4 * 4 * 3];
  for (int i = 0; i < 48; i++)
    host[i] = i;
  TITLE("views of layers");
  CALL(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 3), cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 16, 4, 4);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(4, 4, 3);
  copy.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&copy));
  cudaResourceDesc r = of(array);
  cudaTextureDesc d = {};
  cudaTextureObject_t t = 0;
  for (unsigned first = 0; first < 3; first++)
    for (unsigned last = first; last < 3; last++)
      for (unsigned depth : {0u, last - first + 1}) {
        cudaResourceViewDesc v = view_of(cudaResViewFormatFloat1, 4, 4);
        v.firstLayer = first;
        v.lastLayer = last;
        v.depth = depth;
        VALUE(first * 100 + last * 10 + depth);
        if (!make(&t, r, d, v))
          continue;
        fetch_layer<<<1, 1>>>(t, out);
        show("layers 0 to 2 of the view", 3);
        cudaDestroyTextureObject(t);
      }
}

static void srgb() {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  unsigned char bytes[256][4];
  for (int i = 0; i < 256; i++)
    bytes[i][0] = i, bytes[i][1] = 255 - i, bytes[i][2] = i / 2, bytes[i][3] = i;
  TITLE("sRGB");
  CALL(cudaMallocArray(&array, &format, 256, 1, 0));
  CALL(cudaMemcpy2DToArray(array, 0, 0, bytes, 1024, 1024, 1, cudaMemcpyHostToDevice));
  cudaResourceDesc r = of(array);
  cudaTextureDesc d = {};
  cudaTextureObject_t t = 0;
  d.sRGB = 1;
  d.readMode = cudaReadModeNormalizedFloat;
  CALL(cudaCreateTextureObject(&t, &r, &d, nullptr));
  sweep<<<1, 1>>>(t, out, 256);
  show("all values", 256);
  fetch<float4><<<1, 1>>>(t, out, 100.5f, 0.5f);
  show("a texel", 4);
  CALL(cudaDestroyTextureObject(t));
  d.filterMode = cudaFilterModeLinear;
  CALL(cudaCreateTextureObject(&t, &r, &d, nullptr));
  fetch<float4><<<1, 1>>>(t, out, 100.75f, 0.5f);
  show("filtered", 4);
  fetch<float4><<<1, 1>>>(t, out, 33.125f, 0.5f);
  show("filtered", 4);
  CALL(cudaDestroyTextureObject(t));
  d.filterMode = cudaFilterModePoint;
  d.readMode = cudaReadModeElementType;
  CALL(cudaCreateTextureObject(&t, &r, &d, nullptr));
  fetch<uchar4><<<1, 1>>>(t, out, 100.5f, 0.5f);
  show("as they are", 4);
  CALL(cudaDestroyTextureObject(t));
  d.readMode = cudaReadModeNormalizedFloat;
  cudaChannelFormatDesc words = cudaCreateChannelDesc<float>();
  cudaArray_t floats;
  CALL(cudaMallocArray(&floats, &words, 16, 1, 0));
  r = of(floats);
  CALL(cudaCreateTextureObject(&t, &r, &d, nullptr));
}

int main() {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
  unsigned words[W * H];
  for (unsigned i = 0; i < W * H; i++)
    words[i] = 0x3c003800u + i * 0x00110305u;
  CALL(cudaMalloc(&out, 300 * sizeof(float)));
  CALL(cudaMallocArray(&array, &format, W, H, 0));
  CALL(cudaMemcpy2DToArray(array, 0, 0, words, W * 4, W * 4, H, cudaMemcpyHostToDevice));
  formats(array);
  levels();
  layers();
  srgb();
  return 0;
}
