/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A roofline document (schema gpuprof.roofline, versions 1 and 2), checked, its rows filled
 * in, and turned into plain structs. Unknown values (null) are `known == false`, never 0.
 */
#ifndef GP_TOOL_READER_H
#define GP_TOOL_READER_H

#include "reader/entry.h"
#include "reader/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

struct ceiling {
  const char *name; /* precision or level */
  const char *unit; /* core, tensor; "" for bytes */
  const char *source;
  const char *instruction; /* of tensor cores: "mma.sync", "wgmma"; "" for others, and in documents of earlier versions */
  double per_second;
};

struct remark {
  const char *about, *text, *why; /* notes have no why; uncounted: place, work, reason */
  struct count launches;          /* uncounted launches: how many */
  bool standing;                  /* notes: holds for every run, whatever a reader does */
};

/* The work of one kernel in one source line. */
struct source_line {
  const char *file;
  uint64_t line;
  struct count flops, bytes, shared_bytes, executions; /* bytes: requested of global memory */
};

struct document {
  const char *file; /* as given on the command line */
  const char *tool_version, *command, *host, *start_time, *compiler;
  const char *end_state, *end_how; /* "complete" or "running"; "" in documents of earlier versions */
  struct count pid, duration_ns, warmup;
  struct count sample; /* GPUPROF_SAMPLE; unknown: each launch was counted */
  struct count host_threads, host_regions_ns, host_waiting_ns; /* unknown in documents of earlier versions */
  struct count end_signal, counted_until_ns, process_start, launches_running; /* run_end.h */
  const char *device_kind, *device_name, *chip;
  struct count multiprocessors;
  struct ceiling *flop_ceilings, *byte_ceilings, *integer_ceilings;
  size_t flop_ceiling_count, byte_ceiling_count, integer_ceiling_count;
  struct entry *regions, *kernels; /* regions in tree order: children follow their parent */
  size_t region_count, kernel_count;
  struct entry_paths *paths; /* of all entries */
  struct remark *notes, *uncounted;
  size_t note_count, uncounted_count;
  char *note_names; /* of notes shared by several rows */
  struct source_line *lines; /* of all kernels */
  size_t line_count;
  struct json_tree tree; /* owns every string */
};

struct energy_choices;
struct why;

/* The rows of a document shown by a command, and other parts. */
struct selection {
  bool regions, kernels;
  bool standing_notes;
  bool steps;                           /* the work of each time step */
  bool host;                            /* host times of each region */
  bool memory;                          /* CUDA memory */
  bool lines;                           /* the source instead of rows */
  bool timeline;                        /* the time line instead of rows */
  const struct why *why;                /* the bounds of the rows of a name, instead of the tables; or null */
  const struct energy_choices *energy;  /* tables of estimates, or null */
  const struct document *baseline;      /* to compare with, or null */
};

/* Reads and checks `path`, "-" for standard input. Returns false after one sentence on the error. */
bool document_read(const char *path, struct document *document);
/* The same for text read from `path`; the text is freed. */
bool document_parse(const char *path, struct text *content, struct document *document);
void document_free(struct document *document);

/* The ceiling of a kind of work or of a memory level, or null. Of tensor cores: that of the fastest instruction. */
const struct ceiling *document_flop_ceiling(const struct document *document, enum flop_kind kind);
/* That of mma.sync; where it is not known, the other. */
const struct ceiling *document_mma_sync_ceiling(const struct document *document, enum flop_kind kind);
const struct ceiling *document_byte_ceiling(const struct document *document, const char *level);
/* Source of the ceilings: "datasheet", "derived", "measured" or several of them, and whether they are not checked. */
const char *document_ceiling_source(const struct document *document);
/* The one source of all times: "cupti", "event", "cpu", "mixed", "other", or "" where there is none. */
const char *document_time_source(const struct document *document);
/* True if the counts of an entry cover some of its launches only. */
bool document_misses_launches(const struct document *document);
/* True where no GPU ran: points are placed at the roof, without a time. */
bool document_is_cpu(const struct document *document);
/* The reader's name of the run: the command without the folder of its program, else the file. */
const char *document_title(const struct document *document);
/* "NVIDIA H200" for "h200": the chip as a person writes it; the given string where unknown. */
const char *chip_title(const char *chip);
/* "launches of NAME (3)": the uncounted work, and its number. */
void remark_what(struct text *text, const struct remark *remark);

#endif
