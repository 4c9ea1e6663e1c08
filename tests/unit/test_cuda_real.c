// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The loader, the replay of registrations, launches and the device table, on a fake driver and CUDA runtime.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>

#include "base/device.h"
#include "cuda/cuda_real.h"
#include "cuda/device_cuda.h"
#include "fakes.h"
#include "machine/kernel_resources.h"
#include "sheet/modules.h"

/* libgpuprof's exports, as declared by compiled code. */
#define GP_CUDART(name, parameters, arguments, cpu) int name parameters;
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu) int name parameters;
#define GP_CUDART_TEXT(name, parameters, arguments, cpu) const char *name parameters;
#include "exports/cudart.inc"
#define GP_DRIVER(name, parameters, arguments, cpu) int name parameters;
#include "exports/driver_functions.inc"
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaUnregisterFatBinary(void **);
void __cudaRegisterFunction(void **, const void *, char *, const char *, int, void *, void *, void *, void *,
                            int *);
void __cudaRegisterVar(void **, void *, char *, const char *, int, size_t, int, int);
unsigned __cudaPushCallConfiguration(struct gp_cuda_dim3, struct gp_cuda_dim3, size_t, void *);
int __cudaPopCallConfiguration(struct gp_cuda_dim3 *, struct gp_cuda_dim3 *, size_t *, void *);

struct header {
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t payload_bytes;
};
static const struct header some_code = {0xba55ed50, 1, 16, 100}, no_code = {0xba55ed50, 1, 16, 0};
static const struct {
  uint32_t magic, version;
  const struct header *data;
} real_code = {0x466243b1, 1, &some_code}, placeholder = {0x466243b1, 1, &no_code},
  late_code = {0x466243b1, 1, &some_code};

static const char *(*fake_log)(void);
static void (*fake_log_clear)(void);
static void (*fake_set_capture_status)(int);
static char shadow[64];
static void **first_module;

static void find_fake(void) {
  void *library = dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(library);
  *(void **)&fake_log = dlsym(library, "fake_log");
  *(void **)&fake_log_clear = dlsym(library, "fake_log_clear");
  *(void **)&fake_set_capture_status = dlsym(library, "fake_set_capture_status");
  assert_non_null(fake_log);
}

static int ran;
static void kernel(void **arguments) { ran += *(int *)arguments[0]; }

static void **register_module(const void *wrapper, const char *name) {
  void **module = __cudaRegisterFatBinary((void *)(uintptr_t)wrapper);
  __cudaRegisterFunction(module, (const void *)(uintptr_t)kernel, NULL, name, -1, NULL, NULL, NULL, NULL,
                         NULL);
  __cudaRegisterVar(module, shadow, NULL, "variable", 0, sizeof shadow, 1, 0);
  __cudaRegisterFatBinaryEnd(module);
  return module;
}

