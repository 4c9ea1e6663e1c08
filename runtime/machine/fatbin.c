// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/fatbin.h"

#include <string.h>

#define WRAPPER_MAGIC 0x466243b1u
#define CONTAINER_MAGIC 0xba55ed50u

/* Flags of an entry, as fatbinary of CUDA 13.0 sets them. */
#define FLAG_COMPRESSED (UINT64_C(0x2000) | UINT64_C(0x8000)) /* LZ4, zstd */
#define FLAG_SPECIFIC (UINT64_C(0x100000) | UINT64_C(0x200000))

struct wrapper {
  uint32_t magic, version;
  const void *data;
};

struct container {
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t payload_bytes;
};

struct entry {
  uint16_t kind, version;
  uint32_t header_bytes;
  uint64_t payload_bytes;
  uint32_t compressed_bytes, options;
  uint16_t minor, major;
  uint32_t architecture, name, name_bytes;
  uint64_t flags;
};

const void *gp_fatbin_of(const void *wrapper) {
  const struct wrapper *w = wrapper;
  return w && w->magic == WRAPPER_MAGIC ? w->data : NULL;
}

static size_t payload_end(const struct container *c) { return c->header_bytes + (size_t)c->payload_bytes; }

int gp_fatbin_next(const void *fatbin, size_t *at, struct gp_fatbin_entry *entry) {
  const struct container *c = fatbin;
  struct entry e;
  if (!c || c->magic != CONTAINER_MAGIC)
    return 0;
  const size_t begin = *at ? *at : c->header_bytes, end = payload_end(c);
  if (begin > end || end - begin < sizeof e)
    return 0;
  const unsigned char *data = (const unsigned char *)fatbin + begin;
  memcpy(&e, data, sizeof e);
  if (e.header_bytes < sizeof e || e.header_bytes > end - begin || e.payload_bytes > end - begin - e.header_bytes)
    return 0;
  *entry = (struct gp_fatbin_entry){.kind = (enum gp_fatbin_kind)e.kind,
                                    .architecture = e.architecture,
                                    .is_specific = (e.flags & FLAG_SPECIFIC) != 0,
                                    .is_compressed = (e.flags & FLAG_COMPRESSED) != 0,
                                    .data = data + e.header_bytes,
                                    .bytes = (size_t)e.payload_bytes};
  *at = begin + e.header_bytes + (size_t)e.payload_bytes;
  return 1;
}
