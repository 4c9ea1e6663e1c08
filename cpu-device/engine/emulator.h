/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The inside of the CPU device, shared by its files. Nothing here is exported.
 *
 * A launch runs to its end before cudaLaunchKernel returns. Its blocks are spread over threads of the
 * machine. A worker is a place for one block. Each CUDA thread is a lane, with a stack of its own between its
 * start and its return. A lane gives up the worker only at a barrier, a warp operation or a yield. Each
 * thread of the machine has a worker, its home, and additional ones while blocks wait for other blocks.
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
  GP_CPU_THREADS = 1024, /* maximum threads of a block */
  GP_CPU_WARP = 32,
  GP_CPU_WARPS = GP_CPU_THREADS / GP_CPU_WARP,
  GP_CPU_BARRIERS = 16,
  GP_CPU_CLUSTER_BLOCKS = 16,  /* maximum blocks of a cluster */
  GP_CPU_CLUSTER_PORTABLE = 8, /* maximum without cudaFuncSetAttribute */
  GP_CPU_PENDING =
      GP_CPU_WARP, /* warp operations under way in one warp: each lane may wait in one of its own mask */
  GP_CPU_STACK_BYTES = 256 * 1024,
  GP_CPU_BLOCK_STACK_BYTES =
      64 * 1024 * 1024, /* for a block run as work-item loops: all values of its threads; mapped on use */
  GP_CPU_SHARED_DEFAULT = 48 * 1024, /* a block's limit without cudaFuncSetAttribute */
  GP_CPU_SHARED_MAXIMUM = 227 * 1024,
  GP_CPU_SHARED_OF_MULTIPROCESSOR = 228 * 1024, /* of compute capability 9.0 */
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

/* One CUDA thread. Compiled kernels see `state` only; it is the first member: its address is the lane's. */
struct gp_lane {
  struct gpuprof_cpu_thread state;
  struct gp_worker *worker;
  struct gp_lane *next; /* in the ready queue, or in a barrier's queue */
  void *stack_pointer;
  uint32_t stack; /* index in the worker's stacks */
  enum gp_lane_status status;
  uint64_t value; /* operand of a warp operation */
  uint32_t b, c;
  uint64_t result;        /* result of a barrier or a warp operation */
  uint64_t cluster_phase; /* of the cluster's barrier: phase of the last arrival, counted from 1 */
};

/* A warp operation under way: complete after the arrival of every lane of `mask`, except returned ones. */
typedef void gp_warp_work(struct gp_lane *lanes, uint32_t kind);
struct gp_rendezvous {
  uint32_t operation, mask, arrived;
  gp_warp_work *work; /* of a unit, with all lanes (gp_warp_meet_whole); null: one of warp.c's operations */
};

struct gp_warp {
  uint32_t alive;   /* lanes not yet returned */
  uint32_t waiting; /* lanes at a barrier or a warp operation */
  uint32_t active;  /* lanes waiting for the active mask */
  uint32_t existing;
  uint32_t group_arrived; /* of the first warp of a warp group: its threads arrived at a product */
  uint32_t pending_count;
  struct gp_rendezvous pending[GP_CPU_PENDING];
};

struct gp_barrier {
  struct gp_lane *first, *last;
  uint32_t arrived, count; /* count 0: all lanes not yet returned */
  uint32_t sum;            /* true predicates */
  uint32_t per_warp[GP_CPU_WARPS];
};

/* Blocks running at the same time with access to each other's shared memory (cluster.c). */
struct gp_cluster {
  struct gp_worker *blocks[GP_CPU_CLUSTER_BLOCKS]; /* by their rank */
  /* number of blocks; of ended ones; of blocked ones (gp_cluster_block_waits()) */
  uint32_t count, ended, blocked;
  uint32_t alive, arrived; /* of the barrier: lanes not yet returned; lanes arrived in this phase */
  uint64_t phase;
  struct gp_lane *first, *last; /* waiting lanes */
};

/* Sectors touched outside the arena: a set of sector numbers, open addressing, 0 = empty. */
struct gp_sector_set {
  uint64_t *slots;
  size_t used, capacity;
  uint64_t last;
};

/* Sectors of the arena without a gap, [first, end), as numbers from the arena's start. */
struct gp_span {
  uint64_t first, end;
};
enum { GP_CPU_SPANS = 64, GP_CPU_SPAN_PLACES = 256 };

