#include "members.cuh"
__constant__ float scale = 2.0f;
__device__ float scaled(float value) { return scale * value + 1.0f; }
