// With gpuprof's own CUDA headers a missing toolkit header is named as one, beside clang's error; others are not.
// RUN: ! %clangxx -fplugin=%plugin %minicuda -fsyntax-only %s 2>%t.toolkit
// RUN: grep "warning: 'cuda_fp16.h' is a header of the CUDA toolkit, .* give the toolkit with --cuda-path=FOLDER" %t.toolkit
// RUN: grep "error: 'cuda_fp16.h' file not found" %t.toolkit
// RUN: ! grep "cub/cub.cuh" %t.toolkit
// RUN: ! %clangxx -fplugin=%plugin %minicuda -DOTHER -fsyntax-only %s 2>%t.other
// RUN: grep "error: 'helpers.h' file not found" %t.other
// RUN: ! grep "warning:" %t.other
#ifdef OTHER
#include "helpers.h"
#elif !__has_include(<cub/cub.cuh>)
#include <cuda_fp16.h>
#endif
