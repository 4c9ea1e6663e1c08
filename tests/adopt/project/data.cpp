#include "layers.cuh"

// Whole numbers below 16 over 16, so that the sums do not depend on rounding.
void make_data(float *inputs, float *labels, int samples, int features) {
  unsigned state = 1;
  for (int sample = 0; sample < samples; ++sample) {
    float sum = 0;
    for (int i = 0; i < features; ++i) {
      state = state * 1664525u + 1013904223u;
      inputs[sample * features + i] = float(state >> 28) / 16 - 0.5f;
      sum += inputs[sample * features + i] * float(i % 3 - 1);
    }
    labels[sample] = sum > 0 ? 1 : 0;
  }
}
