// A region ends on every way out of it: the end, return, break, continue, goto, exceptions; at -O0 and at -O2.
// RUN: %clangxx -fplugin=%plugin -O0 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clangxx -fplugin=%plugin -O2 -S -emit-llvm %s -o - | %FileCheck --check-prefix=OPT %s
void work();

// CHECK: @__gpuprof_site{{.*}} = internal global { ptr, ptr } { ptr [[TEXT:@[^,]+]], ptr null }
// CHECK-NOT: @__gpuprof_enter
// CHECK-NOT: @__gpuprof_exit

// CHECK-LABEL: define {{.*}}@_Z10returnFromi(
// CHECK: [[TOKEN:%.*]] = call i32 @__gpuprof_region_enter(ptr @__gpuprof_site{{.*}})
// CHECK-NEXT: store i32 [[TOKEN]], ptr [[SLOT:%[^,]*]]
// CHECK: store i32 7, ptr
// CHECK: [[BACK:%.*]] = load i32, ptr [[SLOT]]
// CHECK-NEXT: call void @__gpuprof_region_exit(i32 [[BACK]])
// CHECK: ret i32
// OPT-LABEL: define {{.*}}@_Z10returnFromi(
// OPT: [[TOKEN:%.*]] = tail call i32 @__gpuprof_region_enter(
// OPT: tail call void @__gpuprof_region_exit(i32 [[TOKEN]])
// OPT: ret i32
int returnFrom(int n) {
#pragma gpuprof region("ret")
  {
    if (n)
      return 7;
  }
  return 8;
}

// OPT-LABEL: define {{.*}}@_Z5loopsi(
// OPT: call i32 @__gpuprof_region_enter(
// OPT: invoke void @_Z4workv()
// OPT: call void @__gpuprof_region_exit(
// OPT: ret void
void loops(int n) {
  for (int i = 0; i < n; ++i) {
#pragma gpuprof region("body")
    {
      if (i == 3)
        continue;
      if (i == 5)
        break;
      if (i == 7)
        goto end;
      work();
    }
  }
end:;
}

// CHECK-LABEL: define {{.*}}@_Z6throwsv(
// CHECK: call i32 @__gpuprof_region_enter(
// CHECK: invoke void @_Z4workv()
// CHECK-NEXT: to label %[[GOOD:.*]] unwind label %[[BAD:.*]]
// CHECK: [[GOOD]]:
// CHECK: call void @__gpuprof_region_exit(
// CHECK: [[BAD]]:
// CHECK-NEXT: landingpad
// CHECK: call void @__gpuprof_region_exit(
// CHECK: resume
#pragma gpuprof region
void throws() { work(); }

// The try part of a function-try-block is the region: the handler runs outside it.
// CHECK-LABEL: define {{.*}}@_Z5triesv(
// CHECK: call i32 @__gpuprof_region_enter(
// CHECK: invoke void @_Z4workv()
// CHECK: landingpad
// CHECK: call void @__gpuprof_region_exit(
// CHECK: call ptr @__cxa_begin_catch
#pragma gpuprof region
void tries() try { work(); } catch (...) { work(); }
