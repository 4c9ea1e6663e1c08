// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An NVTX tool printing each call as a line on stderr: loaded through
 * NVTX_INJECTION64_PATH. It declares its few parts of NVTX's tool interface.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct event {
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const void *message; /* registered: the result of register_string() */
};

struct callbacks {
  size_t bytes;
  int (*functions)(int module, void ****table, unsigned *count);
};

enum { CALLBACKS_TABLE = 1, CORE2 = 5 };
enum { PUSH = 4, POP = 5, NAME_CATEGORY = 8, REGISTER_STRING = 10, CREATE_DOMAIN = 12 };
enum { ASCII = 1, REGISTERED = 3 };

static int depth;

static void *create_domain(const char *name) {
  fprintf(stderr, "domain %s\n", name);
  return &depth;
}
static void *register_string(void *domain, const char *text) {
  (void)domain;
  fprintf(stderr, "string %s\n", text);
  return strdup(text);
}
static void name_category(void *domain, uint32_t category, const char *name) {
  (void)domain;
  fprintf(stderr, "category %u %s\n", category, name);
}
static int push(void *domain, const struct event *e) {
  (void)domain;
  fprintf(stderr, "%*spush %s%s category=%u color=%08x payload=%llu\n", 2 * depth, "",
          e->message_type == REGISTERED ? "registered " : "", (const char *)e->message, e->category,
          e->color_type ? e->color : 0, (unsigned long long)e->payload);
  return depth++;
}
static int pop(void *domain) {
  (void)domain;
  fprintf(stderr, "%*spop\n", 2 * --depth, "");
  return depth;
}

int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t id)) {
  const struct callbacks *callbacks = export_table(CALLBACKS_TABLE);
  void ***table;
  unsigned count;
  if (!callbacks || !callbacks->functions(CORE2, &table, &count) || count <= CREATE_DOMAIN)
    return 0;
  *table[PUSH] = (void *)(uintptr_t)push;
  *table[POP] = (void *)(uintptr_t)pop;
  *table[NAME_CATEGORY] = (void *)(uintptr_t)name_category;
  *table[REGISTER_STRING] = (void *)(uintptr_t)register_string;
  *table[CREATE_DOMAIN] = (void *)(uintptr_t)create_domain;
  return 1;
}
