// A pragma before nothing it could hold is an error at the pragma; no region is lost silently.
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-host-only -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include "cuda.h"

#pragma gpuprof region // expected-error {{'#pragma gpuprof region' must stand before a definition: this declaration of 'prototype' has no body}}
void prototype(int);

#pragma gpuprof region // expected-error {{this declaration of 'defined_below' has no body}}
template <class T> void defined_below(T);
template <class T> void defined_below(T) {} // expected-note {{'defined_below' is defined here}}

#pragma gpuprof region // expected-error {{'#pragma gpuprof region' must stand before a function definition or a statement: 'variable' is a variable}}
int variable = 3;

#pragma gpuprof ignore // expected-error {{'#pragma gpuprof ignore' must stand before a function definition or a statement: put it into 'Type', before a member function}}
struct Type {
#pragma gpuprof region // expected-error {{this declaration of 'method' has no body}}
  void method();
#pragma gpuprof region // expected-error {{'first' is a variable}}
  int first;
  int member;
#pragma gpuprof region // expected-error {{nothing follows it here}}
};

void endOfBlock(int n) {
  {
    prototype(n);
#pragma gpuprof region // expected-error {{'#pragma gpuprof region' must stand before a function definition or a statement; nothing follows it here}}
  }
  prototype(n
#pragma gpuprof region("inside an expression") // expected-error {{what follows is neither}}
            + 1); // expected-note {{this is what follows}}
  if (n)
    prototype(1);
#pragma gpuprof region // expected-error {{'#pragma gpuprof region' cannot stand before 'else': put it before the statement that comes after}}
  else
    prototype(2);
}

#pragma gpuprof region // expected-error {{'#pragma gpuprof region' must stand before a function definition or a statement: put it into the namespace, before a function}}
namespace space {
#pragma gpuprof region // expected-error {{what follows is neither}}
using alias = int;     // expected-note {{this is what follows}}
} // namespace space

void handlers() {
  try {
    prototype(1);
  }
#pragma gpuprof region // expected-error {{'#pragma gpuprof region' cannot stand before 'catch': put it before the statement that comes after}}
  catch (...) {
  }
}

#pragma gpuprof region // expected-error {{nothing follows it here}}
