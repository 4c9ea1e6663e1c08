"""Prints a kernel with one block of as many multiplications as the argument says."""
import sys

count = int(sys.argv[1])
print('target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"')
print('target triple = "nvptx64-nvidia-cuda"')
print('define void @kernel(ptr %p) {')
print('  %x0 = load float, ptr %p')
for i in range(count):
    print(f'  %x{i + 1} = fmul float %x{i}, 3.0')
print(f'  store float %x{count}, ptr %p')
print('  ret void')
print('}')
print('!nvvm.annotations = !{!0}')
print('!0 = !{ptr @kernel, !"kernel", i32 1}')
