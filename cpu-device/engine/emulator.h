/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The inside of the CPU device: what its files share. Nothing here is exported.
 *
 * A launch runs to its end before cudaLaunchKernel returns. Its blocks are spread over threads of the
 * machine. A worker is a place for one block: each CUDA thread is a lane, with a stack of its own from the
 * moment it starts until it returns. A lane gives up the worker only at a barrier, a warp operation or a
 * yield. Each thread of the machine has a worker, its home, and more of them while blocks wait for other
 * blocks.
 */
#ifndef GP_CPU_EMULATOR_H
#define GP_CPU_EMULATOR_H

#include "base/device.h"
#include "engine/announce.h"
#include "gpuprof/abi.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  GP_CPU_THREADS = 1024, /* most threads of a block */
  GP_CPU_WARP = 32,
  GP_CPU_WARPS = GP_CPU_THREADS / GP_CPU_WARP,
  GP_CPU_BARRIERS = 16,
  GP_CPU_CLUSTER_BLOCKS = 16,  /* most blocks of a cluster */
  GP_CPU_CLUSTER_PORTABLE = 8, /* without asking by cudaFuncSetAttribute */
  GP_CPU_PENDING =
      GP_CPU_WARP / 2, /* warp operations that can be under way in one warp: two lanes each at least */
  GP_CPU_STACK_BYTES = 256 * 1024,
  GP_CPU_BLOCK_STACK_BYTES =
      64 * 1024 * 1024, /* for a block that runs as loops: all that its threads keep; used as needed */
  GP_CPU_SHARED_DEFAULT = 48 * 1024, /* what a block gets without asking by cudaFuncSetAttribute */
  GP_CPU_SHARED_MAXIMUM = 227 * 1024,
  GP_CPU_SHARED_OF_MULTIPROCESSOR = 228 * 1024, /* as compute capability 9.0 has it */
  GP_CPU_SHARED_RESERVED = 1024 /* below a block's shared memory: cooperative groups look there */
};

enum gp_lane_status {
  GP_LANE_NEW,
  GP_LANE_READY,
  GP_LANE_BARRIER,
  GP_LANE_WARP_OPERATION,
  GP_LANE_CLUSTER, /* at the barrier of the cluster */
  GP_LANE_RETURNED
};

struct gp_worker;

/* One CUDA thread. Compiled kernels see `state` only; it comes first, so its address is the lane's. */
struct gp_lane {
  struct gpuprof_cpu_thread state;
  struct gp_worker *worker;
  struct gp_lane *next; /* in the ready queue, or among those that wait at a barrier */
  void *stack_pointer;
  uint32_t stack; /* index in the worker's stacks */
  enum gp_lane_status status;
  uint64_t value; /* what it brought to a warp operation */
  uint32_t b, c;
  uint64_t result;        /* what it takes away from a barrier or a warp operation */
  uint64_t cluster_phase; /* of the cluster's barrier: to which it came last, counted from 1 */
};

/* A warp operation on its way: complete when every lane of `mask` that has not returned has arrived. */
typedef void gp_warp_work(struct gp_lane *lanes, uint32_t kind);
struct gp_rendezvous {
  uint32_t operation, mask, arrived;
  gp_warp_work *work; /* of a unit, which needs all lanes (gp_warp_meet_whole); null: one of warp.c's operations */
};

struct gp_warp {
  uint32_t alive;   /* lanes that have not returned */
  uint32_t waiting; /* lanes at a barrier or a warp operation */
  uint32_t active;  /* lanes that asked for the active mask */
  uint32_t existing;
  uint32_t group_arrived; /* of the first warp of a warp group: its threads that have come to a product */
  uint32_t pending_count;
  struct gp_rendezvous pending[GP_CPU_PENDING];
};

struct gp_barrier {
  struct gp_lane *first, *last;
  uint32_t arrived, count; /* count 0: all lanes that have not returned */
  uint32_t sum;            /* predicates that were true */
  uint32_t per_warp[GP_CPU_WARPS];
};

/* Blocks that run at the same time and see each other's shared memory (cluster.c). */
struct gp_cluster {
  struct gp_worker *blocks[GP_CPU_CLUSTER_BLOCKS]; /* by their rank */
  uint32_t count, ended, blocked;                  /* blocks; of them, as gp_cluster_block_waits() says */
  uint32_t alive, arrived; /* of the barrier: lanes that have not returned, and that came in this phase */
  uint64_t phase;
  struct gp_lane *first, *last; /* that wait */
};

