// Arrays and textures: results of fetches, to the bit.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/textures.txt %t.out
#include "table.h"

__global__ void fetch1D(cudaTextureObject_t t, float *out, const float *x, int n) {
  for (int i = 0; i < n; i++)
    out[i] = tex1D<float>(t, x[i]);
}
__global__ void fetch2D(cudaTextureObject_t t, float *out, const float *x, const float *y, int n) {
  for (int i = 0; i < n; i++)
    out[i] = tex2D<float>(t, x[i], y[i]);
}
__global__ void fetch3D(cudaTextureObject_t t, float *out, const float *x, const float *y, int n) {
  for (int i = 0; i < n; i++)
    out[i] = tex3D<float>(t, x[i], y[i], x[n - 1 - i]);
}
__global__ void fetch_linear(cudaTextureObject_t t, float *out) {
  for (int i = -1; i < 9; i++)
    out[i + 1] = tex1Dfetch<float>(t, i);
}
__global__ void fetch_vectors(cudaTextureObject_t t, float *out, const float *x, int n) {
  for (int i = 0; i < n; i++) {
    float4 v = tex2D<float4>(t, x[i], 0.5f);
    out[4 * i] = v.x, out[4 * i + 1] = v.y, out[4 * i + 2] = v.z, out[4 * i + 3] = v.w;
  }
}
__global__ void fetch_integers(cudaTextureObject_t t, float *out) {
  uchar4 v = tex2D<uchar4>(t, 1.5f, 0.5f);
  out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
}
__global__ void fetch_layers(cudaTextureObject_t t, float *out) {
  for (int layer = -1; layer < 4; layer++)
    out[layer + 1] = tex2DLayered<float>(t, 1.25f, 0.75f, layer);
}
__global__ void gather(cudaTextureObject_t t, float *out) {
  float4 v = tex2Dgather<float4>(t, 1.5f, 1.5f, 0);
  out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
}

static const int n = 20;
static float xs[n] = {-2.25f, -1, -0.5f, -0.25f, 0, 0.25f, 0.3f, 0.5f, 0.75f, 1, 1.1f, 1.5f, 1.875f, 2.4f, 3.3f, 3.75f, 4, 4.5f, 6.2f, 9};
static float ys[n] = {0.5f, 0.6f, 1, 1.3f, 1.5f, 1.75f, 2, 2.2f, 2.5f, 2.9f, 3.1f, 0, -0.2f, -1, 0.1f, 0.9f, 1.4f, 1.6f, 3.5f, 4};

