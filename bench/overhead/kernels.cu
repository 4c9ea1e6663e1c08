/* The kernels of kernels/ in one compile mode, named by VARIANT. */
#include "overhead.h"

#include <cuda_runtime.h>

/* Headers included by the kernels' headers must not be in the namespace. */
#include "closed_form.h"
#include <math.h>

namespace VARIANT {

#include "attention/attention_naive.cuh"
#include "attention/attention_tiled.cuh"
#include "snn/lif.cuh"
#include "snn/stbif.cuh"

enum { Block = 256, Row = 64 };

static unsigned blocks(size_t threads) { return (unsigned)((threads + Block - 1) / Block); }

void launch(Kernel kernel, Size size, const Memory &m) {
  const StbifParameters stbif = {0.75f, -4.0f, 3.0f, 0.0625f};
  const StbifSurrogate surrogate = {1.5f, -2.0f};
  const size_t neurons = size.a;
  const int length = size.a, heads = size.b;
  const dim3 square(32, 8);
  switch (kernel) {
  case LifStep:
    lif_step<<<blocks(neurons), Block>>>(m.in[0], m.out[0], m.out[1], neurons, {0.9375f, 1.0f, 0.0f});
    break;
  case StbifForward:
    stbif_forward<<<blocks(neurons), Block>>>(m.in[0], m.out[0], m.out[1], m.out[2], m.in[1], neurons, size.b,
                                              0.5625f, 0.0f, stbif);
    break;
  case StbifBackward:
    stbif_backward<<<blocks(neurons), Block>>>(m.in[0], m.in[1], m.in[2], m.out[0], m.out[1], neurons, size.b,
                                               0.0f, stbif, surrogate, surrogate);
    break;
  case AttentionScores:
    attention_scores<<<dim3((length + 31) / 32, (length + 7) / 8, heads), square>>>(
        m.in[0], m.in[1], m.out[0], length, Row, 0.125f);
    break;
  case AttentionSoftmax:
    attention_softmax<<<length * heads, Block>>>(m.out[0], length);
    break;
  case AttentionValues:
    attention_values<<<dim3((Row + 31) / 32, (length + 7) / 8, heads), square>>>(m.in[0], m.in[1], m.out[0],
                                                                                 length, Row);
    break;
  default:
    attention_tiled<Row><<<dim3((length + kTiledRows - 1) / kTiledRows, heads), kTiledRows>>>(
        m.in[0], m.in[1], m.in[2], m.out[0], length, 0.125f, kernel == AttentionTiledCausal);
  }
}

const void *function(Kernel kernel) {
  switch (kernel) {
  case LifStep:
    return (const void *)lif_step;
  case StbifForward:
    return (const void *)stbif_forward;
  case StbifBackward:
    return (const void *)stbif_backward;
  case AttentionScores:
    return (const void *)attention_scores;
  case AttentionSoftmax:
    return (const void *)attention_softmax;
  case AttentionValues:
    return (const void *)attention_values;
  default:
    return (const void *)attention_tiled<Row>;
  }
}

} // namespace VARIANT
