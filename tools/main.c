// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The gpuprof command: one table of commands, and what stands before and after them. */
#include "cc/cuda_home.h"
#include "cc/nvcc_identity.h"
#include "cc/toolchain.h"
#include "common/commands.h"
#include "common/file.h"
#include "common/options.h"
#include "common/say.h"
#include "help/help.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXITS_WRITTEN "0 where it is written, 2 for misuse or a file that cannot be used"

static const struct command commands[] = {
    {.name = "report",
     .letter = 'r',
     .usage = "[options] FILE...",
     .summary = "Show the counts, times and roofline placement of a run as a table",
     .details = "FILE is a JSON document that a profiled program wrote (GPUPROF_OUTPUT, by default "
                "gpuprof-PID.json).\n"
                "text and markdown are for people, csv and json hold every count as an exact integer, html "
                "is one page\n"
                "with the roofline and sortable tables. --lines shows the source beside what each line did "
                "instead; it reads\n"
                "regular files of at most 16 MiB that the document names and whose names end as those of sources do.",
     .exits = EXITS_WRITTEN,
     .run = run_report},
    {.name = "plot",
     .letter = 'p',
     .usage = "[options] FILE... -o roofline.svg",
     .summary = "Draw the roofline, firing rates over time steps, or curves over a sweep",
     .details =
         "The ending of the output file chooses the format: .svg, and .png and .pdf if built with cairo.\n"
         "Several files of one chip are drawn into one picture.",
     .exits = EXITS_WRITTEN,
     .run = run_plot},
    {.name = "diff",
     .letter = 'i',
     .usage = "[options] BEFORE AFTER...",
     .summary = "Show every count that differs between two runs, or several runs side by side",
     .details = "Counts do not vary with the machine, so two runs of one program on one input are equal to "
                "the last digit.\n"
                "Every count of the document is compared: FLOPs by precision and kind, other operations, bytes, "
                "executions,\n"
                "launches, threads, spikes, steps, the program's own counters and expected work, and what is "
                "listed as\n"
                "uncounted. Not compared are times, what follows from them, and what hardware counters read.\n"
                "Three files or more stand side by side instead, with ratios to the first: time, FLOPs, bytes, spikes,\n"
                "firing rate, synaptic operations and, with --energy, their energy. Layers in steps of the host are\n"
                "added up. A time that is not a GPU's is left out.",
     .exits = "0 where nothing differs, 1 where something does, 2 for misuse or a file that cannot be used",
     .run = run_diff},
    {.name = "check",
     .letter = 'k',
     .usage = "FILE --baseline FILE [--tolerance P]",
     .summary = "Fail (exit 1) where counts are beyond a baseline: a regression gate that needs no GPU",
     .details = "Compared is what 'gpuprof diff' compares. Work (FLOPs, operations, bytes, executions, launches, "
                "threads) fails\n"
                "where it grew; spikes, the program's counters, steps and expected work fail where they "
                "changed. A region or\n"
                "kernel that is gone fails, and so do a new kernel and new uncounted work; a new region does "
                "not.",
     .exits = "0 where the check is passed, 1 where it fails, 2 for misuse or a file that cannot be used, also because "
              "it is of another program, build (optimization, architecture, headers, fast math) or warm-up",
     .run = run_check},
    {.name = "merge",
     .letter = 'm',
     .usage = "[options] FILE... -o OUT",
     .summary = "Join the documents of all ranks or processes of a run into one",
     .details = "Rows of one path are added up, with the least and the most of a rank beside the sum. Times are those of all "
                "devices\n"
                "together, so rates and the percentage of the roof are those of one device. context.ranks has a line for each "
                "rank:\n"
                "host, device, duration, kernel time, communication and the offset of its clock. Ranks that are missing, and "
                "documents\n"
                "of different builds, chips or warm-ups, are told and stand in the notes. A merged document can be merged again.\n"
                "With --trace, traces of ranks become one time line.",
     .exits = EXITS_WRITTEN,
     .run = run_merge},
    {.name = "cc",
     .usage = "[--print] [--cpu] COMPILER-ARGUMENTS...",
     .summary = "Compile and link with the plugin; every flag is found for you",
     .details = cc_details,
     .own_options = cc_options,
     .own_option_count = &cc_option_count,
     .exits = "that of the compiler, 2 for misuse",
     .run_raw = run_cc},
    {.name = "run",
     .letter = 'x',
     .usage = "[options] -- PROGRAM [ARGUMENTS...]",
     .summary = "Run a profiled program with settings, once or over a sweep of parameters",
     .details = "--sweep runs the program at several points: --sweep seq=128,256,512 -- ./app {seq}, or seq=128..4096*2, or "
                "0..9+3.\n"
                "All documents go into one folder (-o, by default gpuprof-sweep), with sweep.json, which 'gpuprof report' "
                "shows and\n"
                "'gpuprof plot --over seq' draws. Runs that fail are left out and named; an interrupted sweep keeps what it "
                "has.",
     .exits = "that of the program, 128 and its number where a signal ended it, 2 for misuse or where no JSON was written; of a "
              "sweep 0 where all runs are in it, 1 where some failed",
     .run = run_run,
     .rest_is_command = true},
    {.name = "peaks",
     .letter = 'c',
     .usage = "[options] | --list [CHIP...]",
     .summary = "Measure the ceilings of the GPUs here, or list those of known chips",
     .details = "Kernels of one kind of instruction each run for about 10 ms, several times; their results are checked, and a rate\n"
                "that the units cannot reach is refused. The driver compiles them: no CUDA toolkit is needed. What is measured is\n"
                "kept in XDG_CACHE_HOME/gpuprof (or ~/.cache/gpuprof), and is the roof of later runs on this GPU\n"
                "(GPUPROF_PEAKS).",
     .exits = "0 where all is measured, 1 where a ceiling could not be, 2 for misuse or where there is no GPU",
     .run = run_peaks},
    {.name = "scan",
     .letter = 's',
     .usage = "[options] FILE|FOLDER... [-- COMPILER-FLAGS...]",
     .summary = "List kernels and launches with and without a region, and write the pragmas",
     .details = "Reads sources with libclang and the flags of compile_commands.json (-p) or behind --: nvcc's, clang's or "
                "gcc's.\n"
                "Of folders it reads all .cu files, and the .cuh files that none of them includes. Without an option it "
                "lists what\n"
                "there is, and with + the regions that --write adds: names are those of functions, phases are guessed from "
                "words in\n"
                "them as forward, backward, adam or allreduce. Files outside of the folders that are read stay as they are.",
     .exits = "0 where all is listed or written, 1 where --check finds a kernel or launch without a region, 2 for misuse or a "
              "file that cannot be read in full (the others are done)",
     .run = run_scan},
    {.name = "doctor",
     .letter = 'd',
     .usage = "",
     .summary = "Say what is installed, what works and what to do",
     .exits = "0 where all works, 1 where something does not, 2 for misuse",
     .run = run_doctor},
    {.name = "help",
     .letter = 'h',
     .usage = "[options] [COMMAND|TOPIC]",
     .summary = "Explain a command, the settings or the plugin's options",
     .exits = "0 where it is printed or written, 2 for misuse",
     .run = run_help},
};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

