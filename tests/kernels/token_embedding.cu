// Embedding of tokens and positions with gradients, and rotary embedding in both directions, against plain host code in
// double. Rows fill no pack. Both ways to pair, in place and not, few and many blocks.
// RUN: %cases
#include "row_checks.h"

#include "../../kernels/transformer/rotary.cuh"
#include "../../kernels/transformer/token_embedding.cuh"

namespace {

const double kBound = 4e-6;

template <bool Position, RowLayout Layout, typename Element>
void check_embedding(Cases &cases, Random &random, TokenEmbeddingShape shape, size_t entries, unsigned blocks,
                     dim3 block) {
  std::vector<int> tokens;
  for (size_t t = 0; t < shape.count; ++t)
    tokens.push_back((int)(random.bits() % entries));
  const size_t values = shape.count * shape.columns;
  const std::vector<Element> table = random_elements<Element>(random, entries * shape.columns, -1, 1),
                             positions =
                                 random_elements<Element>(random, shape.length * shape.columns, -1, 1),
                             dy = random_elements<Element>(random, values, -1, 1);
  Array<int> d_tokens(tokens);
  Array<Element> d_table(table), d_positions(positions), d_dy(dy), d_y(values);
  Array<float> d_dtable(std::vector<float>(entries * shape.columns)),
      d_dpositions(shape.length * shape.columns);
  cases.begin(format("embedding%s, %s, %s, %zu tokens, length %zu, %u columns, %u blocks of %u x %u",
                     Position ? " and positions" : "", Layout == RowAligned ? "aligned" : "unaligned",
                     ElementOf<Element>::name, shape.count, shape.length, shape.columns, blocks, block.x,
                     block.y));
  token_embedding_forward<Position, Layout, Element>
      <<<blocks, block>>>(d_tokens.get(), d_table.get(), d_positions.get(), d_y.get(), shape);
  token_embedding_backward<Element><<<blocks, block>>>(d_tokens.get(), d_dy.get(), d_dtable.get(), shape);
  position_embedding_backward<Layout, Element><<<blocks, block>>>(d_dy.get(), d_dpositions.get(), shape);
  cases.launched();
  const std::vector<float> tab = to_values(table), pos = to_values(positions), g = to_values(dy),
                           y = to_values(d_y.read()), dtable = d_dtable.read(),
                           dpositions = d_dpositions.read();
  std::vector<double> dtables(dtable.size()), dpositionss(dpositions.size());
  Difference result, token_gradient, position_gradient;
  for (size_t t = 0; t < shape.count; ++t)
    for (size_t c = 0; c < shape.columns; ++c) {
      const size_t entry = tokens[t] * shape.columns + c, place = t % shape.length * shape.columns + c;
      result.add(y[t * shape.columns + c], tab[entry] + (Position ? (double)pos[place] : 0));
      dtables[entry] += g[t * shape.columns + c];
      dpositionss[place] += g[t * shape.columns + c];
    }
  for (size_t i = 0; i < dtables.size(); ++i)
    token_gradient.add(dtable[i], dtables[i]);
  for (size_t i = 0; i < dpositionss.size(); ++i)
    position_gradient.add(dpositions[i], dpositionss[i]);
  result.expect(cases, "results", kBound + ElementOf<Element>::rounding);
  token_gradient.expect(cases, "gradients of tokens", kBound);
  position_gradient.expect(cases, "gradients of positions", kBound);
  const uint64_t all = (uint64_t)blocks * block.x * block.y;
  cases.end(token_embedding_forward_cost(Position, Layout, shape, tokens.data(), entries, block.x, all,
                                         sizeof(Element)) +
            token_embedding_backward_cost(shape, tokens.data(), entries, block.x, all, sizeof(Element)) +
            position_embedding_backward_cost(Layout, shape, all, sizeof(Element)));
}

template <bool Backward, RotaryPairs Pairs, typename Element>
void check_rotary(Cases &cases, Random &random, RotaryShape shape, bool in_place, dim3 blocks,
                  unsigned threads) {
  const size_t half = shape.size / 2, values = shape.tokens * shape.heads * shape.size;
  const size_t angles = (shape.first + shape.length) * half;
  std::vector<float> cosine(angles), sine(angles);
  for (size_t i = 0; i < angles; ++i) {
    const double angle = (double)(i / half) * pow(10000, -(double)(i % half) / (double)half);
    cosine[i] = (float)cos(angle), sine[i] = (float)sin(angle);
  }
  const std::vector<Element> x = random_elements<Element>(random, values, -1, 1);
  Array<Element> d_x(x), d_y(values);
  Array<float> d_cosine(cosine), d_sine(sine);
  cases.begin(format("rotary %s%s, %s, %s, %zu tokens from %u of %u, %u heads of %u, %u x %u blocks",
                     Backward ? "backward" : "forward", in_place ? ", in place" : "",
                     Pairs == RotaryHalves ? "halves" : "neighbours", ElementOf<Element>::name, shape.tokens,
                     shape.first, shape.length, shape.heads, shape.size, blocks.x, blocks.y));
  rotary<Backward, Pairs, Element>
      <<<blocks, threads>>>(d_x.get(), d_cosine.get(), d_sine.get(), in_place ? d_x.get() : d_y.get(), shape);
  cases.launched();
  const std::vector<float> in = to_values(x), out = to_values(in_place ? d_x.read() : d_y.read());
  Difference error;
  for (size_t t = 0; t < shape.tokens; ++t)
    for (size_t h = 0; h < shape.heads; ++h)
      for (size_t i = 0; i < half; ++i) {
        const size_t at = (t * shape.heads + h) * shape.size,
                     angle = (shape.first + t % shape.length) * half + i;
        const size_t a = at + (Pairs == RotaryHalves ? i : 2 * i),
                     b = Pairs == RotaryHalves ? a + half : a + 1;
        const double c = cosine[angle], s = Backward ? -sine[angle] : sine[angle];
        error.add(out[a], in[a] * c - in[b] * s);
        error.add(out[b], in[b] * c + in[a] * s);
      }
  error.expect(cases, "results", kBound + ElementOf<Element>::rounding);
  cases.end(rotary_cost(shape, in_place, blocks.y, sizeof(Element), (uint64_t)blocks.x * blocks.y * threads));
}

template <typename Element> void check_element(Cases &cases, Random &random) {
  check_embedding<true, RowAligned, Element>(cases, random, {12, 4, 72}, 9, 3, dim3(32, 2));
  check_embedding<true, RowUnaligned, Element>(cases, random, {6, 6, 37}, 50, 100, dim3(7, 1));
  check_embedding<false, RowAligned, Element>(cases, random, {35, 7, 40}, 3, 1, dim3(4, 8));
  check_rotary<false, RotaryHalves, Element>(cases, random, {10, 3, 64, 5, 0}, false, dim3(2, 1), 64);
  check_rotary<true, RotaryHalves, Element>(cases, random, {3, 5, 128, 4, 2}, true, dim3(1, 2), 32);
  check_rotary<false, RotaryNeighbours, Element>(cases, random, {7, 2, 48, 7, 1}, true, dim3(9, 2), 33);
  check_rotary<true, RotaryNeighbours, Element>(cases, random, {4, 1, 16, 2, 0}, false, dim3(1, 1), 256);
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(12);
  check_element<float>(cases, random);
  check_element<Fp16>(cases, random);
  check_element<Bf16>(cases, random);
  return cases.finish();
}
