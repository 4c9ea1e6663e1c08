// A library's header: included from a system header directory.
#pragma once
__device__ inline float product(float x, float y) { return x * y; }
