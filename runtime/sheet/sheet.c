// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sheet/sheet.h"

#include <errno.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAXIMUM 256

struct parser {
  struct gp_sheet *sheet;
  char *problem;
  size_t problem_bytes;
  unsigned line;
  char *fields[FIELDS_MAXIMUM]; /* of the current line; [0] is the kind of record */
  size_t field_count;
};

static int fail(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(struct parser *p, const char *format, ...) {
  int used = snprintf(p->problem, p->problem_bytes, "line %u of the cost sheet: ", p->line);
  va_list arguments;
  va_start(arguments, format);
  if (used >= 0 && (size_t)used < p->problem_bytes)
    vsnprintf(p->problem + used, p->problem_bytes - (size_t)used, format, arguments);
  va_end(arguments);
  return -1;
}

/* Makes room for one more element in an array; it doubles at powers of two. */
static void *grow(void *array, size_t count, size_t size) {
  if (count & (count - 1))
    return array;
  return realloc(array, (count ? 2 * count : 1) * size);
}

#define APPEND(p, array, count)                                                                                        \
  __extension__({                                                                                                      \
    void *grown = grow(array, count, sizeof *(array));                                                                 \
    if (!grown)                                                                                                        \
      return fail(p, "memory is exhausted");                                                                           \
    (array) = grown;                                                                                                   \
    memset(&(array)[count], 0, sizeof *(array));                                                                       \
    &(array)[(count)++];                                                                                               \
  })

static int number(struct parser *p, const char *text, uint64_t limit, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 10);
  if (!isdigit((unsigned char)text[0]) || *end || errno || *value >= limit)
    return fail(p, "'%.40s' is not a number below %llu", text, (unsigned long long)limit);
  return 0;
}

static int index_of(struct parser *p, const char *text, size_t limit, uint32_t *index) {
  uint64_t value = GP_NONE;
  if (strcmp(text, "-") && number(p, text, limit, &value))
    return -1;
  *index = (uint32_t)value;
  return 0;
}

static int line_of(struct parser *p, const char *text, uint32_t *line) {
  uint64_t value;
  if (number(p, text, UINT32_MAX, &value))
    return -1;
  *line = (uint32_t)value;
  return 0;
}

static int parse_file(struct parser *p) {
  struct gp_sheet *sheet = p->sheet;
  uint64_t id;
  if (number(p, p->fields[1], UINT32_MAX, &id))
    return -1;
  if (id != sheet->file_count)
    return fail(p, "file %llu is out of order", (unsigned long long)id);
  *APPEND(p, sheet->files, sheet->file_count) = p->fields[2];
  return 0;
}

static int parse_region(struct parser *p) {
  struct gp_sheet *sheet = p->sheet;
  uint64_t id;
  uint32_t parent;
  if (number(p, p->fields[1], UINT32_MAX, &id) || index_of(p, p->fields[2], sheet->region_count, &parent))
    return -1;
  if (id != sheet->region_count)
    return fail(p, "region %llu is out of order", (unsigned long long)id);
  /* The description is the rest of the line: put the tabs back between its fields. */
  for (size_t i = 4; i < p->field_count; i++)
    p->fields[i][-1] = '\t';
  struct gp_sheet_region *region = APPEND(p, sheet->regions, sheet->region_count);
  region->parent = parent;
  if (gp_describe(p->fields[3], strlen(p->fields[3]), &region->description))
    return fail(p, "region %llu has no name", (unsigned long long)id);
  return 0;
}

static int parse_kernel(struct parser *p) {
  struct gp_sheet *sheet = p->sheet;
  uint64_t index;
  if (number(p, p->fields[1], UINT32_MAX, &index))
    return -1;
  if (index != sheet->kernel_count)
    return fail(p, "kernel %llu is out of order", (unsigned long long)index);
  struct gp_sheet_kernel *kernel = APPEND(p, sheet->kernels, sheet->kernel_count);
  kernel->name = p->fields[2];
  kernel->is_function = !strcmp(p->fields[0], "function");
  kernel->file = GP_NONE;
  for (size_t i = 3; i < p->field_count; i++) {
    const char *value = strchr(p->fields[i], '=');
    uint32_t parsed = 0;
    if (!value || line_of(p, value + 1, &parsed))
      return fail(p, "'%.40s' is not key=number", p->fields[i]);
    if (!strncmp(p->fields[i], "groups=", 7))
      kernel->groups = parsed;
    else if (!strncmp(p->fields[i], "line=", 5))
      kernel->line = parsed;
    else if (!strncmp(p->fields[i], "file=", 5) && index_of(p, value + 1, sheet->file_count, &kernel->file))
      return -1;
  }
  return kernel->groups ? 0 : fail(p, "kernel %s has no groups", kernel->name);
}

