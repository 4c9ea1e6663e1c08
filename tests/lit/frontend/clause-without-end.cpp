// A clause cut off at the end of the line is an error; the following code is read as it stands.
// RUN: ! %clangxx -fplugin=%plugin -fsyntax-only %s 2>%t.err
// RUN: %FileCheck --input-file=%t.err %s
// CHECK: error: malformed clause 'phase': write phase(forward)
#pragma gpuprof region("a") phase(
// CHECK: error: unknown type name 'unknown'
unknown f();
// CHECK: error: malformed clause 'category'
#pragma gpuprof region("a") category(
// CHECK: error: malformed clause 'color'
#pragma gpuprof region("a") color(
// CHECK: error: malformed clause 'phase'
// CHECK: 5 errors generated
void g() { _Pragma("gpuprof region phase(") g(); }
