// Embedding, forward and backward: right, and as costly as the formula says, also where rows have one token.
// RUN: %cases
#include "row_checks.h"

#include "../../kernels/transformer/embedding.cuh"

#include <set>

enum { kTokens = 50, kBlocks = 3, kThreads = 96 };

/* Sectors of the table's rows that some token names, of the tokens and of the elements. */
static uint64_t unique_bytes(const std::vector<int> &tokens, uint64_t columns) {
  const uint64_t named = std::set<int>(tokens.begin(), tokens.end()).size();
  return named * sector_bytes(columns) + sector_bytes(tokens.size()) + row_sector_bytes(columns, columns, tokens.size(), 2);
}

template <typename Element> static void check(Cases &cases, size_t rows, size_t columns, int tokens_used) {
  typedef ElementOf<Element> Of;
  Random random(1);
  const std::vector<float> table = random_values(random, kTokens * columns, -1, 1);
  const std::vector<Element> gradients = random_elements<Element>(random, rows * columns, -1, 1);
  std::vector<int> tokens;
  for (size_t row = 0; row < rows; ++row)
    tokens.push_back((int)(random.bits() % tokens_used));
  const Array<float> device_table(table);
  const Array<int> device_tokens(tokens);
  const Array<Element> y(rows * columns), dy(gradients);

  cases.begin(format("%s, forward, %zu rows of %zu, %d tokens", Of::name, rows, columns, tokens_used));
  embedding_forward<Element><<<kBlocks, kThreads>>>(device_table.get(), device_tokens.get(), y.get(), rows, (unsigned)columns);
  cases.launched();
  const std::vector<Element> outputs = y.read();
  Difference forward, backward;
  std::vector<double> expected(table.begin(), table.end());
  for (size_t row = 0; row < rows; ++row)
    for (size_t i = 0; i < columns; ++i) {
      forward.add(Of::value(outputs[row * columns + i]), table[tokens[row] * columns + i]);
      expected[tokens[row] * columns + i] += Of::value(gradients[row * columns + i]);
    }
  forward.expect(cases, "outputs", Of::rounding);
  ClosedForm cost = embedding_forward_cost(rows, columns, kBlocks * kThreads);
  cost.unique = unique_bytes(tokens, columns);
  cases.expect("embedding_forward", cost, {{"embedding.forward", cost}});
  cases.end(cost);

  cases.begin(format("%s, backward, %zu rows of %zu, %d tokens", Of::name, rows, columns, tokens_used));
  embedding_backward<Element><<<kBlocks, kThreads>>>(dy.get(), device_tokens.get(), device_table.get(), rows, (unsigned)columns);
  cases.launched();
  const std::vector<float> sums = device_table.read();
  for (size_t i = 0; i < sums.size(); ++i)
    backward.add(sums[i], expected[i]);
  backward.expect(cases, "gradients", 1e-6 * (double)rows);
  cost = embedding_backward_cost(rows, columns, kBlocks * kThreads);
  cost.unique = unique_bytes(tokens, columns);
  cases.expect("embedding_backward", cost, {{"embedding.backward", cost}});
  cases.end(cost);
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  check<SnnBfloat16>(cases, 37, 64, 50);
  check<SnnHalf>(cases, 100, 8, 1);
  return cases.finish();
}
