"""What the Python columns share: the models, data and optimizer of models.h and the meter of meter.h."""

import argparse
import json
import sys
import time

import torch
from torch import nn

ROWS = 4096


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 10, 5)
        self.conv2 = nn.Conv2d(10, 20, 5)
        self.fc1 = nn.Linear(320, 50)
        self.fc2 = nn.Linear(50, 10)

    def forward(self, x):
        x = torch.relu(torch.max_pool2d(self.conv1(x), 2))
        x = torch.relu(torch.max_pool2d(self.conv2(x), 2))
        x = torch.relu(self.fc1(x.flatten(1)))
        return torch.log_softmax(self.fc2(x), 1)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        widths = [784, 2144, 2144, 2144, 2144, 2144, 10]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, widths[1:]))

    def forward(self, x):
        x = x.flatten(1)
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return torch.log_softmax(self.layers[-1](x), 1)


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="cnn")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--warmup", type=int, default=10)
    parser.add_argument("--steps", type=int, default=100)
    return parser.parse_args()


def make_net(model):
    torch.manual_seed(1)
    return {"cnn": Cnn, "mlp": Mlp}[model]()


def make_optimizer(net):
    return torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.5)


def train(chosen, net, optimizer, backward, rank, processes):
    torch.manual_seed(2)
    images = torch.randn(ROWS, 1, 28, 28)
    targets = torch.randint(10, (ROWS,))
    losses = []
    begin = 0.0
    for step in range(chosen.warmup + chosen.steps):
        if step == chosen.warmup:
            print("ready", flush=True)
            sys.stdin.readline()
            begin = time.perf_counter()
        first = (step * processes + rank) * chosen.batch % (ROWS - chosen.batch + 1)
        data, target = images.narrow(0, first, chosen.batch), targets.narrow(0, first, chosen.batch)
        optimizer.zero_grad()
        loss = nn.functional.nll_loss(net(data), target)
        backward(loss)
        optimizer.step()
        losses.append(loss.detach())
    seconds = time.perf_counter() - begin
    print(json.dumps({"steps": chosen.steps, "seconds": seconds, "losses": [loss.item() for loss in losses]}), flush=True)
