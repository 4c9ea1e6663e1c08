// Event lists and bits of spikes equal their references, at the cost given by the data.
// RUN: %cases
#include "layer_checks.h"

#include "../../kernels/snn/events.cuh"
#include "../../kernels/snn/events_reference.h"

#include <algorithm>

static void check_compact_rows(Checks &checks, int rows, int inputs, const std::vector<signed char> &spikes,
                               const std::string &name) {
  Device<signed char> device(spikes);
  Device<int> events((size_t)rows * inputs), counts(rows);
  compact_rows<<<rows, kEventBlock>>>(device, events, counts, inputs);
  checks.expect("compact_rows", "events.compact", compact_rows_cost(spikes.data(), rows, inputs));
  std::vector<int> lists = events.read(), numbers = counts.read();
  bool right = true;
  for (int r = 0; r < rows; ++r) {
    std::vector<int> expected = events_reference(&spikes[(size_t)r * inputs], inputs);
    expected.resize(inputs, -1); // places without an event
    right &= std::equal(expected.begin(), expected.end(), &lists[(size_t)r * inputs]);
    right &= numbers[r] == (int)spikes_in(&spikes[(size_t)r * inputs], inputs);
  }
  checks.equal("compact_rows " + name, right, lists.size());
}

static void check_compact_events(Checks &checks, const std::vector<signed char> &spikes,
                                 const std::string &name) {
  Device<signed char> device(spikes);
  Device<int> events(spikes.size()), count(1);
  count.clear();
  int inputs = (int)spikes.size();
  compact_events<<<(unsigned)ceil_div(inputs, kEventBlock), kEventBlock>>>(device, events, count, inputs);
  checks.expect("compact_events", "events.compact_flat", compact_events_cost(spikes.data(), inputs));
  std::vector<int> list = events.read(), expected = events_reference(spikes.data(), inputs);
  bool right = count.read()[0] == (int)expected.size();
  if (right) {
    list.resize(expected.size());
    std::sort(list.begin(), list.end());
    std::sort(expected.begin(), expected.end());
    right = list == expected;
  }
  checks.equal("compact_events " + name, right, spikes.size());
}

static void check_packs(Checks &checks, int rows, int inputs, const std::vector<signed char> &spikes,
                        const std::string &name) {
  const size_t words = ceil_div(inputs, kWarp), groups = ceil_div(rows, kWarp);
  const unsigned blocks = (unsigned)ceil_div(inputs, kEventBlock);
  Device<signed char> device(spikes);
  Device<unsigned> by_row(rows * words), by_column(groups * inputs);
  pack_rows<<<dim3(blocks, rows), kEventBlock>>>(device, by_row, inputs);
  checks.expect("pack_rows", "events.pack", pack_rows_cost(rows, inputs));
  pack_columns<<<dim3(blocks, (unsigned)groups, 1), kEventBlock>>>(device, by_column, rows, inputs);
  checks.expect("pack_columns", "events.pack_columns", pack_columns_cost(1, rows, inputs));
  std::vector<unsigned> row_words = by_row.read(), column_words = by_column.read();
  bool rows_right = true, columns_right = true;
  for (int r = 0; r < rows; ++r) {
    std::vector<unsigned> expected = bits_reference(&spikes[(size_t)r * inputs], inputs, 1);
    rows_right &= std::equal(expected.begin(), expected.end(), &row_words[r * words]);
  }
  for (int i = 0; i < inputs; ++i) {
    std::vector<unsigned> expected = bits_reference(&spikes[i], rows, inputs);
    for (size_t g = 0; g < groups; ++g)
      columns_right &= column_words[g * inputs + i] == expected[g];
  }
  checks.equal("pack_rows " + name, rows_right, row_words.size());
  checks.equal("pack_columns " + name, columns_right, column_words.size());
}

int main(int count, char **arguments) {
  Checks checks(count, arguments);
  Random random(1);
  const int sizes[][2] = {{1, 1}, {3, 31}, {2, 33}, {5, 1000}, {33, 256}, {2, 4096}, {3, 4099}, {1, 9000}};
  for (const int(&size)[2] : sizes)
    for (double rate : kRates) {
      std::vector<signed char> spikes = random_spikes(random, (size_t)size[0] * size[1], rate, true);
      std::string name = text("%d x %d at %g", size[0], size[1], rate);
      check_compact_rows(checks, size[0], size[1], spikes, name);
      check_compact_events(checks, spikes, name);
      check_packs(checks, size[0], size[1], spikes, name);
    }
  return checks.finish();
}
