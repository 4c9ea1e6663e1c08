/* Times attention of one token to long caches (kernels/attention/attention_decode.cuh), beside a copy: see run. */
#include "../snn/timing.h"

#include "attention/attention_decode.cuh"

namespace {

const size_t kBytes = (size_t)1 << 28; // of keys, and of values
Bf16 *keys, *values, *query, *output;
float *partial, *logs;
int *lengths, *table;
int multiprocessors;
std::vector<Row> rows;

enum { kPageShift = 4 };

__global__ void fill(Bf16 *to, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned hash = ((unsigned)i * 2654435761u) ^ ((unsigned)i >> 7) * 40503u;
  if (i < count)
    to[i] = snn_element<Bf16>((float)(hash >> 8) * 0x1p-23f - 1.0f);
}

template <int Size, int Group, bool Paged, bool Tensor> constexpr auto kernel_of() {
  if constexpr (Tensor)
    return attention_decode_tensor<Bf16, Size, Group, Paged>;
  else
    return attention_decode<Bf16, Size, Group, Paged>;
}

template <int Size, int Group, bool Paged, bool Tensor = true>
void add(int batch, int key_heads, int capacity) {
  int resident = 0;
  const auto kernel = kernel_of<Size, Group, Paged, Tensor>();
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, (const void *)kernel, kDecodeThreads, 0),
        "occupancy");
  const int splits = decode_splits_for(batch, key_heads, capacity, resident * multiprocessors);
  const DecodeShape shape = decode_shape(batch, key_heads, capacity, splits, kPageShift, 0.125);
  const double bytes = 4.0 * batch * key_heads * (double)capacity * Size;
  if (bytes > 2.0 * kBytes)
    fprintf(stderr, "bench/transformer: %.0f bytes of cache are too many\n", bytes), exit(1);
  const std::string name = std::string(Paged ? "paged " : "") + "decode, " + std::to_string(batch) + " x " +
                           std::to_string(key_heads * Group) + "/" + std::to_string(key_heads) +
                           " heads of " + std::to_string(Size) + ", " + std::to_string(capacity) + " keys" +
                           (Tensor ? "" : ", multiply-adds");
  rows.push_back({name, bytes, [=] {
                    kernel<<<dim3(splits, key_heads, batch), kDecodeThreads>>>(
                        query, keys, values, lengths, table, output, partial, logs, shape);
                    if (splits > 1)
                      attention_decode_combine<Bf16, Size>
                          <<<dim3(key_heads * Group, batch), dim3(Size, decode_combine_rows(splits))>>>(
                              partial, logs, lengths, output, shape, splits);
                  }});
}

} // namespace

int main(int count, char **arguments) {
  const int rounds = count > 1 ? atoi(arguments[1]) : 7, launches = count > 2 ? atoi(arguments[2]) : 10;
  const size_t small = (size_t)1 << 24;
  for (Bf16 **one : {&keys, &values}) {
    check(cudaMalloc((void **)one, kBytes), "memory");
    fill<<<(unsigned)(kBytes / 512), 256>>>(*one, kBytes / 2);
  }
  for (Bf16 **one : {&query, &output}) {
    check(cudaMalloc((void **)one, small), "memory");
    fill<<<(unsigned)(small / 512), 256>>>(*one, small / 2);
  }
  check(cudaMalloc((void **)&partial, 8 * small), "memory");
  check(cudaMalloc((void **)&logs, small), "memory");
  check(cudaMalloc((void **)&lengths, 4096), "memory");
  check(cudaMalloc((void **)&table, small), "memory");
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "device");
  multiprocessors = properties.multiProcessorCount;
  printf("device\t0\t0\t%s\n", properties.name);

  const auto measure = [&](int capacity, void (*add_rows)()) {
    const std::vector<int> host_lengths(1024, capacity);
    std::vector<int> host_table(small / 4);
    for (size_t p = 0; p < host_table.size();
         ++p) // pages in no order, each once: an odd factor of a power of two
      host_table[p] = (int)(p * 40503 % (kBytes / 2 / 128 / 8 >> kPageShift));
    check(cudaMemcpy(lengths, host_lengths.data(), 4096, cudaMemcpyHostToDevice), "copy");
    check(cudaMemcpy(table, host_table.data(), small, cudaMemcpyHostToDevice), "copy");
    rows.clear();
    rows.push_back({"copy, cudaMemcpy", (double)kBytes, [] {
                      check(cudaMemcpyAsync(values, keys, kBytes / 2, cudaMemcpyDeviceToDevice), "copy");
                    }});
    add_rows();
    print_times(rows, rounds, launches);
  };
  measure(8192, [] {
    add<128, 1, false, false>(4, 32, 8192);
    add<128, 1, false>(4, 32, 8192);
    add<128, 4, false>(16, 8, 8192);
    add<128, 4, false, false>(16, 8, 8192);
    add<128, 8, false>(16, 8, 8192);
    add<64, 4, false>(32, 8, 8192);
    add<128, 4, true>(16, 8, 8192);
    add<128, 4, true, false>(16, 8, 8192);
  });
  measure(131072, [] {
    add<128, 4, false>(1, 8, 131072);
    add<128, 4, false, false>(1, 8, 131072);
  });
  return 0;
}