/* The first fields of cost and uncounted: kernel, group. */
static struct gp_sheet_kernel *kernel_and_group(struct parser *p, uint32_t *group) {
  uint64_t kernel;
  if (number(p, p->fields[1], p->sheet->kernel_count, &kernel) ||
      index_of(p, p->fields[2], p->sheet->kernels[kernel].groups, group))
    return NULL;
  return &p->sheet->kernels[kernel];
}

static int parse_cost(struct parser *p) {
  struct gp_sheet_term place;
  struct gp_sheet_kernel *kernel = kernel_and_group(p, &place.group);
  if (!kernel || index_of(p, p->fields[3], p->sheet->region_count, &place.region) ||
      index_of(p, p->fields[4], p->sheet->file_count, &place.file) || line_of(p, p->fields[5], &place.line))
    return -1;
  if (place.group == GP_NONE)
    return fail(p, "a cost needs a group");
  for (size_t i = 6; i < p->field_count; i++) {
    const char *name = p->fields[i], *equals = strchr(name, '=');
    if (!equals)
      return fail(p, "'%.40s' is not class=amount", name);
    place.cost = gp_cost_find(name, (size_t)(equals - name));
    if (place.cost == GP_COST_COUNT)
      return fail(p, "'%.*s' is no cost class that this runtime knows", (int)(equals - name), name);
    if (number(p, equals + 1, UINT64_MAX, &place.amount))
      return -1;
    *APPEND(p, kernel->terms, kernel->term_count) = place;
  }
  return 0;
}

static int parse_uncounted(struct parser *p) {
  struct gp_sheet_uncounted place;
  struct gp_sheet_kernel *kernel = kernel_and_group(p, &place.group);
  if (!kernel || index_of(p, p->fields[3], p->sheet->file_count, &place.file) ||
      line_of(p, p->fields[4], &place.line))
    return -1;
  place.what = p->fields[5];
  place.why = p->fields[6];
  *APPEND(p, kernel->uncounted, kernel->uncounted_count) = place;
  return 0;
}

static int find_word(const char *const *words, unsigned count, const char *word, unsigned *index) {
  for (*index = 0; *index < count; ++*index)
    if (!strcmp(words[*index], word))
      return 1;
  return 0;
}

static int value_kind(struct parser *p, const char *name, enum gp_value_kind *kind) {
  static const char *const kinds[] = {"count", "spike_positive", "spike_negative", "spike_zero", "synapse"};
  unsigned index;
  if (!find_word(kinds, sizeof kinds / sizeof *kinds, name, &index))
    return fail(p, "'%.40s' is no kind of value that this runtime knows", name);
  *kind = (enum gp_value_kind)index;
  return 0;
}

static int synapse_sum(struct parser *p, const char *name, enum gp_synapse_sum *sum) {
  static const char *const sums[] = {[GP_SYNAPSE_ACCUMULATE] = "accumulate",
                                     [GP_SYNAPSE_MULTIPLY] = "multiply",
                                     [GP_SYNAPSE_ACCUMULATE_OF] = "accumulate_of",
                                     [GP_SYNAPSE_MULTIPLY_OF] = "multiply_of",
                                     [GP_SYNAPSE_POSSIBLE] = "possible",
                                     [GP_SYNAPSE_NEGATIVE] = "negative"};
  unsigned index;
  if (!find_word(sums, sizeof sums / sizeof *sums, name, &index))
    return fail(p, "'%.40s' is no sum of synaptic operations that this runtime knows", name);
  *sum = (enum gp_synapse_sum)index;
  return 0;
}

static int parse_value(struct parser *p) {
  struct gp_sheet_value value = {0};
  struct gp_sheet_kernel *kernel = kernel_and_group(p, &value.group);
  if (!kernel || index_of(p, p->fields[3], p->sheet->region_count, &value.region) ||
      value_kind(p, p->fields[4], &value.kind))
    return -1;
  if (value.group == GP_NONE)
    return fail(p, "a value needs a group");
  value.name = p->fields[5];
  if (value.kind == GP_VALUE_SYNAPSE && synapse_sum(p, value.name, &value.sum))
    return -1;
  *APPEND(p, kernel->values, kernel->value_count) = value;
  return 0;
}

static int parse_steps(struct parser *p) {
  uint64_t kernel;
  uint32_t region;
  if (number(p, p->fields[1], p->sheet->kernel_count, &kernel) ||
      index_of(p, p->fields[2], p->sheet->region_count, &region))
    return -1;
  struct gp_sheet_kernel *k = &p->sheet->kernels[kernel];
  *APPEND(p, k->stepped, k->stepped_count) = region;
  return 0;
}

