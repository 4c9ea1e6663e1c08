/* Shared by the two sides of the benchmark: the list of kernels, and their data. */
#ifndef GPUPROF_BENCH_CPU_DEVICE_H
#define GPUPROF_BENCH_CPU_DEVICE_H

#include <stddef.h>

enum Kernel {
  VectorAdd,
  LifStep,
  StbifForward,
  StbifBackward,
  AttentionScores,
  AttentionValues,
  AttentionSoftmax,
  AttentionTiled,
  ReduceShared,
  ReduceShuffle,
  ScanShared,
  ScanWarp,
  ScanBlock,
  NormalizeRows,
  StencilLine,
  StencilPlane,
  StencilTiled,
  MatrixTiled,
  MatrixVector,
  Kernels
};

enum { Row = 64, Block = 256, Tile = 16, Radius = 3, Arrays = 4 };

/* `a` is the number of elements, neurons, rows or the edge of a matrix; `b` of time steps or heads. */
struct Size {
  size_t a;
  int b;
};

/* Inputs are read only; `out` starts with the kernel's initial data. All have room for the largest kernel. */
struct Memory {
  const float *in[Arrays];
  float *out[Arrays];
};

/* Runs a kernel on the device and waits for it. */
void run_device(Kernel kernel, Size size, const Memory &memory);
/* The same algorithm as loops for the processor. */
void run_native(Kernel kernel, Size size, const Memory &memory);

#endif
