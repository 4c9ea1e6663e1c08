/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The options of all commands, in one table: parsing, help and messages come from it. */
#ifndef GP_TOOL_OPTIONS_H
#define GP_TOOL_OPTIONS_H

#include "common/help_table.h"

#include <stdbool.h>
#include <stddef.h>

/* identifier, letter or 0, name, placeholder of its value or null, commands (their letters, in tools/main.c),
 * help */
#define GP_OPTIONS(X)                                                                                        \
  X(HELP, 'h', "help", NULL, "*", "show this help")                                                          \
  X(OUTPUT, 'o', "output", "FILE", "rpxim", "write to FILE (default: standard output; run: gpuprof-%p.json)")                       \
  X(FORMAT, 0, "format", "NAME", "r", "text (default), markdown, csv, json or html")                         \
  X(KERNELS, 0, "kernels", NULL, "rpik", "only kernels")                                                     \
  X(REGIONS, 0, "regions", NULL, "rpik", "only regions")                                                     \
  X(LINES, 0, "lines", NULL, "r", "the source, with what each line did")                                     \
  X(WHY, 0, "why", "NAME", "r", "what bounds a kernel or region (a name or a regular expression), and what to do") \
  X(STEPS, 0, "steps", NULL, "r", "also what each time step did; with csv and json, steps instead of rows")    \
  X(HOST, 0, "host", NULL, "r", "also where the time of the host went, region by region")                      \
  X(MEMORY, 0, "memory", NULL, "rp", "also CUDA memory: peaks, regions, leaks, who allocated (plot: over time instead)") \
  X(ENERGY, 0, "energy", "NAMES", "ri", "estimate the energy of synaptic operations by these tables; list: show them") \
  X(NOTES, 0, "notes", NULL, "r", "also the notes that hold for every run")                                  \
  X(COLOR, 0, "color", "WHEN", "rs", "auto (default: on a terminal), always or never")                        \
  X(FIRING, 0, "firing", NULL, "p", "firing rates of layers over time steps instead")                          \
  X(OVER, 0, "over", "NAME", "p", "curves over a parameter of a sweep instead (gpuprof run --sweep)")           \
  X(ROWS, 0, "rows", "REGEX", "p", "with --over: only rows whose path matches")                               \
  X(TITLE, 0, "title", "TEXT", "p", "headline of the picture")                                               \
  X(QUICK, 0, "quick", NULL, "x", "no warm-up: counts after one run, times less steady")                     \
  X(THOROUGH, 0, "thorough", NULL, "x", "leave out the first 3 executions of what repeats")                 \
  X(WARMUP, 0, "warmup", "N", "x", "leave out the first N executions of what repeats")                      \
  X(SWEEP, 0, "sweep", "NAME=VALUES", "x", "run once for each value, in place of {NAME}; several options: all combinations") \
  X(REPEAT, 0, "repeat", "N", "x", "run N times, with --sweep at each point; -o names a folder")             \
  X(TIMESTAMP, 0, "timestamp", NULL, "x", "append the time to the name of that folder")                      \
  X(COUNTS_ONLY, 0, "counts-only", NULL, "x", "run no kernel, only the clones that count (compile with count=clone)") \
  X(UNIQUE, 0, "unique", NULL, "x", "run twice, first for unique bytes on the GPU (compile with unique=on)")   \
  X(EXACT, 0, "exact", NULL, "x", "run twice: times of plain kernels, then counts; both in one document")             \
  X(COMMUNICATION, 0, "communication", NULL, "x", "preload what counts calls of MPI and NCCL ('gpuprof cc' links it where they are linked)") \
  X(TIMELINE, 0, "timeline", NULL, "r", "when devices worked, their streams, gaps and copies instead of rows")   \
  X(TRACE, 0, "trace", "FILE", "x", "also write a trace of the run for Perfetto and chrome://tracing")          \
  X(JOIN_TRACES, 0, "trace", NULL, "m", "join traces of ranks (GPUPROF_TRACE); documents among the files say how clocks differ") \
  X(MARKDOWN, 0, "markdown", NULL, "h", "as Markdown, as it stands in the manual")                            \
  X(MAN, 0, "man", "FOLDER", "h", "write a manual page for each command and topic into FOLDER")              \
  X(COMPLETION, 0, "completion", "SHELL", "h", "print what completes commands and options in bash, zsh or fish") \
  X(DEVICE, 0, "device", "NAME", "x", "gpu or cpu (default: the GPU if there is one)")                       \
  X(HARDWARE, 0, "hardware", "WHAT", "x", "hardware counters to read on a GPU: bytes, check, or names of metrics") \
  X(CHIP, 0, "chip", "NAME", "x", "roof to use without a GPU (default: h200)")                               \
  X(FILTER, 0, "filter", "REGEX", "x", "only regions and kernels whose name matches")                        \
  X(BUILD, 'p', "build", "PATH", "s", "compile_commands.json, or the folder that has it")                     \
  X(WRITE, 0, "write", NULL, "s", "insert the regions that are proposed into the sources")                     \
  X(DIFF, 0, "diff", NULL, "s", "print what --write would change, as 'patch' reads it")                        \
  X(CHECK, 0, "check", NULL, "s", "exit 1 where a kernel or launch has no region, and name each")              \
  X(SCAN_FORMAT, 0, "format", "NAME", "s", "text (default) or json")                                           \
  X(OWN_HEADERS, 0, "cpu", NULL, "s", "read with gpuprof's own CUDA headers, as 'gpuprof cc --cpu'")           \
  X(BASELINE, 0, "baseline", "FILE", "kr", "the document to compare with (report: in Markdown)")                                   \
  X(ALL, 0, "all", NULL, "ik", "show every difference (default: the 40 most important)")                      \
  X(RATIOS, 0, "ratios", NULL, "i", "a column a file with ratios to the first; so for three files or more")     \
  X(ANY_CONTEXT, 0, "any-context", NULL, "k", "compare also runs of different builds or settings")            \
  X(PEAKS_DEVICE, 0, "device", "N", "c", "only GPU number N (default: all)")                                    \
  X(ONLY, 0, "only", "NAMES", "c", "only these, as 'bf16,dram': groups, precisions or rows; nothing is kept")  \
  X(PEAKS_QUICK, 0, "quick", NULL, "c", "3 runs each instead of 7")                                            \
  X(JSON, 0, "json", NULL, "c", "as JSON, with clocks, windows and instructions")                              \
  X(LIST, 0, "list", NULL, "c", "show the known chips by their datasheets, or the named ones with their sources") \
  X(PTX, 0, "ptx", "FOLDER", "c", "write the PTX of all kernels into FOLDER, and measure nothing")             \
  X(TOLERANCE, 0, "tolerance", "P", "k", "allow counts to be off by P percent (default: 0)")

