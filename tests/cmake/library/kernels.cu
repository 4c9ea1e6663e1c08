__global__ void twice(float *x) { x[threadIdx.x] += x[threadIdx.x]; }

void run_twice(float *x) { twice<<<1, 32>>>(x); }
