/* Every kernel of kernels/ at a real size: run inside regions, checked against its reference
 * in double, with the nominal work declared. The report shows executed over nominal work.
 *
 *   gpuprof cc -O2 -std=c++17 samples/demo.cu -o demo && ./demo && gpuprof report gpuprof-*.json
 *
 * Ends with 1 if any result is wrong.
 */
#include <gpuprof.h>

#include "../kernels/attention/attention.cuh"
#include "../kernels/attention/attention_flash_reference.h"
#include "../kernels/attention/attention_naive.cuh"
#include "../kernels/attention/attention_reference.h"
#include "../kernels/snn/elements_reference.h"
#include "../kernels/snn/lif.cuh"
#include "../kernels/snn/lif_reference.h"
#include "../kernels/snn/stbif.cuh"
#include "../kernels/snn/stbif_reference.h"
#include "demo_support.h"

namespace {

enum { kBlock = 256, kSoftmaxBlock = 128, kTileX = 32, kTileY = 8, kHeadSize = 64 };
enum : size_t { kCheckedNeuronSteps = 1 << 23, kCheckedRows = 1024 };

struct Demo {
  Options options;
  ClosedForms closed_forms;
  bool all_right = true;

  void launched(const char *kernel) { check(cudaGetLastError(), kernel); }

  void expect(const char *kernel, const char *region, const ClosedForm &cost) {
    closed_forms.add(kernel, cost, {{region, cost}});
  }