static int parse_empty(struct parser *p) {
  static const char *const words[] = {[GP_EMPTY_REMOVED] = "removed",
                                      [GP_EMPTY_FREE] = "free",
                                      [GP_EMPTY_FUSED] = "fused",
                                      [GP_EMPTY_UNCOUNTED] = "uncounted"};
  uint64_t kernel, region;
  if (number(p, p->fields[1], p->sheet->kernel_count, &kernel) ||
      number(p, p->fields[2], p->sheet->region_count, &region))
    return -1;
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i], p->fields[3])) {
      struct gp_sheet_kernel *k = &p->sheet->kernels[kernel];
      *APPEND(p, k->empty, k->empty_count) =
          (struct gp_sheet_empty){.region = (uint32_t)region, .left = (enum gp_empty_region)i};
      return 0;
    }
  return fail(p, "'%.40s' is nothing that this runtime knows to be left of a region", p->fields[3]);
}

/* "parameter:offset:bytes", for a base with an @ before it */
static int parse_read(struct parser *p, char *text, struct gp_sheet_clone *clone) {
  struct gp_sheet_read *read = APPEND(p, clone->reads, clone->read_count);
  uint32_t *const fields[] = {&read->parameter, &read->offset, &read->bytes};
  read->is_base = *text == '@';
  text += read->is_base;
  for (size_t i = 0; i < 3; i++) {
    const char *field = strsep(&text, ":");
    if (!field || line_of(p, field, fields[i]))
      return field ? -1 : fail(p, "what a clone reads is parameter:offset:bytes");
  }
  if (read->is_base && read->bytes != sizeof(uint64_t))
    return fail(p, "a base is a pointer of 8 bytes, not of %u", read->bytes);
  return text || read->parameter >= clone->parameters
             ? fail(p, "a clone reads parameter %u of %u", read->parameter, clone->parameters)
             : 0;
}

/* `clone` counts, `addresses` marks: both records have the same fields. */
static int parse_clone(struct parser *p) {
  uint64_t index;
  if (number(p, p->fields[1], p->sheet->kernel_count, &index))
    return -1;
  struct gp_sheet_kernel *kernel = &p->sheet->kernels[index];
  struct gp_sheet_clone *clone = !strcmp(p->fields[0], "clone") ? &kernel->clone : &kernel->addresses;
  if (clone->kind) /* its reads would be of other parameters */
    return fail(p, "kernel %llu has two clones", (unsigned long long)index);
  clone->kind = !strcmp(p->fields[2], "free") ? GP_CLONE_FREE : !strcmp(p->fields[2], "light") ? GP_CLONE_LIGHT : GP_CLONE_NONE;
  if (!clone->kind)
    return fail(p, "'%.40s' is no kind of clone that this runtime knows", p->fields[2]);
  if (line_of(p, p->fields[3], &clone->parameters))
    return -1;
  for (size_t i = 4; i < p->field_count; i++)
    if (parse_read(p, p->fields[i], clone))
      return -1;
  return 0;
}

/* `unique`, `warps` and `twin` */
static int parse_instrumented(struct parser *p) {
  uint64_t index;
  if (number(p, p->fields[1], p->sheet->kernel_count, &index))
    return -1;
  struct gp_sheet_kernel *kernel = &p->sheet->kernels[index];
  if (!strcmp(p->fields[0], "unique"))
    kernel->has_marking_kernel = 1;
  else if (!strcmp(p->fields[0], "warps"))
    kernel->has_warp_kernel = 1;
  else
    kernel->has_twin = 1;
  return line_of(p, p->fields[2], &kernel->parameters);
}

#define PARAMETER_BYTES 32764u /* of a kernel */

static int parse_counters(struct parser *p) {
  uint64_t index, offset;
  if (number(p, p->fields[1], p->sheet->kernel_count, &index) || number(p, p->fields[3], PARAMETER_BYTES, &offset))
    return -1;
  struct gp_sheet_kernel *kernel = &p->sheet->kernels[index];
  kernel->takes_counters = 1;
  kernel->counters_offset = (uint32_t)offset;
  return line_of(p, p->fields[2], &kernel->parameters);
}

/* It follows the kernel's `clone`. */
static int parse_waits(struct parser *p) {
  uint64_t index;
  if (number(p, p->fields[1], p->sheet->kernel_count, &index))
    return -1;
  struct gp_sheet_clone *clone = &p->sheet->kernels[index].clone;
  if (clone->kind != GP_CLONE_LIGHT)
    return fail(p, "kernel %llu has no light clone that could wait", (unsigned long long)index);
  clone->waits = 1;
  return 0;
}

