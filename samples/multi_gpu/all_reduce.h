// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of an array over all ranks of one host: by NCCL where it is installed and each rank has a GPU, else by shared memory.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <initializer_list>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

class AllReduce {
public:
  static constexpr int MOST_RANKS = 16;

  explicit AllReduce(int count) : own_rank(number({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "RANK"}, 0)),
                                  ranks(number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "WORLD_SIZE"}, 1)), host(count) {
    if (ranks < 1 || ranks > MOST_RANKS || own_rank < 0 || own_rank >= ranks)
      fail("RANK and WORLD_SIZE do not fit");
    open_shared(count);
    if (ranks > 1)
      open_nccl();
  }
  AllReduce(const AllReduce &) = delete;
  AllReduce &operator=(const AllReduce &) = delete;

  int rank() const { return own_rank; }
  int size() const { return ranks; }
  const char *way() const { return ranks == 1 ? "nobody" : nccl.communicator ? "NCCL" : "shared memory"; }
  static int local_rank() { return number({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "LOCAL_RANK"}, 0); }

  // `data` is on the device.
  void sum(float *data, int count) {
    if (ranks == 1)
      return;
    if (nccl.communicator) {
      const int float32 = 7, add = 0;
      if (nccl.all_reduce(data, data, size_t(count), float32, add, nccl.communicator, nullptr))
        fail("ncclAllReduce failed");
      wait_for_gpu();
      if (cudaDeviceSynchronize())
        fail("ncclAllReduce failed");
      return;
    }
    cudaMemcpy(slot(own_rank), data, count * sizeof(float), cudaMemcpyDeviceToHost);
    wait_for_all();
    add_slots(count);
    cudaMemcpy(data, host.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    wait_for_all(); // before a slot is written again
  }

private:
  struct Shared {
    std::atomic<int> arrived, round;
    std::atomic<int> has_nccl; // ranks that could use it
    std::atomic<int> present[MOST_RANKS], told;
    char nccl_id[128];
    float slots[];
  };

  struct Nccl {
    void *communicator = nullptr;
    int (*all_reduce)(const void *, void *, size_t, int, int, void *, cudaStream_t) = nullptr;
  } nccl;

  static constexpr const char *died = "has ended before the others, which cannot go on";

  [[noreturn]] static void fail(const char *what) {
    std::fprintf(stderr, "multi_gpu: %s\n", what);
    std::exit(1);
  }

  static int number(std::initializer_list<const char *> names, int otherwise) {
    for (const char *name : names)
      if (const char *value = std::getenv(name))
        return std::atoi(value);
    return otherwise;
  }

  // ---- Shared memory ----

  void open_shared(int count) {
    const char *job = std::getenv("MULTI_GPU_JOB");
    path = "/dev/shm/multi_gpu-" + (job ? std::string(job) : std::to_string(getppid()));
    slot_size = size_t(count);
    const size_t bytes = sizeof(Shared) + ranks * slot_size * sizeof(float);
    file = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, off_t(bytes)))
      fail("no shared memory in /dev/shm");
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    struct flock own = byte_of(own_rank);
    if (memory == MAP_FAILED || fcntl(file, F_SETLK, &own))
      fail("no shared memory in /dev/shm");
    shared = static_cast<Shared *>(memory);
    shared->present[own_rank].store(1);
    wait_for_all();
    if (own_rank == 0)
      unlink(path.c_str());
  }

  float *slot(int rank) { return shared->slots + rank * slot_size; }

  void wait_for_all() {
    const int round = shared->round.load();
    if (shared->arrived.fetch_add(1) + 1 == ranks) {
      shared->arrived.store(0);
      shared->round.fetch_add(1);
    }
    for (int i = 1; shared->round.load() == round; i++) {
      sched_yield();
      const int dead = i % 1000 ? -1 : find_dead();
      if (dead >= 0 && shared->round.load() == round) // else it has ended behind this round
        give_up(dead, died);
      if (i % 1000 == 0)
        look_for_missing();
    }
  }

  // ---- Ranks that die: each has a lock on its byte of the file, which ends with the process ----

  static struct flock byte_of(int rank) {
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = rank;
    lock.l_len = 1;
    return lock;
  }

  int find_dead() const {
    for (int r = 0; r < ranks; r++) {
      struct flock lock = byte_of(r);
      if (r != own_rank && shared->present[r].load() && !fcntl(file, F_GETLK, &lock) && lock.l_type == F_UNLCK)
        return r;
    }
    return -1;
  }

  // A rank may have ended behind its last sum: then this one comes, too.
  void wait_for_gpu() {
    using clock = std::chrono::steady_clock;
    auto known = clock::now();
    for (int dead = -1; cudaStreamQuery(nullptr) == cudaErrorNotReady;) {
      if (dead < 0 && (dead = find_dead()) < 0)
        known = clock::now();
      if (clock::now() - known > std::chrono::seconds(5))
        give_up(dead, died);
    }
  }

  void look_for_missing() {
    for (int r = 0; r < ranks && std::chrono::steady_clock::now() - begin > std::chrono::minutes(1); r++)
      if (!shared->present[r].load())
        give_up(r, "has not started within a minute");
  }

  // One rank says so, and all end.
  [[noreturn]] void give_up(int rank, const char *what) {
    unlink(path.c_str());
    if (!shared->told.exchange(1))
      std::fprintf(stderr, "multi_gpu: rank %d %s\n", rank, what);
    std::exit(1);
  }

  // Pairwise, so that 1, 2 and 4 ranks add in one order.
  void add_slots(int count) {
    for (int i = 0; i < count; i++) {
      float values[MOST_RANKS];
      for (int r = 0; r < ranks; r++)
        values[r] = slot(r)[i];
      for (int step = 1; step < ranks; step *= 2)
        for (int r = 0; r + step < ranks; r += 2 * step)
          values[r] += values[r + step];
      host[i] = values[0];
    }
  }

  // ---- NCCL, opened by name: names are looked for in the whole process, where libgpuprof-communication stands first ----

  template <class F> static bool find(F &function, const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    std::memcpy(&function, &found, sizeof found);
    return found != nullptr;
  }

  static bool has_gpu_for_all(int ranks) {
    int devices = 0;
    cudaDeviceProp properties;
    return !cudaGetDeviceCount(&devices) && devices >= ranks && !cudaGetDeviceProperties(&properties, 0) &&
           std::strncmp(properties.name, "CPU device", 10);
  }

  // All ranks or none.
  void open_nccl() {
    struct Id {
      char bytes[128];
    } id;
    int (*make_id)(Id *) = nullptr, (*join)(void **, int, Id, int) = nullptr;
    const char *wanted = std::getenv("MULTI_GPU_NCCL");
    if ((!wanted || std::strcmp(wanted, "0")) && has_gpu_for_all(ranks) && dlopen("libnccl.so.2", RTLD_NOW | RTLD_GLOBAL) &&
        find(make_id, "ncclGetUniqueId") && find(join, "ncclCommInitRank") && find(nccl.all_reduce, "ncclAllReduce"))
      shared->has_nccl.fetch_add(1);
    wait_for_all();
    if (shared->has_nccl.load() != ranks)
      return;
    if (own_rank == 0 && !make_id(&id))
      std::memcpy(shared->nccl_id, id.bytes, sizeof id.bytes);
    wait_for_all();
    std::memcpy(id.bytes, shared->nccl_id, sizeof id.bytes);
    if (join(&nccl.communicator, ranks, id, own_rank))
      fail("ncclCommInitRank failed");
  }

  int own_rank, ranks, file = -1;
  std::string path;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  Shared *shared = nullptr;
  size_t slot_size = 0;
  std::vector<float> host;
};
