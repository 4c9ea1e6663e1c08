/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NVTX ranges in the domain "gpuprof": core/ranges.h for any tool that listens. */
#ifndef GP_NVTX_H
#define GP_NVTX_H

/* 1 if gpuprof was built with NVTX. */
int gp_nvtx_available(void);

#endif
