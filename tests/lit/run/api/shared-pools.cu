// Pools of other processes and their memory: by a file sent over a socket, and by a description of each pointer.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.%%p.json timeout 60 %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/shared-pools.txt %t.out
#include "table.h"
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 3000 };

__global__ void add(int *p, int n, int amount) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    p[i] += amount;
}

struct Message {
  cudaMemPoolPtrExportData first, second;
};

/* A message of one byte with room for a file. */
struct FileMessage {
  char word = 'f', room[CMSG_SPACE(sizeof(int))] = {};
  iovec part = {&word, 1};
  msghdr head = {};
  FileMessage() {
    head.msg_iov = &part;
    head.msg_iovlen = 1;
    head.msg_control = room;
    head.msg_controllen = sizeof room;
  }
};

static void send_file(int socket, int file) {
  FileMessage message;
  cmsghdr *control = CMSG_FIRSTHDR(&message.head);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof file);
  memcpy(CMSG_DATA(control), &file, sizeof file);
  VALUE(sendmsg(socket, &message.head, 0));
}

static int receive_file(int socket) {
  FileMessage message;
  int file = -1;
  if (recvmsg(socket, &message.head, 0) == 1 && CMSG_FIRSTHDR(&message.head))
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message.head)), sizeof file);
  return file;
}

static int child(int socket) {
  int file = receive_file(socket), *p = nullptr, *q = nullptr, *own = nullptr, host[N];
  Message message;
  cudaMemPool_t pool = nullptr;
  if (read(socket, &message, sizeof message) != sizeof message)
    return 1;
  TITLE("another process");
  CALL(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)file, cudaMemHandleTypePosixFileDescriptor, 1));
  CALL(cudaMemPoolImportFromShareableHandle(nullptr, (void *)(intptr_t)file, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)file, cudaMemHandleTypeNone, 0));
  CALL(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)-1, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)file, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMallocFromPoolAsync((void **)&own, 64, pool, 0));
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, host));
  uint64_t used = 77;
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  CALL(cudaMemPoolImportPointer((void **)&p, pool, nullptr));
  CALL(cudaMemPoolImportPointer(nullptr, pool, &message.first));
  CALL(cudaMemPoolImportPointer((void **)&p, nullptr, &message.first));
  CALL(cudaMemPoolImportPointer((void **)&p, pool, &message.first));
  CALL(cudaMemPoolImportPointer((void **)&q, pool, &message.second));
  add<<<1, 128>>>(p, N, 20);
  add<<<1, 1>>>(q, 1, 5);
  CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
  VALUE(host[0]);
  VALUE(host[N - 1]);
  cudaPointerAttributes attributes;
  CALL(cudaPointerGetAttributes(&attributes, p));
  VALUE(attributes.type);
  VALUE(attributes.device);
  cudaMemPoolPtrExportData data;
  CALL(cudaMemPoolExportPointer(&data, p));
  CALL(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaFree(q));
  CALL(cudaFreeAsync(p, 0));
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemPoolDestroy(pool));
  return 0;
}

int main() {
  int sockets[2], status = 0, file = -1, host[N], *p = nullptr, *q = nullptr, *plain = nullptr, *twice = nullptr;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
    return 1;
  pid_t other = fork();
  if (!other)
    return child(sockets[1]);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool, closed, same = nullptr;
  TITLE("pools");
  CALL(cudaMemPoolCreate(&closed, &properties));
  CALL(cudaMemPoolExportToShareableHandle(&file, closed, cudaMemHandleTypePosixFileDescriptor, 0));
  properties.handleTypes = cudaMemHandleTypeWin32;
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  CALL(cudaMemPoolCreate(&pool, &properties));
  CALL(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 1));
  CALL(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypeNone, 0));
  CALL(cudaMemPoolExportToShareableHandle(nullptr, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolExportToShareableHandle(&file, nullptr, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  VALUE(file > 2);
  CALL(cudaMemPoolImportFromShareableHandle(&same, (void *)(intptr_t)file, cudaMemHandleTypePosixFileDescriptor, 0));
  TITLE("pointers");
  for (int i = 0; i < N; i++)
    host[i] = i;
  CALL(cudaMallocFromPoolAsync((void **)&p, sizeof host, pool, 0));
  CALL(cudaMallocFromPoolAsync((void **)&q, 4096, pool, 0));
  CALL(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
  CALL(cudaMemset(q, 0, 4096));
  Message message;
  CALL(cudaMalloc((void **)&plain, 64));
  CALL(cudaMemPoolExportPointer(&message.first, plain));
  CALL(cudaMemPoolExportPointer(nullptr, p));
  CALL(cudaMemPoolExportPointer(&message.first, nullptr));
  CALL(cudaMemPoolExportPointer(&message.first, p));
  CALL(cudaMemPoolExportPointer(&message.second, q));
  CALL(cudaMemPoolImportPointer((void **)&twice, pool, &message.first));
  cudaIpcMemHandle_t ipc;
  CALL(cudaIpcGetMemHandle(&ipc, p));
  CALL(cudaDeviceSynchronize());
  send_file(sockets[0], file);
  if (write(sockets[0], &message, sizeof message) != sizeof message) // from now on the child prints
    return 1;
  VALUE(waitpid(other, &status, 0) == other);
  VALUE(status);
  TITLE("afterwards");
  CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
  VALUE(host[0]);
  VALUE(host[N - 1]);
  CALL(cudaMemcpy(host, q, 8, cudaMemcpyDeviceToHost));
  VALUE(host[0]);
  VALUE(host[1]);
  CALL(cudaFreeAsync(p, 0));
  CALL(cudaFreeAsync(q, 0));
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemPoolDestroy(pool));
  return 0;
}
