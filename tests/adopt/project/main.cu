#include "layers.cuh"

static float *managed(int count) {
  float *memory;
  CHECK(cudaMallocManaged(&memory, count * sizeof(float)));
  for (int i = 0; i < count; ++i)
    memory[i] = 0;
  return memory;
}

// How many of the samples are on the right side.
static int right_ones(const Model &model) {
  int right = 0;
  for (int sample = 0; sample < model.samples; ++sample)
    right += (model.outputs[sample] > 0.5f) == (model.labels[sample] > 0.5f);
  return right;
}

int main(int argc, char **argv) {
  int samples = argc > 1 ? std::atoi(argv[1]) : 1000, features = 32, epochs = 5;
  Model model{samples,           features,         managed(samples * features), managed(samples),
              managed(features), managed(samples), managed(features)};
  make_data(model.inputs, model.labels, samples, features);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    forward(model);
    backward(model);
    sgd_step(model, 1.0f);
  }
  CHECK(cudaDeviceSynchronize());
  std::printf("%d of %d right\n", right_ones(model), samples);
  for (float *memory : {model.inputs, model.labels, model.weights, model.outputs, model.gradient})
    CHECK(cudaFree(memory));
}
