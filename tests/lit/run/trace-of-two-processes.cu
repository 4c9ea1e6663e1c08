// Two processes with one name of a trace: the later one has the name, its trace is whole, and the earlier one says so. A link stays
// a link, and a file keeps its mode.
// RUN: rm -rf %t.d && mkdir %t.d && touch %t.d/target.json && chmod 600 %t.d/target.json && ln -s target.json %t.d/trace.json
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_TRACE=%t.d/trace.json GPUPROF_OUTPUT=%t-%%p.json %t %t 2>&1 | %FileCheck %s
// RUN: %py -B %source/tests/gpu/check_trace.py %t.d/trace.json | %FileCheck --check-prefix=VALID %s
// RUN: grep -c '"cat":"kernel"' %t.d/trace.json | %FileCheck --check-prefix=LATER %s
// RUN: test -L %t.d/trace.json && stat -c %%a %t.d/target.json | %FileCheck --check-prefix=MODE %s
// RUN: ls %t.d | %FileCheck --check-prefix=FILES %s
// CHECK: the later one ended
// CHECK: warning: GPUPROF_TRACE: the trace was replaced by that of another process, '{{.*}}target.json'; put %p into the name
// VALID: events are right
// LATER: {{^}}2{{$}}
// MODE: 600
// FILES: target.json
// FILES-NEXT: trace.json
// FILES-NOT: {{.}}
#include "run.h"
#include <string>

__global__ void nothing() {}

// The earlier process launches before, while and after the later one runs.
int main(int count, char **arguments) {
  for (int i = 0; i < 2; i++)
    nothing<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  if (count < 2)
    return finish();
  if (system((std::string(arguments[1]) + " > /dev/null").c_str()) == 0)
    fprintf(stderr, "the later one ended\n");
  for (int i = 0; i < 100; i++)
    nothing<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  return finish();
}
