// Values of 1, 2, 4, 8 and 16 bytes, numbers and vectors, come unchanged through loads and stores with every cache hint,
// and move as many: 55 bytes of each kind a lane.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json copies launches=1 bytes.global.load=5280 bytes.global.store=7040
// CHECK: all right
#include "lanes.h"

enum { Types = 9, Rows = 4, Row = 32 * 16, Size = Types * Rows * Row };

// Row r of a type takes Row bytes.
template <class T> static __device__ T *row(unsigned char *bytes, int type, int r) {
  return reinterpret_cast<T *>(bytes + (type * Rows + r) * Row) + lane_id();
}

template <class T> static __device__ void copy(unsigned char *in, unsigned char *out, int type) {
  const T a = __ldcg(row<const T>(in, type, 0)), b = __ldcs(row<const T>(in, type, 1)), c = __ldcv(row<const T>(in, type, 2));
  __stcg(row<T>(out, type, 0), a), __stcs(row<T>(out, type, 1), b), __stwb(row<T>(out, type, 2), c);
  __stwt(row<T>(out, type, 3), a);
}

__global__ void copies(unsigned char *in, unsigned char *out) {
  copy<signed char>(in, out, 0), copy<unsigned short>(in, out, 1), copy<int>(in, out, 2), copy<float>(in, out, 3);
  copy<long>(in, out, 4), copy<double>(in, out, 5);
  copy<char4>(in, out, 6), copy<float2>(in, out, 7), copy<float4>(in, out, 8);
}

static const int sizes[Types] = {1, 2, 4, 4, 8, 8, 4, 8, 16};

int main() {
  Values<unsigned char, Size> in, out;
  for (int i = 0; i < Size; i++)
    in.host[i] = i * 7 % 127; // no float of these bytes is a NaN
  in.write();
  copies<<<1, 32>>>(in.device, out.device);
  out.read();
  for (int type = 0; type < Types; type++)
    for (int r = 0; r < Rows; r++) {
      const unsigned char *from = in.host + (type * Rows + r % 3) * Row, *to = out.host + (type * Rows + r) * Row;
      for (int i = 0; i < Row; i++)
        EXPECT(to[i] == (i < 32 * sizes[type] ? from[i] : 0));
    }
  return finish();
}
