/* The algorithms of device.cu as one would write them for a processor: loops, the outermost by OpenMP, nothing by hand. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

static void vector_add(size_t count, const float *__restrict a, const float *__restrict b, float *__restrict c) {
#pragma omp parallel for
  for (size_t i = 0; i < count; ++i)
    c[i] = a[i] + b[i];
}

static void lif_step(size_t count, const float *__restrict current, float *__restrict membrane,
                     float *__restrict spike) {
#pragma omp parallel for
  for (size_t n = 0; n < count; ++n) {
    float v = 0.9375f * membrane[n] + current[n];
    bool fired = v >= 1.0f;
    spike[n] = fired ? 1.0f : 0.0f;
    membrane[n] = fired ? 0.0f : v;
  }
}

static void stbif_forward(size_t count, int steps, const float *__restrict input, float *__restrict output,
                          float *__restrict potential, float *__restrict trace, float *__restrict membrane) {
  const float threshold = 0.75f, least = -4.0f, most = 3.0f, returned = 0.0625f;
#pragma omp parallel for
  for (size_t n = 0; n < count; ++n) {
    float v = 0.5625f, traced = 0.0f;
    for (int t = 0; t < steps; ++t) {
      size_t i = t * count + n;
      float h = v + input[i];
      bool up = (h >= threshold) & (traced < most), down = (h < 0.0f) & (traced > least);
      float charge = up ? threshold : down ? -threshold : 0.0f;
      v = h - charge - ((float)t < most ? returned : 0.0f);
      traced += up ? 1.0f : down ? -1.0f : 0.0f;
      output[i] = charge;
      potential[i] = h;
      trace[i] = traced;
    }
    membrane[n] = v;
  }
}

static float surrogate(float x) { return 1.5f * expf(x * x * -2.0f); }

static void stbif_backward(size_t count, int steps, const float *__restrict output_gradient,
                           const float *__restrict potential, const float *__restrict trace,
                           float *__restrict input_gradient, float *__restrict start_gradient) {
  const float threshold = 0.75f, least = -4.0f, most = 3.0f;
#pragma omp parallel for
  for (size_t n = 0; n < count; ++n) {
    float membrane = 0.0f, gradient = 0.0f;
    for (int t = steps - 1; t >= 0; --t) {
      size_t i = t * count + n;
      float h = potential[i], before = t > 0 ? trace[i - count] : 0.0f;
      float room_up = most - before, room_down = before - least;
      float fire = surrogate(h - threshold), release = surrogate(h);
      float top = surrogate(room_up), bottom = surrogate(room_down);
      float by_potential = (room_up > 0.0f ? fire : 0.0f) + (room_down > 0.0f ? release : 0.0f);
      float by_trace = -((h >= threshold ? top : 0.0f) + (h < 0.0f ? bottom : 0.0f));
      float u = -threshold * membrane + output_gradient[i] + gradient;
      membrane += u * by_potential;
      gradient += u * by_trace;
      input_gradient[i] = membrane;
    }
    start_gradient[n] = gradient;
  }
}

static void attention_scores(size_t length, int heads, const float *__restrict query, const float *__restrict key,
                             float *__restrict scores) {
#pragma omp parallel for
  for (size_t row = 0; row < heads * length; ++row) {
    const float *q = query + row * Row, *k = key + row / length * length * Row;
    for (size_t column = 0; column < length; ++column) {
      float sum = 0.0f;
      for (int i = 0; i < Row; ++i)
        sum += q[i] * k[column * Row + i];
      scores[row * length + column] = sum * 0.125f;
    }
  }
}

static void attention_values(size_t length, int heads, const float *__restrict scores, const float *__restrict value,
                             float *__restrict output) {
#pragma omp parallel for
  for (size_t row = 0; row < heads * length; ++row) {
    const float *v = value + row / length * length * Row;
    float *to = output + row * Row;
    for (int column = 0; column < Row; ++column)
      to[column] = 0.0f;
    for (size_t i = 0; i < length; ++i)
      for (int column = 0; column < Row; ++column)
        to[column] += scores[row * length + i] * v[i * Row + column];
  }
}

static void attention_softmax(size_t length, int heads, float *__restrict scores) {
#pragma omp parallel for
  for (size_t r = 0; r < heads * length; ++r) {
    float *row = scores + r * length, maximum = -INFINITY, sum = 0.0f;
    for (size_t i = 0; i < length; ++i)
      maximum = fmaxf(maximum, row[i]);
    for (size_t i = 0; i < length; ++i)
      sum += row[i] = expf(row[i] - maximum);
    for (size_t i = 0; i < length; ++i)
      row[i] *= 1.0f / sum;
  }
}

/* Online softmax over tiles of keys, as the kernel. */
static void attention_tiled(size_t length, int heads, const float *__restrict query, const float *__restrict key,
                            const float *__restrict value, float *__restrict output) {
  enum { Keys = 32 };
#pragma omp parallel for
  for (size_t row = 0; row < heads * length; ++row) {
    const float *q = query + row * Row;
    const size_t head = row / length * length;
    float sum[Row] = {0}, maximum = -INFINITY, total = 0.0f;
    for (size_t first = 0; first < length; first += Keys) {
      const size_t tile = length - first < Keys ? length - first : Keys;
      const float *k = key + (head + first) * Row, *v = value + (head + first) * Row;
      float scores[Keys], greatest = maximum;
      for (size_t j = 0; j < tile; ++j) {
        float score = 0.0f;
        for (int i = 0; i < Row; ++i)
          score += q[i] * k[j * Row + i];
        scores[j] = score * 0.125f;
        greatest = fmaxf(greatest, scores[j]);
      }
      const float correction = expf(maximum - greatest);
      float tile_total = 0.0f;
      for (size_t j = 0; j < tile; ++j)
        tile_total += scores[j] = expf(scores[j] - greatest);
      total = total * correction + tile_total;
      maximum = greatest;
      for (int i = 0; i < Row; ++i)
        sum[i] *= correction;
      for (size_t j = 0; j < tile; ++j)
        for (int i = 0; i < Row; ++i)
          sum[i] += scores[j] * v[j * Row + i];
    }
    for (int i = 0; i < Row; ++i)
      output[row * Row + i] = sum[i] / total;
  }
}

