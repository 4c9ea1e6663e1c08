// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory of small objects living as long as the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/immortals.h"
#include "base/prefault.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static int is_mapped(const void *at) {
  unsigned char mapped = 0;
  void *page = (void *)((uintptr_t)at / page_size() * page_size());
  assert_int_equal(mincore(page, 1, &mapped), 0);
  return mapped & 1;
}

static void objects_are_zero_and_aligned(void **state) {
  (void)state;
  struct gp_immortals memory = {0};
  static const char zeroes[100];
  for (size_t bytes = 1; bytes <= sizeof zeroes; bytes++) {
    char *object = gp_immortal(&memory, bytes);
    assert_int_equal((uintptr_t)object % 16, 0);
    assert_memory_equal(object, zeroes, bytes);
    memset(object, 1, bytes);
  }
}

static void an_object_may_be_larger_than_a_chunk(void **state) {
  (void)state;
  struct gp_immortals memory = {0};
  char *object = gp_immortal(&memory, (size_t)3 << 20);
  assert_non_null(object);
  memset(object, 1, (size_t)3 << 20);
}

static int prefaults(void) {
  char *pages = mmap(NULL, 4 * page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  gp_prefault(pages, 4 * page_size());
  const int mapped = is_mapped(pages + 3 * page_size());
  munmap(pages, 4 * page_size());
  return mapped;
}

/* Unwritten objects begin in mapped pages, but for those at the end of a chunk. */
static void pages_are_mapped_before_objects_are_written(void **state) {
  (void)state;
  enum { OBJECTS = 1000, CHUNKS = 12 };
  struct gp_immortals memory = {0};
  if (!prefaults()) {
    print_message("this kernel maps no pages ahead (Linux 5.14 does)\n");
    skip();
  }
  size_t unmapped = 0;
  for (int i = 0; i < OBJECTS; i++)
    unmapped += !is_mapped(gp_immortal(&memory, page_size()));
  assert_in_range(unmapped, 0, CHUNKS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(objects_are_zero_and_aligned),
      cmocka_unit_test(an_object_may_be_larger_than_a_chunk),
      cmocka_unit_test(pages_are_mapped_before_objects_are_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
