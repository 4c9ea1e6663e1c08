// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* documents: mutates documents and runs the command's reader, reports and comparisons
 * over each, in this process, and a sample of them through the command itself.
 *
 *   documents [--count N] [--seed S] [--jobs J] [--first I] [--command GPUPROF] [--sample N] [--keep FOLDER] FILE...
 *
 * FILEs are good documents. Each input is a function of the seed and its number: --first I --count 1 repeats one.
 * Failures are a signal, a finding of a sanitizer, more than 10 seconds, an exit code other than 0, 1 and 2, and
 * output obeyed by a terminal; they are kept in FOLDER. Prints a row of a table; ends with 1 after a failure. */
#include "document_checks.h"
#include "document_mutator.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_SECONDS 10
#define MOST_FAILURES 20 /* of a job: then it ends */

struct plan {
  uint64_t count, seed, jobs, first, sample;
  const char *command, *keep;
  const char **texts;
  size_t text_count;
};

/* Of one job; in memory shared with the parent, so it is known after a crash. */
struct job {
  uint64_t at, done, commands, failures;
  int running; /* within an input */
};

/* Documents are small: AddressSanitizer needs to keep little freed memory. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "quarantine_size_mb=4"; }

/* ---- One input ---- */

static void keep(const struct plan *plan, const struct text *input, uint64_t number) {
  if (!plan->keep)
    return;
  char *path = format_string("%s/%" PRIu64 "-%" PRIu64 ".json", plan->keep, plan->seed, number);
  FILE *file = fopen(path, "wb");
  if (file) {
    fwrite(text_get(input), 1, input->length, file);
    fclose(file);
  }
  free(path);
}

static void report_failure(const struct plan *plan, uint64_t number, const char *what) {
  printf("failure: --seed %" PRIu64 " --first %" PRIu64 " --count 1: %s\n", plan->seed, number, what);
  fflush(stdout);
}

static void (*const no_handler)(int) = SIG_DFL;

/* Runs the command on a file; its output goes to another one. Returns the fault in its end. */
static const char *run_command(const struct plan *plan, const char *input, const char *output, uint64_t number) {
  static const char *const ways[][4] = {{"report", "--format=text"}, {"report", "--format=html"}, {"report", "--format=csv"},
                                        {"report", "--lines"},       {"diff"},                    {"plot"},
                                        {"check", "--baseline"}};
  const char *const *way = ways[number / plan->sample % (sizeof ways / sizeof *ways)];
  pid_t child = fork();
  if (child == 0) {
    signal(SIGALRM, no_handler);
    int to = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    alarm(MOST_SECONDS);
    execl(plan->command, plan->command, way[0], way[1] ? way[1] : input, input, (char *)NULL);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? "the command does not end" : "the command ended by a signal";
  return WEXITSTATUS(status) > 2 ? "the command has an exit code above 2" : NULL;
}

static const char *check_printed(const char *output) {
  static char bytes[1 << 16];
  FILE *file = fopen(output, "rb");
  const char *fault = NULL;
  size_t count;
  while (file && !fault && (count = fread(bytes, 1, sizeof bytes, file)) > 0)
    for (size_t i = 0; i < count; ++i)
      if (((unsigned char)bytes[i] < 0x20 && bytes[i] != '\n') || bytes[i] == 0x7F)
        fault = "the command prints control characters";
  if (file)
    fclose(file);
  return fault;
}

static const char *check_by_command(const struct plan *plan, const struct text *input, uint64_t number) {
  char *path = format_string("/tmp/gpuprof-documents-%ld.json", (long)getpid()),
       *output = format_string("%s.out", path);
  FILE *file = fopen(path, "wb");
  const char *fault = "a file in /tmp cannot be written";
  if (file && fwrite(text_get(input), 1, input->length, file) == input->length && !fclose(file)) {
    fault = run_command(plan, path, output, number);
    fault = fault ? fault : check_printed(output);
  }
  unlink(path);
  unlink(output);
  free(path);
  free(output);
  return fault;
}

static void timed_out(int signal) {
  static const char sentence[] = "an input takes more than 10 seconds\n";
  (void)!write(STDOUT_FILENO, sentence, sizeof sentence - 1);
  (void)signal;
  _exit(3);
}

/* ---- One job: every J-th input ---- */

static void run_job(const struct plan *plan, struct job *job) {
  struct text input = {0};
  signal(SIGALRM, timed_out);
  document_checks_begin(plan->texts, plan->text_count);
  for (; job->at < plan->count && job->failures < MOST_FAILURES; job->at += plan->jobs) {
    uint64_t number = plan->first + job->at;
    document_mutate(&input, plan->texts, plan->text_count, plan->seed, number);
    job->running = 1;
    alarm(MOST_SECONDS);
    const char *fault = document_check(text_get(&input), input.length, number);
    alarm(0);
    job->running = 0;
    if (!fault && plan->command && number % plan->sample == 0) {
      fault = check_by_command(plan, &input, number);
      job->commands++;
    }
    job->done++;
    if (!fault)
      continue;
    job->failures++;
    report_failure(plan, number, fault);
    keep(plan, &input, number);
  }
  exit(0);
}

/* Starts the job, and again behind an input ending it. */
static pid_t start_job(const struct plan *plan, struct job *job) {
  pid_t child = fork();
  if (child == 0)
    run_job(plan, job);
  return child;
}

static void count_crash(const struct plan *plan, struct job *job) {
  struct text input = {0};
  report_failure(plan, plan->first + job->at, "ended the process, see above");
  document_mutate(&input, plan->texts, plan->text_count, plan->seed, plan->first + job->at);
  keep(plan, &input, plan->first + job->at);
  text_free(&input);
  job->failures++;
  job->done++;
  job->running = 0;
  job->at += plan->jobs;
}

static void run_jobs(const struct plan *plan, struct job *jobs) {
  pid_t *children = allocate(plan->jobs * sizeof *children);
  for (uint64_t j = 0; j < plan->jobs; ++j) {
    jobs[j].at = j;
    children[j] = start_job(plan, &jobs[j]);
  }
  for (uint64_t left = plan->jobs; left;) {
    int status = 0;
    pid_t ended = wait(&status);
    if (ended < 0)
      break;
    for (uint64_t j = 0; j < plan->jobs; ++j) {
      if (children[j] != ended)
        continue;
      bool good = WIFEXITED(status) && !WEXITSTATUS(status);
      if (!good)
        count_crash(plan, &jobs[j]);
      if (good || jobs[j].failures >= MOST_FAILURES)
        --left;
      else
        children[j] = start_job(plan, &jobs[j]);
    }
  }
  free(children);
}

/* ---- The whole ---- */

static char *read_file(const char *path) {
  struct text content = {0};
  char buffer[4096];
  size_t count;
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "documents: cannot open '%s': %s.\n", path, strerror(errno));
    exit(2);
  }
  while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_bytes(&content, buffer, count);
  fclose(file);
  text_add(&content, "");
  return content.data;
}