static void reduce(size_t count, const float *__restrict in, float *__restrict out) {
#pragma omp parallel for
  for (size_t block = 0; block < count / Block; ++block) {
    float sum = 0.0f;
    for (int i = 0; i < Block; ++i)
      sum += in[block * Block + i];
    out[block] = sum;
  }
}

static void scan(size_t count, int width, const float *__restrict in, float *__restrict out) {
#pragma omp parallel for
  for (size_t block = 0; block < count / width; ++block) {
    float sum = 0.0f;
    for (int i = 0; i < width; ++i)
      out[block * width + i] = sum += in[block * width + i];
  }
}

static void normalize_rows(size_t rows, int columns, const float *__restrict in, float *__restrict out) {
#pragma omp parallel for
  for (size_t row = 0; row < rows; ++row) {
    const float *from = in + row * columns;
    float *to = out + row * columns, sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < columns; ++i) {
      sum += from[i];
      squares += from[i] * from[i];
    }
    const float mean = sum / columns, scale = 1.0f / sqrtf(squares / columns - mean * mean + 1e-5f);
    for (int i = 0; i < columns; ++i)
      to[i] = (from[i] - mean) * scale;
  }
}

static void stencil_line(size_t count, const float *__restrict in, float *__restrict out) {
  auto at = [&](size_t i) { return i < count ? in[i] : 0.0f; };
#pragma omp parallel for
  for (size_t i = Radius; i < count - Radius; ++i) {
    float sum = 0.0f;
    for (int k = -Radius; k <= Radius; ++k)
      sum += in[i + k];
    out[i] = sum;
  }
  for (size_t n = 0; n < 2 * Radius; ++n) { // the ends
    const size_t i = n < Radius ? n : count - 2 * Radius + n;
    float sum = 0.0f;
    for (int k = -Radius; k <= Radius; ++k)
      sum += at(i + k);
    out[i] = sum;
  }
}

