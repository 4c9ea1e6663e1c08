#pragma once
extern __constant__ float scale;
__device__ float scaled(float value);