/* "parameter:offset" */
static int parse_pointer(struct parser *p, char *text, uint32_t parameters, struct gp_sheet_pointer *pointer) {
  const char *parameter = strsep(&text, ":");
  if (!text)
    return fail(p, "a pointer among the arguments is parameter:offset");
  if (line_of(p, parameter, &pointer->parameter) || line_of(p, text, &pointer->offset))
    return -1;
  return pointer->parameter >= parameters ? fail(p, "a pointer is parameter %u of %u", pointer->parameter, parameters) : 0;
}

/* `apart` follows the kernel's `clone`, `addresses_apart` its `addresses`. */
static int parse_apart(struct parser *p) {
  uint64_t index;
  if (number(p, p->fields[1], p->sheet->kernel_count, &index))
    return -1;
  struct gp_sheet_kernel *kernel = &p->sheet->kernels[index];
  struct gp_sheet_clone *clone = !strcmp(p->fields[0], "apart") ? &kernel->clone : &kernel->addresses;
  struct gp_sheet_apart pair;
  if (parse_pointer(p, p->fields[2], clone->parameters, &pair.read) ||
      parse_pointer(p, p->fields[3], clone->parameters, &pair.written))
    return -1;
  *APPEND(p, clone->apart, clone->apart_count) = pair;
  return 0;
}

/* `loads` are those of the kernel's clone, `stores` the kernel's. */
static int parse_pointers(struct parser *p) {
  uint64_t index;
  uint32_t parameters;
  if (number(p, p->fields[1], p->sheet->kernel_count, &index) || line_of(p, p->fields[2], &parameters))
    return -1;
  struct gp_sheet_kernel *kernel = &p->sheet->kernels[index];
  struct gp_sheet_pointers *pointers = !strcmp(p->fields[0], "loads") ? &kernel->clone.loads : &kernel->stores;
  if (pointers->are_known)
    return fail(p, "kernel %llu has two records of %s", (unsigned long long)index, p->fields[0]);
  pointers->are_known = 1;
  for (size_t i = 3; i < p->field_count; i++)
    if (parse_pointer(p, p->fields[i], parameters, APPEND(p, pointers->places, pointers->count)))
      return -1;
  return 0;
}

static int parse_formula_of(struct parser *p, struct gp_sheet_clone *clone, char *text, uint64_t kernel) {
  const char *problem = "";
  if (clone->kind != GP_CLONE_FREE || clone->formula)
    return fail(p, "kernel %llu has no free clone, or two formulas", (unsigned long long)kernel);
  clone->formula = gp_formula_parse(text, p->sheet->kernels[kernel].groups, clone->reads, clone->read_count, &problem);
  return clone->formula ? 0 : fail(p, "the formula of kernel %llu is malformed: %s", (unsigned long long)kernel, problem);
}

/* It follows the kernel's `clone`. */
static int parse_formula(struct parser *p) {
  uint64_t index;
  if (number(p, p->fields[1], p->sheet->kernel_count, &index))
    return -1;
  return parse_formula_of(p, &p->sheet->kernels[index].clone, p->fields[2], index);
}

/* It follows the kernel's `addresses`. */
static int parse_address_formula(struct parser *p) {
  uint64_t index;
  if (number(p, p->fields[1], p->sheet->kernel_count, &index))
    return -1;
  struct gp_sheet_kernel *kernel = &p->sheet->kernels[index];
  kernel->lacks_address_clone = !strcmp(p->fields[2], "alone");
  if (!kernel->lacks_address_clone && strcmp(p->fields[2], "clone"))
    return fail(p, "an address formula is beside a clone or alone, not '%.40s'", p->fields[2]);
  return parse_formula_of(p, &kernel->addresses, p->fields[3], index);
}

static int parse_call(struct parser *p) {
  uint64_t kernel;
  uint32_t region;
  if (number(p, p->fields[1], p->sheet->kernel_count, &kernel) ||
      index_of(p, p->fields[2], p->sheet->region_count, &region))
    return -1;
  struct gp_sheet_kernel *k = &p->sheet->kernels[kernel];
  *APPEND(p, k->calls, k->call_count) = (struct gp_sheet_call){region, p->fields[3]};
  return 0;
}

const char *const gp_build_keys[GP_BUILD_COUNT] = {
#define GP_BUILD_KEY(name) #name,
    GP_BUILD_FIELDS(GP_BUILD_KEY)
#undef GP_BUILD_KEY
};

