// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Texture and surface instructions. Filtering follows NVIDIA's documentation: the weights have eight bits of
 * fraction (CUDA C++ Programming Guide, "Texture Fetching"). Filtering and addressing beyond the edges agree
 * with an H200 to the bit if the sums are exact.
 */
#include "common/errors.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "gpuprof/cpu_texture.h"
#include "units/texture.h"

#include <math.h>
#include <string.h>

enum { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT };

enum geometry {
#define GEOMETRY(name, number, coordinates) GEOMETRY_##name = number,
  GPUPROF_TEXTURE_GEOMETRIES(GEOMETRY)
#undef GEOMETRY
};

/* ---- Texels -------------------------------------------------------------------------------------------- */

static float float_of_half(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? ldexpf((float)(fraction + 1024), exponent - 25)
                               : ldexpf((float)fraction, -24);
  return bits >> 15 ? -value : value;
}

static int64_t integer_of(const char *at, unsigned bytes, bool is_signed) {
  uint32_t bits = 0;
  memcpy(&bits, at, bytes);
  if (!is_signed)
    return bits;
  return bytes == 1 ? (int8_t)bits : bytes == 2 ? (int16_t)bits : (int32_t)bits;
}

/* A fetched channel: a float, or an integer read as such. */
union channel {
  double real;
  int64_t integer;
};

static bool gives_floats(const struct gp_object_of_texels *o) {
  return o->format.kind == KIND_FLOAT || o->texture.read == GP_READ_NORMALIZED;
}

static union channel channel_at(const struct gp_object_of_texels *o, const char *at) {
  union channel c;
  bool is_signed = o->format.kind == KIND_SIGNED;
  if (o->format.kind == KIND_FLOAT) {
    uint16_t half;
    float single;
    memcpy(&half, at, sizeof half);
    if (o->channel_bytes == 4)
      memcpy(&single, at, sizeof single);
    c.real = o->channel_bytes == 4 ? single : float_of_half(half);
    return c;
  }
  c.integer = integer_of(at, o->channel_bytes, is_signed);
  if (o->texture.read == GP_READ_NORMALIZED) {
    double largest = (double)((1ull << (8 * o->channel_bytes - is_signed)) - 1),
           value = (double)c.integer / largest;
    c.real = value < -1 ? -1 : value;
  }
  return c;
}

/* The position of a texel number in a dimension of n texels; -1: the border beyond the edge. */
static int64_t address(int64_t i, size_t n, int mode) {
  int64_t size = (int64_t)n;
  if (i >= 0 && i < size)
    return i;
  if (mode == GP_ADDRESS_BORDER)
    return -1;
  if (mode == GP_ADDRESS_WRAP)
    return (i % size + size) % size;
  if (mode == GP_ADDRESS_MIRROR) {
    int64_t j = (i % (2 * size) + 2 * size) % (2 * size);
    return j < size ? j : 2 * size - 1 - j;
  }
  return i < 0 ? 0 : size - 1;
}

/* The address of a texel; null: the border beyond an edge. */
static const char *texel_at(const struct gp_object_of_texels *o, const int64_t at[3], const int modes[3]) {
  int64_t x = address(at[0], o->width, modes[0]), y = address(at[1], o->height, modes[1]),
          z = address(at[2], o->depth, modes[2]);
  if (x < 0 || y < 0 || z < 0)
    return NULL;
  return o->data + (size_t)z * o->plane_bytes + (size_t)y * o->row_bytes +
         (size_t)x * o->channels * o->channel_bytes;
}

/* True for bytes of sRGB textures read as fractions, except the fourth channel. */
static bool is_srgb(const struct gp_object_of_texels *o, unsigned channel) {
  return o->texture.srgb && o->texture.read == GP_READ_NORMALIZED && o->format.kind == KIND_UNSIGNED &&
         o->channel_bytes == 1 && channel < 3;
}

static double linear_of(uint8_t byte) {
  static const uint16_t steps[256] = {
#include "units/srgb.inc"
  };
  return ldexp(steps[byte], -14);
}

