"""Counts the instructions of a program's timed part with callgrind."""

import os
import pathlib
import re
import tempfile

from harness import processes


def a_step(column, steps):
    """Instructions a step. The program turns the counting on and off itself, after its warm-up and after its last step."""
    with tempfile.TemporaryDirectory() as folder:
        tool = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out.%p"]
        counted = processes.Column(f"{column.name} in callgrind", [*tool, *column.command],
                                   environment=column.environment | {"ATEN_CPU_CAPABILITY": "avx2"})
        processes.run(counted, limit=1800)
        files = [pathlib.Path(folder, name).read_text() for name in os.listdir(folder)]
        totals = [int(found) for text in files for found in re.findall(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)]
    return max(totals) / steps
