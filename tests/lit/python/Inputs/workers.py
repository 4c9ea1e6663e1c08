"""workers.py LIBRARY FOLDER: forked workers and a child that ends by os._exit() launch kernels; each writes its whole document."""
import ctypes
import multiprocessing
import os
import sys

import gpuprof

library, folder = sys.argv[1:]


def work(name):
    with gpuprof.region(name):
        assert ctypes.CDLL(library).work(1) == 0


context = multiprocessing.get_context("fork")
workers = [context.Process(target=work, args=("worker",)) for _ in range(2)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
child = os.fork()
if not child:
    work("child")
    gpuprof.finish()
    os._exit(0)
os.waitpid(child, 0)

for name in sorted(os.listdir(folder)):
    document = gpuprof.read(os.path.join(folder, name))
    end = document.context.end
    print(document.regions[0].name, document.regions[0].launches, end.state, end.how)
print("exit codes", [worker.exitcode for worker in workers])
