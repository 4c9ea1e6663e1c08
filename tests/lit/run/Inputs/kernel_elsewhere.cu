// Compiled without the plugin.
__global__ void elsewhere(float *x) { x[threadIdx.x] *= 3; }

extern "C" void launch_elsewhere(float *x) { elsewhere<<<1, 32>>>(x); }
