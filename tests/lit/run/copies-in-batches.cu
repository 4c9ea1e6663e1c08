// Copies in batches, of bytes and of boxes, between memory and arrays; prefetches and discards of managed memory in batches.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

static cudaMemcpy3DOperand pointer(const float *memory, size_t row, size_t rows) {
  cudaMemcpy3DOperand operand = {};
  operand.type = cudaMemcpyOperandTypePointer;
  operand.op.ptr.ptr = (void *)memory;
  operand.op.ptr.rowLength = row;
  operand.op.ptr.layerHeight = rows;
  operand.op.ptr.locHint = {cudaMemLocationTypeDevice, 0};
  return operand;
}

static cudaMemcpy3DOperand in_array(cudaArray_t array, size_t x, size_t y) {
  cudaMemcpy3DOperand operand = {};
  operand.type = cudaMemcpyOperandTypeArray;
  operand.op.array.array = array;
  operand.op.array.offset = {x, y, 0};
  return operand;
}

static cudaMemcpy3DBatchOp box(cudaMemcpy3DOperand from, cudaMemcpy3DOperand to, size_t width, size_t height) {
  cudaMemcpy3DBatchOp operation = {};
  operation.src = from;
  operation.dst = to;
  operation.extent = make_cudaExtent(width, height, 1);
  operation.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  return operation;
}

int main() {
  cudaStream_t stream;
  float host[64], back[64] = {};
  for (int i = 0; i < 64; i++)
    host[i] = i;
  float *from = to_device(host, 64), *to = to_device(back, 64);
  OK(cudaStreamCreate(&stream));

  void *ends[2] = {to + 32, to};
  const void *begins[2] = {from, from + 32};
  size_t bytes[2] = {128, 64}, first = 0;
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  OK(cudaMemcpyBatchAsync(ends, begins, bytes, 2, &attributes, &first, 1, stream));
  EXPECT(cudaMemcpyBatchAsync(ends, begins, bytes, 2, &attributes, &first, 1, 0) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpyBatchAsync(ends, begins, bytes, 2, &attributes, &first, 0, stream) == cudaErrorInvalidValue);
  first = 1;
  EXPECT(cudaMemcpyBatchAsync(ends, begins, bytes, 2, &attributes, &first, 1, stream) == cudaErrorInvalidValue);
  first = 0;
  OK(cudaStreamSynchronize(stream));
  to_host(back, to, 64);
  EXPECT(back[32] == 0 && back[63] == 31 && back[0] == 32 && back[15] == 47 && back[16] == 0);

  // A box of 4 x 3 floats from rows of 8 into an array, and from there to rows of 16. Between memory an element is a byte.
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  OK(cudaMallocArray(&array, &format, 8, 8));
  OK(cudaMemset(to, 0, sizeof back));
  cudaMemcpy3DBatchOp operations[3] = {
      box(pointer(from + 9, 8, 0), in_array(array, 2, 1), 4, 3),
      box(in_array(array, 2, 1), pointer(to, 16, 0), 4, 3),
      box(pointer(from, 0, 0), pointer(to + 60, 0, 0), 16, 1),
  };
  OK(cudaMemcpy3DBatchAsync(3, operations, 0, stream));
  EXPECT(cudaMemcpy3DBatchAsync(3, operations, 1, stream) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy3DBatchAsync(0, operations, 0, stream) == cudaErrorInvalidValue);
  OK(cudaStreamSynchronize(stream));
  to_host(back, to, 64);
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 4; x++)
      EXPECT(back[16 * y + x] == 9 + 8 * y + x);
  EXPECT(back[4] == 0 && back[60] == 0 && back[61] == 1 && back[63] == 3);

  float *managed;
  OK(cudaMallocManaged(&managed, sizeof host));
  managed[0] = 5;
  void *parts[2] = {managed, managed + 32};
  size_t sizes[2] = {128, 128};
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  OK(cudaMemPrefetchBatchAsync(parts, sizes, 2, &device, &first, 1, 0, stream));
  EXPECT(cudaMemPrefetchBatchAsync(parts, sizes, 2, &device, &first, 1, 1, stream) == cudaErrorInvalidValue);
  EXPECT(cudaMemPrefetchBatchAsync(ends, sizes, 2, &device, &first, 1, 0, stream) == cudaErrorInvalidValue);
  OK(cudaStreamSynchronize(stream));
  int where = -1;
  OK(cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation, managed, 256));
  EXPECT(where == 0 && managed[0] == 5);
  OK(cudaMemDiscardBatchAsync(parts, sizes, 2, 0, stream));
  OK(cudaMemDiscardAndPrefetchBatchAsync(parts, sizes, 2, &device, &first, 1, 0, stream));
  return finish();
}