/* Sectors recorded by a thread of the machine in this launch, but not marked in the map. */
struct gp_spans {
  bool entered;   /* the worker takes part in this launch */
  bool in_map;    /* some sectors were marked in the map */
  bool useless;   /* too many gaps: accesses are marked in the map at once */
  bool scattered; /* few spans touch each other */
  uint32_t count, oldest;
  uint32_t grown, replaced; /* number of growths and of replacements */
  struct gp_span spans[GP_CPU_SPANS];
  uint8_t at[GP_CPU_SPAN_PLACES]; /* by a hash of the access's place: the span most likely grown by it */
};

/* Rows of accesses, as recorded by __gpuprof_cpu_record_rows(). */
struct gp_rows {
  uint64_t first, step, count, bytes, turn_step, turns;
};
/* Those recorded before. A matrix product of 16 by 16 tiles has hundreds, repeated for each row of tiles. */
enum { GP_CPU_ROWS_KNOWN = 1024 };
struct gp_known_rows {
  _Alignas(64) struct gp_rows rows;
  uint64_t launch; /* their launch, by the worker's number */
};

/* Accesses of `bytes` far apart in the arena, kept to be joined with those of the next threads. count 0: none. */
struct gp_far_row {
  uint64_t first, step, count, bytes; /* from the arena's start */
};
enum { GP_CPU_FAR_ROWS = 8 };
struct gp_far_rows {
  bool some; /* are kept */
  uint32_t oldest;
  struct gp_far_row rows[GP_CPU_FAR_ROWS];
};

/* Requests of the warps of a block, and the sectors touched by each: a set of pairs, open addressing. */
struct gp_request_set {
  struct gp_request_pair {
    uint64_t key, sector; /* key 0: empty */
  } *slots;
  size_t used, capacity;
  uint64_t requests, sectors; /* of this block */
  bool unknown;
};

/* The form is that of cooperative groups in CUDA 11 to 13: its own size, and the counter of the blocks'
 * barrier.
 */
struct gp_grid_workspace {
  uint32_t bytes, barrier;
};

/* Consecutive blocks, taken first by one worker: in the next launch it has their data at hand. The others take what it
 * leaves. */
struct gp_block_range {
  _Alignas(64) _Atomic uint64_t next;
  uint64_t end;
};

struct gp_cpu_launch {
  const struct gpuprof_cpu_kernel *kernel;
  bool cooperative; /* all blocks run at the same time */
  bool meets;       /* blocks wait for blocks: cooperative, or with clusters */
  int device;
  bool strict;  /* GPUPROF_SCHEDULE=strict: the last of all ready lanes and blocks goes first */
  bool as_loop; /* a block is one work-item loop */
  bool merges;  /* several blocks along x at a time */
  bool records_runs; /* the first of several blocks along x records accesses of all */
  struct gp_grid_workspace workspace;
  void **arguments;
  uint32_t grid[3], block[3], cluster[3];
  uint32_t cluster_blocks;
  bool explicit_cluster; /* the launch or the kernel asked for it */
  uint32_t threads;      /* of a block */
  uint32_t dynamic_shared_bytes, shared_bytes;
  uint64_t blocks, chunk;
  struct gp_block_range *ranges; /* of the first `range_count` workers; null: blocks begin in their order */
  uint32_t range_count;
  bool wakes;        /* sleeping threads come, too */
  uint64_t resident; /* maximum number of begun and not ended blocks on one thread of the machine */
  uint32_t patience; /* yields of a block's lanes without a return, before another block has its turn */
  _Alignas(64) _Atomic uint64_t next_block;  /* written often: apart from the fields read by all */
  _Alignas(64) _Atomic int error;            /* the first error stopping the launch */
  atomic_bool waiting_said, divergence_said; /* one warning a launch is enough */
  uint64_t expected_ns; /* estimated duration on one thread; UINT64_MAX: long, 0: short, if known at all */
  uint64_t start_ns, duration_ns, unique_bytes;
  _Atomic uint64_t requests, request_sectors;
  atomic_bool requests_unknown;
};

