// A layer of another unit: its directive, its clause, and the operations derived from it by its caller's clause.
__device__ void stated(int events, int fanout) {
#pragma gpuprof region("stated")
  {
#pragma gpuprof synapse(events, fanout) inputs(4)
  }
}

__device__ float derived(float v, float w) {
#pragma gpuprof region("derived") synapse
  return v + w;
}

__device__ float plain(float v, float w) { return v + v * w; }
