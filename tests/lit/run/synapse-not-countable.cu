// Impossible synaptic operations are not counted, and a note says so once a region: negative numbers known at
// run time only, on both sides. More operations than possible by the inputs leave the skipped ones unknown.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/Inputs/synapses.py %t.json | %FileCheck --match-full-lines %s
#pragma gpuprof region("kernel")
__global__ void kernel(const int *events) {
#pragma gpuprof synapse(events[threadIdx.x], 10) inputs(40)
}

#pragma gpuprof region("over")
__global__ void over(int fanout) {
#pragma gpuprof synapse(2, fanout) inputs(1)
}

int main() {
  int numbers[32], *events;
  for (int i = 0; i < 32; ++i)
    numbers[i] = i - 4;
  cudaMalloc((void **)&events, sizeof numbers);
  cudaMemcpy(events, numbers, sizeof numbers, cudaMemcpyHostToDevice);
#pragma gpuprof region("host")
  for (int i = -2; i < 3; ++i) {
#pragma gpuprof synapse(i, 2)
#pragma gpuprof synapse(2, i) multiply inputs(3)
  }
  kernel<<<1, 32>>>(events);
  over<<<1, 32>>>(3);
  cudaDeviceSynchronize();
}
// 28 threads with 0 to 27 events.
// CHECK: kernel: accumulates 3780, multiply-accumulates 0, possible 11200, skipped 7420
// CHECK-NEXT: over: accumulates 192, multiply-accumulates 0, possible 96, skipped None
// CHECK-NEXT: host: accumulates 6, multiply-accumulates 6
// CHECK: note on kernel: 4 times '#pragma gpuprof synapse' was given a negative number, and counted nothing: give it the number of events, 0 or more
// CHECK-NEXT: note on over: more synaptic operations were done than inputs(n) of '#pragma gpuprof synapse' makes possible, {{.*}}
// CHECK-NEXT: note on host: 4 times '#pragma gpuprof synapse' was given a negative number, {{.*}}
// CHECK-NOT: {{.}}
