// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/stack_names.h"

#include "common/process.h"
#include "common/text.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FRAMES_SHOWN 4
#define ADDRESSES_MOST 4000             /* of one module */
#define LARGEST_MODULE ((off_t)256 << 20) /* reading the symbols of larger ones takes too long */

struct frame {
  const char *module; /* path, "" for none */
  size_t module_number;
  uint64_t offset;
  const char *symbol; /* of the document */
  char *function;     /* the function of the code, found in the module; null: not */
  struct text inlined; /* "get (a.cu:4), leak (a.cu:5), main (a.cu:9)": with the functions inlined there; empty: not found */
};

struct stack {
  size_t first, count; /* frames */
};

struct stack_names {
  struct frame *frames;
  size_t frame_count;
  struct stack *stacks;
  size_t stack_count;
};

/* ---- The document's stacks ---- */

static const struct json *memory_part(const struct document *document, const char *key) {
  struct text path = {0};
  text_format(&path, "memory.%s", key);
  const struct json *part = json_find(&document->tree, &document->tree.root, text_get(&path));
  text_free(&path);
  return part;
}

static const char *text_or_empty(const struct json *value) { return value && value->kind == JSON_STRING ? value->string : ""; }

static void read_frame(struct frame *frame, const struct document *document, const struct json *item, const struct json *modules) {
  const struct count module = count_of(json_item(item, 0));
  const struct json *named = json_count(item) == 3 && module.known && module.value < json_count(modules) ? json_item(modules, module.value) : NULL;
  frame->module_number = named ? module.value : SIZE_MAX;
  frame->module = named ? text_or_empty(json_find(&document->tree, named, "path")) : "";
  if (json_count(item) < 3)
    return;
  frame->offset = count_of(json_item(item, 1)).value;
  frame->symbol = text_or_empty(json_item(item, 2));
}

static void read_stacks(struct stack_names *names, const struct document *document) {
  const struct json *stacks = memory_part(document, "stacks"), *modules = memory_part(document, "modules");
  JSON_EACH(stack, stacks)
    names->frame_count += json_count(stack);
  names->stacks = allocate((json_count(stacks) + 1) * sizeof *names->stacks);
  names->frames = allocate((names->frame_count + 1) * sizeof *names->frames);
  size_t at = 0;
  JSON_EACH(stack, stacks) {
    names->stacks[names->stack_count++] = (struct stack){at, json_count(stack)};
    JSON_EACH(item, stack) {
      names->frames[at] = (struct frame){.module = "", .symbol = ""};
      read_frame(&names->frames[at++], document, item, modules);
    }
  }
}

/* ---- Modules at hand ---- */

static bool note_is(const unsigned char *note, size_t bytes, const char *wanted) {
  char text[64] = "";
  const Elf64_Nhdr *head = (const void *)note;
  const size_t name = (head->n_namesz + 3u) & ~3u;
  if (head->n_type != NT_GNU_BUILD_ID || head->n_descsz > 20 || sizeof *head + name + head->n_descsz > bytes)
    return false;
  for (size_t i = 0; i < head->n_descsz; ++i)
    sprintf(text + 2 * i, "%02x", note[sizeof *head + name + i]);
  return !strcmp(text, wanted);
}

/* Notes of a segment, one behind the other. */
static bool notes_have(const unsigned char *notes, size_t bytes, const char *wanted) {
  while (bytes > sizeof(Elf64_Nhdr)) {
    const Elf64_Nhdr *head = (const void *)notes;
    const size_t size = sizeof *head + ((head->n_namesz + (size_t)3) & ~(size_t)3) + ((head->n_descsz + (size_t)3) & ~(size_t)3);
    if (note_is(notes, bytes, wanted))
      return true;
    if (size > bytes)
      return false;
    notes += size;
    bytes -= size;
  }
  return false;
}

