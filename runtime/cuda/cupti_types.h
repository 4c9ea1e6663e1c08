/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The used part of CUPTI's activity interface. Records have only ever grown at their end: each structure is
 * the prefix common to CUPTI 11 to 13. CUPTI determines the sizes.
 */
#ifndef GP_CUPTI_TYPES_H
#define GP_CUPTI_TYPES_H

#include <stddef.h>
#include <stdint.h>

enum {
  GP_CUPTI_ERROR_MULTIPLE_SUBSCRIBERS = 39,

  /* CUpti_ActivityKind */
  GP_CUPTI_MEMCPY = 1,
  GP_CUPTI_MEMSET = 2,
  GP_CUPTI_CONCURRENT_KERNEL = 10,
  GP_CUPTI_MEMCPY_PEER = 22,
  GP_CUPTI_EXTERNAL_CORRELATION = 39,
  GP_CUPTI_GRAPH = 51,

  /* CUpti_ExternalCorrelationKind */
  GP_CUPTI_CUSTOM0 = 3,

  GP_CUPTI_FLUSH_FORCED = 1
};

/* CUpti_runtime_api_trace_cbid of functions that copy or fill: ranges of numbers, which no version has changed. */
#define GP_CUPTI_COPY_RANGES                                                                                               \
  {{31, 52}, {142, 145}, {160, 163}, {215, 236}, {243, 246}, {249, 250}, {482, 485}, {509, 512}}

/* CUpti_driver_api_trace_cbid */
enum {
  GP_CUPTI_DRIVER_LAUNCH = 307,
  GP_CUPTI_DRIVER_LAUNCH_PTSZ = 442,
  GP_CUPTI_DRIVER_COOPERATIVE = 477,
  GP_CUPTI_DRIVER_COOPERATIVE_PTSZ = 478,
  GP_CUPTI_DRIVER_LAUNCH_EX = 652,
  GP_CUPTI_DRIVER_LAUNCH_EX_PTSZ = 653
};

enum { GP_CUPTI_DOMAIN_DRIVER = 1, GP_CUPTI_DOMAIN_RESOURCE = 3 }; /* CUpti_CallbackDomain */
enum { GP_CUPTI_MODULE_LOADED = 6 }; /* CUpti_CallbackIdResource */
enum { GP_CUPTI_API_EXIT = 1 };      /* CUpti_ApiCallbackSite */

/* CUpti_CallbackData */
struct gp_cupti_call {
  int site;
  const char *function;
  const void *parameters;
  void *result; /* on exit: the address of the driver's error */
  const char *symbol; /* the kernel's mangled name */
  void *context;
  uint32_t context_id;
  uint64_t *data;
  uint32_t correlation; /* that of the kernel's record */
};

/* CUpti_ResourceData */
struct gp_cupti_resource {
  void *context, *stream;
  const void *descriptor;
};

/* CUpti_ModuleResourceData */
struct gp_cupti_module {
  uint32_t id;
  size_t bytes;
  const char *cubin;
};

/* CUpti_SubscriberParams */
struct gp_cupti_subscriber {
  size_t bytes;
  const char *name;
  char *owner; /* out: the present subscriber */
  size_t owner_bytes;
};

/* CUpti_Activity */
struct gp_cupti_record {
  int kind;
};

/* CUpti_ActivityExternalCorrelation */
struct gp_cupti_external {
  int kind;
  int external_kind;
  uint64_t id;
  uint32_t correlation;
};

/* CUpti_ActivityKernel4 and later */
struct gp_cupti_kernel {
  int kind;
  uint8_t cache, shared_configuration;
  uint16_t registers;
  int partitioned_requested, partitioned_executed;
  uint64_t start, end, completed; /* ns since the epoch; 0 = not known */
  uint32_t device, context, stream;
  int32_t grid[3], block[3];
  int32_t static_shared, dynamic_shared;
  uint32_t local_per_thread, local_total;
  uint32_t correlation;
  int64_t grid_id;
  const char *name; /* mangled */
};

/* CUpti_ActivityMemcpy and later */
struct gp_cupti_memcpy {
  int kind;
  uint8_t direction, from_memory, to_memory, flags;
  uint64_t bytes;
  uint64_t start, end;
  uint32_t device, context, stream;
  uint32_t correlation;
};

/* CUpti_ActivityMemcpyPtoP and later */
struct gp_cupti_memcpy_peer {
  int kind;
  uint8_t direction, from_memory, to_memory, flags;
  uint64_t bytes;
  uint64_t start, end;
  uint32_t device, context, stream;
  uint32_t from_device, from_context, to_device, to_context;
  uint32_t correlation;
};

/* CUpti_ActivityGraphTrace and later */
struct gp_cupti_graph {
  int kind;
  uint32_t correlation;
  uint64_t start, end; /* from the first node to the last */
  uint32_t device, graph, context, stream;
};

/* CUpti_ActivityMemset and later */
struct gp_cupti_memset {
  int kind;
  uint32_t value;
  uint64_t bytes;
  uint64_t start, end;
  uint32_t device, context, stream;
  uint32_t correlation;
};

#endif
