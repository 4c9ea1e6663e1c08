// A twin can be launched in every block size of its kernel: without launch bounds it gets the largest block as bounds.
// A twin of a kernel that seems to need more registers without counters is not limited, and has a twin for such
// blocks, with its own copies of functions: ptxas assembles each once. In a separate compilation (-fgpu-rdc) twins that
// call functions seen by other units are not limited: ptxas and nvlink refuse such limits.
// RUN: %clangxx -fplugin=%plugin -std=c++17 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o %t.whole.s
// RUN: grep -e '[.]entry' -e '^[.]max' -e '^[.]minn' %t.whole.s | %FileCheck --check-prefix=WHOLE %s
// RUN: grep '^[.]func.*bounded' %t.whole.s | %FileCheck --check-prefix=COPY %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-unique=on -fgpu-rdc -std=c++17 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o %t.separate.s
// RUN: grep -e '[.]entry' -e '^[.]max' -e '^[.]minn' %t.separate.s | %FileCheck --check-prefix=SEPARATE %s
// WHOLE: .entry _Z5largePKfPKiPf$gpuprof_in_kernel(
// WHOLE-NEXT: .entry _Z5largePKfPKiPf$gpuprof_in_kernel$bounded(
// WHOLE-NEXT: .maxntid 1024
// WHOLE-NEXT: .entry _Z9calls_mixPKfPKiPf$gpuprof_in_kernel(
// WHOLE-NEXT: .entry _Z9calls_mixPKfPKiPf$gpuprof_in_kernel$bounded(
// WHOLE-NEXT: .maxntid 1024
// WHOLE-NEXT: .entry _Z15calls_elsewherePKfPfi$gpuprof_in_kernel(
// WHOLE-NEXT: .maxntid 1024
// WHOLE-NEXT: .entry _Z10calls_nonePKiPf$gpuprof_in_kernel(
// WHOLE-NEXT: .maxntid 1024
// WHOLE-NEXT: .entry _Z7boundedPKiPf$gpuprof_in_kernel(
// WHOLE-NEXT: .maxntid 128
// COPY: _Z3mixPKfi{{.*}}$bounded
// SEPARATE: .entry _Z15calls_elsewherePKfPfi$gpuprof_in_kernel(
// SEPARATE-NEXT: .entry _Z10calls_nonePKiPf$gpuprof_in_kernel(
// SEPARATE-NEXT: .maxntid 1024
// SEPARATE-NEXT: .entry _Z7boundedPKiPf$gpuprof_in_kernel(
// SEPARATE-NEXT: .maxntid 128
// Instances of functions for unique bytes are the unit's own: they take the registers that a bounded kernel leaves.
// RUN: grep '[.]func.*gpuprof_unique' %t.separate.s | %FileCheck --check-prefix=OWN %s
// OWN: {{^}}.func {{.*}}_Z3mixPKfi{{.*}}$gpuprof_unique
// The same for counters in the kernel. Up to LLVM 20 the code generator keeps the annotations that it has seen before.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-count=inkernel -std=c++17 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o %t.inside.s
// RUN: %if llvm-at-least-21 %{ grep -e '[.]entry' -e '^[.]max' -e '^[.]minn' %t.inside.s | %FileCheck --check-prefix=INSIDE %s %}
// INSIDE: .entry _Z9calls_mixPKfPKiPf(
// INSIDE-NEXT: .entry
// INSIDE-NEXT: .maxntid 1024
// INSIDE-NEXT: .entry _Z10calls_nonePKiPf(
// INSIDE-NEXT: .maxntid 1024
__global__ void large(const float *in, const int *turns, float *out) {
  float parts[96];
#pragma unroll
  for (int i = 0; i < 96; i++)
    parts[i] = in[i];
  for (int turn = turns[threadIdx.x]; turn > 1; turn = turn % 2 ? 3 * turn + 1 : turn / 2)
#pragma unroll
    for (int i = 0; i < 96; i++)
      parts[i] = parts[i] * in[turn] + parts[(i + 1) % 96];
#pragma unroll
  for (int i = 0; i < 96; i++)
    out[i] = parts[i];
}
#include "Inputs/separate_calls.h"
