// Compile modes without counts are errors with a remedy, not silence.
// RUN: mkdir -p %t && cd %t
// RUN: ( ! %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-host-only -save-temps -c %s -o saved.o ) 2>&1 | %FileCheck --check-prefix=SAVE %s
// SAVE: error: gpuprof needs the compiler's passes, which -save-temps or -disable-llvm-passes turns off: compile without it
// RUN: ( ! %clangxx -fplugin=%plugin -x c++-header %s -o header.pch ) 2>&1 | %FileCheck --check-prefix=PCH %s
// PCH: error: '#pragma gpuprof region' cannot be used in a precompiled header or module: include the file as text

// The preprocessor keeps the pragma.
// RUN: %clangxx -fplugin=%plugin -x c++ -E %s | %FileCheck --check-prefix=TEXT %s
// TEXT: #pragma gpuprof region("f")
#pragma gpuprof region("f")
int f() { return 1; }