/* A channel of a texel, or of the border. Missing channels are 0, the last one is 1. */
static union channel channel_of(const struct gp_object_of_texels *o, const char *texel, unsigned channel) {
  bool lacks = channel >= o->channels;
  if (texel && !lacks && is_srgb(o, channel))
    return (union channel){.real = linear_of((uint8_t)texel[channel])};
  if (texel && !lacks)
    return channel_at(o, texel + (size_t)channel * o->channel_bytes);
  if (gives_floats(o))
    return (union channel){.real = texel ? channel == 3 : o->texture.border[channel]};
  return (union channel){.integer = texel ? channel == 3 : (int64_t)o->texture.border[channel]};
}

/* ---- Fetches ------------------------------------------------------------------------------------------- */

struct fetch {
  const struct gp_object_of_texels *object;
  int dimensions; /* filtered dimensions */
  int modes[3];
  double place[3]; /* in texels */
};

/* Equal to floor(). The latter is a call unless the compiler may use SSE 4.1. */
static int64_t floor_of(double place) {
  int64_t whole = (int64_t)place;
  return whole - (place < (double)whole && whole != INT64_MIN);
}

enum { ONE = 256 }; /* weights have eight bits of fraction */

/* The texel to the left of the place, and the weight of the one to the right. */
static int split(double place, int64_t *left) {
  int64_t steps = floor_of(((double)(float)place - 0.5) * ONE + 0.5);
  *left = steps >= 0 ? steps / ONE : -((ONE - 1 - steps) / ONE);
  return (int)(steps - *left * ONE);
}

/* The weights of the corners (bit d: right in dimension d). Products of weights are rounded to eight bits,
 * too; the remainder stays with the corners further left. In two dimensions this is an H200's rule. In three,
 * and between two levels (one has `whole` as its weight), it holds in nine of ten places. Elsewhere the
 * difference is 1/256 of a texel. */
static void corner_weights(const int right[3], int dimensions, int whole, int weights[8]) {
  int product[8] = {ONE};
  for (int set = 1; set < 1 << dimensions; set++) {
    int lowest = set & -set, d = lowest == 1 ? 0 : lowest == 2 ? 1 : 2;
    product[set] = (product[set ^ lowest] * right[d] + ONE / 2) / ONE;
  }
  for (int set = 0; set < 1 << dimensions; set++)
    product[set] = (product[set] * whole + ONE / 2) / ONE;
  /* product[set]: the sum of the weights of all corners to the right in the set's dimensions. */
  memcpy(weights, product, sizeof product);
  for (int d = 0; d < dimensions; d++)
    for (int corner = 0; corner < 1 << dimensions; corner++)
      if (!(corner >> d & 1))
        weights[corner] -= weights[corner | 1 << d];
}

/* Integers read as fractions are filtered as fractions of 16 bits. */
static double in_steps(const struct gp_object_of_texels *o, double value) {
  const double steps = o->format.kind == KIND_SIGNED ? 32767 : 65535, error_of_doubles = 1e-6;
  return o->format.kind == KIND_FLOAT ? value : floor(value * steps + 0.5 + error_of_doubles) / steps;
}

/* The texels read by a fetch, with the weight of each: one, or the corners around the place, of one level or
 * of two. */
struct texels {
  unsigned count;
  bool with_border;   /* some lie beyond the edges */
  const char *at[16]; /* of two levels, in three dimensions */
  int weight[16];
};

static void add_texel(const struct fetch *f, const int64_t at[3], int weight, struct texels *texels) {
  const char *texel = texel_at(f->object, at, f->modes);
  texels->weight[texels->count] = weight;
  texels->at[texels->count++] = texel;
  texels->with_border |= !texel;
}

/* Adds the contribution of a level; its weight is the sum over all its texels. */
static void add_nearest(const struct fetch *f, int weight, struct texels *texels) {
  const int64_t at[3] = {floor_of(f->place[0]), floor_of(f->place[1]), floor_of(f->place[2])};
  add_texel(f, at, weight, texels);
}

static void add_corners(const struct fetch *f, int weight, struct texels *texels) {
  int64_t left[3] = {0, 0, 0};
  int right[3] = {0, 0, 0}, weights[8];
  for (int d = 0; d < 3; d++) {
    if (d < f->dimensions)
      right[d] = split(f->place[d], &left[d]);
    else
      left[d] = floor_of(f->place[d]);
  }
  corner_weights(right, f->dimensions, weight, weights);
  for (int corner = 0; corner < 1 << f->dimensions; corner++) {
    const int64_t at[3] = {left[0] + (corner & 1), left[1] + (corner >> 1 & 1), left[2] + (corner >> 2 & 1)};
    if (weights[corner])
      add_texel(f, at, weights[corner], texels);
  }
}