size_t command_count(void) { return COMMAND_COUNT; }
const struct command *command_at(size_t index) { return &commands[index]; }

const struct command *command_named(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; ++i)
    if (!strcmp(commands[i].name, name))
      return &commands[i];
  return NULL;
}

static int unknown_command(const char *name) {
  const char *names[COMMAND_COUNT];
  struct text list = {0};
  for (size_t i = 0; i < COMMAND_COUNT; ++i) {
    names[i] = commands[i].name;
    text_format(&list, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = nearest_name(name, names, COMMAND_COUNT);
  int code = near ? misuse(NULL, "unknown command '%s'; did you mean '%s'? The commands are %s.", name, near,
                           list.data)
                  : misuse(NULL, "unknown command '%s'; the commands are %s.", name, list.data);
  text_free(&list);
  return code;
}

/* No output takes the place of a file that the command reads or runs. */
static int check_output(const struct command *command, const struct arguments *arguments) {
  const char *output = arguments->values[OPTION_OUTPUT];
  if (!output || !strcmp(output, "-") || !file_is_among(output, arguments->rest, arguments->rest_count))
    return EXIT_GOOD;
  return misuse(command->name, "'%s' is what '%s' reads; name another file with -o.", output, command->name);
}

static int run_command(const struct command *command, int argc, char **argv) {
  struct arguments arguments = {0};
  if (command->run_raw)
    return command->run_raw(command, argc, argv);
  int code = options_parse(command, argc, argv, &arguments);
  if (!code && arguments.values[OPTION_HELP])
    options_help(command);
  else if (!code && !(code = check_output(command, &arguments)))
    code = command->run(command, &arguments);
  free(arguments.rest);
  free(arguments.given);
  return code;
}

/* Where a standard stream is closed, a file that is opened must not take its place and get what is written to it. */
static void keep_standard_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0) /* opened the wrong way round: its use fails, as it would have */
      open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* What was printed must have arrived, unless its reader has gone. */
static int flushed(int code) {
  if ((!fflush(stdout) && !ferror(stdout)) || errno == EPIPE)
    return code;
  return fail("cannot write to standard output: %s.", strerror(errno));
}

/* A link of that name stands in for nvcc in CUDA_HOME (gpuprof cc --cuda-home). */
static bool is_nvcc(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return path && !strcmp(slash ? slash + 1 : path, NVCC_NAME);
}

static int run(int argc, char **argv) {
  if (is_nvcc(argv[0])) {
    struct line arguments = {0};
    cuda_home_enter(argv[0]);
    nvcc_identify(&arguments, argc - 1, argv + 1);
    int code = run_command(command_named("cc"), (int)arguments.count, arguments.items);
    line_free(&arguments);
    return code;
  }
  const char *name = argc > 1 ? argv[1] : NULL;
  if (!name) {
    help_overview(stderr);
    return EXIT_UNUSABLE;
  }
  if (!strcmp(name, "--version")) {
    printf("gpuprof %s\n", GPUPROF_VERSION);
    return EXIT_GOOD;
  }
  const bool asked = !strcmp(name, "--help") || !strcmp(name, "-h");
  const struct command *command = command_named(asked ? "help" : name);
  return command ? run_command(command, argc - 2, argv + 2) : unknown_command(name);
}

int main(int argc, char **argv) {
  keep_standard_streams();
  return flushed(run(argc, argv));
}