  void verdict(const char *what, const Comparison &comparison, double bound) {
    bool right = comparison.within(bound);
    printf("%-24s error %.1e of %.0e allowed, %zu values compared: %s\n", what, comparison.error(), bound,
           comparison.number(), right ? "right" : "WRONG");
    all_right &= right;
  }
};

unsigned blocks(size_t amount, size_t block) { return (unsigned)ceil_div(amount, block); }

/* ---- Spiking layers ---- */
/* Spikes of every neuron, by the reference. */
void add_spikes(ClosedForm &cost, const StbifReference &reference, size_t neurons, int steps,
                const std::vector<float> &input) {
  std::vector<double> expected(3 * steps);
  for (size_t n = 0; n < neurons; ++n) {
    stbif_forward_reference(reference, steps, neurons, &input[n], &expected[0], &expected[steps],
                            &expected[2 * steps]);
    for (int t = 0; t < steps; ++t)
      cost.add_spike(expected[t]);
  }
}

/* Spikes of the neurons in one step, by the reference; `membrane` is carried on. */
void add_spikes(ClosedForm &cost, const LifParameters &p, const float *current,
                std::vector<float> &membrane) {
  for (size_t n = 0; n < membrane.size(); ++n)
    cost.add_spike(lif_reference(p.leak, p.threshold, p.reset, current[n], membrane[n]));
}

void run_stbif(Demo &demo) {
  const size_t neurons = demo.options.neurons, neuron_steps = neurons * demo.options.steps;
  const int steps = (int)demo.options.steps;
  const float prefire = 0.25f;
  const StbifParameters p = stbif_parameters(0.75f, -4.0f, 3.0f, prefire); // level 8, symmetric
  const float membrane_start = stbif_membrane_start(p.threshold, prefire), trace_start = 0.0f;
  const float width = 0.405f * p.threshold, level_width = 0.405f;
  const StbifSurrogate potential_surrogate = {1.0f / p.threshold, -0.5f / (width * width)};
  const StbifSurrogate trace_surrogate = {1.5f, -0.5f / (level_width * level_width)};

  const StbifReference reference = {p.threshold,
                                    membrane_start,
                                    trace_start,
                                    p.trace_min,
                                    p.trace_max,
                                    p.give_back,
                                    potential_surrogate.amplitude,
                                    -(double)potential_surrogate.negative_sharpness,
                                    trace_surrogate.amplitude,
                                    -(double)trace_surrogate.negative_sharpness};

  Random random(1);
  std::vector<float> input_host = random.multiples(neuron_steps),
                     gradient_host = random.uniforms(neuron_steps);
  DeviceArray input(input_host), output(neuron_steps), potential(neuron_steps), trace(neuron_steps),
      membrane(neurons);
  DeviceArray output_gradient(gradient_host), input_gradient(neuron_steps), start_gradient(neurons);

#pragma gpuprof region("forward.stbif") phase(forward) category(snn)
  {
    ClosedForm cost = stbif_forward_cost(neurons, steps, kBlock);
    if (demo.options.closed_forms)
      add_spikes(cost, reference, neurons, steps, input_host);
    gpuprof_expect((double)cost.flops(), (double)cost.unique, (double)neuron_steps);
    stbif_forward<<<blocks(neurons, kBlock), kBlock>>>(input, output, potential, trace, membrane, neurons,
                                                       steps, membrane_start, trace_start, p);
    demo.launched("stbif_forward");
    demo.expect("stbif_forward", "stbif.forward", cost);
  }
#pragma gpuprof region("backward.stbif") phase(backward) category(snn)
  {
    ClosedForm cost = stbif_backward_cost(neurons, steps, kBlock);
    gpuprof_expect((double)cost.flops(), (double)cost.unique, (double)neuron_steps);
    stbif_backward<<<blocks(neurons, kBlock), kBlock>>>(output_gradient, potential, trace, input_gradient,
                                                        start_gradient, neurons, steps, trace_start, p,
                                                        potential_surrogate, trace_surrogate);
    demo.launched("stbif_backward");
    demo.expect("stbif_backward", "stbif.backward", cost);
  }

  std::vector<float> output_host = output.read(), potential_host = potential.read(),
                     trace_host = trace.read();
  std::vector<float> membrane_host = membrane.read(), result_host = input_gradient.read();
  std::vector<float> start_host = start_gradient.read();
  std::vector<double> expected(4 * steps);
  double *out = &expected[0], *h = out + steps, *traced = h + steps, *gradient = traced + steps;
  Comparison forward, backward;
  for (size_t n : sample(neurons, ceil_div(kCheckedNeuronSteps, steps))) {
    forward.add(membrane_host[n],
                stbif_forward_reference(reference, steps, neurons, &input_host[n], out, h, traced));
    backward.add(start_host[n], stbif_backward_reference(reference, steps, neurons, &gradient_host[n],
                                                         &potential_host[n], &trace_host[n], gradient));
    for (int t = 0; t < steps; ++t) {
      size_t i = (size_t)t * neurons + n;
      forward.add(output_host[i], out[t]);
      forward.add(potential_host[i], h[t]);
      forward.add(trace_host[i], traced[t]);
      backward.add(result_host[i], gradient[t]);
    }
  }
  demo.verdict("stbif_forward", forward, STBIF_FORWARD_BOUND);
  demo.verdict("stbif_backward", backward, STBIF_BACKWARD_BOUND);
}

void run_lif(Demo &demo) {
  const size_t neurons = demo.options.neurons, steps = demo.options.steps;
  const size_t stride = ceil_div(neurons, 64) * 64; // every step's row begins where an allocation would
  const LifParameters p = {0.9375f, 1.0f, 0.0f};
  Random random(2);
  std::vector<float> current_host = random.multiples(stride * steps),
                     membrane_host = random.multiples(neurons);
  DeviceArray current(current_host), membrane(membrane_host), spike(stride * steps);

#pragma gpuprof region("forward.lif") phase(forward) category(snn)
  {
    const ClosedForm data_free = lif_step_cost(neurons, kBlock);
    std::vector<float> membrane_now = membrane_host;
    gpuprof_expect((double)(data_free.flops() * steps), (double)(data_free.unique * steps),
                   (double)(neurons * steps));
    for (size_t t = 0; t < steps; ++t) {
      ClosedForm cost = data_free;
      if (demo.options.closed_forms)
        add_spikes(cost, p, &current_host[t * stride], membrane_now);
      lif_step<<<blocks(neurons, kBlock), kBlock>>>(current + t * stride, membrane, spike + t * stride,
                                                    neurons, p);
      demo.launched("lif_step");
      demo.expect("lif_step", "lif.step", cost);
    }
  }

  std::vector<float> spike_host = spike.read(), result_host = membrane.read();
  Comparison comparison;
  for (size_t n : sample(neurons, ceil_div(kCheckedNeuronSteps, steps))) {
    float v = membrane_host[n];
    for (size_t t = 0; t < steps; ++t)
      comparison.add(spike_host[t * stride + n],
                     lif_reference(p.leak, p.threshold, p.reset, current_host[t * stride + n], v));
    comparison.add(result_host[n], v);
  }
  demo.verdict("lif_step", comparison, LIF_REFERENCE_BOUND);
}

/* ---- Attention ---- */
struct AttentionData {
  size_t heads, length;
  std::vector<float> query_host, key_host, value_host;
  DeviceArray query, key, value, output;
  float scale = 0.125f; // 1/sqrt(kHeadSize)

