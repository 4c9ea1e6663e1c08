// Launches a kernel so many times: what the journal costs is the difference with GPUPROF_JOURNAL=0 (bench/overhead/journal).
//
//     journal LAUNCHES TURNS    // prints nanoseconds from the first launch to the last: time, processor time, that of the journal's thread
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <string>

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

// The thread that has the journal's name.
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
  const int launches = std::atoi(arguments[1]), turns = std::atoi(arguments[2]);
  float *a;
  cudaMalloc(&a, 256 * sizeof *a);
  add<<<1, 256>>>(a, turns);
  const int64_t begin = now(CLOCK_MONOTONIC), processor = now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < launches; i++) {
#pragma gpuprof region("turn")
    {
      add<<<1, 256>>>(a, turns);
    }
  }
  cudaDeviceSynchronize();
  std::printf("%lld %lld %lld\n", (long long)(now(CLOCK_MONOTONIC) - begin), (long long)(now(CLOCK_PROCESS_CPUTIME_ID) - processor),
              journal_ns());
}
