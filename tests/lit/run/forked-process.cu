// A forking process. A child from before the first launch counts its launches in a report of its own. A later
// child goes on with copies of all memory, without counts or a report. The parent's report has nothing of either.
// RUN: rm -rf %t.reports && mkdir %t.reports
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.reports/%%p.json timeout 60 %t %t.reports | %FileCheck %s
// RUN: mv %t.reports/[0-9]*.json %t.reports/parent.json
// RUN: %py %S/Inputs/kernel_has.py %t.reports/parent.json add launches=3 flops.fp32.add=192
// RUN: %py %S/Inputs/kernel_has.py %t.reports/early.json add launches=2 flops.fp32.add=128
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
  std::string report = folder + "/" + std::to_string(child) + ".json";
  EXPECT(!name || std::rename(report.c_str(), (folder + "/" + name + ".json").c_str()) == 0);
}

int main(int, char **arguments) {
  const std::string folder = arguments[1];
  float zero[64] = {};
  pid_t child = fork();
  if (child == 0) {
    EXPECT(run(to_device(zero, 64), 2) == 2);
    return failures;
  }
  join(child, folder, "early");
  float *p = to_device(zero, 64);
  EXPECT(run(p, 2) == 2);
  child = fork();
  if (child == 0) {
    EXPECT(run(p, 5) == 7);
    return failures;
  }
  join(child, folder, nullptr);
  EXPECT(run(p, 1) == 3);
  return finish();
}
