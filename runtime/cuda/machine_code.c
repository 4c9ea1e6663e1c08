// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/machine_code.h"

#include "base/locks.h"
#include "machine/cubin.h"

#include <stdlib.h>
#include <string.h>

#define INSTRUCTION_BYTES 16u
#define VERIFIED_CHIP 90u

/* The low nine bits of an instruction. */
enum { HFMA2 = 0x31, HFMA2_MMA = 0x35, BRANCH = 0x147, LDS = 0x184 };
#define WIDTH_128 6u /* bits 73 to 75 of an access */
#define NO_REGISTER 255u

struct kernel {
  struct kernel *next;
  uint64_t constants;
  int loads_blocks;
  char name[];
};

static struct kernel *kernels;
GP_MUTEX(lock, GP_LOCK_MACHINE_CODE)

struct instruction {
  uint64_t low, high;
};

static struct instruction instruction_at(const unsigned char *code, size_t place) {
  struct instruction i;
  memcpy(&i, code + place, sizeof i);
  return i;
}

static unsigned operation_of(struct instruction i) { return (unsigned)(i.low & 0x1FF); }

/* a * b + c without a register for a: c is the constant. */
static int makes_constant(struct instruction i) {
  const unsigned operation = operation_of(i);
  return (operation == HFMA2 || operation == HFMA2_MMA) && (i.low >> 24 & 255) == NO_REGISTER;
}

/* The distance of a backward branch in bytes; 0 for every other instruction. The offset has 56 bits, in words
 * behind the branch. */
static size_t bytes_back(struct instruction i, size_t place) {
  if (operation_of(i) != BRANCH)
    return 0;
  const uint64_t words = (i.high & 0x3FFFF) << 38 | i.low >> 34 << 8 | (i.low >> 16 & 255);
  const int64_t offset = (int64_t)(words << 8) >> 8;
  const uint64_t back = offset < 0 ? (uint64_t)-offset * 4 : 0;
  return back > INSTRUCTION_BYTES && back - INSTRUCTION_BYTES <= place ? (size_t)back - INSTRUCTION_BYTES : 0;
}

/* Runs from the last instruction to the first: `loop` is the start of the outermost loop around the
 * instruction. */
static uint64_t count_constants(const unsigned char *code, size_t bytes) {
  uint64_t constants = 0;
  size_t loop = bytes;
  for (size_t place = bytes - bytes % INSTRUCTION_BYTES; place;) {
    place -= INSTRUCTION_BYTES;
    const struct instruction i = instruction_at(code, place);
    const size_t target = place - bytes_back(i, place);
    loop = target < place && target < loop ? target : loop;
    constants += makes_constant(i) && place < loop;
    loop = place <= loop ? bytes : loop;
  }
  return constants;
}

static int has_block_load(const unsigned char *code, size_t bytes) {
  for (size_t place = 0; bytes - place >= INSTRUCTION_BYTES; place += INSTRUCTION_BYTES) {
    const struct instruction i = instruction_at(code, place);
    if (operation_of(i) == LDS && (i.high >> 9 & 7) == WIDTH_128)
      return 1;
  }
  return 0;
}

static struct kernel *find(const char *name) {
  struct kernel *k = kernels;
  while (k && strcmp(k->name, name))
    k = k->next;
  return k;
}

static void remember(const char *name, uint64_t constants, int loads_blocks) {
  pthread_mutex_lock(&lock);
  struct kernel *k = find(name);
  if (!k && (k = calloc(1, sizeof *k + strlen(name) + 1))) {
    strcpy(k->name, name);
    k->next = kernels;
    kernels = k;
  }
  if (k && k->constants < constants)
    k->constants = constants;
  if (k)
    k->loads_blocks |= loads_blocks;
  pthread_mutex_unlock(&lock);
}

void gp_machine_code_learn(const void *data, size_t bytes) {
  static const char prefix[] = ".text.";
  struct gp_cubin cubin;
  if (gp_cubin_open(&cubin, data, bytes) || gp_cubin_architecture(&cubin) != VERIFIED_CHIP)
    return;
  for (unsigned i = 0; i < cubin.header.e_shnum; i++) {
    const struct gp_cubin_section section = gp_cubin_section(&cubin, i);
    if (section.name && section.data && !strncmp(section.name, prefix, sizeof prefix - 1) &&
        section.header.sh_type == SHT_PROGBITS)
      remember(section.name + sizeof prefix - 1, count_constants(section.data, section.header.sh_size),
               has_block_load(section.data, section.header.sh_size));
  }
}

uint64_t gp_machine_code_constants(const char *kernel) {
  pthread_mutex_lock(&lock);
  const struct kernel *k = find(kernel);
  const uint64_t constants = k ? k->constants : 0;
  pthread_mutex_unlock(&lock);
  return constants;
}

int gp_machine_code_loads_words(const char *kernel) {
  pthread_mutex_lock(&lock);
  const struct kernel *k = find(kernel);
  const int loads_words = k && !k->loads_blocks;
  pthread_mutex_unlock(&lock);
  return loads_words;
}
