// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/cubin.h"

#include "machine/occupancy.h"

#include <string.h>

#define RESERVED_SHARED 1024u

/* ---- Sections ---- */

static int lies_within(const struct gp_cubin *cubin, uint64_t begin, uint64_t bytes) {
  return begin <= cubin->bytes && bytes <= cubin->bytes - begin;
}

static Elf64_Shdr header_at(const struct gp_cubin *cubin, unsigned index) {
  Elf64_Shdr header;
  memcpy(&header, cubin->data + cubin->header.e_shoff + index * sizeof header, sizeof header);
  return header;
}

int gp_cubin_open(struct gp_cubin *cubin, const void *data, size_t bytes) {
  *cubin = (struct gp_cubin){.data = data, .bytes = bytes};
  if (!data || bytes < sizeof cubin->header)
    return -1;
  memcpy(&cubin->header, data, sizeof cubin->header);
  const Elf64_Ehdr *h = &cubin->header;
  const int is_elf = !memcmp(h->e_ident, ELFMAG, SELFMAG) && h->e_ident[EI_CLASS] == ELFCLASS64;
  if (!is_elf || h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shstrndx >= h->e_shnum ||
      !lies_within(cubin, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
    return -1;
  cubin->names = header_at(cubin, h->e_shstrndx);
  return 0;
}

/* Since version 8 of its ABI the file has the chip one byte higher. */
unsigned gp_cubin_architecture(const struct gp_cubin *cubin) {
  const Elf64_Ehdr *h = &cubin->header;
  return h->e_ident[EI_ABIVERSION] >= 8 ? h->e_flags >> 8 & 255 : h->e_flags & 255;
}

static const char *name_of(const struct gp_cubin *cubin, const Elf64_Shdr *section) {
  const Elf64_Shdr *names = &cubin->names;
  if (!lies_within(cubin, names->sh_offset, names->sh_size) || section->sh_name >= names->sh_size)
    return NULL;
  const char *name = (const char *)cubin->data + names->sh_offset + section->sh_name;
  return memchr(name, 0, names->sh_size - section->sh_name) ? name : NULL;
}

struct gp_cubin_section gp_cubin_section(const struct gp_cubin *cubin, unsigned index) {
  struct gp_cubin_section section = {.header = header_at(cubin, index)};
  const Elf64_Shdr *h = &section.header;
  section.name = name_of(cubin, h);
  if (h->sh_type != SHT_NOBITS && lies_within(cubin, h->sh_offset, h->sh_size))
    section.data = cubin->data + h->sh_offset;
  return section;
}

/* ---- Attributes: sections .nv.info ---- */

/* A form, an attribute, and two bytes: a value, or the size of the data that follows. */
enum form { FORM_NONE = 1, FORM_BYTE = 2, FORM_HALF = 3, FORM_DATA = 4 };
enum attribute {
  FRAME_BYTES = 0x11, STACK_BYTES = 0x12, REGISTERS = 0x2f, CLUSTER_BLOCKS = 0x3d, BARRIERS = 0x4c, ANNOTATIONS = 0x55
};

struct attribute_of {
  unsigned form, attribute, value;
  const unsigned char *data;
  size_t bytes;
};

static uint32_t word_at(const unsigned char *data) {
  uint32_t word;
  memcpy(&word, data, sizeof word);
  return word;
}

/* Takes the attribute at *at and moves behind it; 0 at the end. */
static int next_attribute(const struct gp_cubin_section *section, size_t *at, struct attribute_of *a) {
  const size_t left = section->header.sh_size - *at;
  const unsigned char *data = section->data + *at;
  if (left < 4)
    return 0;
  *a = (struct attribute_of){.form = data[0], .attribute = data[1], .value = data[2] | (unsigned)data[3] << 8, .data = data + 4};
  a->bytes = a->form == FORM_DATA ? a->value : 0;
  *at += 4 + a->bytes;
  return a->bytes <= left - 4;
}

/* ---- One kernel ---- */

struct search {
  const struct gp_cubin *cubin;
  const char *kernel;
  struct gp_kernel_resources *resources;
  uint32_t symbol; /* its number */
  struct gp_cubin_section code;
  int found, has_stack, reserves_shared, strange_spills;
};

static int is_section(const char *name, const char *prefix, const char *kernel) {
  const size_t length = strlen(prefix);
  return !strncmp(name, prefix, length) && !strcmp(name + length, kernel);
}

/* The number of the function's symbol, by the symbol table and its strings. */
static void find_symbol(struct search *s, const struct gp_cubin_section *table) {
  const Elf64_Shdr *h = &table->header;
  if (!table->data || h->sh_link >= s->cubin->header.e_shnum)
    return;
  const struct gp_cubin_section strings = gp_cubin_section(s->cubin, h->sh_link);
  const size_t length = strlen(s->kernel) + 1;
  for (uint32_t i = 0; strings.data && i < h->sh_size / sizeof(Elf64_Sym); i++) {
    Elf64_Sym symbol;
    memcpy(&symbol, table->data + i * sizeof symbol, sizeof symbol);
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_name < strings.header.sh_size &&
        strings.header.sh_size - symbol.st_name >= length && !memcmp(strings.data + symbol.st_name, s->kernel, length))
      s->symbol = i;
  }
}

/* Of all functions of the file: pairs of a symbol and a value. */
static void take_common(struct search *s, const struct attribute_of *a) {
  if (a->form != FORM_DATA || a->bytes < 8 || word_at(a->data) != s->symbol)
    return;
  const uint32_t value = word_at(a->data + 4);
  if (a->attribute == REGISTERS)
    s->resources->registers = value;
  else if (a->attribute == STACK_BYTES)
    s->resources->local = value;
  else if (a->attribute == FRAME_BYTES && !s->has_stack)
    s->resources->local = value;
  s->has_stack |= a->attribute == STACK_BYTES;
}

/* ---- Spills: since CUDA 13 the annotations list the instructions that store or load spilled registers ---- */

#define ANNOTATED_SPILL 1
#define INSTRUCTION_BYTES 16u
#define STL 0x387u /* store and load of local memory, from sm_70 on */
#define LDL 0x983u

/* Bits 73 to 75 of an access: 8 bits with and without a sign, 16 bits likewise, 32, 64, 128. */
static uint64_t width_of(const unsigned char *instruction) {
  static const unsigned char bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};
  return bytes[instruction[9] >> 1 & 7];
}

