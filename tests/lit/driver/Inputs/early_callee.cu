// For relocatable-before-main.test: a function and variables of another unit.
__device__ float sum[32];
__device__ float factor = 0.5f;
__device__ float one() { return factor * 2; }
