"""Runs one column of a comparison: the same program in one or several processes that start their timed part together."""

import contextlib
import json
import os
import socket
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field


@dataclass
class Column:
    """A program to measure. It prints `ready` after its warm-up, goes on when a line comes in, ends with a line of JSON."""

    name: str
    command: list
    processes: int = 1
    connected: bool = True  # whether the processes form a group
    environment: dict = field(default_factory=dict)


class Failed(Exception):
    pass


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _environment(column, rank, port):
    variables = {name: value for name, value in os.environ.items()
                 if not name.startswith(("ACCEL", "MALLOC_", "TORCH", "GLOO_", "OMPI_", "SLURM_", "PMI_"))}
    variables |= {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true", "CUDA_VISIBLE_DEVICES": "",
                  "GLOO_SOCKET_IFNAME": "lo"}
    if column.processes > 1:
        variables |= {"RANK": str(rank), "WORLD_SIZE": str(column.processes)}
    if column.processes > 1 and column.connected:
        variables |= {"LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": str(column.processes),
                      "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    return variables | column.environment


def _start(column, rank, port, errors):
    cores = sorted(os.sched_getaffinity(0))
    core = cores[rank % len(cores)]
    return subprocess.Popen(column.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
                            env=_environment(column, rank, port),
                            preexec_fn=lambda: os.sched_setaffinity(0, {core}))


def _line(process, wanted):
    for line in process.stdout:
        if line.startswith(wanted):
            return line
    raise Failed("it ended early")


def run(column, limit=600):
    """The JSON of each process."""
    port = free_port()
    with contextlib.ExitStack() as stack:
        errors = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(column.processes)]
        started = []
        timer = threading.Timer(limit, lambda: [process.kill() for process in started])
        stack.callback(timer.cancel)
        stack.callback(lambda: [process.kill() for process in started])
        timer.start()
        started += [_start(column, rank, port, errors[rank]) for rank in range(column.processes)]
        try:
            for process in started:
                _line(process, "ready")
            for process in started:
                process.stdin.write("go\n")
                process.stdin.flush()
            results = [json.loads(_line(process, "{")) for process in started]
            if any(process.wait() != 0 for process in started):
                raise Failed("it ended with an error")
            return results
        except (Failed, BrokenPipeError) as error:
            for process in started:
                process.kill()
                process.wait()
            for file in errors:
                file.seek(0)
            text = "\n".join(file.read()[-2000:] for file in errors)
            raise Failed(f"{column.name}: {error}\n{text}") from error


def output_of(command, limit=600, environment=None):
    """What a program without a gate prints as JSON."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env=os.environ | (environment or {}))
    if done.returncode != 0:
        raise Failed(f"{command[0]} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])