int main() {
  float *x, *y, *out, host[64];
  cudaMalloc(&x, sizeof xs);
  cudaMalloc(&y, sizeof ys);
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemcpy(y, ys, sizeof ys, cudaMemcpyHostToDevice);
  for (int i = 0; i < 64; i++)
    host[i] = (i * 37 % 64) * 1.0625f - 9.3f;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), got;
  cudaArray_t line, array, cube, layers, bytes;
  cudaExtent extent;
  unsigned flags = 77;
  TITLE("arrays");
  CALL(cudaMallocArray(&line, &format, 8, 0, 0));
  CALL(cudaMallocArray(&array, &format, 4, 3, cudaArraySurfaceLoadStore | cudaArrayTextureGather));
  CALL(cudaMallocArray(&cube, nullptr, 4, 3, 0));
  CALL(cudaMallocArray(nullptr, &format, 4, 3, 0));
  CALL(cudaMallocArray(&cube, &format, 0, 3, 0));
  CALL(cudaMalloc3DArray(&cube, &format, make_cudaExtent(4, 3, 2), 0));
  CALL(cudaMalloc3DArray(&layers, &format, make_cudaExtent(4, 3, 3), cudaArrayLayered));
  CALL(cudaArrayGetInfo(&got, &extent, &flags, array));
  VALUE(extent.width);
  VALUE(extent.height);
  VALUE(extent.depth);
  VALUE(flags);
  VALUE(got.x);
  VALUE(got.f);
  CALL(cudaArrayGetInfo(&got, &extent, &flags, line));
  VALUE(extent.height);
  CALL(cudaGetChannelDesc(&got, cube));
  VALUE(got.y);
  CALL(cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 3, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(array, 4, 0, host, 16, 16, 3, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(array, 0, 0, host, 8, 16, 3, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(line, 0, 0, host, 32, 32, 1, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DFromArray(out, 8, array, 4, 1, 8, 2, cudaMemcpyDeviceToDevice));
  show_values("the middle of the array", out, 4);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 16, 4, 3);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(4, 3, 2);
  copy.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&copy));
  copy.dstArray = layers;
  copy.extent = make_cudaExtent(4, 3, 3);
  CALL(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  cudaTextureObject_t t;
  resource.resType = cudaResourceTypeArray;
  texture.readMode = cudaReadModeElementType;
  const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder};
  for (int normalized = 0; normalized < 2; normalized++)
    for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear})
      for (cudaTextureAddressMode mode : modes) {
        std::printf("-- normalized %d, filter %d, mode %d\n", normalized, filter, mode);
        texture.normalizedCoords = normalized;
        texture.filterMode = filter;
        texture.addressMode[0] = texture.addressMode[1] = texture.addressMode[2] = mode;
        texture.borderColor[0] = mode == cudaAddressModeBorder ? 0.5f : 0;
        float scaled[n];
        for (int i = 0; i < n; i++)
          scaled[i] = normalized ? xs[i] / 4 : xs[i];
        cudaMemcpy(x, scaled, sizeof xs, cudaMemcpyHostToDevice);
        resource.res.array.array = line;
        CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
        fetch1D<<<1, 1>>>(t, out, x, n);
        show_values("1D", out, n);
        CALL(cudaDestroyTextureObject(t));
        resource.res.array.array = array;
        CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
        fetch2D<<<1, 1>>>(t, out, x, y, n);
        show_values("2D", out, n);
        CALL(cudaDestroyTextureObject(t));
        resource.res.array.array = cube;
        CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
        fetch3D<<<1, 1>>>(t, out, x, y, n);
        if (filter == cudaFilterModePoint) // a GPU's rounding of weights in three dimensions is unknown
          show_values("3D", out, n);
        CALL(cudaDestroyTextureObject(t));
      }
  TITLE("layers");
  memset(&texture, 0, sizeof texture);
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModeLinear;
  resource.res.array.array = layers;
  CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
  fetch_layers<<<1, 1>>>(t, out);
  show_values("layers", out, 5);
  TITLE("gather");
  resource.res.array.array = array;
  CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
  gather<<<1, 1>>>(t, out);
  show_values("gather", out, 4);
  TITLE("linear memory");
  float *linear;
  cudaMalloc(&linear, 4096);
  cudaMemcpy(linear, host, sizeof host, cudaMemcpyHostToDevice);
  memset(&resource, 0, sizeof resource);
  memset(&texture, 0, sizeof texture);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = linear;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = 8 * sizeof(float);
  CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
  fetch_linear<<<1, 1>>>(t, out);
  show_values("linear", out, 10);
  CALL(cudaDestroyTextureObject(t));
  resource.res.linear.devPtr = linear + 1;
  CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
  TITLE("pitched memory");
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = linear;
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = 4;
  resource.res.pitch2D.height = 3;
  resource.res.pitch2D.pitchInBytes = 64;
  texture.filterMode = cudaFilterModeLinear;
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  cudaMemcpy(x, xs, sizeof xs, cudaMemcpyHostToDevice);
  CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
  fetch2D<<<1, 1>>>(t, out, x, y, n);
  show_values("pitched", out, n);
  TITLE("bytes");
  unsigned char colours[16];
  for (int i = 0; i < 16; i++)
    colours[i] = (unsigned char)(i * 53 + 7);
  cudaChannelFormatDesc colour = cudaCreateChannelDesc<uchar4>();
  CALL(cudaMallocArray(&bytes, &colour, 4, 1, 0));
  CALL(cudaMemcpy2DToArray(bytes, 0, 0, colours, 16, 16, 1, cudaMemcpyHostToDevice));
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = bytes;
  CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
  texture.readMode = cudaReadModeNormalizedFloat;
  CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
  fetch_vectors<<<1, 1>>>(t, out, x, 14);
  show_values("normalized", out, 56);
  texture.readMode = cudaReadModeElementType;
  texture.filterMode = cudaFilterModePoint;
  CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
  fetch_integers<<<1, 1>>>(t, out);
  show_values("integers", out, 4);
  CALL(cudaCreateTextureObject(nullptr, &resource, &texture, nullptr));
  CALL(cudaCreateTextureObject(&t, nullptr, &texture, nullptr));
  CALL(cudaCreateTextureObject(&t, &resource, nullptr, nullptr));
  resource.res.array.array = nullptr;
  CALL(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
  CALL(cudaFreeArray(array));
  CALL(cudaFreeArray(nullptr));
  return 0;
}
