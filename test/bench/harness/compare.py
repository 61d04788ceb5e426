"""Measures columns in alternation and takes medians."""

import statistics
import sys

from harness import processes


class WrongNumbers(Exception):
    """Columns that should compute the same do not, so that their times mean nothing."""


def rounds(columns, count):
    """Runs every column once a round; returns the results of each, by name."""
    results = {column.name: [] for column in columns}
    for number in range(count):
        for column in columns:
            print(f"  round {number + 1} of {count}: {column.name}          ", end="\r", file=sys.stderr, flush=True)
            results[column.name].append(processes.run(column))
    print(" " * 60, end="\r", file=sys.stderr)
    return results


def rate(results):
    """Steps a second, the median over the rounds; the slowest process counts."""
    return statistics.median(one[0]["steps"] / max(process["seconds"] for process in one) for one in results)


def ratio(ours, theirs):
    """How many times as fast we are: the median over the rounds of what two neighbours in time did."""
    return statistics.median(max(p["seconds"] for p in b) / max(p["seconds"] for p in a) for a, b in zip(ours, theirs))


def check_losses(results, first, other, tolerance):
    """That two columns have the same loss in every step and process."""
    for rank, (a, b) in enumerate(zip(results[first][0], results[other][0])):
        for step, (x, y) in enumerate(zip(a["losses"], b["losses"])):
            if not abs(x - y) <= tolerance * max(1.0, abs(x)):
                raise WrongNumbers(f"{first} and {other} don't compute the same: process {rank}, step {step}: loss {x} and {y}")
