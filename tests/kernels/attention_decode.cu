// Decoding against the reference in double: one split and many, caches in one piece and in pages, query heads that share
// key heads, sequences of different lengths; by multiply-adds, and on tensor cores.
// RUN: %cases
#include "row_checks.h"

#include "../../kernels/attention/attention_decode.cuh"
#include "../../kernels/attention/attention_reference.h"

namespace {

struct Size {
  int batch, key_heads, capacity, splits;
};
enum { kPageShift = 4 };

/* Where key `j` of a head lies in the cache. */
struct Cache {
  Size size;
  bool paged;
  std::vector<int> table;
  size_t row(int sequence, int head, int j) const {
    if (!paged)
      return ((size_t)sequence * size.key_heads + head) * size.capacity + j;
    const int page = table[(size_t)sequence * (size.capacity >> kPageShift) + (j >> kPageShift)];
    return (((size_t)page * size.key_heads + head) << kPageShift) + (j & ((1 << kPageShift) - 1));
  }
};

template <typename Element, int HeadSize, int Group, bool Paged, bool Tensor> struct Decode {
  static constexpr auto kernel = attention_decode<Element, HeadSize, Group, Paged>;
  static ClosedForm cost(const DecodeShape &shape, const int *lengths) {
    return attention_decode_cost(shape, lengths, HeadSize, Group, Paged, sizeof(Element));
  }
};
template <typename Element, int HeadSize, int Group, bool Paged>
struct Decode<Element, HeadSize, Group, Paged, true> {
  static constexpr auto kernel = attention_decode_tensor<Element, HeadSize, Group, Paged>;
  static ClosedForm cost(const DecodeShape &shape, const int *lengths) {
    return attention_decode_tensor_cost<Element>(shape, lengths, HeadSize, Group, Paged);
  }
};

template <typename Element, int HeadSize, int Group, bool Paged, bool Tensor = false>
void check(Cases &cases, Random &random, Size s, const std::vector<int> &lengths) {
  const int heads = s.key_heads * Group, pages = s.batch * s.capacity >> kPageShift;
  const double scale = 0.25;
  const DecodeShape shape = decode_shape(s.batch, s.key_heads, s.capacity, s.splits, kPageShift, scale);
  const int splits = decode_splits(shape);
  const unsigned rows_of_block = decode_combine_rows(splits);
  Cache cache = {s, Paged, {}};
  for (int p = 0; p < pages; ++p)
    cache.table.push_back((p * 7 + 3) % pages); // 7 and the number of pages have no common divisor
  const size_t rows = (size_t)s.batch * s.key_heads * s.capacity,
               outputs = (size_t)s.batch * heads * HeadSize;
  const std::vector<Element> query = random_elements<Element>(random, outputs, -1, 1),
                             key = random_elements<Element>(random, rows * HeadSize, -1, 1),
                             value = random_elements<Element>(random, rows * HeadSize, -1, 1);
  Array<Element> d_query(query), d_key(key), d_value(value), d_output(outputs);
  Array<int> d_lengths(lengths), d_table(cache.table);
  Array<float> d_partial(outputs * splits), d_logs((size_t)s.batch * heads * splits);
  cases.begin(format("decoding, %s, size %d, %d x %d heads, %d sequences of up to %d keys, %d splits%s%s",
                     ElementOf<Element>::name, HeadSize, s.key_heads, Group, s.batch, s.capacity, splits,
                     Paged ? ", paged" : "", Tensor ? ", tensor cores" : ""));
  typedef Decode<Element, HeadSize, Group, Paged, Tensor> Kernel;
  Kernel::kernel<<<dim3(splits, s.key_heads, s.batch), kDecodeThreads>>>(
      d_query.get(), d_key.get(), d_value.get(), d_lengths.get(), d_table.get(), d_output.get(),
      d_partial.get(), d_logs.get(), shape);
  if (splits > 1)
    attention_decode_combine<Element, HeadSize><<<dim3(heads, s.batch), dim3(HeadSize, rows_of_block)>>>(
        d_partial.get(), d_logs.get(), d_lengths.get(), d_output.get(), shape, splits);
  cases.launched();
  const std::vector<float> q = to_values(query), k = to_values(key), v = to_values(value),
                           o = to_values(d_output.read());
  Difference error;
  std::vector<float> keys, values;
  std::vector<double> scores(s.capacity), weights(s.capacity), expected(HeadSize);
  for (int b = 0; b < s.batch; ++b)
    for (int h = 0; h < heads; ++h) {
      keys.clear(), values.clear();
      for (int j = 0; j < lengths[b]; ++j) {
        const size_t at = cache.row(b, h / Group, j) * HeadSize;
        keys.insert(keys.end(), &k[at], &k[at] + HeadSize);
        values.insert(values.end(), &v[at], &v[at] + HeadSize);
      }
      const size_t at = ((size_t)b * heads + h) * HeadSize;
      attention_reference(&q[at], keys.data(), values.data(), lengths[b], HeadSize, scale, scores.data(),
                          weights.data(), expected.data());
      for (int i = 0; i < HeadSize; ++i)
        error.add(o[at + i], expected[i]);
    }
  error.expect(cases, "outputs", ATTENTION_BOUND + (Tensor ? 2 : 1) * ElementOf<Element>::rounding);
  ClosedForm cost = Kernel::cost(shape, lengths.data());
  if (splits > 1)
    cost = cost + attention_decode_combine_cost(shape, lengths.data(), HeadSize, heads, rows_of_block,
                                                sizeof(Element));
  cases.end(cost);
}

template <typename Element> void check_element(Cases &cases, Random &random) {
  check<Element, 64, 1, false>(cases, random, {1, 2, 80, 1}, {77});
  check<Element, 128, 4, false>(cases, random, {2, 1, 320, 3}, {320, 5});
  check<Element, 64, 8, true>(cases, random, {2, 2, 160, 4}, {33, 150});
  check<Element, 128, 1, true>(cases, random, {3, 1, 208, 2}, {1, 104, 208});
}

template <typename Element> void check_tensor(Cases &cases, Random &random) {
  check<Element, 128, 8, false, true>(cases, random, {2, 1, 320, 3}, {320, 5});
  check<Element, 64, 4, true, true>(cases, random, {2, 2, 160, 4}, {33, 150});
  check<Element, 128, 1, true, true>(cases, random, {3, 1, 208, 1}, {1, 104, 208});
  check<Element, 64, 8, false, true>(cases, random, {1, 1, 400, 40}, {397});
  check<Element, 128, 5, false, true>(cases, random, {1, 2, 400, 10}, {371});
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(11);
  check_element<float>(cases, random);
  check_element<Fp16>(cases, random);
  check_element<Bf16>(cases, random);
  check_tensor<Fp16>(cases, random);
  check_tensor<Bf16>(cases, random);
  return cases.finish();
}
