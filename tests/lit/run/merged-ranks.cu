// Documents of three ranks that do different work become one: rows are summed by path and kernel, with the least and most of a
// rank. A missing rank, a rank that comes twice, and differences of build and warm-up are told. The order of files, and merging in
// two steps, changes no count. The merged document is one that every command reads.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clangxx -fplugin=%plugin %minicuda -I%source/include -I%S/Inputs -O1 %s -o %t %link
// RUN: %clangxx -fplugin=%plugin %minicuda -I%source/include -I%S/Inputs -O2 %s -o %t.other %link
// RUN: cd %t.d && for r in 0 1 2; do RANK=$r WORLD_SIZE=4 GPUPROF_OUTPUT=run.json %t $r | %FileCheck %s || exit 1; done
// RUN: cd %t.d && %gpuprof merge run-rank0.json run-rank1.json run-rank2.json -o all.json 2>&1 | %FileCheck --check-prefix=MISSING %s
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.d/all.json
// RUN: %py %S/Inputs/kernel_has.py %t.d/all.json add launches=6 executions=6 flops.fp32.add=192 over_ranks.ranks=3 over_ranks.launches.min=1 over_ranks.launches.max=3 over_ranks.launches.max_rank=2
// RUN: %py %S/Inputs/kernel_has.py %t.d/all.json region:all executions=3 launches=7 user_counters.items=3 snn.spikes_positive=3 expected.flops=600 over_ranks.flops.max=96
// RUN: %py %S/Inputs/kernel_has.py %t.d/all.json region:second launches=1 over_ranks.ranks=1 over_ranks.launches.max_rank=1
// RUN: %FileCheck --check-prefix=CONTEXT %s < %t.d/all.json
// RUN: cd %t.d && %gpuprof merge run-rank2.json run-rank0.json -o two.json 2>&1 | %FileCheck --check-prefix=TWO %s
// RUN: cd %t.d && %gpuprof merge two.json run-rank1.json -o steps.json 2>&1 | %FileCheck --check-prefix=MISSING %s
// RUN: cd %t.d && %gpuprof diff all.json steps.json
// RUN: cd %t.d && %gpuprof check steps.json --baseline all.json
// RUN: cd %t.d && %gpuprof report all.json --regions | %FileCheck --check-prefix=REPORT %s
// RUN: cd %t.d && %gpuprof report all.json --format=markdown | %FileCheck --check-prefix=MARKDOWN %s
// RUN: cd %t.d && %gpuprof report all.json --format=html | %FileCheck --check-prefix=HTML %s
// RUN: cd %t.d && (%gpuprof diff run-rank0.json two.json all.json || true) | %FileCheck --check-prefix=SCALING %s
// RUN: cd %t.d && RANK=2 WORLD_SIZE=4 GPUPROF_WARMUP=1 GPUPROF_OUTPUT=other.json %t.other 0
// RUN: cd %t.d && %gpuprof merge all.json other-rank2.json -o differ.json 2>&1 | %FileCheck --check-prefix=DIFFER %s
// RUN: cd %t.d && %gpuprof merge differ.json -o again.json 2>&1 | %FileCheck --check-prefix=DIFFER %s
// RUN: cd %t.d && (%gpuprof merge all.json ./all.json -o same.json; echo exit $?) 2>&1 | %FileCheck --check-prefix=SAME %s
// CHECK: all right
// MISSING: note: 1 of 4 ranks is missing: 3.
// TWO: note: 2 of 4 ranks are missing: 1, 3.
// CONTEXT: "pid": null
// CONTEXT: "rank": null
// CONTEXT: "world_size": 4
// CONTEXT: "ranks": [
// CONTEXT-NEXT: {"rank": 0,{{.*}}"file": "run-rank0.json",{{.*}}"launches": 1,
// CONTEXT-NEXT: {"rank": 1,{{.*}}"launches": 3,
// CONTEXT-NEXT: {"rank": 2,{{.*}}"launches": 3,{{.*}}"clock_offset_ns": 0,
// CONTEXT: "about": "ranks",
// CONTEXT-NEXT: "text": "1 of 4 ranks is missing: 3."
// CONTEXT: of several ranks medians and percentiles are null
// CONTEXT-NEXT: "standing": true
// REPORT: rank {{ *}}host
// REPORT: {{^}} 0 {{.*}} 1 {{ *}}32
// REPORT: {{^}} 2 {{.*}} 3 {{ *}}96
// REPORT: Run: from
// REPORT: over ranks
// REPORT: all
// REPORT: ranks: 1 of 4 ranks is missing: 3.
// MARKDOWN: ### Ranks
// MARKDOWN: | rank | host
// HTML: <h2>Ranks</h2>
// SCALING: {{^}} run {{ *}}ranks {{ *}}FLOP
// SCALING: run-rank0.json {{ *}}1 {{.*}}100 %
// SCALING: two.json {{ *}}2
// SCALING: all.json {{ *}}3
// DIFFER-DAG: note: The documents are of different warm-ups (GPUPROF_WARMUP): 0, and 1 in 'other-rank2.json'.
// DIFFER-DAG: note: The documents are of different builds: O1 {{.*}}, and O2 {{.*}} in 'other-rank2.json'.
// DIFFER-DAG: note: Several documents are of one rank, as of several processes or runs: rank 2.
// SAME: error: './all.json' is named twice; name the file of each process once.
// SAME: exit 2
#include "gpuprof.h"
#include "run.h"
#include <cstdlib>

__global__ void add(float *p) { p[threadIdx.x] += 1; }
__global__ void multiply(float *p) { p[threadIdx.x] *= 2; }

int main(int, char **arguments) {
  const int rank = atoi(arguments[1]);
  float zero[32] = {}, *memory = to_device(zero, 32);
#pragma gpuprof region("all")
  {
    gpuprof_count("items", rank);
    gpuprof_expect(200, 0, 0);
#pragma gpuprof spike(1)
    for (int i = 0; i <= rank; i++)
      add<<<1, 32>>>(memory);
    if (rank == 1) {
#pragma gpuprof region("second")
      multiply<<<1, 32>>>(memory);
    }
  }
  return finish();
}
