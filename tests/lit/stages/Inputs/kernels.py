"""Prints as many kernels as the first argument says, each of one block with as many multiplications as the second says."""
import sys

kernels, count = int(sys.argv[1]), int(sys.argv[2])
print('target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"')
print('target triple = "nvptx64-nvidia-cuda"')
for kernel in range(kernels):
    print(f"define ptx_kernel void @kernel{kernel}(ptr %p) {{")
    print("  %x0 = load float, ptr %p")
    for i in range(count):
        print(f"  %x{i + 1} = fmul float %x{i}, 3.0")
    print(f"  store float %x{count}, ptr %p")
    print("  ret void")
    print("}")
