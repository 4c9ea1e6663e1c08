/* The interface between the measuring program and the variants of the kernels. */
#ifndef GPUPROF_BENCH_OVERHEAD_H
#define GPUPROF_BENCH_OVERHEAD_H

#include <cstddef>

/* Device memory shared by all kernels: floats, filled with numbers between 0 and 1. */
struct Memory {
  float *in[3], *out[3];
};

enum Kernel {
  LifStep,
  StbifForward,
  StbifBackward,
  AttentionScores,
  AttentionSoftmax,
  AttentionValues,
  AttentionTiled,
  AttentionTiledCausal,
  KernelCount
};

/* Sizes: neurons and steps of the spiking kernels, length and heads of attention (with 64 floats a row). */
struct Size {
  int a, b;
};

/* One way to compile the kernels. */
struct Variant {
  const char *name;
  void (*launch)(Kernel kernel, Size size, const Memory &memory); /* on the default stream */
  const void *(*function)(Kernel kernel);
};

extern const Variant variants[];
extern const int variant_count;

#endif
