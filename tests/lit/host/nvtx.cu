// The view of an NVTX tool: nested ranges in the domain gpuprof, with category, colour and the number
// of the execution. One range for each launch, named after its kernel. Every way out closes them.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 %s -o %t %link
// RUN: env NVTX_INJECTION64_PATH=%build/tests/fakes/fake_nvtx_tool.so GPUPROF_OUTPUT=%t.json GPUPROF_DEVICE=cpu %t 2>&1 | %FileCheck %s
__global__ void first(int) {}
template <class T> __global__ void second(T) {}

static int ways_out(int n) {
  for (int i = 0; i < 2; ++i) {
#pragma gpuprof region("way")
    {
      if (n == 0)
        break;
      if (n == 1)
        continue;
      if (n == 2)
        return n;
      if (n == 3)
        goto out;
      if (n == 4)
        throw n;
    }
  }
out:
  return 0;
}

int main() {
  // CHECK: domain gpuprof
  // CHECK-NEXT: string outer
  // CHECK-NEXT: category 1 model
  // CHECK-NEXT: {{^}}push registered outer category=1 color=ff76b900 payload=0
  // CHECK-NEXT: string launch
  // CHECK-NEXT: {{^}}  push registered launch category=0 color=00000000 payload=0
  // CHECK-NEXT: string first(int)
  // CHECK-NEXT: category 2 kernel
  // CHECK-NEXT: {{^}}    push registered first(int) category=2 color=00000000 payload=0
  // CHECK-NEXT: {{^}}    pop
  // CHECK-NEXT: {{^}}  pop
  // CHECK-NEXT: string void second<float>(float)
  // CHECK-NEXT: {{^}}  push registered void second<float>(float) category=2 color=00000000 payload=0
  // CHECK-NEXT: {{^}}  pop
  // CHECK-NEXT: {{^}}pop
  // CHECK-NEXT: {{^}}push registered outer category=1 color=ff76b900 payload=1
  // CHECK-NEXT: {{^}}  push registered launch category=0 color=00000000 payload=1
  // CHECK-NEXT: {{^}}    push registered first(int) category=2 color=00000000 payload=1
  // CHECK-NEXT: {{^}}    pop
  // CHECK-NEXT: {{^}}  pop
  // CHECK-NEXT: {{^}}  push registered void second<float>(float) category=2 color=00000000 payload=1
  // CHECK-NEXT: {{^}}  pop
  // CHECK-NEXT: {{^}}pop
  for (int i = 0; i < 2; ++i) {
#pragma gpuprof region("outer") category(model) color(0x76b900)
    {
#pragma gpuprof region("launch")
      first<<<1, 1>>>(i);
      second<<<1, 1>>>(1.0f);
    }
  }
  // break, continue twice, return, goto, throw, the end of the block twice
  // CHECK-NEXT: string way
  // CHECK-COUNT-8: {{^}}push registered way category=0 color=00000000 payload={{[0-7]$[[:space:]]}}pop
  // CHECK-NOT: {{push|pop}}
  for (int n = 0; n < 6; ++n)
    try {
      ways_out(n);
    } catch (int) {
    }
}
