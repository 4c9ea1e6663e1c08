import gpuprof

for i in range(2):
    with gpuprof.region("any"):
        gpuprof.step(i)
        gpuprof.expect(flops=1)
        gpuprof.count("any")
gpuprof.disable()
gpuprof.enable()
print(gpuprof.flush(), gpuprof.status().state)
