; A file with neither regions nor device code is left as it is.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-host -S %s | %FileCheck %s
target triple = "x86_64-pc-linux-gnu"
; CHECK-NOT: __gpuprof
; CHECK: define i32 @main()
define i32 @main() {
  ret i32 0
}
