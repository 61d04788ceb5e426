"""Runs programs for the fidelity tests, and compares what they print."""

import os
import re
import subprocess

ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE")}
ENVIRONMENT["OMP_NUM_THREADS"] = "1"


def output(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=300, **more)
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def launched(processes, program, *arguments, split=True):
    split = ["--split_batches"] if split else []
    return output([os.environ["ACCEL"], "launch", "--num_processes", str(processes), "--cpu", *split, program, *arguments])


def close(a, b, tolerance):
    """The texts agree word for word, and number by number within the tolerance; returns the largest difference."""
    pattern = r"-?\d+\.?\d*(?:e[-+]?\d+)?"
    words_a, words_b = re.sub(pattern, "#", a), re.sub(pattern, "#", b)
    assert words_a == words_b, f"different text:\n{a[:2000]}\n---\n{b[:2000]}"
    largest = 0.0
    for x, y in zip(re.findall(pattern, a), re.findall(pattern, b), strict=True):
        difference = abs(float(x) - float(y))
        largest = max(largest, difference)
        assert difference <= tolerance, f"{x} and {y} differ by {difference}"
    return largest
