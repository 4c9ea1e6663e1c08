/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof's own small CUDA header: enough of CUDA's language and runtime to compile programs for the CPU
 * device without a toolkit. Names and meanings are CUDA's.
 */
#ifndef GPUPROF_MINICUDA_CUDA_H
#define GPUPROF_MINICUDA_CUDA_H

#define GPUPROF_MINICUDA 1
#define CUDA_VERSION 12000 /* required by clang's headers; CUDART_VERSION is left to real toolkits */

#endif
