/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program of one translation unit on the fake libcuda.so.1 and
 * libcudart.so.13: its kernels are functions of the test, run at their launch.
 */
#ifndef CUDA_PROGRAM_H
#define CUDA_PROGRAM_H

#include "base/log.h"
#include "core/kernels.h"
#include "exports/cudart_types.h"
#include "fakes.h"
#include "gpuprof/abi.h"

#include <string.h>

void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaRegisterFunction(void **, const void *, char *, const char *, int, void *, void *, void *, void *,
                            int *);
void __cudaRegisterVar(void **, void *, char *, const char *, int, size_t, int, int);
int cudaLaunchKernel(const void *, struct gp_cuda_dim3, struct gp_cuda_dim3, void **, size_t, void *);
int cudaGetSymbolAddress(void **, const void *);
int cudaGetLastError(void);

typedef void cuda_kernel(void **arguments);
static inline const void *stub_of(cuda_kernel *kernel) { return (const void *)(uintptr_t)kernel; }

/* In the order of the sheet. */
struct cuda_function {
  cuda_kernel *kernel;
  const char *name;
};

/* Registers it as compiled code does. `bases` has a word for each function, with the address of its counters.
 */
static inline int register_program_of(const char *sheet, const struct cuda_function *functions,
                                      uint32_t count, uint64_t *bases) {
  static const uint64_t empty[15] = {0x100001ba55ed50, 100}; /* a header of 16 bytes, and 100 without an entry */
  static const struct {
    uint32_t magic, version;
    const uint64_t *data;
  } code = {0x466243b1, 1, empty};
  static struct gpuprof_device_unit shadow;
  static struct gpuprof_host_unit unit = {.abi_version = GPUPROF_ABI_VERSION,
                                          .source = "test.cu",
                                          .compiler = "none",
                                          .options = "",
                                          .fatbin_wrapper = &code,
                                          .device_unit = &shadow};
  void **module = __cudaRegisterFatBinary((void *)(uintptr_t)&code), *device;
  for (uint32_t i = 0; i < count; i++)
    __cudaRegisterFunction(module, stub_of(functions[i].kernel), NULL, functions[i].name, -1, NULL, NULL,
                           NULL, NULL, NULL);
  __cudaRegisterVar(module, &shadow, NULL, GPUPROF_UNIT_VARIABLE, 0, sizeof shadow, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
  __gpuprof_register_unit(&unit);
  if (cudaGetSymbolAddress(&device, &shadow))
    return -1;
  *(struct gpuprof_device_unit *)device = (struct gpuprof_device_unit){
      GPUPROF_ABI_VERSION, count, (uintptr_t)sheet, strlen(sheet), (uintptr_t)bases};
  return 0;
}

/* Launches blocks of threads; returns the kernel's latest record. */
static inline struct gp_record *launch_blocks(cuda_kernel *kernel, unsigned blocks, unsigned threads,
                                              void **arguments) {
  assert_int_equal(cudaLaunchKernel(stub_of(kernel), (struct gp_cuda_dim3){blocks, 1, 1},
                                    (struct gp_cuda_dim3){threads, 1, 1}, arguments, 0, NULL),
                   0);
  return gp_kernel_of(stub_of(kernel))->records;
}

/* Whether a message says `part`; `about` null: about anything. */
static inline int said(const char *about, const char *part) {
  const struct gp_message *message;
  for (size_t i = 0; (message = gp_log_message(i)); i++)
    if ((!about || !strcmp(message->about, about)) && strstr(message->text, part))
      return 1;
  return 0;
}

#endif
