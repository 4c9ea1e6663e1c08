// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Ranks by the variables of launchers, and the names of their documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ranks.h"
#include "base/output_name.h"

#include <stdlib.h>
#include <string.h>

static const char *const *environment; /* names and values in turn, ended by null */

static const char *variable(const char *name) {
  for (size_t i = 0; environment[i]; i += 2)
    if (!strcmp(environment[i], name))
      return environment[i + 1];
  return NULL;
}

static void assert_ranks(const char *const *given, const char *launcher, int64_t rank, int64_t size, int64_t local) {
  environment = given;
  const struct gp_ranks ranks = gp_ranks_read(variable);
  if (launcher)
    assert_string_equal(ranks.launcher, launcher);
  else
    assert_null(ranks.launcher);
  assert_int_equal(ranks.rank, rank);
  assert_int_equal(ranks.world_size, size);
  assert_int_equal(ranks.local_rank, local);
}

#define ENVIRONMENT(...) ((const char *const[]){__VA_ARGS__, NULL})

static void each_launcher_is_known(void **state) {
  (void)state;
  assert_ranks(ENVIRONMENT("OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "4", "OMPI_COMM_WORLD_LOCAL_RANK", "1"), "Open MPI", 3, 4, 1);
  assert_ranks(ENVIRONMENT("PMI_RANK", "2", "PMI_SIZE", "8", "MPI_LOCALRANKID", "0"), "MPICH", 2, 8, 0);
  assert_ranks(ENVIRONMENT("MV2_COMM_WORLD_RANK", "1", "MV2_COMM_WORLD_SIZE", "2"), "MVAPICH", 1, 2, GP_NO_RANK);
  assert_ranks(ENVIRONMENT("RANK", "7", "WORLD_SIZE", "8", "LOCAL_RANK", "3"), "torchrun", 7, 8, 3);
  assert_ranks(ENVIRONMENT("PMIX_RANK", "5", "SLURM_NTASKS", "6"), "PMIx", 5, 6, GP_NO_RANK);
  assert_ranks(ENVIRONMENT("SLURM_PROCID", "0", "SLURM_NTASKS", "1", "SLURM_LOCALID", "0"), "Slurm", 0, 1, 0);
  assert_ranks(ENVIRONMENT("FLUX_TASK_RANK", "0", "FLUX_JOB_SIZE", "2"), "Flux", 0, 2, GP_NO_RANK);
}

static void the_inner_launcher_decides(void **state) {
  (void)state;
  assert_ranks(ENVIRONMENT("SLURM_PROCID", "1", "SLURM_NTASKS", "2", "SLURM_LOCALID", "0", "RANK", "9", "WORLD_SIZE", "16"), "torchrun", 9, 16,
               GP_NO_RANK);
}

static void what_is_no_number_is_no_rank(void **state) {
  (void)state;
  assert_ranks(ENVIRONMENT("RANK", "gold", "SLURM_PROCID", ""), NULL, GP_NO_RANK, GP_NO_RANK, GP_NO_RANK);
  assert_ranks(ENVIRONMENT("RANK", "-1"), NULL, GP_NO_RANK, GP_NO_RANK, GP_NO_RANK);
  assert_ranks(ENVIRONMENT("RANK", "1", "WORLD_SIZE", "many"), "torchrun", 1, GP_NO_RANK, GP_NO_RANK);
}

static void assert_name(char *name, const char *expected) {
  assert_string_equal(name, expected);
  free(name);
}

static void names_differ_by_rank(void **state) {
  (void)state;
  const struct gp_ranks none = {0}, alone = {"Slurm", 0, 1, 0, 1}, some = {"MPICH", 1, 4, 1, 4}, unsure = {"PMIx", 1, GP_NO_RANK, 0, 0};
  assert_name(gp_output_name_of_rank("run.json", &none), "run.json");
  assert_name(gp_output_name_of_rank("run.json", &alone), "run.json");
  assert_name(gp_output_name_of_rank("run.json", &some), "run-rank%r.json");
  assert_name(gp_output_name_of_rank("run.json", &unsure), "run-rank%r.json");
  assert_name(gp_output_name_of_rank("a.b/gpuprof-%p", &some), "a.b/gpuprof-%p-rank%r");
  assert_name(gp_output_name_of_rank("%r/run.json", &some), "%r/run.json");
  assert_name(gp_output_name_of_rank("%%r.json", &some), "%%r-rank%r.json");
  assert_name(gp_output_name_of_rank("/dev/stdout", &some), "/dev/stdout");
}

static void names_differ_by_child(void **state) {
  (void)state;
  assert_name(gp_output_name_of_child("run.json"), "run-%p.json");
  assert_name(gp_output_name_of_child("gpuprof-%p.json"), "gpuprof-%p.json");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_launcher_is_known),  cmocka_unit_test(the_inner_launcher_decides),
      cmocka_unit_test(what_is_no_number_is_no_rank), cmocka_unit_test(names_differ_by_rank),
      cmocka_unit_test(names_differ_by_child),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