/* The choice is made once a process, so each case is a process of its own. */
static int usable_in_child(const void *wrapper, const char *devices, const char *runtime_error) {
  pid_t child = fork();
  if (!child) {
    if (runtime_error)
      setenv("FAKE_CUDART_ERROR", runtime_error, 1);
    setenv("FAKE_CUDA_DEVICES", devices, 1);
    register_module(wrapper, "kernel");
    _exit(gp_cuda_usable());
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_gpu_is_used_if_there_is_one_and_code_for_it(void **state) {
  (void)state;
  assert_int_equal(usable_in_child(&real_code, "2", NULL), 1);
  assert_int_equal(usable_in_child(&real_code, "0", NULL), 0);
  assert_int_equal(usable_in_child(&real_code, "2", "35"), 0);
  assert_int_equal(usable_in_child(&placeholder, "2", NULL), 0);
}

static void registrations_wait_for_the_first_call(void **state) {
  (void)state;
  register_module(&placeholder, "cpu_only");
  first_module = register_module(&real_code, "first");
  assert_null(
      dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD)); /* nothing was opened before it was needed */
  int device = -1;
  assert_int_equal(cudaGetDevice(&device), 0);
  find_fake();
  char expected[256];
  snprintf(expected, sizeof expected,
           "fatbin %p\nfunction 0 first first -1\nvariable 0 variable 64 1\nend 0\n",
           (const void *)&real_code);
  assert_string_equal(fake_log(), expected); /* in order, and without the placeholder of CPU-only code */
  assert_ptr_equal(gp_device(), &gp_device_cuda);
}

static void later_registrations_go_on_at_once(void **state) {
  (void)state;
  fake_log_clear();
  void **module = register_module(&late_code, "late");
  assert_non_null(strstr(fake_log(), "function 1 late late -1\nvariable 1 variable 64 1\nend 1\n"));
  __cudaUnregisterFatBinary(module);
  assert_non_null(strstr(fake_log(), "unregister 1\n"));
}

static void launches_arrive_as_they_were_made(void **state) {
  (void)state;
  int amount = 7;
  void *arguments[] = {&amount};
  const struct gp_cuda_dim3 grid = {3, 4, 5}, block = {32, 2, 1};
  fake_log_clear();
  ran = 0;
  assert_int_equal(
      cudaLaunchKernel((const void *)(uintptr_t)kernel, grid, block, arguments, 96, (void *)0x50), 0);
  assert_int_equal(ran, 7);
  assert_non_null(strstr(fake_log(), "launch 3,4,5 32,2,1 96 0x50\n"));
  assert_int_equal(cudaLaunchKernel_ptsz((const void *)(uintptr_t)kernel, grid, block, arguments, 0, NULL),
                   0);
  assert_non_null(strstr(fake_log(), "launch_ptsz 3,4,5 32,2,1 0 (nil)\n"));
  struct gp_cuda_launch_config configuration = {.grid = grid, .block = block, .dynamic_shared_bytes = 16};
  assert_int_equal(cudaLaunchKernelExC(&configuration, (const void *)(uintptr_t)kernel, arguments), 0);
  assert_non_null(strstr(fake_log(), "launch_ex 3,4,5 32,2,1 16 (nil)\n"));
  assert_int_equal(ran, 21);
  const struct gp_cuda_dim3 too_large = {2048, 1, 1};
  assert_int_equal(cudaLaunchKernel((const void *)(uintptr_t)kernel, grid, too_large, arguments, 0, NULL), 9);
  assert_int_equal(cudaGetLastError(), 9);
}

static void configurations_nest(void **state) {
  (void)state;
  struct gp_cuda_dim3 grid, block;
  size_t bytes;
  void *stream;
  for (unsigned i = 1; i <= 3; i++)
    assert_int_equal(__cudaPushCallConfiguration((struct gp_cuda_dim3){i, 1, 1},
                                                 (struct gp_cuda_dim3){i, 2, 3}, 10 * i,
                                                 (void *)(uintptr_t)i),
                     0);
  for (unsigned i = 3; i >= 1; i--) {
    assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &bytes, &stream), 0);
    assert_int_equal(grid.x, i);
    assert_int_equal(block.z, 3);
    assert_int_equal(bytes, 10 * i);
    assert_ptr_equal(stream, (void *)(uintptr_t)i);
  }
  assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &bytes, &stream), 52);
}

static void signatures_of_both_majors_pass_through(void **state) {
  (void)state;
  fake_log_clear();
  /* CUDA 13: {type 1, id 0} by value is one register. The _v2 name of CUDA 12 falls back to it. */
  assert_int_equal(cudaMemPrefetchAsync(NULL, 8, 1, 5, (void *)0x9), 0);
  assert_int_equal(cudaMemPrefetchAsync_v2(NULL, 9, UINT64_C(0x100000001), 6, (void *)0x8), 0);
  assert_string_equal(fake_log(), "prefetch 8 1 5 0x9\nprefetch 9 100000001 6 0x8\n");
}

static void what_the_library_lacks_is_not_supported(void **state) {
  (void)state;
  void *graph;
  assert_int_equal(cudaGraphCreate(&graph, 0), 801);
  assert_int_equal(cudaEventRecordWithFlags_ptsz(NULL, NULL, 0), 801);
  assert_string_equal(cudaGetErrorName(1), "unrecognized error code");
  assert_string_equal(cudaGetErrorString(1), "fake error");
}

static void the_drivers_functions_are_passed_on(void **state) {
  (void)state;
  void *function = NULL, *memory = NULL;
  int count = 0;
  assert_int_equal(cuInit(0), 0);
  assert_int_equal(cuInit(7), 1);
  assert_int_equal(cuDeviceGetCount(&count), 0);
  assert_int_equal(count, 1);
  assert_int_equal(cuModuleGetFunction(&function, NULL, "absent"), 500); /* the fake's answer; no module is 400 on the CPU device */
  assert_int_equal(cuMemAlloc_v2(&memory, 64), 801); /* the fake has none */
}