  AttentionData(size_t heads, size_t length, Random &&random)
      : heads(heads), length(length), query_host(random.uniforms(floats())),
        key_host(random.uniforms(floats())), value_host(random.uniforms(floats())), query(query_host),
        key(key_host), value(value_host), output(floats()) {}
  size_t floats() const { return heads * length * kHeadSize; }
  std::vector<size_t> checked_rows() const { return sample(heads * length, kCheckedRows); }
  double nominal_flops() const { return 4.0 * (double)heads * (double)length * (double)length * kHeadSize; }
  double nominal_bytes() const { return 4.0 * (double)floats() * sizeof(float); }
};

/* Rows of the score matrix, as they are now. */
std::vector<std::vector<float>> read_rows(const DeviceArray &matrix, const std::vector<size_t> &rows,
                                          size_t length) {
  std::vector<std::vector<float>> values;
  for (size_t row : rows)
    values.push_back(matrix.read(row * length, length));
  return values;
}

struct AttentionComparison {
  Comparison scores, weights, output;
};

/* `scores` and `weights` are the checked rows. */
AttentionComparison compare_attention(const AttentionData &data,
                                      const std::vector<std::vector<float>> &scores,
                                      const std::vector<std::vector<float>> &weights) {
  AttentionComparison result;
  std::vector<float> output_host = data.output.read();
  std::vector<double> score_row(data.length), weight_row(data.length), output_row(kHeadSize);
  std::vector<size_t> rows = data.checked_rows();
  for (size_t k = 0; k < rows.size(); ++k) {
    size_t head = rows[k] / data.length * data.length, seen = data.length;
    attention_reference(&data.query_host[rows[k] * kHeadSize], &data.key_host[head * kHeadSize],
                        &data.value_host[head * kHeadSize], seen, kHeadSize, data.scale, &score_row[0],
                        &weight_row[0], &output_row[0]);
    for (size_t j = 0; j < seen; ++j) {
      result.scores.add(scores[k][j], score_row[j]);
      result.weights.add(weights[k][j], weight_row[j]);
    }
    for (size_t i = 0; i < kHeadSize; ++i)
      result.output.add(output_host[rows[k] * kHeadSize + i], output_row[i]);
  }
  return result;
}

void run_naive_attention(Demo &demo) {
  AttentionData data(demo.options.heads, demo.options.sequence, Random(3));
  const size_t heads = data.heads, length = data.length;
  const dim3 block(kTileX, kTileY);
  const dim3 score_grid(blocks(length, kTileX), blocks(length, kTileY), (unsigned)heads);
  const dim3 value_grid(blocks(kHeadSize, kTileX), blocks(length, kTileY), (unsigned)heads);
  DeviceArray scores(heads * length * length);
  std::vector<std::vector<float>> checked_scores, checked_weights;

#pragma gpuprof region("attention.unfused") phase(forward) category(attention)
  {
    gpuprof_expect(data.nominal_flops(), data.nominal_bytes(), (double)(heads * length));
    attention_scores<<<score_grid, block>>>(data.query, data.key, scores, (int)length, kHeadSize, data.scale);
    demo.launched("attention_scores");
    checked_scores = read_rows(scores, data.checked_rows(), length);
    attention_softmax<<<(unsigned)(heads * length), kSoftmaxBlock>>>(scores, (int)length);
    demo.launched("attention_softmax");
    checked_weights = read_rows(scores, data.checked_rows(), length);
    attention_values<<<value_grid, block>>>(scores, data.value, data.output, (int)length, kHeadSize);
    demo.launched("attention_values");
  }
  demo.expect("attention_scores", "attention.naive.scores",
              attention_scores_cost(heads, length, kHeadSize, kTileX, kTileY));
  demo.expect("attention_softmax", "attention.naive.softmax",
              attention_softmax_cost(heads, length, kSoftmaxBlock));
  demo.expect("attention_values", "attention.naive.values",
              attention_values_cost(heads, length, kHeadSize, kTileX, kTileY));

  AttentionComparison result = compare_attention(data, checked_scores, checked_weights);
  demo.verdict("attention_scores", result.scores, ATTENTION_BOUND);
  demo.verdict("attention_softmax", result.weights, ATTENTION_BOUND);
  demo.verdict("attention_values", result.output, ATTENTION_BOUND);
}

/* ---- Attention on tensor cores, in bf16 ---- */
/* Elements on the device, and their values. */
struct TensorArray {
  std::vector<float> values;
  DeviceValues<Bf16> device;

