// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Reads the line tables (DWARF 4 and 5, section .debug_line) of the program or library at an address. Every
 * read is checked against the end of its section: a malformed table yields no line.
 */
#include "engine/lines.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes read from the front; `bad` after a read beyond the end. */
struct bytes {
  const uint8_t *at, *end;
  bool bad;
};

static bool take(struct bytes *b, void *to, size_t size) {
  if (b->bad || (size_t)(b->end - b->at) < size) {
    b->bad = true;
    memset(to, 0, size);
    return false;
  }
  memcpy(to, b->at, size);
  b->at += size;
  return true;
}

static uint64_t take_number(struct bytes *b, size_t size) {
  uint64_t value = 0; /* the machine is little-endian */
  take(b, &value, size);
  return value;
}

static uint64_t take_leb(struct bytes *b, bool is_signed) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = (uint8_t)take_number(b, 1);
    value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
    shift += 7;
  } while (byte & 0x80);
  if (is_signed && shift < 64 && byte & 0x40)
    value |= -((uint64_t)1 << shift);
  return value;
}

static void skip(struct bytes *b, uint64_t size) {
  if (b->bad || (uint64_t)(b->end - b->at) < size)
    b->bad = true;
  else
    b->at += size;
}

static const char *take_text(struct bytes *b) {
  const char *text = (const char *)b->at;
  size_t length = b->bad ? 0 : strnlen(text, (size_t)(b->end - b->at));
  skip(b, length + 1);
  return b->bad ? "" : text;
}

/* The sections of one file. */
struct tables {
  struct bytes line, line_text, text;
};

static const char *text_at(struct bytes section, uint64_t offset) {
  skip(&section, offset);
  return take_text(&section);
}

enum { FORM_DATA2 = 0x05, FORM_STRING = 0x08, FORM_BLOCK = 0x09, FORM_DATA1 = 0x0b, FORM_STRP = 0x0e };
enum { FORM_UDATA = 0x0f, FORM_DATA16 = 0x1e, FORM_LINE_STRP = 0x1f };
enum { CONTENT_PATH = 1, MOST_FORMATS = 16 };

static const char *take_form(struct bytes *b, const struct tables *tables, uint64_t form,
                             size_t offset_bytes) {
  switch (form) {
  case FORM_STRING:
    return take_text(b);
  case FORM_LINE_STRP:
    return text_at(tables->line_text, take_number(b, offset_bytes));
  case FORM_STRP:
    return text_at(tables->text, take_number(b, offset_bytes));
  case FORM_UDATA:
    take_leb(b, false);
    return "";
  case FORM_BLOCK:
    skip(b, take_leb(b, false));
    return "";
  case FORM_DATA1:
  case FORM_DATA2:
  case FORM_DATA16:
    skip(b, form == FORM_DATA1 ? 1 : form == FORM_DATA2 ? 2 : 16);
    return "";
  default:
    b->bad = true;
    return "";
  }
}

/* Reads a list of directories or files of DWARF 5; returns the name of the entry with this number, or "". */
static const char *take_entries(struct bytes *b, const struct tables *tables, size_t offset_bytes,
                                uint64_t wanted) {
  uint64_t contents[MOST_FORMATS], forms[MOST_FORMATS], formats = take_number(b, 1);
  const char *name = "";
  if (formats > MOST_FORMATS)
    b->bad = true;
  for (uint64_t i = 0; i < formats && !b->bad; i++) {
    contents[i] = take_leb(b, false);
    forms[i] = take_leb(b, false);
  }
  uint64_t count = take_leb(b, false);
  for (uint64_t entry = 0; entry < count && !b->bad; entry++)
    for (uint64_t i = 0; i < formats && !b->bad; i++) {
      const char *text = take_form(b, tables, forms[i], offset_bytes);
      if (contents[i] == CONTENT_PATH && entry == wanted)
        name = text;
    }
  return name;
}

/* The same lists of DWARF 4; files are numbered from 1. */
static const char *take_old_entries(struct bytes *b, uint64_t wanted) {
  const char *name = "", *text;
  while (*take_text(b))
    ;
  for (uint64_t entry = 1; *(text = take_text(b)); entry++) {
    for (int i = 0; i < 3; i++)
      take_leb(b, false);
    if (entry == wanted)
      name = text;
  }
  return name;
}

/* One unit's table. */
struct unit {
  uint64_t version, opcode_base, line_range, instruction_bytes;
  int8_t line_base;
  size_t offset_bytes;
  const uint8_t *lengths;      /* of the operands of standard opcodes */
  struct bytes files, program; /* lists of directories and files; rows */
};

static bool take_unit(struct bytes *all, struct unit *unit) {
  uint64_t length = take_number(all, 4);
  unit->offset_bytes = length == 0xffffffff ? 8 : 4;
  if (length == 0xffffffff)
    length = take_number(all, 8);
  struct bytes b = *all;
  skip(all, length);
  if (all->bad)
    return false;
  b.end = all->at;
  unit->version = take_number(&b, 2);
  if (unit->version >= 5)
    skip(&b, 2);
  uint64_t header = take_number(&b, unit->offset_bytes);
  unit->program = b;
  skip(&unit->program, header);
  unit->instruction_bytes = take_number(&b, 1);
  skip(&b, 2); /* operations of an instruction, default of is_stmt */
  unit->line_base = (int8_t)take_number(&b, 1);
  unit->line_range = take_number(&b, 1);
  unit->opcode_base = take_number(&b, 1);
  unit->lengths = b.at;
  skip(&b, unit->opcode_base - 1);
  unit->files = b;
  return !b.bad && !unit->program.bad && unit->version >= 4 && unit->version <= 5 && unit->line_range &&
         unit->opcode_base >= 10;
}