static void device_is_described(void **state) {
  (void)state;
  struct gp_device_info info;
  assert_int_equal(gp_device_cuda.describe(0, &info), 0);
  assert_string_equal(info.kind, "gpu");
  assert_string_equal(info.name, "Fake GPU");
  assert_string_equal(info.uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
  assert_int_equal(info.sm_count, 132);
  assert_int_equal(info.architecture, 90);
  assert_true(info.clock_hz == UINT64_C(1980000000));
  assert_int_equal(gp_device_cuda.describe(1, &info), 101);
  assert_int_equal(cudaPeekAtLastError(), 0); /* our mistake is not the program's */
}

static void kernels_tell_what_their_code_needs(void **state) {
  (void)state;
  struct gp_kernel_resources r;
  assert_int_equal(gp_device_cuda.resources((const void *)(uintptr_t)kernel, &r), 0);
  assert_int_equal(r.source, GP_RESOURCES_DRIVER);
  assert_int_equal(r.architecture, 90);
  assert_int_equal(r.registers, 40);
  assert_int_equal(r.static_shared, 1000);
  assert_int_equal(r.local, 16);
  assert_int_equal(r.carveout, -1);
  assert_int_equal(gp_device_cuda.resources(NULL, &r), 98);
  assert_int_equal(cudaPeekAtLastError(), 0); /* our mistake is not the program's */
}

static void device_memory_is_read_and_written(void **state) {
  (void)state;
  uint64_t address, values[4] = {1, 2, 3, 4}, read[4];
  assert_int_equal(gp_device_cuda.allocate(&address, sizeof read), 0);
  assert_int_equal(gp_device_cuda.read(read, address, sizeof read), 0);
  for (int i = 0; i < 4; i++)
    assert_true(read[i] == 0);
  assert_int_equal(gp_device_cuda.write(address, values, sizeof values), 0);
  fake_log_clear();
  assert_int_equal(gp_device_cuda.store_ordered(address + 8, 77, (void *)0x30), 0);
  assert_string_equal(fake_log(), "copy 8 1 0x30\n"); /* in the given stream, without a wait */
  assert_int_equal(gp_device_cuda.read(read, address, sizeof read), 0);
  assert_non_null(strstr(fake_log(), "synchronize\n"));
  assert_true(read[0] == 1 && read[1] == 77 && read[2] == 3);
  assert_int_equal(gp_device_cuda.release(address), 0);
  assert_int_equal(gp_device_cuda.allocate(&address, (size_t)1 << 31), 2);
  assert_true(address == 0);
  assert_int_equal(cudaGetLastError(), 0);
}

/* The later work of one stream waits for a place in another; the host does not. */
static void fences_order_streams(void **state) {
  (void)state;
  void *fence = NULL;
  fake_log_clear();
  assert_int_equal(gp_device_cuda.fence(&fence, (void *)0x30), 0);
  assert_int_equal(gp_device_cuda.fence(&fence, (void *)0x50), 0);
  assert_int_equal(gp_device_cuda.await_fence(fence, (void *)0x40), 0);
  assert_string_equal(fake_log(), "event 2\nrecord 0x30\nrecord 0x50\nwait 0x40 0\n");
  assert_int_equal(gp_device_cuda.fence_passed(fence), 1);
  assert_int_equal(gp_device_cuda.stream_number((void *)0x30), 1048);
  gp_device_cuda.drop_fence(fence);
  assert_int_equal(cudaGetLastError(), 0);
}

static void symbols_are_found_by_their_shadow(void **state) {
  (void)state;
  uint64_t address = 0;
  size_t bytes = 0;
  assert_int_equal(gp_device_cuda.symbol(shadow, &address, &bytes), 0);
  assert_true(address != 0);
  assert_int_equal(bytes, sizeof shadow);
  assert_int_equal(gp_device_cuda.symbol(&address, &address, &bytes), 13);
  assert_string_equal(gp_device_cuda.error_text(13), "fake error");
}

static void nothing_is_waited_for_during_a_capture(void **state) {
  (void)state;
  assert_int_equal(gp_device_cuda.capturing(NULL), 0);
  assert_int_equal(gp_device_cuda.synchronize(), 0);
  assert_int_equal(cudaStreamBeginCapture((void *)0x40, 0), 0);
  fake_log_clear();
  uint64_t address, value;
  assert_int_equal(gp_device_cuda.capturing((void *)0x40), 1);
  assert_int_equal(gp_device_cuda.synchronize(), 900);
  assert_int_equal(gp_device_cuda.allocate(&address, 8), 0);
  assert_int_equal(gp_device_cuda.read(&value, address, 8), 0);
  gp_device_cuda.flush();
  assert_null(strstr(fake_log(), "synchronize"));
  void *graph;
  assert_int_equal(cudaStreamEndCapture((void *)0x40, &graph), 0);
  assert_int_equal(gp_device_cuda.synchronize(), 0);
  fake_set_capture_status(906); /* the default stream while another is captured */
  assert_int_equal(gp_device_cuda.capturing(NULL), 1);
  fake_set_capture_status(0);
  assert_int_equal(cudaGetLastError(), 0);
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gpu_is_used_if_there_is_one_and_code_for_it),
      cmocka_unit_test(registrations_wait_for_the_first_call),
      cmocka_unit_test(later_registrations_go_on_at_once),
      cmocka_unit_test(launches_arrive_as_they_were_made),
      cmocka_unit_test(configurations_nest),
      cmocka_unit_test(signatures_of_both_majors_pass_through),
      cmocka_unit_test(what_the_library_lacks_is_not_supported),
      cmocka_unit_test(the_drivers_functions_are_passed_on),
      cmocka_unit_test(device_is_described),
      cmocka_unit_test(kernels_tell_what_their_code_needs),
      cmocka_unit_test(device_memory_is_read_and_written),
      cmocka_unit_test(fences_order_streams),
      cmocka_unit_test(symbols_are_found_by_their_shadow),
      cmocka_unit_test(nothing_is_waited_for_during_a_capture),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
