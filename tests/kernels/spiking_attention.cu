// Spiking self-attention in its three forms: right, and as costly as spikes and formulas say.
// RUN: %cases
#include "layer_checks.h"

#include "../../kernels/snn/spiking_attention.cuh"
#include "../../kernels/snn/spiking_attention_reference.h"

static const float kScale = 0.125f;

struct Attention {
  int heads, length;
  std::vector<signed char> query, key, value;
  std::vector<double> expected;
  SpikePairs pairs;
  std::string name;
};

static void compare(Checks &checks, const char *what, const Attention &a, const Device<float> &output) {
  std::vector<float> values = output.read();
  Comparison comparison;
  for (size_t i = 0; i < values.size(); ++i)
    comparison.add(values[i], a.expected[i]);
  checks.compare(std::string(what) + " " + a.name, comparison, SPIKING_ATTENTION_BOUND);
}

static void check_dense(Checks &checks, const Attention &a, int size) {
  Device<signed char> query(a.query), key(a.key), value(a.value);
  Device<float> scores((size_t)a.heads * a.length * a.length), output(a.expected.size());
  const unsigned tiles = (unsigned)ceil_div(a.length, kProductColumns);
  spiking_attention_scores<4>
      <<<dim3(tiles, tiles, a.heads), kProductThreads>>>(query, key, scores, a.length, size);
  checks.expect("spiking_attention_scores", "spiking_attention.scores",
                spiking_attention_scores_cost(a.heads, a.length, size, 4));
  spiking_attention_values<4>
      <<<dim3((unsigned)ceil_div(size, kProductColumns), tiles, a.heads), kProductThreads>>>(
          scores, value, output, a.length, size, kScale);
  checks.expect("spiking_attention_values", "spiking_attention.values",
                spiking_attention_values_cost(a.heads, a.length, size, 4));
  compare(checks, "dense", a, output);
}

/* Bits of Q, and of K and V, along a token and along the tokens. */
struct PackedAttention {
  Device<unsigned> query, key, key_columns, value_columns;

  PackedAttention(Checks &checks, const Attention &a, int size)
      : query(a.query.size() / kWarp), key(query_words(a, size)), key_columns(column_words(a, size)),
        value_columns(column_words(a, size)) {
    pack(checks, a, size, a.query, query);
    pack(checks, a, size, a.key, key);
    columns(checks, a, size, a.key, key_columns);
    columns(checks, a, size, a.value, value_columns);
  }

private:
  static size_t query_words(const Attention &a, int size) {
    return (size_t)a.heads * a.length * (size / kWarp);
  }
  static size_t column_words(const Attention &a, int size) {
    return (size_t)a.heads * ceil_div(a.length, kWarp) * size;
  }
  static void pack(Checks &checks, const Attention &a, int size, const std::vector<signed char> &spikes,
                   unsigned *words) {
    Device<signed char> bytes(spikes);
    pack_rows<<<dim3(1, a.heads * a.length), kEventBlock>>>(bytes, words, size);
    checks.expect("pack_rows", "events.pack", pack_rows_cost(a.heads * a.length, size));
    check(cudaDeviceSynchronize(), "pack_rows");
  }
  static void columns(Checks &checks, const Attention &a, int size, const std::vector<signed char> &spikes,
                      unsigned *words) {
    Device<signed char> bytes(spikes);
    pack_columns<<<dim3(1, (unsigned)ceil_div(a.length, kWarp), a.heads), kEventBlock>>>(bytes, words,
                                                                                         a.length, size);
    checks.expect("pack_columns", "events.pack_columns", pack_columns_cost(a.heads, a.length, size));
    check(cudaDeviceSynchronize(), "pack_columns");
  }
};

template <int Size> static void check_packed(Checks &checks, const Attention &a) {
  PackedAttention packed(checks, a, Size);
  Device<float> output(a.expected.size());
  const unsigned blocks = (unsigned)ceil_div(a.length, kAttentionQueries * kEventWarps);
  spiking_attention_packed<Size><<<dim3(blocks, a.heads), kEventBlock>>>(
      packed.query, packed.key, packed.value_columns, output, a.length, kScale);
  checks.expect("spiking_attention_packed", "spiking_attention.packed",
                spiking_attention_packed_cost(a.heads, a.length, Size,
                                              spikes_in(a.value.data(), a.value.size()), a.pairs));
  compare(checks, "packed", a, output);

  Device<int> state((size_t)a.heads * Size * Size);
  Device<float> read(a.expected.size());
  spiking_attention_state<Size><<<a.heads, kAttentionSide * kAttentionSide>>>(
      packed.key_columns, packed.value_columns, state, a.length);
  checks.expect("spiking_attention_state", "spiking_attention.state",
                spiking_attention_state_cost(a.heads, a.length, Size, a.pairs));
  spiking_attention_read<Size><<<dim3((unsigned)ceil_div(a.length, kEventWarps), a.heads), kEventBlock>>>(
      packed.query, state, read, a.length, kScale);
  checks.expect("spiking_attention_read", "spiking_attention.read",
                spiking_attention_read_cost(a.query.data(), a.heads, a.length, Size));
  compare(checks, "linear", a, read);
}

template <int Size>
static void check_size(Checks &checks, Random &random, int heads, int length, double rate) {
  Attention a;
  a.heads = heads, a.length = length;
  const size_t number = (size_t)heads * length * Size;
  a.query = random_spikes(random, number, rate);
  a.key = random_spikes(random, number, rate);
  a.value = random_spikes(random, number, rate);
  a.expected =
      spiking_attention_reference(a.query.data(), a.key.data(), a.value.data(), heads, length, Size, kScale);
  a.pairs = spike_pairs(a.query.data(), a.key.data(), a.value.data(), heads, length, Size);
  a.name = text("%d heads of %d, length %d at %g", heads, Size, length, rate);
  check_dense(checks, a, Size);
  check_packed<Size>(checks, a);
}

int main(int count, char **arguments) {
  Checks checks(count, arguments);
  Random random(5);
  const int sizes[][2] = {{1, 1}, {3, 31}, {2, 65}, {1, 196}};
  for (const int(&size)[2] : sizes)
    for (double rate : kRates) {
      check_size<32>(checks, random, size[0], size[1], rate);
      check_size<64>(checks, random, size[0], size[1], rate);
      check_size<128>(checks, random, size[0], size[1], rate);
    }
  return checks.finish();
}