static union channel filtered(const struct gp_object_of_texels *o, const struct texels *texels,
                              unsigned channel) {
  double sum = 0;
  if (channel >= o->channels && !texels->with_border)
    return channel_of(o, texels->at[0], channel);
  for (unsigned i = 0; i < texels->count; i++)
    sum += texels->weight[i] * channel_of(o, texels->at[i], channel).real;
  return (union channel){.real = is_srgb(o, channel) ? sum / ONE : in_steps(o, sum / ONE)};
}

static void give(const struct gp_object_of_texels *o, union channel value, uint64_t *word) {
  float real = (float)value.real;
  uint32_t bits = (uint32_t)value.integer;
  if (gives_floats(o))
    memcpy(&bits, &real, sizeof bits);
  *word = bits;
}

static float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Face and place on it (0 … 1) of a direction. */
static int cube_face(const double v[3], double *s, double *t) {
  double a[3] = {fabs(v[0]), fabs(v[1]), fabs(v[2])};
  int axis = a[0] >= a[1] && a[0] >= a[2] ? 0 : a[1] >= a[2] ? 1 : 2, negative = v[axis] < 0;
  double sign = negative ? -1 : 1;
  double x = axis == 0 ? -sign * v[2] : axis == 1 ? v[0] : sign * v[0], y = axis == 1 ? sign * v[2] : -v[1];
  *s = (x / a[axis] + 1) / 2;
  *t = (y / a[axis] + 1) / 2;
  return 2 * axis + negative;
}

/* With normalized coordinates a dimension has length 1, whatever its number of texels. Otherwise it cannot
 * repeat. */
static double in_texels(const struct gp_object_of_texels *o, double place, size_t size) {
  return o->texture.normalized ? (double)((float)place * (float)size) : place;
}

static struct fetch prepare(const struct gp_object_of_texels *o, uint32_t form, const uint32_t *places) {
  const size_t size[3] = {o->width, o->height, o->depth};
  enum geometry geometry = (enum geometry)(form & GPUPROF_TEXTURE_GEOMETRY_MASK);
  bool layered = geometry == GEOMETRY_ga1d || geometry == GEOMETRY_ga2d || geometry == GEOMETRY_gacube;
  bool cube = geometry == GEOMETRY_gcube || geometry == GEOMETRY_gacube;
  struct fetch f = {.object = o, .modes = {GP_ADDRESS_CLAMP, GP_ADDRESS_CLAMP, GP_ADDRESS_CLAMP}};
  int coordinates = cube || geometry == GEOMETRY_g3d                        ? 3
                    : geometry == GEOMETRY_g2d || geometry == GEOMETRY_ga2d ? 2
                                                                            : 1;
  f.dimensions = geometry == GEOMETRY_g3d ? 3 : 2; /* a line is filtered as a plane, at y = 0 */
  double given[3] = {0, 0, 0};
  for (int d = 0; d < coordinates; d++)
    given[d] = form & GPUPROF_TEXTURE_INTEGER_PLACE ? (double)(int32_t)places[layered + d]
                                                    : (double)float_of_bits(places[layered + d]);
  uint32_t layer = layered ? places[0] : 0, layers = (uint32_t)(cube ? o->depth / 6 : o->depth);
  layer = layered && layer >= layers ? layers - 1 : layer; /* -1 is a large number */
  if (cube) {
    double s, t;
    int face = cube_face(given, &s, &t);
    f.place[0] = s * (double)o->width;
    f.place[1] = t * (double)o->height;
    f.place[2] = 6 * layer + (uint32_t)face;
    return f;
  }
  for (int d = 0; d < f.dimensions && (d < coordinates || !layered); d++) {
    f.place[d] = in_texels(o, given[d], size[d]);
    f.modes[d] = o->texture.address[d];
    if (!o->texture.normalized && f.modes[d] != GP_ADDRESS_BORDER)
      f.modes[d] = GP_ADDRESS_CLAMP;
  }
  if (layered)
    f.place[2] = layer;
  return f;
}

