__global__ void nothing() {}
int main() { nothing<<<1, 1>>>(); return cudaDeviceSynchronize(); }
