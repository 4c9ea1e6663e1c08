// Stencils of one, two and three dimensions, convolutions, pooling, and reads of pictures.
#include "corpus.h"

enum { N = 900, W = 61, H = 43, D = 11, RADIUS = 3, BLOCK = 64 };

__global__ void stencil_1d(const float *in, float *out, int n) {
  __shared__ float line[BLOCK + 2 * RADIUS];
  int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x + RADIUS;
  line[t] = i < n ? in[i] : 0;
  if (threadIdx.x < RADIUS) {
    line[t - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0;
    line[t + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = -RADIUS; k <= RADIUS; k++)
    sum += line[t + k];
  if (i < n)
    out[i] = sum;
}

__global__ void stencil_5(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] = 0.2f * (in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] +
                             in[(y + 1) * w + x]);
}

__global__ void stencil_9(const float *in, float *out, int w, int h) {
  __shared__ float tile[10][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  for (int v = threadIdx.y; v < 10; v += 8)
    for (int u = threadIdx.x; u < 34; u += 32) {
      int gx = blockIdx.x * 32 + u - 1, gy = blockIdx.y * 8 + v - 1;
      tile[v][u] = gx >= 0 && gx < w && gy >= 0 && gy < h ? in[gy * w + gx] : 0;
    }
  __syncthreads();
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int v = 0; v < 3; v++)
    for (int u = 0; u < 3; u++)
      sum += tile[threadIdx.y + v][threadIdx.x + u] * (u == 1 && v == 1   ? 4.0f
                                                       : u == 1 || v == 1 ? 2.0f
                                                                          : 1.0f);
  out[y * w + x] = sum * 0.0625f;
}

/* Planes pass through registers. */
__global__ void stencil_3d(const float *in, float *out, int w, int h, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1,
      plane = w * h;
  if (x >= w - 1 || y >= h - 1)
    return;
  int at = y * w + x;
  float below = in[at], here = in[at + plane];
  for (int z = 1; z < depth - 1; z++) {
    float above = in[at + (z + 1) * plane];
    int i = at + z * plane;
    out[i] = here * -6.0f + below + above + in[i - 1] + in[i + 1] + in[i - w] + in[i + w];
    below = here;
    here = above;
  }
}

__global__ void jacobi(const float *in, const float *right, float *out, float *change, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float d = 0;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    float v = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x] -
                       right[y * w + x]);
    d = fabsf(v - in[y * w + x]);
    out[y * w + x] = v;
  }
  for (int k = 16; k > 0; k /= 2)
    d = fmaxf(d, __shfl_xor_sync(~0u, d, k));
  if (threadIdx.x % 32 == 0)
    atomicMax((int *)change, __float_as_int(d));
}

__global__ void heat_double(const double *in, double *out, int w, int h, double k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % w, y = i / w;
  if (y >= h)
    return;
  double c = in[i], l = x ? in[i - 1] : c, r = x < w - 1 ? in[i + 1] : c, u = y ? in[i - w] : c;
  double d = y < h - 1 ? in[i + w] : c;
  out[i] = c + k * (l + r + u + d - 4.0 * c);
}

__global__ void wave(const float *now, float *before, int n, float c) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n - 1; i += gridDim.x * blockDim.x)
    before[i] = 2.0f * now[i] - before[i] + c * (now[i - 1] - 2.0f * now[i] + now[i + 1]);
}

__constant__ float kernel_of[5 * 5];

__global__ void convolution_constant(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w - 4 || y >= h - 4)
    return;
  float sum = 0;
#pragma unroll
  for (int v = 0; v < 5; v++)
#pragma unroll
    for (int u = 0; u < 5; u++)
      sum += in[(y + v) * w + x + u] * kernel_of[v * 5 + u];
  out[y * (w - 4) + x] = sum;
}

/* Rows then columns of a separable kernel, in registers of a sliding window. */
__global__ void convolution_rows(const float *in, float *out, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h)
    return;
  float a = 0, b = in[y * w];
  for (int x = 0; x < w; x++) {
    float c = x + 1 < w ? in[y * w + x + 1] : 0;
    out[y * w + x] = 0.25f * a + 0.5f * b + 0.25f * c;
    a = b;
    b = c;
  }
}

/* Channels each with a kernel of its own. */
__global__ void convolution_depthwise(const float *in, const float *weight, float *out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y, channel = blockIdx.z;
  if (x >= w)
    return;
  float sum = 0;
  for (int v = -1; v <= 1; v++)
    for (int u = -1; u <= 1; u++)
      if (x + u >= 0 && x + u < w && y + v >= 0 && y + v < h)
        sum += in[(channel * h + y + v) * w + x + u] * weight[channel * 9 + v * 3 + u + 4];
  out[(channel * h + y) * w + x] = sum;
}

