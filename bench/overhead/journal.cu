// Launches a kernel so many times: the journal costs the difference with GPUPROF_JOURNAL=0 (bench/overhead/journal).
//
//     journal LAUNCHES TURNS ROWS
//
// Launches go round ROWS regions, each a row of the document. Prints nanoseconds: from the
// first launch to the last, its processor time, the journal thread's, and the longest launch.
#include <gpuprof.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <string>
#include <vector>

__global__ void add(float *a, int turns) {
  float sum = a[threadIdx.x];
  for (int i = 0; i < turns; i++)
    sum += 0.5f;
  a[threadIdx.x] = sum;
}

static int64_t now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static std::string line_of(const std::string &path) {
  char line[256] = "";
  if (FILE *file = std::fopen(path.c_str(), "re")) {
    if (!std::fgets(line, sizeof line, file))
      line[0] = 0;
    std::fclose(file);
  }
  return line;
}

// The thread with the journal's name.
static long long journal_ns() {
  long long ns = 0;
  DIR *threads = opendir("/proc/self/task");
  while (const dirent *thread = threads ? readdir(threads) : nullptr) {
    const std::string folder = std::string("/proc/self/task/") + thread->d_name;
    if (line_of(folder + "/comm") == "gpuprof\n")
      ns += std::atoll(line_of(folder + "/schedstat").c_str());
  }
  closedir(threads);
  return ns;
}

int main(int, char **arguments) {
  const int launches = std::atoi(arguments[1]), turns = std::atoi(arguments[2]), rows = std::atoi(arguments[3]);
  float *a;
  cudaMalloc(&a, 256 * sizeof *a);
  add<<<1, 256>>>(a, turns);
  std::vector<std::string> names;
  for (int i = 0; i < rows; i++)
    names.push_back("row_" + std::to_string(i));
  const int64_t begin = now(CLOCK_MONOTONIC), processor = now(CLOCK_PROCESS_CPUTIME_ID);
  int64_t longest = 0, last = begin;
  for (int i = 0; i < launches; i++) {
    gpuprof::Region region(names[i % rows].c_str());
    add<<<1, 256>>>(a, turns);
    const int64_t time = now(CLOCK_MONOTONIC);
    longest = std::max(longest, time - last);
    last = time;
  }
  cudaDeviceSynchronize();
  std::printf("%lld %lld %lld %lld\n", (long long)(now(CLOCK_MONOTONIC) - begin),
              (long long)(now(CLOCK_PROCESS_CPUTIME_ID) - processor), journal_ns(), (long long)longest);
}
