// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An NVTX tool's view of regions. The test starts itself as the program with the tool. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ranges.h"
#include "cuda/nvtx.h"
#include "gpuprof/abi.h"

static void use_ranges(void) {
  static struct gpuprof_region_site outer, inner;
  for (uint64_t i = 0; i < 2; i++) {
    gp_range_push(&outer, "attention", 0x76b900, "model", i);
    gp_range_push(&inner, "softmax", 0, NULL, 10 + i);
    gp_range_pop();
    gp_range_push(NULL, "unnamed", 0, "other", 0);
    gp_range_pop();
    gp_range_pop();
  }
}

static const char expected[] = "domain gpuprof\n"
                               "string attention\n"
                               "category 1 model\n"
                               "push registered attention category=1 color=ff76b900 payload=0\n"
                               "string softmax\n"
                               "  push registered softmax category=0 color=00000000 payload=10\n"
                               "  pop\n"
                               "category 2 other\n"
                               "  push unnamed category=2 color=00000000 payload=0\n"
                               "  pop\n"
                               "pop\n"
                               "push registered attention category=1 color=ff76b900 payload=1\n"
                               "  push registered softmax category=0 color=00000000 payload=11\n"
                               "  pop\n"
                               "  push unnamed category=2 color=00000000 payload=0\n"
                               "  pop\n"
                               "pop\n";

static void run(const char *tool, char *output, size_t bytes) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    dup2(ends[1], STDERR_FILENO);
    if (tool)
      setenv("NVTX_INJECTION64_PATH", tool, 1);
    else
      unsetenv("NVTX_INJECTION64_PATH");
    execl("/proc/self/exe", "test_cuda_nvtx", "use-ranges", (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t part; length + 1 < bytes && (part = read(ends[0], output + length, bytes - 1 - length)) > 0;)
    length += (size_t)part;
  output[length] = 0;
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
}

static void a_tool_sees_nested_ranges(void **state) {
  (void)state;
  char output[4096];
  run(GPUPROF_FAKES "/fake_nvtx_tool.so", output, sizeof output);
  assert_string_equal(output, expected);
}

static void nothing_happens_without_a_tool(void **state) {
  (void)state;
  char output[4096];
  run(NULL, output, sizeof output);
  assert_string_equal(output, "");
}

int main(int count, char **arguments) {
  if (count > 1 && !strcmp(arguments[1], "use-ranges")) {
    use_ranges();
    return 0;
  }
  if (!gp_nvtx_available()) {
    print_message("skipped: gpuprof was built without NVTX, whose headers were not found\n");
    return 77;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tool_sees_nested_ranges),
      cmocka_unit_test(nothing_happens_without_a_tool),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
