// nvcc, which knows nothing of gpuprof, takes a file with pragmas, and with the flags of docs/user/clangd.md says nothing of
// them: of those in device code it warns itself, of the others its host compiler does where asked to.
// REQUIRES: nvcc
// RUN: sed -n 's/^| nvcc .*| `\([^`]*\)`.*/\1/p' %source/docs/user/clangd.md > %t.flags && grep -q . %t.flags
// RUN: %cudapath/bin/nvcc -Xcompiler -Wall $(cat %t.flags) -c %s -o %t.o > %t.log 2>&1 || { cat %t.log; false; }
// RUN: %FileCheck --allow-empty %s < %t.log
// CHECK-NOT: {{warning|pragma}}
#pragma gpuprof region("kernel")
__global__ void kernel(float *p) {
#pragma gpuprof region("loop")
  for (int i = 0; i < 4; i++)
    p[i] = 1;
}

void launch() {
#pragma gpuprof region("launch")
  kernel<<<1, 1>>>(nullptr);
}
