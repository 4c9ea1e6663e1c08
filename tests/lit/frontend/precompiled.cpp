// A precompiled header, made with or without the plugin, does not hinder regions in the including file.
// RUN: echo 'inline int twice(int n) { return 2 * n; }' > %t.h
// RUN: %clangxx -x c++-header %t.h -o %t.plain.pch
// RUN: %clangxx -fplugin=%plugin -x c++-header %t.h -o %t.plugin.pch
// RUN: %clangxx -fplugin=%plugin -include-pch %t.plain.pch -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clangxx -fplugin=%plugin -include-pch %t.plugin.pch -S -emit-llvm %s -o - | %FileCheck %s
// CHECK: call i32 @__gpuprof_region_enter(
#pragma gpuprof region
int four(int n) { return twice(n) * 2; }