static const struct gp_object_of_texels *object_of(uint64_t handle, uint32_t magic, const char *what) {
  const struct gp_object_of_texels *object = (const void *)handle;
  if (!object || object->magic != magic)
    gp_cpu_stop(GP_ERROR_ILLEGAL_ADDRESS, "a %s object is read that was not made, or was destroyed", what);
  return object;
}

/* tex1Dfetch of linear memory: indices beyond its end read the border. */
static void fetch_linear(const struct gp_object_of_texels *o, int64_t index, uint64_t *texels) {
  const int64_t at[3] = {index, 0, 0};
  const int modes[3] = {GP_ADDRESS_BORDER, GP_ADDRESS_CLAMP, GP_ADDRESS_CLAMP};
  const char *texel = texel_at(o, at, modes);
  for (unsigned c = 0; c < 4; c++)
    give(o, channel_of(o, texel, c), &texels[c]);
}

/* One channel of the four texels around a place. */
static void gather(const struct gp_object_of_texels *o, uint32_t form, const uint32_t *places,
                   uint64_t *words) {
  static const int corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  const struct fetch f = prepare(o, form, places);
  int64_t left[2];
  for (int d = 0; d < 2; d++)
    split(f.place[d], &left[d]);
  for (unsigned i = 0; i < 4; i++) {
    const int64_t at[3] = {left[0] + corners[i][0], left[1] + corners[i][1], 0};
    give(o, channel_of(o, texel_at(o, at, f.modes), GPUPROF_TEXTURE_CHANNELS_OF(form)), &words[i]);
  }
}

static void add_level(const struct gp_object_of_texels *o, uint32_t form, const uint32_t *places, int weight,
                      struct texels *texels) {
  const struct fetch f = prepare(o, form, places);
  (o->texture.filter == GP_FILTER_LINEAR ? add_corners : add_nearest)(&f, weight, texels);
}

static void give_texels(const struct gp_object_of_texels *o, const struct texels *texels, uint64_t *words) {
  const bool filters = o->texture.filter == GP_FILTER_LINEAR || texels->count > 1;
  for (unsigned c = 0; c < 4; c++)
    give(o, filters ? filtered(o, texels, c) : channel_of(o, texels->at[0], c), &words[c]);
}

/* ---- Levels of detail ---------------------------------------------------------------------------------- */

/* Number of 32-bit words of coordinates, including a layer, before a level or gradients. */
static unsigned words_of(uint32_t form) {
  static const unsigned char words[] = {
#define WORDS(name, number, coordinates) [number] = coordinates,
      GPUPROF_TEXTURE_GEOMETRIES(WORDS)
#undef WORDS
  };
  return words[form & GPUPROF_TEXTURE_GEOMETRY_MASK];
}

/* The level at which a step of the longer gradient is one texel. */
static double level_of_gradients(const struct gp_object_of_texels *o, uint32_t form,
                                 const uint32_t *gradients) {
  const size_t size[3] = {o->levels[0].width, o->levels[0].height, o->levels[0].depth};
  enum geometry geometry = (enum geometry)(form & GPUPROF_TEXTURE_GEOMETRY_MASK);
  int dimensions = geometry == GEOMETRY_g1d || geometry == GEOMETRY_ga1d ? 1
                   : geometry == GEOMETRY_g3d                            ? 3
                                                                         : 2;
  double longest = 0;
  for (int direction = 0; direction < 2; direction++) {
    double sum = 0;
    for (int d = 0; d < dimensions; d++) {
      double step = (double)float_of_bits(gradients[direction * dimensions + d]) * (double)size[d];
      sum += step * step;
    }
    longest = sum > longest ? sum : longest;
  }
  return longest > 0 ? log2(longest) / 2 : -INFINITY;
}

/* In the hardware's steps of 1/256. */
static unsigned level_of(const struct gp_object_of_texels *o, uint32_t form, const uint32_t *places) {
  const struct gp_cuda_texture *t = &o->texture;
  const uint32_t *more = places + words_of(form);
  double last = (double)(o->level_count - 1), level = 0;
  if (form & GPUPROF_TEXTURE_LEVEL)
    level = form & GPUPROF_TEXTURE_INTEGER_PLACE ? (double)(int32_t)*more : (double)float_of_bits(*more);
  else if (form & GPUPROF_TEXTURE_GRADIENT)
    level = level_of_gradients(o, form, more);
  level += (double)t->level_bias;
  level = level < (double)t->least_level ? (double)t->least_level : level;
  level = level > (double)t->greatest_level ? (double)t->greatest_level : level;
  level = level > 0 ? level : 0; /* also NaN */
  return (unsigned)((level < last ? level : last) * ONE);
}

