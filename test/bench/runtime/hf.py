"""The same loop with Hugging Face Accelerate."""

import torch
from accelerate import Accelerator

import columns


def main():
    chosen = columns.options()
    torch.set_num_threads(1)
    accelerator = Accelerator(cpu=True)
    net = columns.make_net(chosen.model)
    net, optimizer = accelerator.prepare(net, columns.make_optimizer(net))
    columns.train(chosen, net, optimizer, accelerator.backward, accelerator.process_index, accelerator.num_processes)
    accelerator.end_training()


if __name__ == "__main__":
    main()