/* Keys of a newer plugin are skipped. */
static int parse_build(struct parser *p) {
  for (size_t i = 1; i < p->field_count; i++) {
    const char *key = strsep(&p->fields[i], "=");
    for (unsigned k = 0; k < GP_BUILD_COUNT && p->fields[i]; k++)
      if (!strcmp(key, gp_build_keys[k]))
        p->sheet->build[k] = p->fields[i];
  }
  return 0;
}

static const struct record {
  const char *kind;
  size_t fields; /* minimum */
  int (*parse)(struct parser *);
} records[] = {
    {"file", 3, parse_file}, {"region", 4, parse_region},       {"kernel", 4, parse_kernel},
    {"cost", 6, parse_cost}, {"uncounted", 7, parse_uncounted},
    {"value", 6, parse_value}, {"steps", 3, parse_steps},       {"clone", 4, parse_clone},
    {"function", 4, parse_kernel}, {"call", 4, parse_call},     {"apart", 4, parse_apart},
    {"waits", 2, parse_waits},
    {"build", 2, parse_build}, {"addresses", 4, parse_clone},  {"addresses_apart", 4, parse_apart},
    {"empty", 4, parse_empty}, {"unique", 3, parse_instrumented}, {"warps", 3, parse_instrumented},
    {"twin", 3, parse_instrumented}, {"counters", 4, parse_counters}, {"formula", 3, parse_formula},
    {"address_formula", 4, parse_address_formula}, {"loads", 3, parse_pointers}, {"stores", 3, parse_pointers},
};

static int split(struct parser *p, char *line) {
  p->field_count = 0;
  for (char *field; (field = strsep(&line, "\t"));) {
    if (p->field_count == FIELDS_MAXIMUM)
      return fail(p, "more than %d fields", FIELDS_MAXIMUM);
    p->fields[p->field_count++] = field;
  }
  return 0;
}

static int parse_line(struct parser *p, char *line) {
  if (split(p, line))
    return -1;
  for (size_t i = 0; i < sizeof records / sizeof *records; i++)
    if (!strcmp(p->fields[0], records[i].kind))
      return p->field_count >= records[i].fields ? records[i].parse(p) : fail(p, "'%s' lacks fields", records[i].kind);
  return fail(p, "'%.40s' is no record", p->fields[0]);
}

static int parse_text(struct parser *p, char *text) {
  int ended = 0;
  for (char *line; (line = strsep(&text, "\n"));) {
    p->line++;
    if (p->line == 1 && strcmp(line, "gpuprof-sheet\t1"))
      return fail(p, "it must begin with 'gpuprof-sheet' and version 1");
    if (p->line == 1 || !line[0])
      continue;
    if (ended)
      return fail(p, "something follows the end");
    ended = !strcmp(line, "end");
    if (!ended && parse_line(p, line))
      return -1;
  }
  return ended ? 0 : fail(p, "the end is missing");
}

struct gp_sheet *gp_sheet_parse(const char *text, size_t bytes, char *problem, size_t problem_bytes) {
  struct parser p = {.problem = problem, .problem_bytes = problem_bytes};
  p.sheet = calloc(1, sizeof *p.sheet);
  if (!p.sheet || !(p.sheet->text = strndup(text, bytes))) {
    fail(&p, "memory is exhausted");
    free(p.sheet);
    return NULL;
  }
  if (!parse_text(&p, p.sheet->text))
    return p.sheet;
  gp_sheet_free(p.sheet);
  return NULL;
}

void gp_sheet_free(struct gp_sheet *sheet) {
  if (!sheet)
    return;
  for (size_t i = 0; i < sheet->region_count; i++)
    gp_description_free(&sheet->regions[i].description);
  for (size_t i = 0; i < sheet->kernel_count; i++) {
    free(sheet->kernels[i].terms);
    free(sheet->kernels[i].uncounted);
    free(sheet->kernels[i].values);
    free(sheet->kernels[i].stepped);
    free(sheet->kernels[i].empty);
    free(sheet->kernels[i].clone.reads);
    free(sheet->kernels[i].clone.apart);
    free(sheet->kernels[i].clone.loads.places);
    free(sheet->kernels[i].stores.places);
    gp_formula_free(sheet->kernels[i].clone.formula);
    free(sheet->kernels[i].addresses.reads);
    free(sheet->kernels[i].addresses.apart);
    gp_formula_free(sheet->kernels[i].addresses.formula);
    free(sheet->kernels[i].calls);
  }
  free(sheet->kernels);
  free(sheet->regions);
  free(sheet->files);
  free(sheet->text);
  free(sheet);
}
