// Host-only functions of a system header are not read again for the CPU device; those of the program are.
// RUN: %clangxx -fplugin=%plugin %minicuda -fsyntax-only -isystem %S/Inputs/system %s
// RUN: %clangxx -fplugin=%plugin %minicuda -S -o %t.s -isystem %S/Inputs/system %s
// RUN: ! %clangxx -fplugin=%plugin %minicuda -S -o %t.s -I%S/Inputs/system %s >%t.said 2>&1
// RUN: %FileCheck --input-file=%t.said %s
// CHECK: of_the_host.h:4:10: error: use of undeclared identifier 'no_such_name' (in the device code compiled for the CPU device)
// CHECK-NOT: error:
#include "of_the_host.h"

__global__ void kernel(int *out) { *out = 1; }

int main() { return of_the_host(); }
