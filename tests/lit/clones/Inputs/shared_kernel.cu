// A kernel of two units, in code of their own: the linker keeps the launching part of one.
template <int Turns> __global__ void scaled(float *x) {
  for (int i = 0; i < Turns; ++i)
#ifdef MAIN
    x[threadIdx.x] *= 2.0f;
#else
    x[threadIdx.x] += 2.0f;
#endif
}

#ifdef MAIN
int main() {
  float *x;
  cudaMalloc(reinterpret_cast<void **>(&x), 33 * sizeof *x);
  scaled<3><<<2, 33>>>(x);
  return cudaDeviceSynchronize() != cudaSuccess;
}
#else
template __global__ void scaled<3>(float *);
#endif