enum option {
#define GP_OPTION_ID(id, letter, name, value, commands, help) OPTION_##id,
  GP_OPTIONS(GP_OPTION_ID)
#undef GP_OPTION_ID
      OPTION_COUNT
};

/* An option as it was given. */
struct given_option {
  enum option option;
  const char *value;
};

/* What a command was given: option values ("" for a switch that is on, null for absent; of an option given
 * several times the last one) and the rest. */
struct arguments {
  const char *values[OPTION_COUNT];
  struct given_option *given; /* every one, in order */
  size_t given_count;
  const char **rest;
  size_t rest_count;
  size_t rest_split; /* how many of them stand before --, all where there is none */
};

struct command {
  const char *name;
  char letter;                 /* in the table above; 0 = reads its arguments itself */
  const char *usage, *summary; /* one line each */
  const char *details;         /* paragraphs, or null */
  const char *exits;           /* its exit codes */
  const struct help_row *own_options; /* of a command that reads its arguments itself; null: none */
  const size_t *own_option_count;
  int (*run)(const struct command *self, const struct arguments *arguments);
  int (*run_raw)(const struct command *self, int argc, char **argv);
  bool rest_is_command; /* the first argument that is no option ends the options */
};

/* Returns 0, or an exit code after saying what was wrong. */
int options_parse(const struct command *command, int argc, char **argv, struct arguments *arguments);
/* Stores a row for each option of the command, OPTION_COUNT at most. Returns their number. */
size_t options_rows(const struct command *command, struct help_row *rows);
/* The help of one command, on stdout. */
void options_help(const struct command *command);
/* Of `count` names the one nearest to `word`, or null if none is near. */
const char *nearest_name(const char *word, const char *const *names, size_t count);

#endif
