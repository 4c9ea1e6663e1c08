/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An ELF file as made by ptxas, with one function, for tests of the reader of machine code. */
#ifndef MACHINE_IMAGE_H
#define MACHINE_IMAGE_H

#include <elf.h>
#include <stdint.h>
#include <string.h>

#define MACHINE_IMAGE_CODE 64

struct machine_image {
  Elf64_Ehdr header;
  Elf64_Shdr sections[3]; /* none, the code, the names */
  uint64_t code[MACHINE_IMAGE_CODE][2];
  char names[64];
};

/* HFMA2 with register `a` as its first factor; 255 is RZ. */
#define HFMA2_OF(a) (0x7431 | (uint64_t)(a) << 24)
#define OTHER_INSTRUCTION 0x7221ull /* FADD */

/* A branch over so many instructions, from the one behind it. */
static inline void set_branch(uint64_t instruction[2], int64_t instructions) {
  const uint64_t words = (uint64_t)(instructions * 4);
  instruction[0] = 0x7947 | (words & 255) << 16 | (words >> 8 & 0x3FFFFFFF) << 34;
  instruction[1] = words >> 38 & 0x3FFFF;
}

static inline void make_image(struct machine_image *image, const char *function, unsigned chip, size_t instructions) {
  memset(image, 0, sizeof *image);
  image->header = (Elf64_Ehdr){.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 0, 8},
                               .e_flags = chip << 8,
                               .e_shoff = offsetof(struct machine_image, sections),
                               .e_shentsize = sizeof(Elf64_Shdr),
                               .e_shnum = 3,
                               .e_shstrndx = 2};
  image->sections[1] = (Elf64_Shdr){.sh_name = 1,
                                    .sh_type = SHT_PROGBITS,
                                    .sh_offset = offsetof(struct machine_image, code),
                                    .sh_size = 16 * instructions};
  image->sections[2] = (Elf64_Shdr){
      .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct machine_image, names), .sh_size = sizeof image->names};
  strcpy(image->names + 1, ".text.");
  strcat(image->names + 1, function);
  for (size_t i = 0; i < instructions; i++)
    image->code[i][0] = OTHER_INSTRUCTION;
}

#endif
