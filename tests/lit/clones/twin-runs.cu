// A kernel with a twin: all launches are counted, each third one with GPUPROF_SAMPLE=3, and none while counting is off.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -fplugin-arg-gpuprof-remarks -O2 -I%S/Inputs -I%S/../run/Inputs %S/Inputs/chains.cu -o %t %link 2>&1 | %FileCheck --check-prefix=REMARK %s
// REMARK: kernel follow(int*, float*, int) is counted by {{.*}}, in an instrumented twin, since its control flow depends on
// RUN: env GPUPROF_OUTPUT=%t.all.json %t 9
// RUN: %py %S/../run/Inputs/kernel_has.py %t.all.json follow launches=9 threads=288 flops.total=1152 flops.fp32.add=1152
// RUN: %document %t.all.json | %FileCheck --check-prefix=ALL --implicit-check-not='"estimate"' --implicit-check-not='"sample"' %s
// ALL: "counted_by": "in_kernel"

// RUN: env GPUPROF_OUTPUT=%t.third.json GPUPROF_SAMPLE=3 %t 9
// RUN: %py %S/../run/Inputs/kernel_has.py %t.third.json follow launches=9 threads=288 flops.total=1152 estimate.counted_launches=3
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.third.json
// RUN: %document %t.third.json | %FileCheck --check-prefix=THIRD %s
// THIRD: "sample": 3
// THIRD: "about": "estimate"
// THIRD-NEXT: "text": "GPUPROF_SAMPLE=3 counted

// RUN: %gpuprof report %t.third.json | %FileCheck --check-prefix=REPORT --implicit-check-not=exact %s
// REPORT: CPU device (sampled counts, no GPU time)
// REPORT: launches{{ +}}counted

// RUN: rm -f %t.none.json
// RUN: env GPUPROF_OUTPUT=%t.none.json GPUPROF_ENABLE=0 %t 9
// RUN: ! test -e %t.none.json
