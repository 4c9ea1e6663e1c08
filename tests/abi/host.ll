source_filename = "host.cu"
target triple = "x86_64-pc-linux-gnu"

@.a = private unnamed_addr constant [17 x i8] c"name=a\09kind=host\00"

define void @work() {
  %scope = alloca i32
  %token = call i32 @__gpuprof_enter(ptr @.a)
  store i32 %token, ptr %scope
  call void @__gpuprof_exit(ptr %scope)
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