__global__ void convolution_causal(const float *in, const float *weight, float *out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < width && k <= i; k++)
    sum = fmaf(weight[k], in[i - k], sum);
  out[i] = sum;
}

__global__ void image_to_columns(const float *in, float *out, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, ow = w - 2, oh = h - 2;
  if (i >= ow * oh * 9)
    return;
  int place = i % (ow * oh), k = i / (ow * oh);
  out[i] = in[(place / ow + k / 3) * w + place % ow + k % 3];
}

__global__ void pool_max(const float *in, float *out, unsigned char *where, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w / 2)
    return;
  float most = -INFINITY;
  int at = 0;
  for (int k = 0; k < 4; k++) {
    float v = in[(2 * y + k / 2) * w + 2 * x + k % 2];
    if (v > most)
      most = v, at = k;
  }
  out[y * (w / 2) + x] = most;
  where[y * (w / 2) + x] = at;
}

__global__ void pool_average(const float *in, float *out, int places) {
  float sum = 0;
  for (int i = threadIdx.x; i < places; i += 32)
    sum += in[blockIdx.x * places + i];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum / places;
}

__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  const unsigned char *p = in + y * w + x;
  int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[w - 1];
  int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[1 - w];
  out[y * w + x] = min(255, (abs(gx) + abs(gy)) / 2);
}

/* Directions of gradients by cells of 8 by 8, weighted by their size. */
__global__ void oriented_histogram(const float *in, float *bins, int w, int h) {
  __shared__ float own[8];
  if (threadIdx.x < 8)
    own[threadIdx.x] = 0;
  __syncthreads();
  int x = blockIdx.x * 8 + threadIdx.x % 8, y = blockIdx.y * 8 + threadIdx.x / 8;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    float gx = in[y * w + x + 1] - in[y * w + x - 1], gy = in[(y + 1) * w + x] - in[(y - 1) * w + x];
    int octant = (gx < 0) | (gy < 0) << 1 | (fabsf(gx) < fabsf(gy)) << 2;
    atomicAdd(&own[octant], sqrtf(gx * gx + gy * gy));
  }
  __syncthreads();
  if (threadIdx.x < 8)
    bins[(blockIdx.y * gridDim.x + blockIdx.x) * 8 + threadIdx.x] = own[threadIdx.x];
}

__global__ void resize_bilinear(const float *in, float *out, int w, int h, int to_w, int to_h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= to_w)
    return;
  float fx = (float)x * 0.5f, fy = (float)y * 0.5f; // twice as large
  int x0 = (int)fx, y0 = (int)fy, x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
  float a = fx - x0, b = fy - y0;
  float top = in[y0 * w + x0] + a * (in[y0 * w + x1] - in[y0 * w + x0]);
  float low = in[y1 * w + x0] + a * (in[y1 * w + x1] - in[y1 * w + x0]);
  out[y * to_w + x] = top + b * (low - top);
}

