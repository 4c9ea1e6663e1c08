/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof's own small CUDA header: enough of CUDA's language and runtime to compile a program for the CPU
 * device where no toolkit is installed. Names and meanings are CUDA's.
 */
#ifndef GPUPROF_MINICUDA_CUDA_H
#define GPUPROF_MINICUDA_CUDA_H

#define GPUPROF_MINICUDA 1
#define CUDA_VERSION 12000 /* what clang's headers ask for; CUDART_VERSION is left to real toolkits */

#endif
