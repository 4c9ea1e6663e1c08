// What copies by tensor maps make of elements: NaN outside of a tensor of floats that asks for it, floats as a tensor core reads
// them, and all others as they are.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "tensor_maps.h"

enum { Bytes = 128 };

__global__ void copy(const __grid_constant__ TensorMap map, int x, unsigned char *out) {
  alignas(128) __shared__ unsigned char box[Bytes];
  alignas(8) __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) {
    make_barrier(&barrier, 1);
    expect(&barrier, Bytes);
    load(box, &map, &barrier, x);
  }
  __syncthreads();
  wait(&barrier, 0);
  for (int i = threadIdx.x; i < Bytes; i += blockDim.x)
    out[i] = box[i];
}

static Values<unsigned char, Bytes> given, got;

// The box begins 16 bytes before the tensor.
static void run(int type, int bytes, int fill) {
  const unsigned count = Bytes / bytes;
  Tensor t = dense(type, bytes, given.device, 1, {count}, {count});
  t.fill = fill;
  TensorMap map;
  EXPECT(encode(&map, t) == 0);
  memset(got.host, 0xcc, Bytes);
  got.write();
  copy<<<1, 32>>>(map, -16 / bytes, got.device);
  got.read();
}

static void check_as_they_are(int type, int bytes, int fill) {
  run(type, bytes, fill);
  for (int i = 0; i < 16; i += 2)
    EXPECT(got.host[i] == (fill ? 0xf7 : 0) && got.host[i + 1] == (fill ? 0x7f : 0));
  EXPECT(!memcmp(got.host + 16, given.host, Bytes - 16));
}

int main() {
  for (int i = 0; i < Bytes; i++)
    given.host[i] = (unsigned char)(i * 37 + 11);
  given.write();
  for (int fill = 0; fill < 2; fill++) {
    check_as_they_are(F16, 2, fill);
    check_as_they_are(BF16, 2, fill);
    check_as_they_are(F32, 4, fill);
    check_as_they_are(F64, 8, fill);
  }
  check_as_they_are(U8, 1, 0);
  check_as_they_are(S32, 4, 0);
  check_as_they_are(U64, 8, 0);
  // To nearest, even, in the 10 bits behind the point.
  const unsigned floats[][2] = {{0x3f800000, 0x3f800000}, {0x3f801000, 0x3f800000}, {0x3f801001, 0x3f802000},
                                {0x3f803000, 0x3f804000}, {0xbf802fff, 0xbf802000}, {0x7f800000, 0x7f800000},
                                {0x7f800001, 0x7fffe000}, {0x7f7fffff, 0x7f800000}, {0x00000001, 0x00000000},
                                {0x80001000, 0x80000000}, {0x007fffff, 0x00800000}};
  for (int i = 0; i < Bytes / 4; i++)
    memcpy(given.host + 4 * i, floats[i % 11], 4);
  given.write();
  check_as_they_are(F32, 4, 0);
  check_as_they_are(F32_FTZ, 4, 0);
  run(TF32, 4, 1);
  for (int i = 0; i < Bytes / 4; i++) {
    unsigned bits, wanted = i < 4 ? 0x7ff77ff7 : floats[(i - 4) % 11][1];
    memcpy(&bits, got.host + 4 * i, 4);
    EXPECT(bits == wanted);
  }
  return finish();
}