struct gp_worker {
  uint32_t index;              /* of its thread of the machine */
  uint64_t round;              /* number of the pool's last launch at the start of its thread */
  struct gp_worker *home;      /* the first worker of the same thread; a home points to itself */
  struct gp_worker *next;      /* among its home's workers without a block, or with a waiting block */
  struct gp_worker *idle;      /* at home: workers not used by any launch */
  struct residents *residents; /* at home: its thread's work under way; null between launches */
  struct gp_cpu_launch *launch;
  struct gp_lane *current;
  struct gp_lane *ready_first, *ready_last;
  uint32_t fresh; /* lanes from this one on have not started */
  uint32_t alive;
  uint32_t yields;
  uint32_t turns; /* yields since the block last got the thread */
  bool ended;     /* its block */
  uint32_t guards;
  int64_t waiting_since; /* second of the first turn with only yields; 0: none */
  uint32_t block[3], merged;               /* so many blocks along x, from this one on, run as one */
  struct gp_cluster *cluster, own_cluster; /* of its block; the cluster's first block provides its own */
  uint32_t cluster_waiting;                /* lanes at the cluster's barrier */
  uint32_t cluster_arrived;                /* threads arrived there, if the block is a work-item loop */
  bool blocked;                            /* no lane can run before other blocks of the cluster arrive */
  void *main_stack_pointer;
  char *stacks, *block_stack;    /* null: not reserved */
  uint32_t stack_count;          /* reserved ones */
  size_t block_stack_bytes;
  uint32_t stacks_made, free_count;
  uint32_t free_stacks[GP_CPU_THREADS];
  char *shared;                           /* below 4 GiB */
  struct gp_sector_set touched;           /* at home: of all blocks of the thread */
  struct gp_spans spans;                  /* at home */
  struct gp_far_rows far_rows;            /* at home: not yet recorded */
  uint64_t launches;                      /* so many were prepared */
  uint32_t recorded;                      /* at home: blocks that follow, recorded by an earlier one */
  uint64_t new_rows;                      /* recorded since one was known */
  struct gp_known_rows rows[GP_CPU_ROWS_KNOWN];
  struct gp_request_set requests;
  struct gp_checked {
    uint64_t address, bytes;
    bool initialised; /* set once its memory is complete */
  } checked;          /* allocation of the last checked access in this launch */
  /* the thread's stack, and the worker's own stacks */
  struct gp_announced main_said, block_said, stacks_said[GP_CPU_THREADS];
  struct gp_warp warps[GP_CPU_WARPS];
  struct gp_barrier barriers[GP_CPU_BARRIERS];
  struct gp_lane lanes[GP_CPU_THREADS];
};

/* ---- fibers.c ------------------------------------------------------------------------------------------ */
/* The worker of the calling thread while it runs a block, else null. */
extern _Thread_local struct gp_worker *gp_cpu_worker __attribute__((tls_model("initial-exec")));
/* Makes a worker on the thread of `home` (null: it is a home itself). Returns null without memory. */
struct gp_worker *gp_worker_create(uint32_t index, struct gp_worker *home);
void gp_worker_destroy(struct gp_worker *);
/* Reserves the stacks needed by blocks of this launch. False: no addresses are left for them. */
bool gp_worker_make_room(struct gp_worker *, const struct gp_cpu_launch *);
/* Counter slot of the worker of this number. */
uint32_t gp_worker_slot(uint32_t index);
/* Announces the next launch to the worker; call it before its first gp_worker_run_block(). */
void gp_worker_prepare(struct gp_worker *, struct gp_cpu_launch *);
/* Gives the worker a block. The block runs when the worker is resumed. */
void gp_worker_begin(struct gp_worker *, uint64_t block);
/* Runs a block. True: the block ended, or something stopped the launch (then launch->error is set). False:
 * its lanes only wait for others, longer than the patience of the launch. Blocks run as work-item loops also
 * run the blocks after them, until none is left. */
bool gp_worker_run_block(struct gp_worker *, uint64_t block);
/* Resumes a waiting block; returns as gp_worker_run_block() does. */
bool gp_worker_resume(struct gp_worker *);
/* Ends a waiting block of a stopped launch. */
void gp_worker_abandon(struct gp_worker *);
/* The running block, a work-item loop, waits at the barrier of its cluster. */
void gp_worker_wait_for_cluster(struct gp_worker *);
/* Gives the worker to the next ready lane; returns when this lane is scheduled again. */
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
/* So many blocks, up to `most`, follow it in the same thread of the machine. */
uint32_t gp_residents_following(const struct gp_worker *home, uint32_t most);
/* Takes so many of them at once. */
void gp_residents_skip(struct gp_worker *home, uint32_t count);
/* Waiting blocks continue with their work: no others need to begin for their sake. */
void gp_residents_progress(struct gp_worker *home);
/* Makes places for so many resident blocks; false if the machine has no memory for them. */
bool gp_residents_prepare(struct gp_worker *home, const struct gp_cpu_launch *, uint64_t blocks);

/* ---- deadlock.c ---------------------------------------------------------------------------------------- */
/* Stops the launch because no lane of the block can run, and reports the places of all waiting threads. */
_Noreturn void gp_deadlock_report(struct gp_worker *);
/* Two lanes wait at the block's barrier: warns, once a launch, if they stand at different calls in the
 * source.
 */
