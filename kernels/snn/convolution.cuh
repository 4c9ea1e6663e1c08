/* A two-dimensional convolution driven by spikes, over channels-last images:
 *   current[b][y][x][n] = Σ_{u,v,c} s[b][y·stride + u − padding][x·stride + v − padding][g·C' + c]
 *                                     · w[u][v][c][n]
 * with kernel positions u, v and C' = C/groups channels of output n's group g.
 * Spikes are signed bytes [batch][height][width][C], 0, 1 or −1; weights [Kernel][Kernel][C'][N], fp32, half
 * or bf16; currents [batch][height'][width'][N], fp32, height' = (height + 2·padding − Kernel)/stride + 1.
 *
 *   convolution_dense     a tiled product (implicit im2col): a multiply-add an input, whatever fires
 *   convolution_gather    each output walks the set bits of its field (pack_rows of pixels and groups,
 *                         spikes 0 and 1): no atomics, one order of sums
 *   convolution_scatter   each event (compact_events) adds its stamp of weights by float atomics
 *
 * Counts for weights of b bytes and O = batch·height'·width' output pixels. A spike reaches the K' ≤ Kernel²
 * kernel positions whose output pixel exists: K'·N/groups accumulates, S over all spikes:
 *   convolution_dense     for each group product.cuh with (O, N/groups, Kernel²·C'); a byte of spikes for
 *                         each input inside the image, all weights for each tile of pixels; store 4·O·N
 *   convolution_gather    add S;  global load b·S and, for each lane and kernel position inside the image,
 *                         its words; store 4·O·N
 *   convolution_scatter   accumulate S;  global load b·S, 128 for each event, 4 a thread; atomic 4·S
 * The usual figure spikes·N·Kernel²/groups counts the stamps at borders and strides whole; S does not.
 */
#ifndef GPUPROF_KERNELS_CONVOLUTION_CUH
#define GPUPROF_KERNELS_CONVOLUTION_CUH

#include "events.cuh"
#include "product.cuh"
#include "weights.cuh"

struct ConvolutionShape {
  int batch, height, width, channels, outputs, kernel, stride, padding, groups;

  __host__ __device__ int out_height() const { return (height + 2 * padding - kernel) / stride + 1; }
  __host__ __device__ int out_width() const { return (width + 2 * padding - kernel) / stride + 1; }
  __host__ __device__ int pixels() const { return batch * out_height() * out_width(); }
  __host__ __device__ int group_channels() const { return channels / groups; }
  __host__ __device__ int group_outputs() const { return outputs / groups; }
  /* Words of one pixel and group. */
  __host__ __device__ int group_words() const { return (group_channels() + kWarp - 1) / kWarp; }
};

/* The first input row and column under an output pixel. */
struct OutputPixel {
  int image, y, x;
};

__device__ __forceinline__ OutputPixel output_pixel(const ConvolutionShape &s, int pixel) {
  int row = pixel / s.out_width(), image = row / s.out_height();
  return {image, (row - image * s.out_height()) * s.stride - s.padding,
          (pixel - row * s.out_width()) * s.stride - s.padding};
}

__device__ __forceinline__ bool inside(const ConvolutionShape &s, int y, int x) {
  return (unsigned)y < (unsigned)s.height && (unsigned)x < (unsigned)s.width;
}

/* Grid: (ceil(N/groups / 64), ceil(pixels / (16·RowsOfThread)), groups), kProductThreads threads. */
#pragma gpuprof region("convolution.dense") phase(forward) category(snn)
template <int Kernel, int RowsOfThread, class Weight>
__global__ void __launch_bounds__(kProductThreads)
    convolution_dense(const signed char *__restrict__ spikes, const Weight *__restrict__ weight,
                      float *__restrict__ current, ConvolutionShape s) {
  const int channels = s.group_channels(), outputs = s.group_outputs(), pixels = s.pixels();
  const int first_channel = blockIdx.z * channels, first_output = blockIdx.z * outputs;
  product_tile<RowsOfThread, false>(
      [=](int pixel, int depth) {
        if (pixel >= pixels)
          return 0.0f;
        OutputPixel p = output_pixel(s, pixel);
        int position = depth / channels, y = p.y + position / Kernel, x = p.x + position % Kernel;
        if (!inside(s, y, x))
          return 0.0f;
        size_t at = ((size_t)p.image * s.height + y) * s.width + x;
        return (float)spikes[at * s.channels + first_channel + depth - position * channels];
      },
      [=](int depth, int n) {
        return n < outputs ? snn_float(weight[(size_t)depth * s.outputs + first_output + n]) : 0.0f;
      },
      [=](int pixel, int n, float sum) {
        if (pixel < pixels && n < outputs)
          current[(size_t)pixel * s.outputs + first_output + n] = sum;
      },
      blockIdx.y * kProductSide * RowsOfThread, blockIdx.x * kProductColumns, 0, Kernel * Kernel * channels);
  const int values = threadIdx.x == 0 ? product_tile_values<RowsOfThread>(pixels, outputs) : 0;
#pragma gpuprof synapse(values, Kernel * Kernel * channels) multiply inputs(values)
}