static bool segment_has(FILE *file, const Elf64_Phdr *segment, const char *wanted) {
  _Alignas(8) unsigned char notes[4096];
  if (segment->p_type != PT_NOTE || segment->p_filesz > sizeof notes || fseek(file, (long)segment->p_offset, SEEK_SET))
    return false;
  return fread(notes, 1, segment->p_filesz, file) == segment->p_filesz && notes_have(notes, segment->p_filesz, wanted);
}

static bool file_has(FILE *file, const char *wanted) {
  Elf64_Ehdr head;
  if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (fseek(file, (long)(head.e_phoff + i * sizeof segment), SEEK_SET) || fread(&segment, sizeof segment, 1, file) != 1)
      return false;
    if (segment_has(file, &segment, wanted))
      return true;
  }
  return false;
}

/* The very file that the program used. Without a build id this cannot be known, and is taken for granted. */
static bool is_at_hand(const char *path, const char *build_id) {
  struct stat facts;
  if (*path != '/' || stat(path, &facts) || !S_ISREG(facts.st_mode) || facts.st_size > LARGEST_MODULE)
    return false;
  FILE *file = *build_id ? fopen(path, "re") : NULL;
  const bool good = !*build_id || (file && file_has(file, build_id));
  if (file)
    fclose(file);
  return good;
}

/* ---- Names of addresses ---- */

/* The system's libraries have no lines, and functions by the document. */
static bool is_of_system(const char *path) {
  return !strncmp(path, "/lib/", 5) || !strncmp(path, "/lib64/", 7) || !strncmp(path, "/usr/lib/", 9);
}

/* Takes the line at *at; null after the last. */
static char *next_line(char **at) {
  char *line = *at, *end = line ? strchr(line, '\n') : NULL;
  if (!end)
    return NULL;
  *end = 0;
  *at = end + 1;
  return line;
}

/* "fill(float*)" is fill. */
static void add_function(struct text *out, const char *function) {
  const char *end = strchr(function, '(');
  struct text name = {0};
  text_bytes(&name, function, end && end != function ? (size_t)(end - function) : strlen(function));
  text_plain(out, text_get(&name));
  text_free(&name);
}

/* "cudaError cudaMalloc<float>(float**, unsigned long)": CUDA's headers have such functions. */
static bool is_of_cuda(const char *function) {
  const size_t length = strcspn(function, "(<");
  const char *name = function + length;
  while (name > function && name[-1] != ' ')
    --name;
  return !strncmp(name, "cuda", 4) && length > 4;
}

/* The innermost function of an address comes first; the last one is the function that was called. */
static void name_frame(struct frame *frame, const char *function, char *place) {
  char *discriminator = strstr(place, " (discriminator");
  const char *name = strrchr(place, '/');
  if (discriminator)
    *discriminator = 0;
  if (!strcmp(function, "??") || is_of_cuda(function))
    return;
  free(frame->function);
  frame->function = copy_string(function);
  text_add(&frame->inlined, frame->inlined.length ? ", " : "");
  add_function(&frame->inlined, function);
  if (strncmp(place, "??", 2) && !strstr(place, ":0") && !strstr(place, ":?")) {
    text_add(&frame->inlined, " (");
    text_plain(&frame->inlined, name ? name + 1 : place);
    text_add(&frame->inlined, ")");
  }
}

/* Lines of each address: the address itself, and a function and a place for each function inlined there. */
static void read_names(struct frame **wanted, size_t count, char *text) {
  size_t at = 0;
  char *line = next_line(&text), *place;
  while (line && at < count) {
    const bool is_address = !strncmp(line, "0x", 2);
    if (is_address || !*line) {
      at += is_address;
      line = next_line(&text);
      continue;
    }
    if (!(place = next_line(&text)))
      return;
    if (at)
      name_frame(wanted[at - 1], line, place);
    line = next_line(&text);
  }
  for (; line && at && (place = next_line(&text)); line = next_line(&text))
    name_frame(wanted[at - 1], line, place);
}

