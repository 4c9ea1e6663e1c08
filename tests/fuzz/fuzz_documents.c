// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Documents: any bytes are refused with a message, or shown in every form and compared, without a byte obeyed
 * by a terminal. The sample documents for comparisons are made of seeds/documents (document_samples.inc). */
#include "document_checks.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const samples[] = {
#include "document_samples.inc"
};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  document_checks_begin(samples, sizeof samples / sizeof *samples);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The bytes select the expensive checks, so an input repeats. */
  uint64_t number = size;
  for (size_t i = 0; i < size; ++i)
    number = number * 31 + data[i];
  const char *fault = document_check(size ? (const char *)data : "", size, number);
  if (fault) {
    fprintf(stdout, "does not hold: %s\n", fault);
    fflush(stdout);
    abort();
  }
  return 0;
}
