"""Prints a function with as many regions as the argument says, and a jump that enters none of them."""
import sys

print("int many(int *p) {\n  if (!*p)\n    goto end;")
for i in range(int(sys.argv[1])):
    print('#pragma gpuprof region("r%d")\n  p[%d] += %d;' % (i, i % 7, i))
print("end:\n  return 0;\n}")