void gp_deadlock_divergence(const struct gp_lane *, const struct gp_lane *);

/* ---- barrier.c, warp.c --------------------------------------------------------------------------------- */
void gp_barrier_lane_returned(struct gp_worker *);
void gp_warp_lane_returned(struct gp_lane *);
/* Called when a lane of the warp waits: the lanes waiting for the active mask may be the only ones left. */
void gp_warp_lane_waits(struct gp_lane *);
void gp_warp_lane_yields(struct gp_lane *);
/* Waits for all 32 lanes; stops the launch if the warp has fewer. The last arriving lane runs `work`, with
 * the lanes' operands in lanes[].value. Returns the lane's result. */
uint64_t gp_warp_meet_whole(void *thread, uint32_t kind, uint64_t value, gp_warp_work *work);
/* Stops the launch. `returned`, `elsewhere`: subsets of the existing lanes. */
_Noreturn void gp_warp_stop_incomplete(uint32_t warp, uint32_t existing, uint32_t returned, uint32_t elsewhere);

static inline struct gp_warp *gp_lane_warp(struct gp_lane *lane) {
  return &lane->worker->warps[lane->state.warpid];
}

/* ---- sectors.c ----------------------------------------------------------------------------------------- */
/* Call it before a launch. Not wanted: nobody will ask for its sectors. `tells_all`: compiled code marks
 * nothing itself. */
void gp_sectors_begin(bool wanted, bool tells_all);
/* The worker takes part in the launch. Call both on its thread, before its first block and behind its last one. */
void gp_sectors_enter(struct gp_worker *);
void gp_sectors_end(struct gp_worker *);
/* Bytes of the sectors touched since then, over all workers; forgets them. 0 if they were not wanted. */
uint64_t gp_sectors_take(struct gp_worker *const *workers, uint32_t count);
/* Ends a launch without a result, and forgets its marks: its threads are gone. */
void gp_sectors_abandon(void);
void gp_sectors_record_outside(struct gp_worker *, uint64_t address, uint64_t bytes);

/* ---- coalescing.c -------------------------------------------------------------------------------------- */
/* Adds the block's requests to the launch's and forgets them. */
void gp_requests_end_block(struct gp_worker *);

/* ---- cpu_launch.c -------------------------------------------------------------------------------------- */
uint32_t gp_cpu_worker_count(void);
/* Number of resident blocks of one multiprocessor of compute capability 9.0, without regard to registers: the
 * CPU has none of this kind. `shared_bytes`: static and dynamic, of a block. */
uint64_t gp_cpu_blocks_of_multiprocessor(uint64_t threads, uint64_t shared_bytes);
/* Number of resident blocks of the device: an H200's. */
uint64_t gp_cpu_resident_blocks(uint64_t threads, uint64_t shared_bytes);
/* Runs a kernel with CUDA's checks. Returns 0 or a CUDA error. */
int gp_cpu_run(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
               void **arguments, uint64_t dynamic_shared_bytes, uint32_t shared_limit);
/* The same in clusters of so many blocks, a divisor of the grid (null: no clusters). A cooperative launch has
 * all blocks resident: GP_ERROR_COOPERATIVE_TOO_LARGE if there are too many. */
int gp_cpu_run_together(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3],
                        const uint32_t block[3], void **arguments, uint64_t dynamic_shared_bytes,
                        uint32_t shared_limit, const uint32_t *cluster, bool cooperative);
/* Launches the kernel with this suffix from the unit of the launch's own kernel, with the same parameters;
 * stores its error. Returns -1 if there is none, or none can run. */
int gp_cpu_launch_sibling(const struct gp_launch *launch, const char *suffix, int *error);
/* CUDA's checks of a launch ahead of it; returns a CUDA error. `shared_limit`: maximum bytes of static and
 * dynamic shared memory. */
int gp_cpu_check(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
                 uint64_t dynamic_shared_bytes, uint32_t shared_limit);
/* The launch id to be reported by the next gp_cpu_run() of this thread; 0: none. */
extern _Thread_local uint64_t gp_cpu_launch_id __attribute__((tls_model("initial-exec")));

/* ---- faults.c ------------------------------------------------------------------------------------------ */
/* Between the two, bad addresses and traps in kernels become CUDA errors instead of ending the program. One thread at a
 * time. */
void gp_faults_open(void);
void gp_faults_close(void);
/* In the child of a fork. `abandoned`: another thread had them open. */
void gp_faults_in_child(bool abandoned);
/* Call it on each thread running blocks. */
void gp_faults_thread(void);

#endif
