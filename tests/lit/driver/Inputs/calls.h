/* Device functions defined by one unit and called by the other. Products alone, never joined or doubled by an optimiser. */
#ifndef CALLS_H
#define CALLS_H

struct Pair {
  float first, second;
};

__device__ float raise(float value, int times);
__device__ Pair split(const Pair *pairs, int which);
__device__ float both(float value);
__device__ float stepped(float value, int steps);
__device__ int factorial(int n); // calls next() of the first unit, its caller
extern "C" __device__ int next(int n);

#endif
