"""Rewrites every golden test's program and checks that what comes out compiles with accel's headers.

  compiles.py --tool F --clang F --work DIR --runtime DIR --sources DIR [-j N] [--only WORD] -- FLAGS

A program is rewritten with the options that its own RUN line gives. FLAGS are those for libtorch's headers, and a precompiled header of them. Programs are
checked together, each in a namespace of its own in one of N translation units, since most of a unit's cost is libtorch's templates; a program with compiler
flags or macros of its own is checked alone.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys

RUN = re.compile(r"RUN:\s*%accel-rewrite\s+(?P<options>.*?)%s\s+--\s+%torch(?P<flags>[^|\n]*)\|\s*%changes", re.M)
SYSTEM_INCLUDE = re.compile(r"^\s*#\s*include\s*<[^>]+>.*$", re.M)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name in ("tool", "clang"):
        parser.add_argument("--" + name, required=True)
    for name in ("work", "runtime", "sources"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("flags", nargs="+")
    return parser.parse_args()


class Golden:
    def __init__(self, path, options):
        self.path = path
        self.name = str(path.relative_to(options.sources))
        self.run = RUN.search(path.read_text(errors="replace"))
        self.output = options.work / self.name

    def rewrite(self, options):
        """Returns what went wrong, or nothing."""
        command = [options.tool, "--root", str(options.sources), "--output-dir", str(options.work), *shlex.split(self.run["options"]), str(self.path), "--"]
        command += options.flags + shlex.split(self.run["flags"])
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 1) or not self.output.exists():
            return f"{self.name}: accel-rewrite ended with {done.returncode}\n{done.stderr}"
        return ""

    def alone(self):
        return bool(self.run["flags"].strip()) or re.search(r"^\s*#\s*(define|if)", self.output.read_text(errors="replace"), re.M) is not None


def together(goldens):
    """One unit of many programs: the standard's headers first, so that their guards empty the includes within the namespaces."""
    texts = [(golden, golden.output.read_text(errors="replace")) for golden in goldens]
    includes = sorted({line.strip() for _, text in texts for line in SYSTEM_INCLUDE.findall(text)})
    parts = ["#include <accel/accel.h>", '#include "program.h"', *includes]
    for index, (golden, _) in enumerate(texts):
        parts += [f"namespace golden_{index} {{", f'#include "{golden.output}"', "}"]
    return "\n".join(parts) + "\n"


def check(options, file):
    command = [options.clang, "-fsyntax-only", "-w", "-ferror-limit=0", *options.flags, f"-I{options.runtime}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main():
    options = arguments()
    found = [Golden(path, options) for path in sorted(options.sources.rglob("*.cpp")) if options.only in str(path)]
    goldens = [golden for golden in found if golden.run]
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        errors = [error for error in pool.map(lambda golden: golden.rewrite(options), goldens) if error]
        if not errors:
            shared = [golden for golden in goldens if not golden.alone()]
            units = [(golden.output, golden.run["flags"]) for golden in goldens if golden.alone()]
            files = []
            for index in range(options.j):
                file = options.work / f"together-{index}.cpp"
                file.write_text(together(shared[index :: options.j]))
                files.append(file)
            errors = [error for error in pool.map(lambda file: check(options, file), [*files, *(unit for unit, _ in units)]) if error]
    for error in errors:
        print(error, file=sys.stderr)
    print(f"{len(goldens)} rewritten programs compile" if not errors else "rewritten programs don't compile, see above")
    return 1 if errors or not goldens else 0


if __name__ == "__main__":
    sys.exit(main())
