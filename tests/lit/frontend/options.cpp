// Wrong names and values are errors naming the right ones; help lists every option.
// RUN: ( ! %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-devise=gpu -fsyntax-only %s ) 2>&1 | %FileCheck --check-prefix=NAME %s
// NAME: error: gpuprof has no option 'devise'; did you mean 'device'? It must be one of device, auto, filter, arch, math, warn, count, twins, unique, check, requests, barriers, budget, headers, remarks, help
// RUN: ( ! %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-banana=gpu -fsyntax-only %s ) 2>&1 | %FileCheck --check-prefix=FAR %s
// FAR: error: gpuprof has no option 'banana': expected one of device, auto, filter, arch, math, warn, count, twins, unique, check, requests, barriers, budget, headers, remarks, help
// RUN: ( ! %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-warn=no-empty-region,no-constexpr -fsyntax-only %s ) 2>&1 | %FileCheck --check-prefix=GROUP %s
// GROUP: error: gpuprof option 'warn' cannot have 'no-constexpr': write no-all, or no-GROUP with a group: expected one of constexpr-region, empty-region, phase-spelling
// RUN: ( ! %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-warn=no-empty-regions -fsyntax-only %s ) 2>&1 | %FileCheck --check-prefix=SLIP %s
// SLIP: error: gpuprof option 'warn' cannot have 'no-empty-regions': {{.*}}; did you mean 'empty-region'?
// RUN: ( ! %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-device=tpu -fsyntax-only %s ) 2>&1 | %FileCheck --check-prefix=WORD %s
// WORD: error: gpuprof option 'device' cannot be 'tpu': use device=both|gpu|cpu
// RUN: ( ! %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-auto -fsyntax-only %s ) 2>&1 | %FileCheck --check-prefix=NONE %s
// NONE: error: gpuprof option 'auto' needs a value: auto=kernels|annotated
// RUN: ( ! %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-remarks=all -fsyntax-only %s ) 2>&1 | %FileCheck --check-prefix=FLAG %s
// FLAG: error: gpuprof option 'remarks' takes no value
// RUN: ( ! %clangxx -fplugin=%plugin "-fplugin-arg-gpuprof-filter=(" -fsyntax-only %s ) 2>&1 | %FileCheck --check-prefix=REGEX %s
// REGEX: error: gpuprof option 'filter': '(' is no regular expression: {{.+}}
// RUN: ( ! %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-arch=hopper -fsyntax-only %s ) 2>&1 | %FileCheck --check-prefix=ARCH %s
// ARCH: error: gpuprof option 'arch' cannot be 'hopper': use the form arch=sm_90

// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-help -fsyntax-only %s | %FileCheck --check-prefix=HELP %s
// HELP: gpuprof {{[0-9.]+}}, options, each as -fplugin-arg-gpuprof-NAME=VALUE:
// HELP: {{^}}  device=both|gpu|cpu{{ |$}}
// HELP: (default {{both|gpu}})
// HELP: {{^}}  auto=kernels|annotated{{ |$}}
// HELP: (default kernels)
// HELP: {{^}}  filter=REGEX{{ |$}}
// HELP: {{^}}  arch=ARCH{{ |$}}
// HELP: (default sm_90)
// HELP: {{^}}  math=precise|flush|fast{{ |$}}
// HELP: {{^}}  warn=LIST{{ |$}}
// HELP: {{^}}  count=auto|formula|clone|inkernel|blocks{{ |$}}
// HELP: (default auto)
// HELP: {{^}}  unique=off|host|auto|on{{ |$}}
// HELP: (default host)
// HELP: {{^}}  check=off|on{{ |$}}
// HELP: (default off)
// HELP: {{^}}  requests=off|on{{ |$}}
// HELP: {{^}}  barriers=split|fibers{{ |$}}
// HELP: (default split)
// HELP: {{^}}  headers=kept|read{{ |$}}
// HELP: {{^}}  remarks{{ |$}}
// HELP: {{^}}  help{{ |$}}
// HELP: {{^}}groups of warnings:
// HELP: {{^}}  constexpr-region{{ |$}}

// Options travel into the unit's record, in the order given.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-filter=k1 -fplugin-arg-gpuprof-remarks -S -emit-llvm %s -o - 2>%t.err | %FileCheck --check-prefix=UNIT %s
// UNIT: c"filter=k1 remarks\00"
// RUN: %FileCheck --check-prefix=REMARK %s <%t.err
// REMARK: options.cpp:[[@LINE+2]]:5: remark: gpuprof: region in 'f': name=f kind=host file={{.*}}options.cpp line=[[@LINE+2]]
#pragma gpuprof region
int f() { return 1; }
