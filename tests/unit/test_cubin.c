// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Registers, shared and local memory of kernels, read in cubins and fat binaries; damaged ones have none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/cubin.h"
#include "machine/fatbin.h"

#include <stdlib.h>
#include <string.h>

enum { NONE, NAMES, SYMBOLS, STRINGS, COMMON, OWN, CODE, SHARED, RESERVED, SECTIONS };

/* As ptxas of CUDA 13 writes them for sm_90. */
static struct cubin {
  Elf64_Ehdr header;
  Elf64_Shdr sections[SECTIONS];
  Elf64_Sym symbols[2];
  char strings[16], names[128];
  uint32_t common[6], own[5], annotations[9], code[4 * 4];
} cubin;
static size_t name_bytes;

static void section(unsigned index, const char *name, uint32_t type, size_t offset, size_t bytes) {
  cubin.sections[index] =
      (Elf64_Shdr){.sh_name = (uint32_t)name_bytes, .sh_type = type, .sh_offset = offset, .sh_size = bytes, .sh_link = STRINGS};
  strcpy(cubin.names + name_bytes, name);
  name_bytes += strlen(name) + 1;
}

#define AT(member) offsetof(struct cubin, member), sizeof cubin.member

/* STL.64 [R1+0xc8], R6; LDL.LU.64 R28, [R1+0x1a0]; IADD3; LDL R5, [R9] (by nvdisasm of CUDA 13). */
static const uint32_t code[] = {0x01007387, 0x0000c806, 0x00100a00, 0x004fe800, 0x011c7983, 0x0001a000, 0x00300a00, 0x001ea800,
                                0x02027810, 0x00000001, 0x07ffe0ff, 0x000fca00, 0x09057983, 0x00000000, 0x00100800, 0x000ea200};

static int make(void **state) {
  (void)state;
  memset(&cubin, 0, sizeof cubin);
  name_bytes = 1;
  cubin.header = (Elf64_Ehdr){.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 0x41, 8},
                              .e_flags = 90 << 8,
                              .e_shoff = offsetof(struct cubin, sections),
                              .e_shentsize = sizeof(Elf64_Shdr),
                              .e_shnum = SECTIONS,
                              .e_shstrndx = NAMES};
  section(NAMES, ".shstrtab", SHT_STRTAB, AT(names));
  section(SYMBOLS, ".symtab", SHT_SYMTAB, AT(symbols));
  section(STRINGS, ".strtab", SHT_STRTAB, AT(strings));
  section(COMMON, ".nv.info", SHT_LOPROC, AT(common));
  section(OWN, ".nv.info.scale", SHT_LOPROC, AT(own));
  cubin.sections[OWN].sh_size += sizeof cubin.annotations; /* right behind */
  section(CODE, ".text.scale", SHT_PROGBITS, AT(code));
  section(SHARED, ".nv.shared.scale", SHT_NOBITS, 0, 1024 + 1000);
  section(RESERVED, ".nv.shared.reserved.0", SHT_NOBITS, 0, 0);
  strcpy(cubin.strings + 1, "scale");
  cubin.symbols[1] = (Elf64_Sym){.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)};
  memcpy(cubin.common, (uint32_t[]){0x00082f04, 1, 168, 0x00081204, 1, 400}, sizeof cubin.common);
  memcpy(cubin.annotations, (uint32_t[]){0x00205504, 1, 0, 1, 16, 1, 48, 2, 32}, sizeof cubin.annotations);
  memcpy(cubin.code, code, sizeof code);
  memcpy(cubin.own, (uint32_t[]){0x00044c02, 0x000c3d04, 4, 2, 1}, sizeof cubin.own); /* 4 barriers, 8 blocks a cluster */
  return 0;
}

static int resources(struct gp_kernel_resources *r, const char *kernel, size_t bytes) {
  struct gp_cubin open;
  return gp_cubin_open(&open, &cubin, bytes) || gp_cubin_resources(&open, kernel, r);
}

static void resources_are_those_that_ptxas_tells(void **state) {
  (void)state;
  struct gp_kernel_resources r;
  assert_int_equal(resources(&r, "scale", sizeof cubin), 0);
  assert_int_equal(r.source, GP_RESOURCES_CUBIN);
  assert_int_equal(r.architecture, 90);
  assert_int_equal(r.registers, 168);
  assert_int_equal(r.local, 400);
  assert_int_equal(r.static_shared, 1000);
  assert_int_equal(r.barriers, 4);
  assert_int_equal(r.cluster, 8);
}

static void spills_are_the_annotated_instructions(void **state) {
  (void)state;
  struct gp_kernel_resources r;
  assert_int_equal(resources(&r, "scale", sizeof cubin), 0);
  assert_true(r.has_spills);
  assert_int_equal(r.spill_stores, 8);
  assert_int_equal(r.spill_loads, 8 + 4);
}

/* An annotation of something else, or outside of the code; files of before tell nothing. */
static void spills_may_be_unknown(void **state) {
  (void)state;
  struct gp_kernel_resources r;
  cubin.annotations[6] = 32;
  assert_int_equal(resources(&r, "scale", sizeof cubin), 0);
  assert_false(r.has_spills);
  cubin.annotations[6] = sizeof code - 8;
  assert_int_equal(resources(&r, "scale", sizeof cubin), 0);
  assert_false(r.has_spills);
  make(NULL);
  cubin.header.e_ident[EI_ABIVERSION] = 7;
  cubin.header.e_flags = 70;
  assert_int_equal(resources(&r, "scale", sizeof cubin), 0);
  assert_true(!r.has_spills && !r.spill_stores && !r.spill_loads);
  cubin.common[5] = 0; /* no local memory: nothing is spilled */
  assert_int_equal(resources(&r, "scale", sizeof cubin), 0);
  assert_true(r.has_spills && !r.spill_stores);
}

