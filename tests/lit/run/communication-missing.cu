// A call of NCCL without its library fails, and one message says so, whatever the number of calls.
// RUN: %clangxx -x c++ -O1 %s -o %t -L%libdir -lgpuprof-communication %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>&1 | %FileCheck --implicit-check-not=error %s
// CHECK: gpuprof: error: no library of this process has ncclGroupEnd; link or open its library before the first call
// CHECK-NEXT: failed 3 times
#include <cstdio>

extern "C" int ncclGroupEnd();

int main() {
  int failed = 0;
  for (int i = 0; i < 3; i++)
    failed += ncclGroupEnd() != 0;
  std::printf("failed %d times\n", failed);
}
