/* Asks CUDA for a device, and says whether the process has libgpuprof-cpu.so open. */
#include <stdio.h>
#include <string.h>

int cudaGetDeviceCount(int *count);
const char *cudaGetErrorString(int error);
int cuInit(unsigned flags);

int main(void) {
  int count = -1, error = cudaGetDeviceCount(&count);
  char line[4096];
  int is_open = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps))
    is_open |= strstr(line, "libgpuprof-cpu.so") != NULL;
  printf("cudaGetDeviceCount %d, cuInit %d, CPU device %s\n", error, cuInit(0), is_open ? "open" : "not open");
  if (error)
    puts(cudaGetErrorString(error));
}
