// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What calls of the driver do to memory, by their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/driver_writes.h"

static const struct {
  const char *function;
  enum gp_driver_effect effect;
} cases[] = {
    {"cuMemcpy", GP_DRIVER_WRITES},
    {"cuMemcpyAsync_ptsz", GP_DRIVER_WRITES},
    {"cuMemcpyHtoD_v2", GP_DRIVER_WRITES},
    {"cuMemcpyDtoDAsync_v2_ptsz", GP_DRIVER_WRITES},
    {"cuMemsetD2D32Async_ptsz", GP_DRIVER_WRITES},
    {"cuMemcpyDtoH_v2", GP_DRIVER_NOTHING},
    {"cuMemcpy2DAsync_v2", GP_DRIVER_WRITES_ANYWHERE},
    {"cuMemcpyBatchAsync", GP_DRIVER_WRITES_ANYWHERE},
    {"cuMemcpyAtoD_v2", GP_DRIVER_WRITES_ANYWHERE},
    {"cuStreamWriteValue32_v2", GP_DRIVER_WRITES_ANYWHERE},
    {"cuGraphLaunch_ptsz", GP_DRIVER_WRITES_ANYWHERE},
    {"cuLaunchCooperativeKernelMultiDevice", GP_DRIVER_WRITES_ANYWHERE},
    {"cuLaunchGrid", GP_DRIVER_WRITES_ANYWHERE},
    {"cu64MemcpyHtoD", GP_DRIVER_WRITES_ANYWHERE},
    {"cuOfALaterDriver", GP_DRIVER_WRITES_ANYWHERE},
    {"cuMemOfALaterDriver", GP_DRIVER_WRITES_ANYWHERE},
    {"cuStreamOfALaterDriver", GP_DRIVER_WRITES_ANYWHERE},
    {"cuMemFree_v2", GP_DRIVER_FREES},
    {"cuMemFreeAsync", GP_DRIVER_FREES},
    {"cuMemFreeHost", GP_DRIVER_NOTHING},
    {"cuCtxDestroy_v2", GP_DRIVER_FREES_ALL},
    {"cuCtxSynchronize", GP_DRIVER_NOTHING},
    {"cuDevicePrimaryCtxReset_v2", GP_DRIVER_FREES_ALL},
    {"cuDevicePrimaryCtxRetain", GP_DRIVER_NOTHING},
    {"cuIpcGetMemHandle", GP_DRIVER_HIDES},
    {"cuLaunchHostFunc_ptsz", GP_DRIVER_HIDES},
    {"cuStreamWaitValue64_v2", GP_DRIVER_HIDES},
    {"cuStreamWaitEvent_ptsz", GP_DRIVER_NOTHING},
    {"cuPointerSetAttribute", GP_DRIVER_HIDES},
    {"cuPointerGetAttributes", GP_DRIVER_NOTHING},
    {"cuLaunchKernelEx", GP_DRIVER_NOTHING},
    {"cuGraphKernelNodeSetParams_v2", GP_DRIVER_NOTHING},
    {"cuGraphAddNode_v2", GP_DRIVER_HIDES},
};

static void names_tell_the_effect(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (gp_driver_effect_of(cases[i].function) != cases[i].effect)
      fail_msg("%s: %d, not %d", cases[i].function, gp_driver_effect_of(cases[i].function), cases[i].effect);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_tell_the_effect)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
