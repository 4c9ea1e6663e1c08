// C: markers need no C++, and a file without device code still names itself to the runtime.
// RUN: %clangxx -x c -std=c99 -pedantic-errors -fplugin=%plugin -O1 -S -emit-llvm %s -o - | %FileCheck -DABI=%abi %s
// CHECK-DAG: c"name=main:[[@LINE+8]]\09kind=host\09file={{.*}}c.c\09line=[[@LINE+8]]\00"
// CHECK-DAG: c"name=main\09kind=host\09file={{.*}}c.c\09line=[[@LINE+5]]\00"
// CHECK: @__gpuprof_host_unit = {{.*}} { i32 [[ABI]], i32 0, ptr {{@[0-9]+}}, ptr {{@[0-9]+}}, ptr {{@[0-9]+}}, ptr null, ptr null, ptr null, i64 0, ptr null, i64 0, ptr null }
// CHECK-LABEL: define {{.*}}@main(
// CHECK-COUNT-2: call i32 @__gpuprof_region_enter(
#pragma gpuprof region
int main(int count, char **words) {
#pragma gpuprof region
  for (int i = 0; i < count; ++i)
    if (words[i][0] == '-')
      return i;
  return 0;
}
