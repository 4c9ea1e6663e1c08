/* LIF over all steps as SpikingJelly's CuPy backend does it (activation_based/neuron_kernel.py; own code): a
 * thread a neuron, the membrane read from and written to memory in each step, potentials and membranes kept
 * for the backward pass. Compiled by NVRTC for the row of CuPy, and by clang for the row beside it. Arrays
 * [steps][neurons], v [steps + 1][neurons].
 */
extern "C" __global__ void one_thread_a_neuron(const float *x, float *v, float *h, float *spike, float leak,
                                               float threshold, float reset, int neurons, int steps) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= neurons)
    return;
  for (long long at = n; at < (long long)steps * neurons; at += neurons) {
    h[at] = v[at] + leak * (x[at] - (v[at] - reset));
    if (h[at] >= threshold) {
      spike[at] = 1.0f;
      v[at + neurons] = reset;
    } else {
      spike[at] = 0.0f;
      v[at + neurons] = h[at];
    }
  }
}