static void ask(struct frame **wanted, size_t count, const char *path) {
  static const char *const programs[] = {"addr2line", "llvm-symbolizer-22", "llvm-symbolizer", "llvm-symbolizer-19"};
  char **command = allocate((count + 9) * sizeof *command);
  struct text out = {0};
  size_t at = 0;
  command[at++] = NULL;
  command[at++] = copy_string("-a");
  command[at++] = copy_string("-i");
  command[at++] = copy_string("-f");
  command[at++] = copy_string("-C");
  command[at++] = copy_string("-e");
  command[at++] = copy_string(path);
  for (size_t i = 0; i < count; ++i)
    command[at++] = format_string("0x%llx", (unsigned long long)wanted[i]->offset);
  command[at] = NULL;
  bool found = false;
  for (size_t i = 0; i < sizeof programs / sizeof *programs && !found; ++i) {
    command[0] = (char *)programs[i];
    text_free(&out);
    found = process_read(command, &out);
  }
  if (found)
    read_names(wanted, count, out.data);
  for (size_t i = 1; i < at; ++i)
    free(command[i]);
  free(command);
  text_free(&out);
}

static void name_module(struct stack_names *names, const struct document *document, size_t number, const struct json *module) {
  const char *path = text_or_empty(json_find(&document->tree, module, "path"));
  struct frame **wanted = allocate((names->frame_count + 1) * sizeof *wanted);
  size_t count = 0;
  for (size_t i = 0; i < names->frame_count && count < ADDRESSES_MOST; ++i)
    if (names->frames[i].module_number == number)
      wanted[count++] = &names->frames[i];
  if (count && !is_of_system(path) && is_at_hand(path, text_or_empty(json_find(&document->tree, module, "build_id"))))
    ask(wanted, count, path);
  free(wanted);
}

struct stack_names *stack_names_of(const struct document *document) {
  struct stack_names *names = allocate(sizeof *names);
  size_t number = 0;
  *names = (struct stack_names){0};
  read_stacks(names, document);
  JSON_EACH(module, memory_part(document, "modules"))
    name_module(names, document, number++, module);
  return names;
}

void stack_names_free(struct stack_names *names) {
  for (size_t i = 0; names && i < names->frame_count; ++i) {
    free(names->frames[i].function);
    text_free(&names->frames[i].inlined);
  }
  if (names) {
    free(names->frames);
    free(names->stacks);
  }
  free(names);
}

/* ---- One stack ---- */

static const char *function_of(const struct frame *frame) { return frame->function ? frame->function : frame->symbol; }

static bool is_main(const struct frame *frame) { return !strcmp(function_of(frame), "main"); }

/* What calls main, and what the compiler adds. */
static bool is_of_start(const struct frame *frame) {
  const char *function = function_of(frame);
  return !strncmp(function, "__libc_start", 12) || !strcmp(function, "_start") || (is_of_system(frame->module) && !*function);
}

static void add_frame(struct text *out, const struct frame *frame) {
  const char *file = strrchr(frame->module, '/');
  if (frame->inlined.length)
    text_add(out, text_get(&frame->inlined));
  else if (*function_of(frame))
    add_function(out, function_of(frame));
  else {
    text_plain(out, file ? file + 1 : *frame->module ? frame->module : "?");
    text_format(out, "+0x%llx", (unsigned long long)frame->offset);
  }
}

void stack_names_add(struct text *out, const struct stack_names *names, const struct json *number) {
  const struct count stack = count_of(number);
  if (!stack.known || stack.value >= names->stack_count)
    return;
  const struct stack *of = &names->stacks[stack.value];
  size_t shown = 0;
  for (size_t i = 0; i < of->count && shown < FRAMES_SHOWN; ++i) {
    const struct frame *frame = &names->frames[of->first + i];
    if (is_of_start(frame))
      continue;
    text_add(out, shown++ ? ", " : "");
    add_frame(out, frame);
    if (is_main(frame))
      break;
  }
}