static const char *file_name(const struct unit *unit, const struct tables *tables, uint64_t file) {
  struct bytes b = unit->files;
  if (unit->version < 5)
    return take_old_entries(&b, file);
  take_entries(&b, tables, unit->offset_bytes, UINT64_MAX);
  return take_entries(&b, tables, unit->offset_bytes, file);
}

struct row {
  uint64_t address, file, line;
  bool open; /* another row of its sequence follows */
};

enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
enum { END_SEQUENCE = 1, SET_ADDRESS };
static const struct row first_row = {.file = 1, .line = 1};

/* Executes one step of the line program; true if it made a row. */
static bool step(struct bytes *b, const struct unit *unit, struct row *row, bool *ends) {
  uint64_t opcode = take_number(b, 1), length;
  *ends = false;
  if (opcode >= unit->opcode_base) {
    opcode -= unit->opcode_base;
    row->address += opcode / unit->line_range * unit->instruction_bytes;
    row->line += (uint64_t)(unit->line_base + (int64_t)(opcode % unit->line_range));
    return true;
  }
  switch (opcode) {
  case 0:
    length = take_leb(b, false);
    opcode = length ? take_number(b, 1) : 0;
    if (opcode == SET_ADDRESS && length == 9)
      row->address = take_number(b, 8);
    else
      skip(b, length ? length - 1 : 0);
    *ends = opcode == END_SEQUENCE;
    return *ends;
  case COPY:
    return true;
  case ADVANCE_PC:
    row->address += take_leb(b, false) * unit->instruction_bytes;
    return false;
  case ADVANCE_LINE:
    row->line += take_leb(b, true);
    return false;
  case SET_FILE:
    row->file = take_leb(b, false);
    return false;
  case CONST_ADD_PC:
    row->address += (255 - unit->opcode_base) / unit->line_range * unit->instruction_bytes;
    return false;
  case FIXED_ADVANCE_PC:
    row->address += take_number(b, 2);
    return false;
  default:
    for (uint8_t i = 0; i < unit->lengths[opcode - 1]; i++)
      take_leb(b, false);
    return false;
  }
}

/* Finds the row covering the address. */
static bool find_row(const struct unit *unit, uint64_t address, struct row *found) {
  struct bytes b = unit->program;
  struct row row = first_row, before = first_row;
  while (b.at < b.end && !b.bad) {
    bool ends;
    if (!step(&b, unit, &row, &ends))
      continue;
    if (before.open && before.address <= address && address < row.address) {
      *found = before;
      return found->line != 0; /* 0: not a line of the source */
    }
    before = row;
    before.open = !ends;
    if (ends)
      row = first_row;
  }
  return false;
}

static bool find_line(struct tables tables, uint64_t address, char *text, size_t size) {
  struct unit unit;
  struct row row;
  while (tables.line.at < tables.line.end && !tables.line.bad) {
    if (!take_unit(&tables.line, &unit) || !find_row(&unit, address, &row))
      continue;
    const char *name = file_name(&unit, &tables, row.file), *slash = strrchr(name, '/');
    snprintf(text, size, "%s:%llu", slash ? slash + 1 : name, (unsigned long long)row.line);
    return *name;
  }
  return false;
}

static struct bytes section_of(const uint8_t *file, size_t size, const char *name) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  const struct bytes none = {NULL, NULL, true};
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) || !header->e_shoff ||
      header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shstrndx >= header->e_shnum ||
      header->e_shoff > size || (size - header->e_shoff) / sizeof(Elf64_Shdr) < header->e_shnum)
    return none;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
  const Elf64_Shdr *names = &sections[header->e_shstrndx];
  for (unsigned i = 0; i < header->e_shnum; i++) {
    const Elf64_Shdr *s = &sections[i];
    uint64_t at = names->sh_offset + s->sh_name;
    if (at >= size || s->sh_offset > size || s->sh_size > size - s->sh_offset ||
        strncmp((const char *)file + at, name, size - at) != 0)
      continue;
    return s->sh_flags & SHF_COMPRESSED
               ? none
               : (struct bytes){file + s->sh_offset, file + s->sh_offset + s->sh_size, false};
  }
  return none;
}

/* The file with the code at `pc`, and its displacement at load time. */
struct module {
  uint64_t pc, moved;
  char path[1024]; /* short, because it lies on a signal's stack */
};

static int holds_pc(struct dl_phdr_info *info, size_t size, void *closure) {
  struct module *module = closure;
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || module->pc - info->dlpi_addr - p->p_vaddr >= p->p_memsz)
      continue;
    module->moved = info->dlpi_addr;
    snprintf(module->path, sizeof module->path, "%s", *info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
    return 1;
  }
  return 0;
}

bool gp_source_line(uint64_t pc, char *text, size_t size) {
  struct module module = {.pc = pc};
  struct stat status;
  if (!dl_iterate_phdr(holds_pc, &module))
    return false;
  int file = open(module.path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  void *memory = fstat(file, &status) == 0 && status.st_size > 0
                     ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0)
                     : MAP_FAILED;
  close(file);
  if (memory == MAP_FAILED)
    return false;
  size_t bytes = (size_t)status.st_size;
  const struct tables tables = {section_of(memory, bytes, ".debug_line"),
                                section_of(memory, bytes, ".debug_line_str"),
                                section_of(memory, bytes, ".debug_str")};
  bool found = find_line(tables, pc - module.moved, text, size);
  munmap(memory, bytes);
  return found;
}
