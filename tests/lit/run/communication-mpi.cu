// Calls of MPI count as communication: number, bytes and host time of each function, in the document and in a region below the
// open one. Handles may be pointers or numbers; MPI_IN_PLACE is known; polls and calls within calls do not count.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clangxx -x c++ -O1 -fPIC -shared %S/Inputs/fake_mpi.cpp -o %t.d/libmpi.so
// RUN: %clangxx -x c++ -DPOINTERS -O1 -fPIC -shared %S/Inputs/fake_mpi.cpp -o %t.d/libmpi_pointers.so
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t.numbers -L%libdir -lgpuprof-communication %link -L%t.d -lmpi -Wl,-rpath,%t.d
// RUN: %clangxx -fplugin=%plugin %minicuda -DPOINTERS -I%S/Inputs -O1 %s -o %t.pointers -L%libdir -lgpuprof-communication %link -L%t.d -lmpi_pointers -Wl,-rpath,%t.d
// RUN: env RANK=1 WORLD_SIZE=4 GPUPROF_OUTPUT=%t.numbers-%%r.json %t.numbers | %FileCheck %s
// RUN: env RANK=1 WORLD_SIZE=4 GPUPROF_OUTPUT=%t.pointers-%%r.json %t.pointers | %FileCheck %s
// RUN: %py %S/Inputs/communication_has.py %t.numbers-1.json MPI_Send=1,24 MPI_Sendrecv=1,44 MPI_Wait=1 MPI_Barrier=1 MPI_Allreduce=2,16 MPI_Allgather=1,16 MPI_Alltoallv=1,40 common_ends=5
// RUN: %py %S/Inputs/communication_has.py %t.pointers-1.json MPI_Send=1,24 MPI_Sendrecv=1,44 MPI_Wait=1 MPI_Barrier=1 MPI_Allreduce=2,16 MPI_Allgather=1,16 MPI_Alltoallv=1,40 common_ends=5
// RUN: %gpuprof report --regions %t.numbers-1.json | %FileCheck --check-prefix=REGIONS %s
// CHECK: all right
// REGIONS: {{^}} step
// REGIONS-NEXT: └─ communication {{.*}}5
// REGIONS-NEXT: {{^}} communication {{.*}}3
#include "fake_mpi.h"
#include "run.h"

__global__ void add(float *p) { p[threadIdx.x] += 1; }

int main() {
  float zero[32] = {}, *memory = to_device(zero, 32);
  double in = 1, out = 0, many[8] = {};
  int counts[4] = {1, 2, 3, 4}, flag = 0;
  MPI_Request request = {};
#pragma gpuprof region("step")
  {
    add<<<1, 32>>>(memory);
    EXPECT(MPI_Send(many, 3, MPI_DOUBLE, 1, -7, MPI_COMM_WORLD) == 0);
    EXPECT(MPI_Sendrecv(many, 1, MPI_INT, 2, 3, many, 5, MPI_DOUBLE, -1, -2, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == 0);
    EXPECT(MPI_Wait(&request, MPI_STATUS_IGNORE) == 0);
    EXPECT(MPI_Test(&request, &flag, MPI_STATUS_IGNORE) == 0 && flag);
    EXPECT(MPI_Barrier(MPI_COMM_WORLD) == 0);
    EXPECT(MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) == 0 && out == 4);
  }
  EXPECT(MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) == 0);
  EXPECT(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, many, 2, MPI_DOUBLE, MPI_COMM_WORLD) == 0);
  EXPECT(MPI_Alltoallv(many, counts, counts, MPI_INT, many, counts, counts, MPI_INT, MPI_COMM_WORLD) == 0);
  return finish();
}
