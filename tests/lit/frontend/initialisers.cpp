// Regions in lambdas outside of function bodies: in initialisers of members and variables,
// and in default arguments. Regions in members of classes local to a function.
// RUN: %clangxx -std=c++17 -fplugin=%plugin -O0 -S -emit-llvm %s -o - | %FileCheck %s
int work(int);

template <class T> struct Template {
  // CHECK-DAG: c"name=member of template\09
  T x = [](int n) {
#pragma gpuprof region("member of template")
    return work(n);
  }(1);
  // CHECK-DAG: c"name=initialiser of template\09
  Template()
      : y([](int n) {
#pragma gpuprof region("initialiser of template")
          return work(n);
        }(2)) {}
  int y;
  // CHECK-DAG: c"name=static member\09
  static inline int z = [] {
#pragma gpuprof region("static member")
    return work(3);
  }();
};
int useTemplate() { return Template<int>().x + Template<int>::z; }

// CHECK-DAG: c"name=variable template\09
template <class T> T variable = [] {
#pragma gpuprof region("variable template")
  return work(4);
}();
int useVariable() { return variable<int>; }

struct Plain {
  // CHECK-DAG: c"name=member\09
  int x = [] {
#pragma gpuprof region("member")
    return work(5);
  }();
  // CHECK-DAG: c"name=initialiser\09
  Plain()
      : y([] {
#pragma gpuprof region("initialiser")
          return work(6);
        }()) {}
  int y;
};
int usePlain() { return Plain().x; }

// CHECK-DAG: c"name=default argument\09
int withDefault(int x = [] {
#pragma gpuprof region("default argument")
  return work(7);
}());
int useDefault() { return withDefault(); }

template <class T> int localClass() {
  struct Local {
    // CHECK-DAG: c"name=member of a local class\09
    int x = [] {
#pragma gpuprof region("member of a local class")
      return work(8);
    }();
    // CHECK-DAG: c"name=function of a local class\09
#pragma gpuprof region("function of a local class")
    int f() { return x; }
  };
  return Local().f();
}
int useLocal() { return localClass<int>(); }