static void add_levels(const struct gp_object_of_texels *o, uint32_t form, const uint32_t *places,
                       struct texels *texels) {
  unsigned level = level_of(o, form, places);
  if (o->texture.level_filter == GP_FILTER_POINT || !gives_floats(o))
    level = (level + ONE / 2) / ONE * ONE;
  int weight = (int)(level % ONE);
  add_level(&o->levels[level / ONE], form, places, ONE - weight, texels);
  if (weight)
    add_level(&o->levels[level / ONE + 1], form, places, weight, texels);
}

void __gpuprof_cpu_texture(uint64_t handle, uint32_t form, void *places, void *result) {
  const struct gp_object_of_texels *o = object_of(handle, GP_TEXTURE, "texture");
  struct texels texels;
  texels.count = 0;
  texels.with_border = false;
  if (o->resource.type == GP_RESOURCE_LINEAR) {
    fetch_linear(o, *(const int32_t *)places, result);
  } else if (form & GPUPROF_TEXTURE_GATHER) {
    gather(o->level_count ? &o->levels[0] : o, form, places, result);
  } else {
    if (o->level_count)
      add_levels(o, form, places, &texels);
    else
      add_level(o, form, places, ONE, &texels);
    give_texels(o, &texels, result);
  }
}

/* ---- Surfaces: places are bytes in x, rows and planes else --------------------------------------------- */

/* Null: the access is omitted. */
static char *place_in(const struct gp_object_of_texels *o, uint32_t form, const int32_t *places) {
  enum { TRAP, CLAMP, ZERO };
  enum geometry geometry = (enum geometry)(form & GPUPROF_TEXTURE_GEOMETRY_MASK);
  bool layered = geometry == GEOMETRY_ga1d || geometry == GEOMETRY_ga2d;
  int dimensions = geometry == GEOMETRY_g1d || geometry == GEOMETRY_ga1d ? 1
                   : geometry == GEOMETRY_g3d                            ? 3
                                                                         : 2;
  int64_t bytes = (int64_t)GPUPROF_TEXTURE_BYTES_OF(form) * GPUPROF_TEXTURE_CHANNELS_OF(form),
          at[3] = {0, 0, 0};
  const int64_t last[3] = {(int64_t)o->row_bytes - bytes, (int64_t)o->height - 1, (int64_t)o->depth - 1};
  for (int d = 0; d < dimensions; d++)
    at[d] = places[layered + d];
  if (layered)
    at[2] = places[0];
  for (int d = 0; d < 3; d++) {
    if (at[d] >= 0 && at[d] <= last[d])
      continue;
    if (GPUPROF_TEXTURE_BOUNDS_OF(form) == ZERO)
      return NULL;
    if (GPUPROF_TEXTURE_BOUNDS_OF(form) == TRAP)
      gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE,
                  "a surface is accessed outside of its bounds, in dimension %d at %lld", d,
                  (long long)at[d]);
    at[d] = at[d] < 0 ? 0 : last[d];
  }
  return o->data + (size_t)at[2] * o->plane_bytes + (size_t)at[1] * o->row_bytes + (size_t)at[0];
}

void __gpuprof_cpu_surface_load(uint64_t handle, uint32_t form, void *places, void *result) {
  const char *from = place_in(object_of(handle, GP_SURFACE, "surface"), form, places);
  unsigned bytes = GPUPROF_TEXTURE_BYTES_OF(form);
  uint64_t *words = result;
  for (unsigned i = 0; i < GPUPROF_TEXTURE_CHANNELS_OF(form); i++) {
    words[i] = 0;
    if (from)
      memcpy(&words[i], from + i * bytes, bytes);
  }
}

void __gpuprof_cpu_surface_store(uint64_t handle, uint32_t form, void *places, void *data) {
  char *to = place_in(object_of(handle, GP_SURFACE, "surface"), form, places);
  unsigned bytes = GPUPROF_TEXTURE_BYTES_OF(form);
  const uint64_t *words = data;
  for (unsigned i = 0; to && i < GPUPROF_TEXTURE_CHANNELS_OF(form); i++)
    memcpy(to + i * bytes, &words[i], bytes);
}