/* `words` are [batch][height][width][groups][group_words]. A warp takes one output pixel and 32·Columns
 * outputs of a group. Grid: (ceil(pixels / kEventWarps), ceil(N/groups / (32·Columns)), groups), kEventBlock
 * threads. N/groups is a multiple of Columns, 4 or 1. */
#pragma gpuprof region("convolution.gather") phase(forward) category(snn)
template <int Kernel, bool Vectors, class Weight>
__global__ void __launch_bounds__(kEventBlock)
    convolution_gather(const unsigned *__restrict__ words, const Weight *__restrict__ weight,
                       float *__restrict__ current, ConvolutionShape s) {
  typedef LaneColumns<Weight, Vectors> Lanes;
  const int pixel = blockIdx.x * kEventWarps + threadIdx.x / kWarp;
  const int column = blockIdx.y * Lanes::kTile + threadIdx.x % kWarp * Lanes::kColumns;
  if (pixel >= s.pixels() || column >= s.group_outputs())
    return;
  const int words_of_group = s.group_words(), channels = s.group_channels();
  const OutputPixel p = output_pixel(s, pixel);
  const Weight *own = weight + blockIdx.z * s.group_outputs() + column;
  float sum[Lanes::kColumns];
#pragma unroll
  for (int k = 0; k < Lanes::kColumns; ++k)
    sum[k] = 0.0f;
  for (int position = 0; position < Kernel * Kernel; ++position) {
    const int y = p.y + position / Kernel, x = p.x + position % Kernel;
    if (!inside(s, y, x))
      continue;
    const size_t at = (((size_t)p.image * s.height + y) * s.width + x) * s.groups + blockIdx.z;
#pragma gpuprof synapse(0, Lanes::kColumns) inputs(channels)
    for (int w = 0; w < words_of_group; ++w)
      for (unsigned left = words[at * words_of_group + w]; left; left &= left - 1) {
        int channel = w * kWarp + __ffs((int)left) - 1;
        float row[Lanes::kColumns];
        load_weights(own + (size_t)(position * channels + channel) * s.outputs, row);
        accumulate_weights(row, false, sum);
#pragma gpuprof synapse(1, Lanes::kColumns) inputs(0)
      }
  }
#pragma unroll
  for (int k = 0; k < Lanes::kColumns; ++k)
    current[(size_t)pixel * s.outputs + blockIdx.z * s.group_outputs() + column + k] = sum[k];
}

/* Currents are 0 before. `events` are those of all images in one list, *count of them. A warp takes an event
 * at a time; any grid of kEventBlock threads. */
#pragma gpuprof region("convolution.scatter") phase(forward) category(snn)
template <int Kernel, class Weight>
__global__ void __launch_bounds__(kEventBlock)
    convolution_scatter(const int *__restrict__ events, const int *__restrict__ count,
                        const Weight *__restrict__ weight, float *current, ConvolutionShape s) {
  const int arrived = *count, channels = s.group_channels(), outputs = s.group_outputs();
  for (int e = blockIdx.x * kEventWarps + threadIdx.x / kWarp; e < arrived; e += gridDim.x * kEventWarps) {
    const int event = events[e], input = event_input(event);
    const int at = input / s.channels, channel = input - at * s.channels, group = channel / channels;
    const int row = at / s.width, x = at - row * s.width, image = row / s.height, y = row - image * s.height;
    for (int position = 0; position < Kernel * Kernel; ++position) {
      const int from_y = y + s.padding - position / Kernel, from_x = x + s.padding - position % Kernel;
      const int out_y = from_y / s.stride, out_x = from_x / s.stride;
      if (from_y < 0 || from_x < 0 || out_y * s.stride != from_y || out_x * s.stride != from_x ||
          out_y >= s.out_height() || out_x >= s.out_width())
        continue;
#pragma gpuprof synapse(threadIdx.x % kWarp == 0, outputs)
      const size_t pixel = ((size_t)image * s.out_height() + out_y) * s.out_width() + out_x;
      const size_t from =
          (size_t)(position * channels + channel - group * channels) * s.outputs + group * outputs;
      for (int n = threadIdx.x % kWarp; n < outputs; n += kWarp) {
        float one = snn_float(weight[from + n]);
        atomicAdd(&current[pixel * s.outputs + group * outputs + n], event < 0 ? -one : one);
      }
    }
  }
}

/* ---- Counts ---- */

/* Calls visit(image, y, x, position, pixel) for each kernel position of each output pixel that lies inside
 * its image. */
