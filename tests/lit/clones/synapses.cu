// Synaptic operations are the same by each way of counting: counters in each block, counters
// for groups of blocks, and clones. One clone only knows the launch, another reads the spikes.
// RUN: for way in blocks inkernel clone; do %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=$way -O2 %s -o %t.$way %link || exit 1; env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.$way.json %t.$way || exit 1; %py %S/../run/Inputs/synapses.py %t.$way.json > %t.$way.txt || exit 1; done
// RUN: diff %t.blocks.txt %t.clone.txt && diff %t.inkernel.txt %t.clone.txt
// RUN: %FileCheck --match-full-lines %s < %t.clone.txt
// RUN: %document %t.clone.json | %FileCheck --check-prefix=WAYS %s
// RUN: ! grep clone_ %t.blocks.json %t.inkernel.json
#pragma gpuprof region("dense")
__global__ void dense(float *sum, const float *w, int inputs) {
  for (int i = 0; i < inputs; ++i) {
    sum[threadIdx.x] += w[i];
    if (i % 3 == 0) {
#pragma gpuprof synapse(1, 2) inputs(3)
    }
  }
}

#pragma gpuprof region("events")
__global__ void events(float *sum, const int *spike, int fanout) {
  if (spike[threadIdx.x]) {
    sum[threadIdx.x] += 1.0f;
#pragma gpuprof synapse(spike[threadIdx.x], fanout) multiply
  }
}

#pragma gpuprof region("derived") synapse
__global__ void derived(float *sum, const int *spike) {
  if (spike[threadIdx.x])
    sum[threadIdx.x] = sum[threadIdx.x] * 0.5f + 1.0f;
}

int main() {
  float *sum, *w;
  int *spike, fired[32];
  for (int i = 0; i < 32; ++i)
    fired[i] = i % 4;
  cudaMalloc((void **)&sum, 32 * sizeof(float));
  cudaMalloc((void **)&w, 32 * sizeof(float));
  cudaMalloc((void **)&spike, sizeof fired);
  cudaMemcpy(spike, fired, sizeof fired, cudaMemcpyHostToDevice);
  dense<<<1, 32>>>(sum, w, 10);
  events<<<1, 32>>>(sum, spike, 5);
  derived<<<1, 32>>>(sum, spike);
  cudaDeviceSynchronize();
}
// CHECK: dense: accumulates 256, multiply-accumulates 0, possible 768, skipped 512
// CHECK-NEXT: events: accumulates 0, multiply-accumulates 240
// CHECK-NEXT: derived: accumulates 0, multiply-accumulates 24
// WAYS: "mangled": "_Z5dense{{.*}}"counted_by": "clone_free"
// WAYS: "mangled": "_Z6events{{.*}}"counted_by": "clone_light"
// WAYS: "mangled": "_Z7derived{{.*}}"counted_by": "clone_light"