static void stencil_plane(size_t width, size_t height, const float *__restrict in, float *__restrict out) {
#pragma omp parallel for
  for (size_t y = 1; y < height - 1; ++y)
    for (size_t x = 1; x < width - 1; ++x) {
      const size_t i = y * width + x;
      out[i] = in[i] + 0.2f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4.0f * in[i]);
    }
}

static void matrix_tiled(size_t edge, const float *__restrict a, const float *__restrict b, float *__restrict c) {
#pragma omp parallel for
  for (size_t first_row = 0; first_row < edge; first_row += Tile)
    for (size_t first_column = 0; first_column < edge; first_column += Tile) {
      float sum[Tile][Tile] = {{0}};
      for (size_t first = 0; first < edge; first += Tile)
        for (int i = 0; i < Tile; ++i)
          for (int k = 0; k < Tile; ++k)
            for (int j = 0; j < Tile; ++j)
              sum[i][j] += a[(first_row + i) * edge + first + k] * b[(first + k) * edge + first_column + j];
      for (int i = 0; i < Tile; ++i)
        for (int j = 0; j < Tile; ++j)
          c[(first_row + i) * edge + first_column + j] = sum[i][j];
    }
}

/* Sums of 32 columns each, as the warp's lanes have: one sum alone is no vector without -ffast-math. */
static void matrix_vector(size_t rows, size_t columns, const float *__restrict a, const float *__restrict x,
                          float *__restrict y) {
#pragma omp parallel for
  for (size_t row = 0; row < rows; ++row) {
    float sums[32] = {0}, sum = 0.0f;
    for (size_t first = 0; first < columns; first += 32)
      for (size_t lane = 0; lane < 32; ++lane)
        sums[lane] += a[row * columns + first + lane] * x[first + lane];
    for (float part : sums)
      sum += part;
    y[row] = sum;
  }
}

void run_native(Kernel kernel, Size size, const Memory &m) {
  switch (kernel) {
  case VectorAdd:
    return vector_add(size.a, m.in[0], m.in[1], m.out[0]);
  case LifStep:
    return lif_step(size.a, m.in[0], m.out[0], m.out[1]);
  case StbifForward:
    return stbif_forward(size.a, size.b, m.in[0], m.out[0], m.out[1], m.out[2], m.out[3]);
  case StbifBackward:
    return stbif_backward(size.a, size.b, m.in[0], m.in[1], m.in[2], m.out[0], m.out[1]);
  case AttentionScores:
    return attention_scores(size.a, size.b, m.in[0], m.in[1], m.out[0]);
  case AttentionValues:
    return attention_values(size.a, size.b, m.in[2], m.in[1], m.out[0]);
  case AttentionSoftmax:
    return attention_softmax(size.a, size.b, m.out[0]);
  case AttentionTiled:
    return attention_tiled(size.a, size.b, m.in[0], m.in[1], m.in[2], m.out[0]);
  case ReduceShared:
  case ReduceShuffle:
    return reduce(size.a, m.in[0], m.out[0]);
  case ScanShared:
  case ScanBlock:
    return scan(size.a, Block, m.in[0], m.out[0]);
  case ScanWarp:
    return scan(size.a, 32, m.in[0], m.out[0]);
  case NormalizeRows:
    return normalize_rows(size.a, size.b, m.in[0], m.out[0]);
  case StencilLine:
    return stencil_line(size.a, m.in[0], m.out[0]);
  case StencilPlane:
  case StencilTiled:
    return stencil_plane(size.a, size.b, m.in[0], m.out[0]);
  case MatrixVector:
    return matrix_vector(size.a, size.b, m.in[0], m.in[1], m.out[0]);
  default:
    return matrix_tiled(size.a, m.in[0], m.in[1], m.out[0]);
  }
}
