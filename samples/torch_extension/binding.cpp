// The layer for PyTorch. Tensors of the CPU are right on gpuprof's CPU device, whose kernels run in the same process.
#include <torch/extension.h>

#include <vector>

#include "lif.h"

static void check(cudaError_t error) { TORCH_CHECK(error == cudaSuccess, cudaGetErrorString(error)); }

static void check(const torch::Tensor &tensor) {
  TORCH_CHECK(tensor.dim() == 2 && tensor.is_contiguous() && tensor.scalar_type() == torch::kFloat,
              "lif: a contiguous float tensor of [steps, neurons] is needed");
}

static cudaStream_t stream_of(int64_t handle) { return reinterpret_cast<cudaStream_t>(handle); }

static std::vector<torch::Tensor> forward(const torch::Tensor &current, double decay, int64_t stream) {
  check(current);
  torch::Tensor membrane = torch::empty_like(current), spikes = torch::empty_like(current);
  check(lif_forward(current.data_ptr<float>(), membrane.data_ptr<float>(), spikes.data_ptr<float>(), int(current.size(0)),
                    int(current.size(1)), float(decay), stream_of(stream)));
  return {spikes, membrane};
}

static torch::Tensor backward(const torch::Tensor &gradient, const torch::Tensor &membrane, double decay, int64_t stream) {
  check(gradient);
  torch::Tensor result = torch::empty_like(gradient);
  check(lif_backward(gradient.data_ptr<float>(), membrane.data_ptr<float>(), result.data_ptr<float>(), int(gradient.size(0)),
                     int(gradient.size(1)), float(decay), stream_of(stream)));
  return result;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.def("forward", &forward);
  module.def("backward", &backward);
}
