"""The same loop with Python's DistributedDataParallel over Gloo."""

import torch
import torch.distributed as dist

import columns


def main():
    chosen = columns.options()
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    net = torch.nn.parallel.DistributedDataParallel(columns.make_net(chosen.model))
    optimizer = columns.make_optimizer(net)
    columns.train(chosen, net, optimizer, lambda loss: loss.backward(), dist.get_rank(), dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
