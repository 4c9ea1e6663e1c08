// A forking process on the CPU device. Each child counts for itself, from nothing, in a report of its own: from before the first
// launch, from behind it, and within a region, which begins there anew. A child without work writes none. The parent's report
// has nothing of theirs. Where the name of the report lacks %p, that of a later child gets it. Traces of all children get it.
// RUN: rm -rf %t.reports && mkdir %t.reports
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.reports/%%p.json timeout 60 %t %t.reports | %FileCheck %s
// RUN: mv %t.reports/[0-9]*.json %t.reports/parent.json
// RUN: %py %S/Inputs/kernel_has.py %t.reports/parent.json add launches=3 flops.fp32.add=192
// RUN: %py %S/Inputs/kernel_has.py %t.reports/early.json add launches=2 flops.fp32.add=128
// RUN: %py %S/Inputs/kernel_has.py %t.reports/late.json add launches=5 flops.fp32.add=320
// RUN: %py %S/Inputs/kernel_has.py %t.reports/inner.json region:around executions=1 launches=4
// RUN: %py %S/Inputs/kernel_has.py %t.reports/inner.json region:within executions=1 launches=1
// RUN: %py %S/Inputs/kernel_has.py %t.reports/parent.json region:around executions=1 launches=0
// RUN: ls %t.reports | wc -l | %FileCheck --check-prefix=FOUR %s
// RUN: rm -rf %t.reports %t.traces && mkdir %t.reports %t.traces
// RUN: env GPUPROF_OUTPUT=%t.reports/run.json GPUPROF_TRACE=%t.traces/trace.json timeout 60 %t %t.reports run- | %FileCheck %s
// RUN: ls %t.traces/trace.json && ls %t.traces | wc -l | %FileCheck --check-prefix=FOUR %s
// RUN: ls %t.reports | wc -l | %FileCheck --check-prefix=FOUR %s
// RUN: %py %S/Inputs/kernel_has.py %t.reports/run.json add launches=3 flops.fp32.add=192
// RUN: %py %S/Inputs/kernel_has.py %t.reports/late.json add launches=5 flops.fp32.add=320
// FOUR: {{^4$}}
// CHECK: all right
#include "run.h"
#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(float *p) { p[threadIdx.x] += 1; }

static float run(float *p, int times) {
  float host[64];
  for (int i = 0; i < times; i++)
    add<<<1, 64>>>(p);
  to_host(host, p, 64);
  return host[63];
}

// Waits for the child, and names its report.
static void join(pid_t child, const std::string &folder, const char *name) {
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const bool is_whole = folder.back() == 'n'; // the name of the report itself
  const std::string report = is_whole ? folder : folder + std::to_string(child) + ".json";
  const std::string target = folder.substr(0, folder.rfind('/')) + "/" + name + ".json";
  EXPECT(std::rename(report.c_str(), target.c_str()) == 0);
}

int main(int count, char **arguments) {
  const std::string plain = std::string(arguments[1]) + "/", folder = plain + (count > 2 ? arguments[2] : "");
  float zero[64] = {};
  pid_t child = fork();
  if (child == 0) {
    EXPECT(run(to_device(zero, 64), 2) == 2);
    return failures;
  }
  join(child, count > 2 ? plain + "run.json" : folder, "early");
  float *p = to_device(zero, 64);
  EXPECT(run(p, 2) == 2);
  child = fork();
  if (child == 0) {
    EXPECT(run(p, 5) == 7);
    return failures;
  }
  join(child, folder, "late");
#pragma gpuprof region("around")
  {
    child = fork();
    if (child == 0) {
      run(p, 3);
#pragma gpuprof region("within")
      run(p, 1);
      return failures;
    }
    join(child, folder, "inner");
  }
  child = fork();
  if (child == 0)
    return 0;
  EXPECT(waitpid(child, nullptr, 0) == child);
  EXPECT(run(p, 1) == 3);
  return finish();
}
