# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's all-reduce over NCCL, 20 times 64 MiB; run by torchrun with libgpuprof-communication preloaded."""
import os

import torch
import torch.distributed as dist

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
data = torch.full((1 << 24,), float(dist.get_rank() + 1), device="cuda")
for i in range(20):
    dist.all_reduce(data)
    data /= dist.get_world_size()
torch.cuda.synchronize()
if dist.get_rank() == 0:
    print("%d ranks, mean %g" % (dist.get_world_size(), data.mean().item()))
dist.destroy_process_group()
