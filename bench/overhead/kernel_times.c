// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Times the kernels of any CUDA program by CUPTI's kernel records: CUDA loads this library if CUDA_INJECTION64_PATH
 * names it. At the program's end a line for each launch goes to the file in KERNEL_TIMES: nanoseconds, kernel. */
#include <cupti.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BUFFER_BYTES (4u << 20)
#define BUFFER_ALIGNMENT 8

static FILE *output;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *most_records) {
  *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_BYTES);
  *size = *buffer ? BUFFER_BYTES : 0;
  *most_records = 0; /* as many as fit */
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
  (void)context, (void)stream, (void)size;
  CUpti_Activity *record = NULL;
  pthread_mutex_lock(&lock);
  while (output && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const CUpti_ActivityKernel9 *kernel = (const CUpti_ActivityKernel9 *)record;
      if (kernel->start) /* 0: CUPTI has no time for it */
        fprintf(output, "%llu %s\n", (unsigned long long)(kernel->end - kernel->start), kernel->name);
    }
  pthread_mutex_unlock(&lock);
  free(buffer);
}

static void finish(void) {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  pthread_mutex_lock(&lock);
  if (output)
    fclose(output);
  output = NULL;
  pthread_mutex_unlock(&lock);
}

/* CUDA calls it before the program's first call of the driver returns. */
__attribute__((visibility("default"))) int InitializeInjection(void) {
  const char *path = getenv("KERNEL_TIMES");
  output = path ? fopen(path, "w") : NULL;
  if (!output)
    return 0;
  cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  atexit(finish);
  return 1;
}
