"""chain.py N: a function with N sums, each of the one before; the last one is stored behind a branch."""
import sys

count = int(sys.argv[1])
print('target triple = "nvptx64-nvidia-cuda"')
print("define void @chain(float %v0, float %x, i1 %c, ptr %p) {")
for i in range(count):
    print("  %%v%d = fadd float %%v%d, %%x" % (i + 1, i))
print("  br i1 %c, label %wanting, label %end\nwanting:")
print("  store volatile float %%v%d, ptr %%p\n  br label %%end\nend:\n  ret void\n}" % count)
