// A twin of many registers has a bounded twin, unless all launches of the unit are in blocks of constant size, of 256 threads at
// most: those have registers for any kernel.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-device=gpu -std=c++17 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -I%S/Inputs -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o - | grep -o '[.]entry .*bounded' | sed 's/.entry _Z[0-9]*//; s/[$].*//; s/ILi[0-9]*E.*//; s/Pf.*//' | sort > %t
// RUN: sed -n 's/^WITH(\(.*\)).*/\1/p' %s | sort | diff - %t
#include "many_registers.h"
#define WITH(name) KERNEL(name)
#define WITHOUT(name) KERNEL(name)
WITHOUT(by_number)
WITHOUT(by_constant)
WITHOUT(by_variable)
WITHOUT(by_dim3)
WITHOUT(by_kept_dim3)
WITHOUT(by_braces)
WITH(by_larger)
WITH(by_one_larger)
WITH(by_parameter)
WITH(by_changed_variable)
WITH(by_changed_dim3)
WITH(by_address)
WITH(by_nobody)
WITH(by_template_too)
WITH(by_header)

constexpr int Threads = 128;

template <int N> void in_blocks_of(float *p) { by_template_too<<<1, N>>>(p); }

void launch(float *p, int given) {
  by_number<<<1, 256>>>(p);
  by_constant<<<given, Threads * 2>>>(p);
  int threads = 64;
  by_variable<<<given, threads>>>(p);
  by_dim3<<<given, dim3(16, 16)>>>(p);
  dim3 block(threads, 4);
  by_kept_dim3<<<dim3(given / block.x), block>>>(p);
  by_braces<<<1, dim3{8, 8, 4}>>>(p);
  by_larger<<<1, 257>>>(p);
  by_one_larger<<<1, 32>>>(p);
  by_one_larger<<<1, dim3(32, 9)>>>(p);
  by_parameter<<<1, given>>>(p);
  int changed = 64;
  if (given > 64)
    changed = given;
  by_changed_variable<<<1, changed>>>(p);
  dim3 larger(32);
  larger.y = given;
  by_changed_dim3<<<1, larger>>>(p);
  by_address<<<1, 32>>>(p);
  void *arguments[] = {&p};
  cudaLaunchKernel(reinterpret_cast<const void *>(by_address), dim3(1), dim3(given), arguments, 0, 0);
  in_blocks_of<64>(p);
  in_blocks_of<512>(p);
  by_header<<<1, 32>>>(p);
}