static void take_arguments(struct plan *plan, int argc, char **argv) {
  const struct {
    const char *name;
    uint64_t *number;
    const char **string;
  } options[] = {{"--count", &plan->count, NULL},     {"--seed", &plan->seed, NULL},     {"--jobs", &plan->jobs, NULL},
                 {"--first", &plan->first, NULL},     {"--sample", &plan->sample, NULL}, {"--command", NULL, &plan->command},
                 {"--keep", NULL, &plan->keep}};
  plan->texts = allocate((size_t)argc * sizeof *plan->texts);
  for (int i = 1; i < argc; ++i) {
    size_t o = 0;
    while (o < sizeof options / sizeof *options && strcmp(argv[i], options[o].name))
      ++o;
    if (o == sizeof options / sizeof *options) {
      plan->texts[plan->text_count++] = read_file(argv[i]);
    } else if (++i < argc) {
      if (options[o].number)
        *options[o].number = strtoull(argv[i], NULL, 10);
      else
        *options[o].string = argv[i];
    }
  }
}

int main(int argc, char **argv) {
  struct plan plan = {.count = 10000, .seed = 1, .jobs = 1, .sample = 1000};
  struct timespec begin, end;
  take_arguments(&plan, argc, argv);
  if (!plan.text_count || !plan.jobs || !plan.sample) {
    fprintf(stderr, "usage: documents [--count N] [--seed S] [--jobs J] [--first I] [--command GPUPROF] [--sample N] "
                    "[--keep FOLDER] FILE...\n");
    return 2;
  }
  struct job *jobs = mmap(NULL, plan.jobs * sizeof *jobs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  run_jobs(&plan, jobs);
  clock_gettime(CLOCK_MONOTONIC, &end);
  struct job sum = {0};
  for (uint64_t j = 0; j < plan.jobs; ++j) {
    sum.done += jobs[j].done;
    sum.commands += jobs[j].commands;
    sum.failures += jobs[j].failures;
  }
  double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  printf("| mutated documents, seed %" PRIu64 " | %" PRIu64 " inputs, %" PRIu64 " of them by the command | %" PRIu64
         " failures | %.0f s, %.0f a second and job |\n",
         plan.seed, sum.done, sum.commands, sum.failures, seconds,
         (double)sum.done / seconds / (double)plan.jobs);
  for (size_t i = 0; i < plan.text_count; ++i)
    free((char *)plan.texts[i]);
  free(plan.texts);
  bool all = sum.done == plan.count;
  if (!all)
    printf("not all inputs were tried: a job ended after %d failures\n", MOST_FAILURES);
  return sum.failures || !all;
}
