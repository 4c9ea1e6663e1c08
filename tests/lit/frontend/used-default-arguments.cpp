// A template's default argument is instantiated where it is used: also of a function without a body, and after an
// explicit instantiation of the function.
// RUN: %clangxx -std=c++17 -fplugin=%plugin -O0 -S -emit-llvm %s -o - | %FileCheck %s
int work(int);

// CHECK-DAG: c"name=declared\09
template <class T> int declared(T, int = [](int n) {
#pragma gpuprof region("declared")
  return work(n);
}(1));
int useDeclared() { return declared(1); }

// CHECK-DAG: c"name=instantiated before\09
template <class T> int instantiated(T, int n = [] {
#pragma gpuprof region("instantiated before")
  return work(2);
}()) { return n; }
template int instantiated(int, int);
int useInstantiated() { return instantiated(1); }

template <class T> struct Template {
  // CHECK-DAG: c"name=declared member\09
  int member(int = [] {
#pragma gpuprof region("declared member")
    return work(3);
  }());
};
int useMember() { return Template<int>().member(); }