static void add_spill(struct search *s, uint32_t offset) {
  const uint64_t size = s->code.data ? s->code.header.sh_size : 0;
  if (offset > size || size - offset < INSTRUCTION_BYTES) {
    s->strange_spills = 1;
    return;
  }
  const unsigned char *instruction = s->code.data + offset;
  const unsigned opcode = word_at(instruction) & 0xfff;
  if (opcode == STL)
    s->resources->spill_stores += width_of(instruction);
  else if (opcode == LDL)
    s->resources->spill_loads += width_of(instruction);
  else
    s->strange_spills = 1;
}

static void take_annotations(struct search *s, const struct attribute_of *a) {
  for (size_t at = 0; at + 8 <= a->bytes; at += 8)
    if (word_at(a->data + at) == ANNOTATED_SPILL)
      add_spill(s, word_at(a->data + at + 4));
}

static void conclude_spills(const struct search *s) {
  struct gp_kernel_resources *r = s->resources;
  const int is_told = s->cubin->header.e_ident[EI_ABIVERSION] >= 8 && !s->strange_spills;
  r->has_spills = is_told || !r->local;
  if (!is_told)
    r->spill_stores = r->spill_loads = 0;
}

static void take_own(struct search *s, const struct attribute_of *a) {
  if (a->attribute == BARRIERS && a->form == FORM_BYTE)
    s->resources->barriers = a->value & 255;
  else if (a->attribute == CLUSTER_BLOCKS && a->bytes >= 12)
    s->resources->cluster = word_at(a->data) * word_at(a->data + 4) * word_at(a->data + 8);
  else if (a->attribute == ANNOTATIONS)
    take_annotations(s, a);
}

static void take_attributes(struct search *s, const struct gp_cubin_section *section,
                            void (*take)(struct search *s, const struct attribute_of *a)) {
  struct attribute_of a;
  for (size_t at = 0; section->data && next_attribute(section, &at, &a);)
    take(s, &a);
}

/* Before version 8 of the ABI the section of the code has the registers in its last byte. */
static void take_section(struct search *s, const struct gp_cubin_section *section) {
  if (is_section(section->name, ".text.", s->kernel)) {
    s->found = 1;
    if (!s->resources->registers && s->cubin->header.e_ident[EI_ABIVERSION] < 8)
      s->resources->registers = section->header.sh_info >> 24;
  } else if (is_section(section->name, ".nv.shared.", s->kernel))
    s->resources->static_shared = section->header.sh_size;
  else if (is_section(section->name, ".nv.info.", s->kernel))
    take_attributes(s, section, take_own);
  else if (!strcmp(section->name, ".nv.info") && s->symbol)
    take_attributes(s, section, take_common);
  else if (!strcmp(section->name, ".nv.shared.reserved.0"))
    s->reserves_shared = 1;
}

int gp_cubin_resources(const struct gp_cubin *cubin, const char *kernel, struct gp_kernel_resources *resources) {
  struct search s = {.cubin = cubin, .kernel = kernel, .resources = resources};
  *resources = (struct gp_kernel_resources){
      .source = GP_RESOURCES_CUBIN, .architecture = gp_cubin_architecture(cubin), .carveout = GP_CARVEOUT_UNSET};
  for (unsigned i = 0; i < cubin->header.e_shnum; i++) {
    const struct gp_cubin_section section = gp_cubin_section(cubin, i);
    if (section.header.sh_type == SHT_SYMTAB)
      find_symbol(&s, &section);
    else if (section.name && is_section(section.name, ".text.", kernel))
      s.code = section;
  }
  for (unsigned i = 0; i < cubin->header.e_shnum; i++) {
    const struct gp_cubin_section section = gp_cubin_section(cubin, i);
    if (section.name)
      take_section(&s, &section);
  }
  /* From sm_90 on the kernel's section contains the part that is reserved in each block. */
  if (s.reserves_shared && resources->static_shared >= RESERVED_SHARED)
    resources->static_shared -= RESERVED_SHARED;
  conclude_spills(&s);
  return s.found && resources->registers ? 0 : -1;
}