/* Sectors touched outside the arena: a set of sector numbers, open addressing, 0 = empty. */
struct gp_sector_set {
  uint64_t *slots;
  size_t used, capacity;
  uint64_t last;
};

/* Sectors of the arena without a gap, [first, end), by their number from the arena's start. */
struct gp_span {
  uint64_t first, end;
};
enum { GP_CPU_SPANS = 64, GP_CPU_SPAN_PLACES = 256 };

/* What a thread of the machine was told of in this launch and has not marked in the map. */
struct gp_spans {
  struct gp_span spans[GP_CPU_SPANS];
  uint8_t at[GP_CPU_SPAN_PLACES]; /* by a hash of where it was touched: the span that it grew, most likely */
  uint32_t count, oldest;
  uint32_t grown, replaced; /* how often one grew, how often one had to give its place to another */
  bool in_map;              /* some sectors were marked in the map */
  bool useless;             /* what is touched has too many gaps: it is marked in the map at once */
};

/* Rows of accesses, as __gpuprof_cpu_record_rows() is told of them. */
struct gp_rows {
  uint64_t first, step, count, bytes, turn_step, turns;
};
enum { GP_CPU_ROWS_KNOWN = 64 };

/* Requests of the warps of a block, and the sectors that each has touched: a set of pairs, open addressing.
 */
struct gp_request_set {
  struct gp_request_pair {
    uint64_t key, sector; /* key 0: empty */
  } *slots;
  size_t used, capacity;
  uint64_t requests, sectors; /* of this block */
  bool unknown;
};

/* As cooperative groups of CUDA 11 to 13 expect it: its own size, and the counter at which the blocks meet.
 */
struct gp_grid_workspace {
  uint32_t bytes, barrier;
};

struct gp_cpu_launch {
  const struct gpuprof_cpu_kernel *kernel;
  bool cooperative; /* all blocks run at the same time */
  bool meets;       /* blocks wait for blocks: it is cooperative, or has clusters */
  int device;
  bool strict;  /* GPUPROF_SCHEDULE=strict: the last of what can run goes first */
  bool as_loop; /* a block is one loop over its threads */
  struct gp_grid_workspace workspace;
  void **arguments;
  uint32_t grid[3], block[3], cluster[3];
  uint32_t cluster_blocks;
  bool explicit_cluster; /* the launch or the kernel asked for it */
  uint32_t threads;      /* of a block */
  uint32_t dynamic_shared_bytes, shared_bytes;
  uint64_t blocks, chunk;
  uint64_t resident; /* most blocks that a thread of the machine may have begun and not ended */
  uint32_t patience; /* yields of a block's lanes, none of which returns, before another has its turn */
  _Alignas(64) _Atomic uint64_t next_block;  /* written often: apart from what all read */
  _Alignas(64) _Atomic int error;            /* the first that stopped the launch */
  atomic_bool waiting_said, divergence_said; /* one warning a launch is enough */
  uint64_t expected_ns; /* that one thread would need; UINT64_MAX: long, 0: short, as far as is known */
  uint64_t start_ns, duration_ns, unique_bytes;
  _Atomic uint64_t requests, request_sectors;
  atomic_bool requests_unknown;
};

