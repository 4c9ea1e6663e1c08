"""Trains with kernels, then reads data by forked workers, leaves another child by os._exit, and trains again."""
import os

import main
import torch

main.train(1)
data = torch.utils.data.TensorDataset(torch.arange(8))
loader = torch.utils.data.DataLoader(data, batch_size=2, num_workers=2)
print("sum", sum(int(batch.sum()) for (batch,) in loader))
child = os.fork()
if not child:
    os._exit(7)
print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
main.train(2)
