// A library with the names of MPI. Each function says by its result whether its arguments came as they should.
#include "fake_mpi.h"

extern "C" {
int MPI_Send(const void *data, int count, MPI_Datatype, int to, int tag, MPI_Comm comm) {
  return data && count == 3 && to == 1 && tag == -7 && comm == MPI_COMM_WORLD ? 0 : 1;
}
int MPI_Sendrecv(const void *, int, MPI_Datatype type, int, int, void *, int in_count, MPI_Datatype in_type, int from, int in_tag,
                 MPI_Comm comm, void *status) {
  return type == MPI_INT && in_count == 5 && in_type == MPI_DOUBLE && from == -1 && in_tag == -2 && comm == MPI_COMM_WORLD && !status ? 0 : 1;
}
int MPI_Startall(int count, MPI_Request *) { return count != 2; }
int MPI_Wait(MPI_Request *, void *) { return 0; }
int MPI_Test(MPI_Request *, int *flag, void *) { return *flag = 1, 0; }
__attribute__((noinline)) int MPI_Barrier(MPI_Comm comm) { return comm != MPI_COMM_WORLD; }
// A collective made of other calls: these do not count.
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  *(double *)out = 4 * *(const double *)in;
  return MPI_Barrier(comm) || count != 1 || type != MPI_DOUBLE || op != MPI_SUM;
}
int MPI_Allgather(const void *, int, MPI_Datatype, void *, int in_count, MPI_Datatype in_type, MPI_Comm) {
  return in_count != 2 || in_type != MPI_DOUBLE;
}
int MPI_Alltoallv(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *, MPI_Datatype, MPI_Comm comm) {
  return comm != MPI_COMM_WORLD;
}
// Real ones end the program for a type that is none.
int PMPI_Type_size(MPI_Datatype type, int *size) {
  if (type == MPI_DATATYPE_NULL)
    __builtin_trap();
  *size = type == MPI_UNKNOWN_SIZE ? -32766 : type == MPI_DOUBLE ? 8 : 4;
  return 0;
}
int PMPI_Comm_size(MPI_Comm comm, int *size) { return *size = 4, comm != MPI_COMM_WORLD; }
}