  TensorArray(Random &random, size_t count) : device(fill(random, count)) {}
  operator Bf16 *() const { return device; }

private:
  std::vector<Bf16> fill(Random &random, size_t count) {
    std::vector<Bf16> elements(count);
    for (Bf16 &element : elements) {
      element = {bf16_bits(random.uniform())};
      values.push_back((float)bf16_value(element.bits));
    }
    return elements;
  }
};

struct TensorAttention {
  typedef AttentionTiles<kHeadSize> Tiles;
  AttentionShape shape;
  Random random;
  TensorArray query, key, value, output_gradient;
  DeviceValues<Bf16> output, query_gradient, key_gradient, value_gradient;
  DeviceArray logsumexp;
  DeviceValues<BackwardRow> rows;
  float scale = 0.125f; // 1/sqrt(kHeadSize)

  TensorAttention(size_t heads, int length, bool causal, int seed)
      : shape{1, (int)heads, (int)heads, length, length, kAttentionAll, causal ? 0 : kAttentionAll},
        random(seed), query(random, count()), key(random, count()), value(random, count()),
        output_gradient(random, count()), output(count()), query_gradient(count()), key_gradient(count()),
        value_gradient(count()), logsumexp(row_count()), rows(row_count()) {}
  size_t row_count() const { return (size_t)shape.heads * shape.queries; }
  size_t count() const { return row_count() * kHeadSize; }
  double nominal_flops() const { return (double)(4 * kHeadSize) * (double)attention_pairs(shape); }
  double nominal_bytes(int arrays) const { return arrays * 2.0 * (double)count(); }
  AttentionKeys seen(size_t row) const {
    return attention_keys((long)(row % shape.queries), shape.queries, shape.keys, shape.left, shape.right);
  }
  /* The first key of a row's head. */
  size_t keys_of(size_t row) const { return row / shape.queries * shape.keys * kHeadSize; }
};

void run_forward(Demo &demo, TensorAttention &data) {
  const FlashCost cost = attention_flash_cost<Bf16, TensorAttention::Tiles::Forward>(data.shape);
  gpuprof_expect(data.nominal_flops(), data.nominal_bytes(4), (double)data.row_count());
  attention_forward<Bf16, kHeadSize>(
      {data.query, data.key, data.value, data.output, data.logsumexp, data.shape, data.scale}, nullptr);
  demo.launched("attention_flash");
  demo.closed_forms.add("attention_flash", cost.whole,
                        {{"attention.flash", cost.whole},
                         {"attention.scores", cost.scores},
                         {"attention.softmax", cost.softmax},
                         {"attention.values", cost.values}});
}

template <class Tile, bool ForKeys> void expect_gradients(Demo &demo, const AttentionShape &shape) {
  const BackwardCost cost = attention_backward_cost<Bf16, Tile, ForKeys>(shape);
  demo.closed_forms.add("attention_backward", cost.whole,
                        {{"attention.backward", cost.whole},
                         {"attention.backward.scores", cost.scores},
                         {"attention.backward.softmax", cost.softmax},
                         {"attention.backward.gradients", cost.gradients}});
}

void run_backward(Demo &demo, TensorAttention &data) {
  gpuprof_expect(2.5 * data.nominal_flops(), data.nominal_bytes(8), (double)data.row_count());
  attention_gradients<Bf16, kHeadSize>({data.query, data.key, data.value, data.output, data.output_gradient,
                                        data.logsumexp, data.rows, data.query_gradient, data.key_gradient,
                                        data.value_gradient, data.shape, data.scale},
                                       nullptr);
  demo.launched("attention_backward");
  demo.expect("attention_backward_rows", "attention.backward.rows",
              attention_backward_rows_cost<kHeadSize>(data.row_count()));
  expect_gradients<TensorAttention::Tiles::OfKeys, true>(demo, backward_shape(data.shape));
  expect_gradients<TensorAttention::Tiles::OfQueries, false>(demo, data.shape);
}

Comparison compare_forward(const TensorAttention &data) {
  const std::vector<Bf16> output = data.output.read();
  std::vector<double> weights(data.shape.keys), expected(kHeadSize);
  Comparison result;
  for (size_t row : sample(data.row_count(), kCheckedRows)) {
    const size_t keys = data.keys_of(row);
    attention_row_weights(&data.query.values[row * kHeadSize], &data.key.values[keys], data.seen(row),
                          kHeadSize, data.scale, &weights[0]);
    attention_row_values(&weights[0], &data.value.values[keys], data.seen(row), kHeadSize, &expected[0]);
    for (size_t i = 0; i < kHeadSize; ++i)
      result.add(bf16_value(output[row * kHeadSize + i].bits), expected[i]);
  }
  return result;
}

/* Gradients of the last head. */
Comparison compare_backward(const TensorAttention &data) {
  const size_t length = data.shape.queries, first = (data.row_count() - length) * kHeadSize,
               count = length * kHeadSize;
  std::vector<double> weights(length), change(length), expected[3];
  for (std::vector<double> &gradient : expected)
    gradient.resize(count);
  const float *q = &data.query.values[first], *k = &data.key.values[first], *v = &data.value.values[first];
  for (size_t row = 0; row < length; ++row) {
    attention_row_weights(q + row * kHeadSize, k, data.seen(row), kHeadSize, data.scale, &weights[0]);
    attention_row_backward(&weights[0], q + row * kHeadSize, k, v,
                           &data.output_gradient.values[first + row * kHeadSize], data.seen(row), kHeadSize,
                           data.scale, &expected[0][row * kHeadSize], &expected[1][0], &expected[2][0],
                           &change[0]);
  }
  Comparison result;
  const DeviceValues<Bf16> *found[] = {&data.query_gradient, &data.key_gradient, &data.value_gradient};
  for (int i = 0; i < 3; ++i) {
    const std::vector<Bf16> values = found[i]->read(first, count);
    for (size_t j = 0; j < count; ++j)
      result.add(bf16_value(values[j].bits), expected[i][j]);
  }
  return result;
}

void run_tensor_attention(Demo &demo) {
  const int length = (int)demo.options.sequence;
  {
    TensorAttention data(demo.options.heads, length, false, 4);
#pragma gpuprof region("attention.fused") phase(forward) category(attention)
    run_forward(demo, data);
    demo.verdict("attention_flash", compare_forward(data), 2 * BF16_ROUNDING);
  }
  TensorAttention data(demo.options.heads, length, true, 5);
#pragma gpuprof region("attention.fused_causal") phase(forward) category(attention)
  run_forward(demo, data);
  demo.verdict("attention_flash, causal", compare_forward(data), 2 * BF16_ROUNDING);
#pragma gpuprof region("attention.fused_backward") phase(backward) category(attention)
  run_backward(demo, data);
  demo.verdict("attention_backward", compare_backward(data), 4 * BF16_ROUNDING);
}

} // namespace

int main(int count, char **arguments) {
  Demo demo;
  if (int code = parse_options(count, arguments, demo.options))
    return code - 1;
  printf("%zu neurons, %zu steps; attention over %zu, %zu heads of %d\n", demo.options.neurons,
         demo.options.steps, demo.options.sequence, demo.options.heads, kHeadSize);
  run_stbif(demo);
  run_lif(demo);
  run_naive_attention(demo);
  run_tensor_attention(demo);
  if (demo.options.closed_forms && !demo.closed_forms.write(demo.options.closed_forms)) {
    fprintf(stderr, "demo: cannot write %s\n", demo.options.closed_forms);
    return 1;
  }
  return demo.all_right ? 0 : 1;
}