struct gp_worker {
  uint32_t index;              /* of its thread of the machine */
  uint64_t round;              /* launches of the pool when its thread was started */
  struct gp_worker *home;      /* the first worker of the same thread, which is itself its home */
  struct gp_worker *next;      /* among those of its home that have no block, or whose blocks wait */
  struct gp_worker *idle;      /* at home: those that no launch uses */
  struct residents *residents; /* at home: what its thread has under way; null between launches */
  struct gp_cpu_launch *launch;
  struct gp_lane *current;
  struct gp_lane *ready_first, *ready_last;
  uint32_t fresh; /* lanes from this one on have not started */
  uint32_t alive;
  uint32_t yields;
  uint32_t turns; /* yields since the block had the thread last */
  bool ended;     /* its block */
  uint32_t guards;
  int64_t waiting_since; /* second at which only yields were seen; 0: not */
  uint32_t block[3];
  struct gp_cluster *cluster, own_cluster; /* of its block; its own is that of the cluster's first block */
  uint32_t cluster_waiting;                /* lanes at the cluster's barrier */
  uint32_t cluster_arrived;                /* threads that came to it, where the block is a loop over them */
  bool blocked;                            /* no lane can run before others of the cluster come */
  void *main_stack_pointer;
  char *stacks, *block_stack;    /* null: not reserved */
  uint32_t stack_count;          /* that are reserved */
  size_t block_stack_bytes;
  uint32_t stacks_made, free_count;
  uint32_t free_stacks[GP_CPU_THREADS];
  char *shared;                           /* below 4 GiB */
  struct gp_sector_set touched;           /* at home: of all blocks of the thread */
  struct gp_spans spans;                  /* at home */
  struct gp_rows rows[GP_CPU_ROWS_KNOWN]; /* that were marked in this launch */
  struct gp_request_set requests;
  struct gp_checked {
    uint64_t address, bytes;
    bool initialised; /* as a whole, when it was made */
  } checked;          /* the allocation of the last access that was checked in this launch */
  struct gp_announced main_said, block_said, stacks_said[GP_CPU_THREADS]; /* the thread's stack, and those of its own */
  struct gp_warp warps[GP_CPU_WARPS];
  struct gp_barrier barriers[GP_CPU_BARRIERS];
  struct gp_lane lanes[GP_CPU_THREADS];
};

/* ---- fibers.c ------------------------------------------------------------------------------------------ */
/* The worker of the calling thread while it runs a block, else null. */
extern _Thread_local struct gp_worker *gp_cpu_worker __attribute__((tls_model("initial-exec")));
/* Memory of a worker, of the same thread as `home` (null: it is a home itself); null where none is left. */
struct gp_worker *gp_worker_create(uint32_t index, struct gp_worker *home);
void gp_worker_destroy(struct gp_worker *);
/* Reserves the stacks that blocks of this launch need. False: there are no addresses for them. */
bool gp_worker_make_room(struct gp_worker *, const struct gp_cpu_launch *);
/* Tells the worker which launch comes next; call before its first gp_worker_run_block(). */
void gp_worker_prepare(struct gp_worker *, struct gp_cpu_launch *);
/* Gives the worker a block. It runs when it is resumed. */
void gp_worker_begin(struct gp_worker *, uint64_t block);
/* Runs a block, until it ends or something stops the launch (then launch->error is set): true; or until its
 * lanes only wait for others, longer than the launch has patience: false. Blocks that are loops over their
 * threads take the next ones with them, as long as there are any. */
