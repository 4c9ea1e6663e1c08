// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Streams shared by threads of the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/errors.h"
#include "cuda-api/work/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { RELAXED = 2, CAPTURES = 600000 };

static void *stream, *event, *memory;
static _Atomic bool ended;

static void *capture(void *unused) {
  for (int i = 0; i < CAPTURES; i++) {
    void *graph = NULL;
    gp_cpu_cudaStreamBeginCapture(stream, RELAXED);
    if (!gp_cpu_cudaStreamEndCapture(stream, &graph))
      gp_cpu_cudaGraphDestroy(graph);
  }
  atomic_store(&ended, true);
  return unused;
}

static void nothing(void *stream_of_call, int error, void *data) {
  (void)stream_of_call, (void)error, (void)data;
}

/* Which of the work is captured is up to the program. */
static void work_may_be_given_to_a_stream_while_its_capture_ends(void **state) {
  (void)state;
  pthread_t capturing;
  assert_int_equal(gp_cpu_cudaStreamCreate(&stream), 0);
  assert_int_equal(gp_cpu_cudaEventCreate(&event), 0);
  assert_int_equal(gp_cpu_cudaMalloc(&memory, 4), 0);
  assert_int_equal(pthread_create(&capturing, NULL, capture, NULL), 0);
  while (!atomic_load(&ended)) {
    int status;
    unsigned long long id;
    gp_cpu_cudaMemsetAsync(memory, 0, 4, stream);
    gp_cpu_cudaStreamIsCapturing(stream, &status);
    gp_cpu_cudaStreamGetCaptureInfo_v2(stream, &status, &id, NULL, NULL, NULL, NULL);
    gp_cpu_cudaEventRecord(event, stream);
    gp_cpu_cudaStreamWaitEvent(stream, event, 0);
    gp_cpu_cudaStreamAddCallback(stream, (void *)nothing, NULL, 0);
  }
  assert_int_equal(pthread_join(capturing, NULL), 0);
  assert_int_equal(gp_cpu_cudaStreamDestroy(stream), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(work_may_be_given_to_a_stream_while_its_capture_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