int main() {
  Floats line(N), picture(W * H), other(W * H), volume(W * 21 * D), weight(2 * 9);
  Buffer<float> line_out(N), out(W * H), volume_out(W * 21 * D), columns((W - 2) * (H - 2) * 9), change(1);
  auto at = [&](int x, int y) {
    return x >= 0 && x < W && y >= 0 && y < H ? (double)picture[y * W + x] : 0.0;
  };
  auto inside = [](int i) { return i % W > 0 && i % W < W - 1 && i / W > 0 && i / W < H - 1; };
  auto cross = [&](int i) {
    return at(i % W - 1, i / W) + at(i % W + 1, i / W) + at(i % W, i / W - 1) + at(i % W, i / W + 1);
  };
  stencil_1d<<<divided(N, BLOCK), BLOCK>>>(line.device, line_out.device, N);
  check("stencil_1d", line_out, [&](int i) {
    double s = 0;
    for (int k = std::max(0, i - RADIUS); k <= i + RADIUS && k < N; k++)
      s += line[k];
    return s;
  });
  const dim3 squares(divided(W, 16), divided(H, 16)), sixteen(16, 16);
  stencil_5<<<squares, sixteen>>>(picture.device, out.device, W, H);
  check("stencil_5", out, [&](int i) { return inside(i) ? 0.2 * (picture[i] + cross(i)) : 0; });
  stencil_9<<<dim3(divided(W, 32), divided(H, 8)), dim3(32, 8)>>>(picture.device, out.device, W, H);
  check("stencil_9", out, [&](int i) {
    double s = 0;
    for (int v = -1; v <= 1; v++)
      for (int u = -1; u <= 1; u++)
        s += at(i % W + u, i / W + v) * (2 - std::abs(u)) * (2 - std::abs(v));
    return s / 16;
  });
  Buffer<float> solved(W * H);
  jacobi<<<dim3(divided(W, 64), H), 64>>>(picture.device, other.device, solved.device, change.device, W, H);
  check("jacobi", solved, [&](int i) { return inside(i) ? 0.25 * (cross(i) - other[i]) : 0; });
  check("jacobi", change, [&](int) {
    double most = 0;
    for (int i = 0; i < W * H; i++)
      most = std::fmax(most, inside(i) ? std::fabs(solved[i] - picture[i]) : 0);
    return most;
  });
  stencil_3d<<<dim3(divided(W, 32), divided(21, 4)), dim3(32, 4)>>>(volume.device, volume_out.device, W, 21,
                                                                    D);
  check("stencil_3d", volume_out, [&](int i) {
    int x = i % W, y = i / W % 21, z = i / W / 21;
    if (x < 1 || x > W - 2 || y < 1 || y > 19 || z < 1 || z > D - 2)
      return 0.0;
    return -6.0 * volume[i] + volume[i - 1] + volume[i + 1] + volume[i - W] + volume[i + W] +
           volume[i - W * 21] + volume[i + W * 21];
  });
  Buffer<double> heat(W * H), heated(W * H);
  for (int i = 0; i < W * H; i++)
    heat[i] = picture[i];
  heat.up();
  heat_double<<<divided(W * H, 128), 128>>>(heat.device, heated.device, W, H, 0.1);
  check("heat_double", heated, [&](int i) {
    double c = heat[i], l = i % W ? heat[i - 1] : c, r = i % W < W - 1 ? heat[i + 1] : c,
           u = i / W ? heat[i - W] : c;
    double d = i / W < H - 1 ? heat[i + W] : c;
    return c + 0.1 * (l + r + u + d - 4 * c);
  });
  std::vector<float> before = line_out.host;
  wave<<<3, BLOCK>>>(line.device, line_out.device, N, 0.25f);
  check("wave", line_out, [&](int i) {
    return i == 0 || i == N - 1
               ? before[i]
               : 2.0 * line[i] - before[i] + 0.25 * (line[i - 1] - 2.0 * line[i] + line[i + 1]);
  });

  OK(cudaMemcpyToSymbol(kernel_of, &line[0], sizeof kernel_of));
  Buffer<float> smaller((W - 4) * (H - 4));
  convolution_constant<<<squares, sixteen>>>(picture.device, smaller.device, W, H);
  check("convolution_constant", smaller, [&](int i) {
    double s = 0;
    for (int k = 0; k < 25; k++)
      s += at(i % (W - 4) + k % 5, i / (W - 4) + k / 5) * line[k];
    return s;
  });
  convolution_rows<<<2, 32>>>(picture.device, out.device, W, H);
  check("convolution_rows", out,
        [&](int i) { return 0.25 * at(i % W - 1, i / W) + 0.5 * picture[i] + 0.25 * at(i % W + 1, i / W); });
  Floats pair(2 * W * H);
  Buffer<float> pair_out(2 * W * H);
  convolution_depthwise<<<dim3(2, H, 2), 32>>>(pair.device, weight.device, pair_out.device, W, H);
  check("convolution_depthwise", pair_out, [&](int i) {
    int x = i % W, y = i / W % H, c = i / W / H;
    double s = 0;
    for (int k = 0; k < 9; k++)
      if (x + k % 3 - 1 >= 0 && x + k % 3 - 1 < W && y + k / 3 - 1 >= 0 && y + k / 3 - 1 < H)
        s += (double)pair[(c * H + y + k / 3 - 1) * W + x + k % 3 - 1] * weight[c * 9 + k];
    return s;
  });
  convolution_causal<<<divided(N, BLOCK), BLOCK>>>(line.device, weight.device, line_out.device, N, 4);
  check("convolution_causal", line_out, [&](int i) {
    double s = 0;
    for (int k = 0; k < 4 && k <= i; k++)
      s += (double)weight[k] * line[i - k];
    return s;
  });
  image_to_columns<<<divided((W - 2) * (H - 2) * 9, 128), 128>>>(picture.device, columns.device, W, H);
  check("image_to_columns", columns, [&](int i) {
    int place = i % ((W - 2) * (H - 2)), k = i / ((W - 2) * (H - 2));
    return at(place % (W - 2) + k % 3, place / (W - 2) + k / 3);
  });
  Buffer<float> pooled((W / 2) * (H / 2)), averages(H);
  Buffer<unsigned char> where((W / 2) * (H / 2));
  pool_max<<<dim3(1, H / 2), 32>>>(picture.device, pooled.device, where.device, W, H);
  auto quarter = [&](int i, int k) { return at(i % (W / 2) * 2 + k % 2, i / (W / 2) * 2 + k / 2); };
  check("pool_max", pooled, [&](int i) {
    return std::fmax(std::fmax(quarter(i, 0), quarter(i, 1)), std::fmax(quarter(i, 2), quarter(i, 3)));
  });
  pool_average<<<H, 32>>>(picture.device, averages.device, W);
  check("pool_average", averages, [&](int y) {
    double s = 0;
    for (int x = 0; x < W; x++)
      s += at(x, y);
    return s / W;
  });
  Whole<unsigned char> grey(W * H, 0, 255);
  Buffer<unsigned char> edges(W * H);
  sobel<<<squares, sixteen>>>(grey.device, edges.device, W, H);
  check("sobel", edges, [&](int i) {
    if (!inside(i))
      return 0;
    auto p = [&](int k) { return (int)grey[i + k]; };
    int gx = p(1 - W) + 2 * p(1) + p(1 + W) - p(-1 - W) - 2 * p(-1) - p(W - 1);
    int gy = p(W - 1) + 2 * p(W) + p(W + 1) - p(-W - 1) - 2 * p(-W) - p(1 - W);
    return std::min(255, (std::abs(gx) + std::abs(gy)) / 2);
  });
  const int cells_x = divided(W, 8), cells_y = divided(H, 8);
  Buffer<float> bins(cells_x * cells_y * 8);
  oriented_histogram<<<dim3(cells_x, cells_y), 64>>>(picture.device, bins.device, W, H);
  std::vector<double> expected(bins.size());
  for (int i = 0; i < W * H; i++)
    if (inside(i)) {
      float gx = picture[i + 1] - picture[i - 1], gy = picture[i + W] - picture[i - W];
      int octant = (gx < 0) | (gy < 0) << 1 | (std::fabs(gx) < std::fabs(gy)) << 2;
      expected[(i / W / 8 * cells_x + i % W / 8) * 8 + octant] +=
          std::sqrt((double)gx * gx + (double)gy * gy);
    }
  check("oriented_histogram", bins, [&](int i) { return expected[i]; });
  Buffer<float> large(4 * W * H);
  resize_bilinear<<<dim3(divided(2 * W, 64), 2 * H), 64>>>(picture.device, large.device, W, H, 2 * W, 2 * H);
  check("resize_bilinear", large, [&](int i) {
    int x = i % (2 * W), y = i / (2 * W), x0 = x / 2, y0 = y / 2, x1 = std::min(x0 + 1, W - 1),
        y1 = std::min(y0 + 1, H - 1);
    double a = x % 2 * 0.5, b = y % 2 * 0.5;
    return (1 - b) * ((1 - a) * at(x0, y0) + a * at(x1, y0)) + b * ((1 - a) * at(x0, y1) + a * at(x1, y1));
  });

  const long long inner = (W - 2) * (H - 2), volume_inner = (W - 2) * 19 * (D - 2),
                  kernel = (W - 4) * (H - 4);
  counts("stencil_5",
         {{"flops.fp32", inner * 5}, {"bytes.global.load", inner * 20}, {"bytes.global.store", inner * 4}});
  counts("stencil_3d", {{"flops.fp32", volume_inner * 7},
                        {"bytes.global.load", 4 * (volume_inner * 5 + (W - 2) * 19 * 2)},
                        {"bytes.global.store", 4 * volume_inner}});
  counts("convolution_constant", {{"flops.fp32.fma", kernel * 50},
                                  {"bytes.constant.load", kernel * 100},
                                  {"bytes.global.load", kernel * 100},
                                  {"bytes.global.store", kernel * 4}});
  // Each end of the picture lacks a neighbour.
  const long long taps = 2 * (3 * W - 2) * (3 * H - 2);
  counts("convolution_depthwise",
         {{"flops.fp32.fma", 2 * taps}, {"bytes.global.load", 8 * taps}, {"bytes.global.store", 8 * W * H}});
  counts("convolution_causal", {{"flops.fp32.fma", 2 * (4 * N - 6)},
                                {"bytes.global.load", 8 * (4 * N - 6)},
                                {"bytes.global.store", 4 * N}});
  counts("image_to_columns", {{"bytes.global.load", inner * 36}, {"bytes.global.store", inner * 36}});
  counts("pool_max",
         {{"bytes.global.load", (W / 2) * (H / 2) * 16}, {"bytes.global.store", (W / 2) * (H / 2) * 5}});
  counts("sobel", {{"bytes.global.load", inner * 8}, {"bytes.global.store", inner}});
  return finish();
}
