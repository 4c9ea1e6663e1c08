/* Tables of the results of driver calls, by the driver's own names of errors. */
#ifndef DRIVER_TABLE_H
#define DRIVER_TABLE_H

#include <cuda.h>
#include "table.h"

static inline void show_driver_call(const char *call, CUresult result) {
  const char *name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("%-100s %s\n", call, name ? name : "no name");
  std::fflush(stdout);
}
#define DRIVER(call) show_driver_call(#call, (call))

#endif
