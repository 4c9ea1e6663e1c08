/* The convolution on the host, in double. Bound: CONVOLUTION_BOUND of the largest value for up to 2¹²
 * summands. */
#ifndef GPUPROF_KERNELS_CONVOLUTION_REFERENCE_H
#define GPUPROF_KERNELS_CONVOLUTION_REFERENCE_H

#include <stddef.h>

#include <vector>

#define CONVOLUTION_BOUND 1e-5

/* `Shape` has the members of ConvolutionShape. Weights [kernel][kernel][channels/groups][outputs]; half ones
 * are converted before. */
template <class Shape>
inline std::vector<double> convolution_reference(const Shape &s, const signed char *spikes,
                                                 const std::vector<double> &weight) {
  const int height = (s.height + 2 * s.padding - s.kernel) / s.stride + 1;
  const int width = (s.width + 2 * s.padding - s.kernel) / s.stride + 1;
  const int channels = s.channels / s.groups, outputs = s.outputs / s.groups;
  std::vector<double> current((size_t)s.batch * height * width * s.outputs);
  for (int b = 0; b < s.batch; ++b)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int n = 0; n < s.outputs; ++n) {
          double sum = 0;
          for (int u = 0; u < s.kernel; ++u)
            for (int v = 0; v < s.kernel; ++v)
              for (int c = 0; c < channels; ++c) {
                int from_y = y * s.stride + u - s.padding, from_x = x * s.stride + v - s.padding;
                if (from_y < 0 || from_x < 0 || from_y >= s.height || from_x >= s.width)
                  continue;
                size_t at = ((size_t)b * s.height + from_y) * s.width + from_x;
                sum += spikes[at * s.channels + n / outputs * channels + c] *
                       weight[(((size_t)u * s.kernel + v) * channels + c) * s.outputs + n];
              }
          current[(((size_t)b * height + y) * width + x) * s.outputs + n] = sum;
        }
  return current;
}

#endif
