// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* local-calls.o: linked into shared libraries with kernels, beside -lgpuprof. It defines CUDA's names for that
 * library alone, each as one jump to the function of libgpuprof. A process may hold another libcudart for
 * everyone (PyTorch opens its own with RTLD_GLOBAL), which the loader would otherwise find before the
 * libgpuprof of a library opened later. The names are weak, so that the object may be linked twice.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#if !defined(__x86_64__)
#error "write this jump for your machine"
#endif

/* A name in the list, its slot at the same place of the other, and the jump. */
#define JUMP(name)                                                                                                     \
  __asm__(".pushsection .rodata.gp_local_names, \"a\"\n"                                                             \
          ".asciz \"" #name "\"\n"                                                                                     \
          ".popsection\n"                                                                                              \
          ".pushsection .data.gp_local_slots, \"aw\"\n"                                                              \
          ".p2align 3\n"                                                                                               \
          ".Lslot_" #name ": .quad 0\n"                                                                                \
          ".popsection\n"                                                                                              \
          ".pushsection .text.gp_local_calls, \"ax\"\n"                                                              \
          ".weak " #name  "\n"                                                                                         \
          ".hidden " #name "\n"                                                                                        \
          ".type " #name ", @function\n"                                                                               \
          ".p2align 4\n" #name ": endbr64\n"                                                                           \
          "jmpq *.Lslot_" #name "(%rip)\n"                                                                             \
          ".size " #name ", .-" #name "\n"                                                                             \
          ".popsection\n");

__asm__(".pushsection .rodata.gp_local_names, \"a\"\n gp_local_names:\n.popsection\n"
        ".pushsection .data.gp_local_slots, \"aw\"\n.p2align 3\n gp_local_slots:\n.popsection\n");
#define GP_CUDART(name, parameters, arguments, cpu) JUMP(name)
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu) JUMP(name)
#include "exports/cudart.inc"
#define GP_DRIVER(name, parameters, arguments, cpu) JUMP(name)
#include "exports/driver_functions.inc"
JUMP(__cudaInitModule)
JUMP(__cudaPopCallConfiguration)
JUMP(__cudaPushCallConfiguration)
JUMP(__cudaRegisterFatBinary)
JUMP(__cudaRegisterFatBinaryEnd)
JUMP(__cudaRegisterFunction)
JUMP(__cudaRegisterManagedVar)
JUMP(__cudaRegisterVar)
JUMP(__cudaUnregisterFatBinary)
JUMP(cuLaunchCooperativeKernel)
JUMP(cuLaunchCooperativeKernel_ptsz)
JUMP(cuLaunchKernel)
JUMP(cuLaunchKernelEx)
JUMP(cuLaunchKernelEx_ptsz)
JUMP(cuLaunchKernel_ptsz)
JUMP(cudaCreateChannelDesc)
__asm__(".pushsection .rodata.gp_local_names, \"a\"\n .byte 0\n.popsection\n");

extern const char gp_local_names[] __attribute__((visibility("hidden"))); /* an empty one ends the list */
extern void *gp_local_slots[] __attribute__((visibility("hidden")));

static int missing(void) { return 801; /* cudaErrorNotSupported */ }

/* The handle finds libgpuprof's own functions first. */
static void find_all(void) {
  void *library = dlopen("libgpuprof.so.0", RTLD_LAZY | RTLD_LOCAL);
  int (*function)(void) = missing;
  size_t i = 0;
  for (const char *name = gp_local_names; *name; name += strlen(name) + 1) {
    void *found = library ? dlsym(library, name) : NULL;
    gp_local_slots[i++] = found ? found : *(void **)&function;
  }
}
/* Before the constructors that register kernels, whose priority, 101, is the first one of programs. */
static void (*const first)(void) __attribute__((section(".init_array.100"), used)) = find_all;
