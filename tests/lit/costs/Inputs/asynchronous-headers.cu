#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>
#include <mma.h>
