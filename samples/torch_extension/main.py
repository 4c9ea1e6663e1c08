"""Trains a small spiking network, whose neurons are kernels of an extension."""
import gpuprof
import torch

import lif_extension

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TIME_STEPS, BATCH, INPUTS, HIDDEN, CLASSES = 8, 32, 16, 64, 4


class Lif(torch.autograd.Function):
    @staticmethod
    def forward(ctx, current, decay):
        spikes, membrane = lif_extension.forward(current, decay, stream())
        ctx.save_for_backward(membrane)
        ctx.decay = decay
        return spikes

    @staticmethod
    def backward(ctx, gradient):
        (membrane,) = ctx.saved_tensors
        return lif_extension.backward(gradient.contiguous(), membrane, ctx.decay, stream()), None


def stream():
    return torch.cuda.current_stream().cuda_stream if DEVICE == "cuda" else 0


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = torch.nn.Linear(INPUTS, HIDDEN)
        self.readout = torch.nn.Linear(HIDDEN, CLASSES)

    def forward(self, samples):
        current = self.hidden(samples).repeat(TIME_STEPS, 1, 1)
        spikes = Lif.apply(current.reshape(TIME_STEPS, -1), 0.9)
        return self.readout(spikes.reshape(TIME_STEPS, BATCH, HIDDEN).mean(0))


def train(steps=3):
    torch.manual_seed(1)
    samples, labels = torch.randn(BATCH, INPUTS), torch.arange(BATCH) % CLASSES
    network = Network().to(DEVICE)
    samples, labels = samples.to(DEVICE), labels.to(DEVICE)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.5)
    with gpuprof.region("training"):
        for i in range(steps):
            gpuprof.step(i)
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(network(samples), labels)
            loss.backward()
            with gpuprof.region("optimizer", phase="optimizer"):
                optimizer.step()
            print("step %d: loss %.4f" % (i, loss.item()))


if __name__ == "__main__":
    train()
