// Calls that move data without saying how much are counted apart, and the bytes of the others are named a lower limit.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clangxx -x c++ -O1 -fPIC -shared %S/Inputs/fake_mpi.cpp -o %t.d/libmpi.so
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t.app -L%libdir -lgpuprof-communication %link -L%t.d -lmpi -Wl,-rpath,%t.d
// RUN: env RANK=0 WORLD_SIZE=4 GPUPROF_OUTPUT=%t-%%r.json %t.app | %FileCheck %s
// RUN: %py %S/Inputs/communication_has.py %t-0.json MPI_Send=2,24+1 MPI_Startall=1+1 MPI_Barrier=1 common_ends=1
// RUN: %gpuprof report --notes %t-0.json | %FileCheck --check-prefix=NOTE %s
// RUN: env RANK=1 WORLD_SIZE=4 GPUPROF_OUTPUT=%t-%%r.json %t.app
// RUN: %gpuprof merge %t-0.json %t-1.json -o %t.merged.json
// RUN: %FileCheck --check-prefix=MERGED %s < %t.merged.json
// CHECK: all right
// NOTE: communication.bytes: at least: 2 of 4 calls moved data without saying how much (MPI_Send,
// MERGED: "communication": {
// MERGED: "bytes": null
// MERGED: "unknown_size_calls": 4
#include "fake_mpi.h"
#include "run.h"

int main() {
  double many[3] = {};
  MPI_Request requests[2] = {};
  EXPECT(MPI_Send(many, 3, MPI_DOUBLE, 1, -7, MPI_COMM_WORLD) == 0);
  EXPECT(MPI_Send(many, 3, MPI_UNKNOWN_SIZE, 1, -7, MPI_COMM_WORLD) == 0);
  EXPECT(MPI_Startall(2, requests) == 0);
  EXPECT(MPI_Barrier(MPI_COMM_WORLD) == 0);
  return finish();
}