template <class Visit> inline void for_each_field_position(const ConvolutionShape &s, const Visit &visit) {
  for (int pixel = 0; pixel < s.pixels(); ++pixel) {
    int row = pixel / s.out_width(), image = row / s.out_height();
    for (int position = 0; position < s.kernel * s.kernel; ++position) {
      int y = row % s.out_height() * s.stride - s.padding + position / s.kernel;
      int x = pixel % s.out_width() * s.stride - s.padding + position % s.kernel;
      if (y >= 0 && y < s.height && x >= 0 && x < s.width)
        visit(image, y, x, position, pixel);
    }
  }
}

/* The effect of a layer's spikes: operations, and the sectors touched by them. */
struct ConvolutionTraffic {
  uint64_t operations, possible, positions;
  uint64_t spike_sectors, word_sectors, weight_sectors, current_sectors;
};

inline ConvolutionTraffic convolution_traffic(const signed char *spikes, const ConvolutionShape &s,
                                              uint64_t weight_bytes) {
  ConvolutionTraffic traffic = {};
  const uint64_t channels = s.group_channels(), outputs = s.group_outputs(),
                 words = s.groups * s.group_words();
  Sectors spike_set, word_set, weight_set, current_set;
  for_each_field_position(s, [&](int image, int y, int x, int position, int pixel) {
    uint64_t at = ((uint64_t)image * s.height + y) * s.width + x;
    ++traffic.positions;
    traffic.possible += s.channels * outputs;
    spike_set.add(at * s.channels, s.channels);
    word_set.add(4 * at * words, 4 * words);
    for (uint64_t c = 0; c < (uint64_t)s.channels; ++c)
      if (spikes[at * s.channels + c]) {
        uint64_t group = c / channels,
                 from = (position * channels + c % channels) * s.outputs + group * outputs;
        traffic.operations += outputs;
        weight_set.add(from * weight_bytes, outputs * weight_bytes);
        current_set.add(4 * ((uint64_t)pixel * s.outputs + group * outputs), 4 * outputs);
      }
  });
  traffic.spike_sectors = spike_set.bytes();
  traffic.word_sectors = word_set.bytes();
  traffic.weight_sectors = weight_set.bytes();
  traffic.current_sectors = current_set.bytes();
  return traffic;
}

inline ClosedForm convolution_dense_cost(const ConvolutionShape &s, const ConvolutionTraffic &traffic,
                                         uint64_t rows_of_thread, uint64_t weight_bytes) {
  uint64_t pixels = s.pixels(), outputs = s.group_outputs(), depth = s.kernel * s.kernel * s.group_channels();
  ClosedForm cost = {}, group = product_cost(pixels, outputs, depth, depth, rows_of_thread);
  for (int g = 0; g < s.groups; ++g)
    cost = cost + group;
  cost.launches = 1;
  cost.global_load = ceil_div(outputs, kProductColumns) * traffic.positions * s.channels +
                     ceil_div(pixels, kProductSide * rows_of_thread) * depth * s.outputs * weight_bytes;
  cost.global_store = 4 * pixels * s.outputs;
  cost.unique = traffic.spike_sectors + sectors_of(depth * s.outputs * weight_bytes) +
                sectors_of(4 * pixels * s.outputs);
  cost.synaptic_multiply_accumulates = cost.synaptic_possible = pixels * s.outputs * depth;
  return cost;
}

inline ClosedForm convolution_gather_cost(const ConvolutionShape &s, const ConvolutionTraffic &traffic,
                                          bool vectors, uint64_t weight_bytes) {
  ClosedForm cost = {};
  uint64_t columns = vectors ? 16 / weight_bytes : 1, outputs = s.group_outputs(), lanes = outputs / columns;
  uint64_t tiles = ceil_div(outputs, kWarp * columns);
  cost.launches = 1;
  cost.threads = ceil_div(s.pixels(), kEventWarps) * tiles * s.groups * kEventBlock;
  cost.add = cost.synaptic_accumulates = traffic.operations;
  cost.synaptic_possible = traffic.possible;
  cost.global_load =
      weight_bytes * traffic.operations + 4 * traffic.positions * s.groups * s.group_words() * lanes;
  cost.global_store = 4 * (uint64_t)s.pixels() * s.outputs;
  cost.unique = traffic.word_sectors + traffic.weight_sectors + sectors_of(cost.global_store);
  return cost;
}

/* A launch of `blocks` blocks. */
inline ClosedForm convolution_scatter_cost(const ConvolutionTraffic &traffic, uint64_t events,
                                           uint64_t blocks, uint64_t weight_bytes) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = blocks * kEventBlock;
  cost.accumulate = cost.synaptic_accumulates = traffic.operations;
  cost.global_load = 4 * cost.threads + 4 * kWarp * events + weight_bytes * traffic.operations;
  cost.global_atomic = 4 * traffic.operations;
  cost.unique = 32 + sectors_of(4 * events) + traffic.weight_sectors + traffic.current_sectors;
  return cost;
}

#endif
