#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t error = (call);                                                            \
    if (error != cudaSuccess) {                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));   \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (0)

constexpr int kThreads = 128;

inline int blocks_for(int n) { return (n + kThreads - 1) / kThreads; }

void make_data(float *inputs, float *labels, int samples, int features);

struct Model {
  int samples, features;
  float *inputs, *labels, *weights, *outputs, *gradient;
};

void forward(const Model &model);
void backward(const Model &model);
void sgd_step(const Model &model, float rate);
