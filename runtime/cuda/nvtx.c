// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/nvtx.h"

#include "core/ranges.h"

#if defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#define HAVE_NVTX
#endif
#endif

#ifdef HAVE_NVTX
#include "base/locks.h"
#include "gpuprof/abi.h"

#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* NVTX's handles of a region, kept at its site. */
struct known {
  nvtxStringHandle_t name;
  uint32_t category;
};

struct category {
  struct category *next;
  uint32_t id;
  char name[];
};

GP_MUTEX(lock, GP_LOCK_NVTX)
static struct category *categories;

static pthread_once_t created = PTHREAD_ONCE_INIT;
static nvtxDomainHandle_t domain; /* null: no tool listens */
static void create_domain(void) {
  domain = nvtxDomainCreateA("gpuprof");
  atomic_store(&gp_ranges_silent, !domain);
}

int gp_nvtx_available(void) { return 1; }

/* The caller holds the lock. Category 0 is "none". */
static uint32_t category_id(const char *name) {
  gp_assert_held(&lock);
  if (!name || !name[0])
    return 0;
  for (const struct category *c = categories; c; c = c->next)
    if (!strcmp(c->name, name))
      return c->id;
  size_t bytes = strlen(name) + 1;
  struct category *c = malloc(sizeof *c + bytes);
  if (!c)
    return 0;
  memcpy(c->name, name, bytes);
  c->id = categories ? categories->id + 1 : 1;
  c->next = categories;
  categories = c;
  nvtxDomainNameCategoryA(domain, c->id, c->name);
  return c->id;
}

static const struct known *know(struct gpuprof_region_site *site, const char *name, const char *category) {
  struct known *known = __atomic_load_n((struct known **)&site->runtime, __ATOMIC_ACQUIRE);
  if (known)
    return known;
  pthread_mutex_lock(&lock);
  known = site->runtime;
  if (!known && (known = malloc(sizeof *known))) {
    *known = (struct known){nvtxDomainRegisterStringA(domain, name), category_id(category)};
    __atomic_store_n((struct known **)&site->runtime, known, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  return known;
}

static void describe(nvtxEventAttributes_t *range, struct gpuprof_region_site *site, const char *name,
                     const char *category) {
  const struct known *known = site ? know(site, name, category) : NULL;
  if (known) {
    range->messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    range->message.registered = known->name;
    range->category = known->category;
    return;
  }
  range->messageType = NVTX_MESSAGE_TYPE_ASCII;
  range->message.ascii = name;
  pthread_mutex_lock(&lock);
  range->category = category_id(category);
  pthread_mutex_unlock(&lock);
}

void gp_nvtx_push(struct gpuprof_region_site *site, const char *name, uint32_t color, const char *category,
                  uint64_t execution) {
  pthread_once(&created, create_domain);
  if (!domain)
    return;
  nvtxEventAttributes_t range = {.version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};
  describe(&range, site, name, category);
  if (color) {
    range.colorType = NVTX_COLOR_ARGB;
    range.color = 0xff000000u | color;
  }
  range.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  range.payload.ullValue = execution;
  nvtxDomainRangePushEx(domain, &range);
}

void gp_nvtx_pop(void) {
  if (domain)
    nvtxDomainRangePop(domain);
}

#else

int gp_nvtx_available(void) { return 0; }

void gp_nvtx_push(struct gpuprof_region_site *site, const char *name, uint32_t color, const char *category,
                  uint64_t execution) {
  (void)site, (void)name, (void)color, (void)category, (void)execution;
  atomic_store(&gp_ranges_silent, 1);
}

void gp_nvtx_pop(void) {}
#endif