static void older_chips_reserve_nothing_in_the_section(void **state) {
  (void)state;
  struct gp_kernel_resources r;
  cubin.header.e_ident[EI_ABIVERSION] = 7;
  cubin.header.e_flags = 70;
  memset(cubin.names + cubin.sections[RESERVED].sh_name, 'x', 5);
  cubin.sections[COMMON].sh_size = 0;
  cubin.sections[CODE].sh_info = 40u << 24;
  assert_int_equal(resources(&r, "scale", sizeof cubin), 0);
  assert_int_equal(r.architecture, 70);
  assert_int_equal(r.registers, 40);
  assert_int_equal(r.static_shared, 2024);
}

static void other_kernels_are_not_found(void **state) {
  (void)state;
  struct gp_kernel_resources r;
  assert_int_not_equal(resources(&r, "scal", sizeof cubin), 0);
  assert_int_not_equal(resources(&r, "scale2", sizeof cubin), 0);
}

/* Any byte may be wrong: nothing outside of the file is read (AddressSanitizer), and nothing hangs. */
static void damaged_files_are_harmless(void **state) {
  (void)state;
  struct gp_kernel_resources r;
  struct gp_cubin open;
  for (size_t at = 0; at < sizeof cubin; at++)
    for (unsigned value = 1; value < 256; value *= 2) {
      struct cubin *copy = malloc(sizeof cubin);
      memcpy(copy, &cubin, sizeof cubin);
      ((unsigned char *)copy)[at] ^= (unsigned char)value;
      if (!gp_cubin_open(&open, copy, sizeof cubin))
        gp_cubin_resources(&open, "scale", &r);
      free(copy);
    }
  for (size_t bytes = 0; bytes < sizeof cubin; bytes++) {
    void *copy = malloc(bytes + 1);
    memcpy(copy, &cubin, bytes);
    if (!gp_cubin_open(&open, copy, bytes))
      gp_cubin_resources(&open, "scale", &r);
    free(copy);
  }
}

/* ---- Fat binaries ---- */

static unsigned char fatbin[1024];

static void put_entry(size_t *at, uint16_t kind, uint32_t architecture, uint64_t flags, uint64_t payload) {
  struct {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t words[4], architecture, name[2], padding;
    uint64_t flags, zeroes[2];
  } e = {.kind = kind, .version = 0x101, .header_bytes = 64, .payload_bytes = payload};
  unsigned char *to = fatbin + *at;
  memcpy(to, &e, 64);
  memcpy(to + 28, &architecture, 4);
  memcpy(to + 40, &flags, 8);
  *at += 64 + payload;
}

static size_t make_fatbin(void) {
  size_t at = 16;
  memset(fatbin, 0, sizeof fatbin);
  put_entry(&at, 2, 90, 0x11, 32);
  put_entry(&at, 2, 90, 0x100011, 16);
  put_entry(&at, 1, 80, 0x8011, 8);
  memcpy(fatbin, &(struct {
           uint32_t magic;
           uint16_t version, header;
           uint64_t payload;
         }){0xba55ed50u, 1, 16, at - 16},
         16);
  return at;
}

static void fat_binaries_are_walked(void **state) {
  (void)state;
  struct gp_fatbin_entry e;
  size_t at = 0;
  make_fatbin();
  assert_true(gp_fatbin_next(fatbin, &at, &e));
  assert_int_equal(e.kind, GP_FATBIN_CUBIN);
  assert_int_equal(e.architecture, 90);
  assert_int_equal(e.bytes, 32);
  assert_ptr_equal(e.data, fatbin + 16 + 64);
  assert_false(e.is_specific || e.is_compressed);
  assert_true(gp_fatbin_next(fatbin, &at, &e));
  assert_true(e.is_specific);
  assert_true(gp_fatbin_next(fatbin, &at, &e));
  assert_int_equal(e.kind, GP_FATBIN_PTX);
  assert_true(e.is_compressed);
  assert_false(gp_fatbin_next(fatbin, &at, &e));
}

static void entries_that_leave_the_container_end_it(void **state) {
  (void)state;
  struct gp_fatbin_entry e;
  size_t at = 0;
  make_fatbin();
  memset(fatbin + 16 + 8, 0xff, 8); /* the size of the first one */
  assert_false(gp_fatbin_next(fatbin, &at, &e));
  memset(fatbin, 0, 16);
  assert_false(gp_fatbin_next(fatbin, &at, &e));
  assert_null(gp_fatbin_of(fatbin));
}

static void machine_code_runs_on_later_chips_of_its_major(void **state) {
  (void)state;
  assert_true(gp_architecture_runs_on(80, 89));
  assert_false(gp_architecture_runs_on(89, 80));
  assert_false(gp_architecture_runs_on(80, 90));
  assert_false(gp_architecture_runs_on(90, 100));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(resources_are_those_that_ptxas_tells, make),
      cmocka_unit_test_setup(spills_are_the_annotated_instructions, make),
      cmocka_unit_test_setup(spills_may_be_unknown, make),
      cmocka_unit_test_setup(older_chips_reserve_nothing_in_the_section, make),
      cmocka_unit_test_setup(other_kernels_are_not_found, make),
      cmocka_unit_test_setup(damaged_files_are_harmless, make),
      cmocka_unit_test(fat_binaries_are_walked),
      cmocka_unit_test(entries_that_leave_the_container_end_it),
      cmocka_unit_test(machine_code_runs_on_later_chips_of_its_major),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
