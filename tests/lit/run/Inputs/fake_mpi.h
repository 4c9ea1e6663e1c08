// As much of MPI as the tests call, with handles as in MPICH (numbers), or with POINTERS as in Open MPI.
#pragma once
#ifdef POINTERS
typedef struct handle *MPI_Datatype, *MPI_Comm, *MPI_Request, *MPI_Op;
#define HANDLE(type, number) ((type)(long)(0x7f0000000000 + number))
#define MPI_IN_PLACE ((void *)1)
#else
typedef int MPI_Datatype, MPI_Comm, MPI_Request, MPI_Op;
#define HANDLE(type, number) ((type)(0x4c000000 + number))
#define MPI_IN_PLACE ((void *)-1)
#endif
#define MPI_COMM_WORLD HANDLE(MPI_Comm, 1)
#define MPI_DATATYPE_NULL HANDLE(MPI_Datatype, 2)
#define MPI_INT HANDLE(MPI_Datatype, 4)
#define MPI_DOUBLE HANDLE(MPI_Datatype, 8)
#define MPI_UNKNOWN_SIZE HANDLE(MPI_Datatype, 16)
#define MPI_SUM HANDLE(MPI_Op, 3)
#define MPI_STATUS_IGNORE ((void *)0)

extern "C" {
int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int in_count, MPI_Datatype in_type,
                 int from, int in_tag, MPI_Comm comm, void *status);
int MPI_Startall(int count, MPI_Request *requests);
int MPI_Wait(MPI_Request *request, void *status);
int MPI_Test(MPI_Request *request, int *flag, void *status);
int MPI_Barrier(MPI_Comm comm);
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Allgather(const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type, MPI_Comm comm);
int MPI_Alltoallv(const void *out, const int *counts, const int *places, MPI_Datatype type, void *in, const int *in_counts,
                  const int *in_places, MPI_Datatype in_type, MPI_Comm comm);
int PMPI_Type_size(MPI_Datatype type, int *size);
int PMPI_Comm_size(MPI_Comm comm, int *size);
}
