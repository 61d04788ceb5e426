"""Measures groups of goals and prints a line for each: name, value, goal, ok or short."""

import argparse
import importlib
import pathlib
import signal
import sys
from dataclasses import dataclass

from harness import goals, lane
from harness.compare import WrongNumbers
from harness.processes import Failed

HERE = pathlib.Path(__file__).resolve().parent


@dataclass
class Settings:
    rounds: int
    quick: bool
    trace: str

    def steps(self, count):
        return max(5, count // 4) if self.quick else count


def all_groups():
    return sorted(path.parent.name for path in HERE.glob("*/group.py"))


def options():
    parser = argparse.ArgumentParser(prog="./test/bench/run", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="group", help="all groups by default")
    parser.add_argument("--list", action="store_true", help="names the groups")
    parser.add_argument("--json", metavar="F", help="also writes the results to F")
    parser.add_argument("--rounds", type=int, metavar="N", help="how often each column runs (default 7)")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and steps: coarse figures, in some minutes")
    parser.add_argument("--trace", metavar="F", help="keeps the trace that shows the overlap in F")
    chosen = parser.parse_args()
    unknown = set(chosen.groups) - set(all_groups())
    if unknown:
        parser.error(f"no such group: {', '.join(sorted(unknown))} (there are: {', '.join(all_groups())})")
    return chosen


def measure(names, settings):
    groups = [importlib.import_module(f"{name}.group") for name in names]
    built = lane.prepare([target for group in groups for target in group.TARGETS])
    for name, group in zip(names, groups):
        print(f"{name}:", flush=True)
        for goal in group.goals(built, settings):
            print(goal.line(), flush=True)
            yield goal


def main():
    chosen = options()
    # Ended from outside, it ends what it started.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    if chosen.list:
        print("\n".join(all_groups()))
        return 0
    settings = Settings(chosen.rounds or (3 if chosen.quick else 7), chosen.quick, chosen.trace)
    try:
        results = list(measure(chosen.groups or all_groups(), settings))
    except (Failed, WrongNumbers) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    if chosen.json:
        goals.write(results, chosen.json)
    missed = sum(not goal.met for goal in results)
    print(f"{len(results) - missed} of {len(results)} goals reached")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
