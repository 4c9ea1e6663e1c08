// A region holding a declaration would end the lifetime of a variable used later: an error at the pragma.
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-host-only -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include "cuda.h"

int variable = 3;
int declaration() {
#pragma gpuprof region("decl") // expected-error {{'#pragma gpuprof region' cannot hold a declaration, whose names are used later: put the pragma before a statement or enclose the statements in braces}}
  int x = variable;
  return x;
}

// One error as well in a template, instantiated or not.
template <class T> void unused(T n) {
#pragma gpuprof region // expected-error {{cannot hold a declaration}}
  T m = n;
}
template <class T> T used(T n) {
#pragma gpuprof region // expected-error {{cannot hold a declaration}}
  T m = n;
  return m;
}
int both = used(1) + used(2l);

__global__ void kernel(int *p) {
#pragma gpuprof region // expected-error {{cannot hold a declaration}}
  int x = *p;
  *p = x;
}