bool gp_worker_run_block(struct gp_worker *, uint64_t block);
/* Goes on with a block that waited; answers as gp_worker_run_block(). */
bool gp_worker_resume(struct gp_worker *);
/* Ends a block that waits, of a launch that something has stopped. */
void gp_worker_abandon(struct gp_worker *);
/* The running block, a loop over its threads, waits at the barrier of its cluster. */
void gp_worker_wait_for_cluster(struct gp_worker *);
/* Gives the worker to the next lane that can run; returns when this lane is scheduled again. */
void gp_lane_suspend(struct gp_lane *);
/* Appends a lane to the ready queue. */
void gp_lane_wake(struct gp_lane *);
void gp_lane_yield(struct gp_lane *);
/* Ends the running lane in the middle of its kernel. */
_Noreturn void gp_lane_exit(struct gp_lane *);
/* Stops the running launch with a CUDA error and one message; never returns. */
_Noreturn void gp_cpu_stop(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True if the address lies on a stack of the worker or in the shared memory of this worker. */
bool gp_worker_owns_stack(const struct gp_worker *, uint64_t address);
bool gp_worker_owns_shared(const struct gp_worker *, uint64_t address);

/* ---- residents.c --------------------------------------------------------------------------------------- */
/* Runs blocks of the launch on the calling thread of the machine until none is left. */
void gp_residents_run(struct gp_worker *home, struct gp_cpu_launch *);
/* The next block for a thread of the machine; false: none is left to begin. */
bool gp_residents_next(struct gp_worker *home, uint64_t *block);
/* Blocks that wait go on with their work: no others need be begun for them. */
void gp_residents_progress(struct gp_worker *home);
/* Makes places for as many blocks at once; false where the machine has no memory for them. */
bool gp_residents_prepare(struct gp_worker *home, const struct gp_cpu_launch *, uint64_t blocks);

/* ---- deadlock.c ---------------------------------------------------------------------------------------- */
/* No lane of the block can run: stops the launch and says who waits where. */
_Noreturn void gp_deadlock_report(struct gp_worker *);
/* Two lanes wait at the block's barrier: warns, once a launch, if they came to different ones in the source.
 */
void gp_deadlock_divergence(const struct gp_lane *, const struct gp_lane *);

/* ---- barrier.c, warp.c --------------------------------------------------------------------------------- */
void gp_barrier_lane_returned(struct gp_worker *);
void gp_warp_lane_returned(struct gp_lane *);
/* A lane of the warp waits now: those who asked for the active mask may be all that is left. */
void gp_warp_lane_waits(struct gp_lane *);
void gp_warp_lane_yields(struct gp_lane *);
/* Meets all 32 lanes, and stops the launch where the warp has fewer; the last lane to arrive has `work` done, which sees what
 * each brought in lanes[].value. Gives the lane's result. */
uint64_t gp_warp_meet_whole(void *thread, uint32_t kind, uint64_t value, gp_warp_work *work);
/* Stops the launch. `returned`, `elsewhere`: lanes of those that exist. */
_Noreturn void gp_warp_stop_incomplete(uint32_t warp, uint32_t existing, uint32_t returned, uint32_t elsewhere);

static inline struct gp_warp *gp_lane_warp(struct gp_lane *lane) {
  return &lane->worker->warps[lane->state.warpid];
}

/* ---- sectors.c ----------------------------------------------------------------------------------------- */
/* To be called before a launch. Not wanted: nobody will ask what it touches. `tells_all`: compiled code marks
 * nothing itself. */
void gp_sectors_begin(struct gp_worker *const *workers, uint32_t count, bool wanted, bool tells_all);
/* Bytes of the sectors touched since then, over all workers; forgets them. 0 where they were not wanted. */
uint64_t gp_sectors_take(struct gp_worker *const *workers, uint32_t count);
/* Ends a launch of which nothing is wanted. */
void gp_sectors_leave(void);
void gp_sectors_record_outside(struct gp_worker *, uint64_t address, uint64_t bytes);

/* ---- coalescing.c -------------------------------------------------------------------------------------- */
/* Adds the block's requests to the launch's and forgets them. */
void gp_requests_end_block(struct gp_worker *);

/* ---- cpu_launch.c -------------------------------------------------------------------------------------- */
uint32_t gp_cpu_worker_count(void);
/* Blocks that one multiprocessor of compute capability 9.0 holds, registers aside: the CPU has none of its
 * kind. `shared_bytes`: static and dynamic, of a block. */
uint64_t gp_cpu_blocks_of_multiprocessor(uint64_t threads, uint64_t shared_bytes);
/* Blocks that can be under way at once: as many as an H200 holds. */
uint64_t gp_cpu_resident_blocks(uint64_t threads, uint64_t shared_bytes);
/* Runs a kernel; 0 or a CUDA error. Checks what CUDA checks. */
int gp_cpu_run(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
               void **arguments, uint64_t dynamic_shared_bytes, uint32_t shared_limit);
/* The same in clusters of so many blocks, which divide the grid (null: none), and, if it is cooperative, with
 * all blocks at once; GP_ERROR_COOPERATIVE_TOO_LARGE where there are too many. */
int gp_cpu_run_together(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3],
                        const uint32_t block[3], void **arguments, uint64_t dynamic_shared_bytes,
                        uint32_t shared_limit, const uint32_t *cluster, bool cooperative);
/* Launches the kernel of this suffix that lies beside the launch's own, as the launch says; stores what that
 * answers. -1 where there is none, or none can run. */
int gp_cpu_launch_sibling(const struct gp_launch *launch, const char *suffix, int *error);
/* What CUDA checks of a launch before it happens: a CUDA error. `shared_limit`: bytes of shared memory it may
 * have in all. */
int gp_cpu_check(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
                 uint64_t dynamic_shared_bytes, uint32_t shared_limit);
/* The launch id that the next gp_cpu_run() of this thread reports under; 0: none. */
extern _Thread_local uint64_t gp_cpu_launch_id __attribute__((tls_model("initial-exec")));

/* ---- faults.c ------------------------------------------------------------------------------------------ */
/* Between the two, bad addresses and traps in kernels become CUDA errors instead of ending the program. One thread at a
 * time. */
void gp_faults_open(void);
void gp_faults_close(void);
/* In the child of a fork. `abandoned`: another thread had them open. */
void gp_faults_in_child(bool abandoned);
/* Call on each thread that runs blocks. */
void gp_faults_thread(void);

#endif
