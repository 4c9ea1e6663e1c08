// Regions in lambdas are named after the function around; generic lambdas are marked in each instantiation.
// RUN: %clangxx -std=c++20 -fplugin=%plugin -O0 -S -emit-llvm %s -o - | %FileCheck %s
void work(double);

// CHECK-DAG: c"name=around:[[@LINE+5]]\09kind=host
// CHECK-DAG: c"name=around:[[@LINE+9]]\09kind=host
void around() {
  auto plain = [] {
#pragma gpuprof region
    work(1);
  };
  plain();
  auto generic = [](auto x) {
#pragma gpuprof region
    work(x);
  };
  generic(1);
  generic(2.0);
}
// CHECK-DAG: c"name=lambda:[[@LINE+3]]\09kind=host
auto global = [](int n) {
#pragma gpuprof region
  work(n);
};
void use() { global(1); }

// CHECK-DAG: c"name=in statement expression\09kind=host
int expression(int n) {
  return n + ({
#pragma gpuprof region("in statement expression")
           work(n);
           n;
         });
}

// CHECK-LABEL: define internal void {{.*}}aroundvENK{{.*}}clIiEE
// CHECK: call i32 @__gpuprof_region_enter(
// CHECK-LABEL: define internal void {{.*}}aroundvENK{{.*}}clIdEE
// CHECK: call i32 @__gpuprof_region_enter(
