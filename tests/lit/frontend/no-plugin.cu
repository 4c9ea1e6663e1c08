// Where no toolkit is known and the plugin is not loaded, as in an editor, gpuprof's own header is enough to parse a launch.
// RUN: %clangxx -x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-pragmas -Wno-unknown-cuda-version -Werror -fsyntax-only %s
__global__ void kernel(int n) {}

void launch() {
#pragma gpuprof region("launch")
  kernel<<<1, 32>>>(1);
}
