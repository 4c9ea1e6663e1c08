// Each group of warnings is given, and is turned off by its name and by no-all.
// RUN: %clangxx -fplugin=%plugin -fsyntax-only -Xclang -verify %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-warn=no-constexpr-region -fsyntax-only %s 2>&1 | %FileCheck --check-prefixes=EMPTY,PHASE --implicit-check-not=constexpr %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-warn=no-empty-region,no-phase-spelling -fsyntax-only %s 2>&1 | %FileCheck --check-prefix=CONSTEXPR --implicit-check-not=phase --implicit-check-not=empty %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-warn=no-all -fsyntax-only -Werror %s
// PHASE-DAG: warning: phase 'backwards' is not one of gpuprof's own; did you mean 'backward'?
// CONSTEXPR: warning: '#pragma gpuprof region' is ignored in a constexpr function
// EMPTY-DAG: warning: '#pragma gpuprof region' holds an empty statement
#pragma gpuprof region // expected-warning {{'#pragma gpuprof region' is ignored in a constexpr function}}
constexpr int square(int n) { return n * n; } // expected-note {{'square' is declared here}}

#pragma gpuprof region phase(backwards) // expected-warning {{phase 'backwards' is not one of gpuprof's own; did you mean 'backward'?}}
void phases() {
#pragma gpuprof region phase(training)
  (void)square(1);
}

template <class T> void empty(T n) {
#pragma gpuprof region // expected-warning {{'#pragma gpuprof region' holds an empty statement: remove the ';' if the next statement was meant}}
  ;
  (void)square(n);
}
void use() {
  empty(1);
  empty(2l);
}
