"""One program of a corpus list: a copy that is rewritten, compiled and run."""

import gzip
import os
import pathlib
import random
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FASHION = pathlib.Path("/usr/share/datasets/fashion-mnist")


class Torch:
    """The libtorch that a program is parsed and built with: Debian's, or one that --latest names."""

    def __init__(self, folder):
        if folder:
            version = (folder / "version.py").read_text() if (folder / "version.py").exists() else ""
            found = re.search(r"__version__ = '([0-9.]+)", version)
            self.version = found.group(1) if found else "2"
            include, self.lib, self.standard = folder / "include", folder / "lib", "c++20"
            self.flags = ["-isystem", str(include), "-isystem", str(include / "torch/csrc/api/include")]
            # The wheel's CUDA headers lie beside it.
            for cuda in sorted(folder.parent.glob("nvidia/cu*/include")):
                self.flags += ["-isystem", str(cuda)]
        else:
            self.version, self.lib, self.standard = "1.13.1", pathlib.Path("/usr/lib/x86_64-linux-gnu"), "c++17"
            self.flags = ["-isystem", "/usr/include/torch/csrc/api/include"]


class Report:
    """What accel-rewrite said, as it says it."""

    LINE = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: (?P<kind>warning|note): .*\[(?P<code>AR\d+)\]$", re.M)

    def __init__(self, code, text):
        self.parsed = code in (0, 1)
        counts = re.search(r"accel-rewrite: (\d+) training loops?, (\d+) converted", text)
        self.loops, self.converted = (int(counts.group(1)), int(counts.group(2))) if counts else (0, 0)
        self.found = [m.groupdict() for m in self.LINE.finditer(text)]
        self.lines = [l for l in text.splitlines() if re.search(r"\[AR\d+\]$|error:", l)][:25]

    def codes(self, kind):
        return sorted({f["code"] for f in self.found if f["kind"] == kind})


class Program:
    def __init__(self, entry, checkout, folder, options):
        self.entry, self.options = entry, options
        self.torch = Torch(options.latest if entry.get("needs") == "2" else None)
        self.source, self.folder = folder / "original", folder / "rewritten"
        for copy in (self.source, self.folder):
            shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns(".git"))
            self.link_others(copy)
        self.output = folder
        self.stand_ins = folder / "stand-ins"
        for file, text in entry.get("stand-ins", {}).items():
            (self.stand_ins / file).parent.mkdir(parents=True, exist_ok=True)
            (self.stand_ins / file).write_text((text if isinstance(text, str) else "\n".join(text)) + "\n")

    def link_others(self, copy):
        """Other repositories that the program wants at a place of its own tree."""
        for place, other in self.entry.get("links", {}).items():
            target = copy / place
            if target.is_dir() and not target.is_symlink():
                shutil.rmtree(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to((self.options.checkouts / other).resolve())

    def flags(self, root):
        standard = self.entry.get("standard") or self.torch.standard
        flags = [f"-std={standard}", *self.torch.flags, "-isystem", str(self.stand_ins)]
        for flag in self.entry.get("flags", []):
            flags.append(flag.replace("@ROOT", str(root)).replace("@CHECKOUTS", str(self.options.checkouts.resolve())))
        return flags

    def units(self, root):
        return [str(root / unit) for unit in self.entry["units"]]

    def rewrite(self, *more):
        command = [self.options.tool, "-i", "--root", str(self.folder), *more, *self.units(self.folder), "--", *self.flags(self.folder), f"-I{ROOT}/runtime/include"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        return Report(done.returncode, done.stderr)

    def unchanged_by_second_run(self):
        before = {p: p.read_bytes() for p in self.folder.rglob("*") if p.is_file() and p.suffix in (".cpp", ".cc", ".h", ".hpp", ".cxx")}
        self.rewrite()
        return all(p.read_bytes() == text for p, text in before.items())

    def compiles(self):
        for unit in self.units(self.folder):
            command = ["clang++-19", "-fsyntax-only", "-w", *self.flags(self.folder), f"-I{ROOT}/runtime/include", unit]
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
            if done.returncode:
                return "no", [l for l in done.stderr.splitlines() if "error" in l][:5]
        return "yes", []

    def unspoken(self, report):
        """Known backwards in a file that says nothing of them: neither rewritten nor in a diagnostic."""
        missing = []
        for place in self.entry.get("backwards", []):
            file, line = place.rsplit(":", 1)
            original = (self.source / file).read_text(errors="replace").splitlines()
            rewritten = (self.folder / file).read_text(errors="replace")
            text = original[int(line) - 1].strip()
            gone = text not in rewritten
            refused = any(f["kind"] == "warning" for f in report.found)
            if not gone and not refused:
                missing.append(place)
        return missing

    def build(self, root, binary, accel):
        # libtorch seeds itself at random: both programs get the same seed before main.
        seed = self.output / "seed.h"
        seed.write_text("#pragma once\n#include <torch/torch.h>\nstatic const int corpus_seed = (torch::manual_seed(1), 0);\n")
        flags = [*self.flags(root), "-include", str(seed)]
        link = [f"-L{self.torch.lib}", f"-Wl,-rpath,{self.torch.lib}", "-ltorch", "-ltorch_cpu", "-lc10", "-lpthread"]
        if accel:
            libraries = sorted(self.options.prefix.rglob("libaccel.*"))
            link = [f"-I{ROOT}/runtime/include", str(libraries[0]), "-lgloo" if self.torch.version.startswith("1.") else "", "-ldl", *link]
            link = [l for l in link if l]
        units = [str(root / unit) for unit in self.entry["run"].get("units", self.entry["units"])]
        return subprocess.run(["ccache", "g++", "-O1", "-w", *flags, *units, "-o", str(binary), *link], cwd=root, capture_output=True, text=True)

    def run(self, root, binary):
        where = root / self.entry["run"].get("folder", ".")
        where.mkdir(parents=True, exist_ok=True)
        for place, kind in self.entry["run"].get("data", {}).items():
            DATA[kind](where / place)
        command = ["timeout", str(self.entry["run"].get("seconds", 30)), "stdbuf", "-o0", str(binary), *self.entry["run"].get("arguments", [])]
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, errors="replace", env={**os.environ, "OMP_NUM_THREADS": "1"})
        return numbers(done.stdout, self.entry["run"].get("ignore")), done

    def same_numbers(self):
        printed = []
        for root, accel in ((self.source, False), (self.folder, True)):
            binary = self.output / f"program-{root.name}"
            built = self.build(root, binary, accel)
            if built.returncode:
                return ("no" if accel else "not built"), [l for l in built.stderr.splitlines() if "error" in l or "undefined" in l][:5]
            lines, done = self.run(root, binary)
            printed.append(lines)
            if not lines:
                return ("no" if accel else "prints nothing"), done.stderr.splitlines()[-3:]
        count = min(map(len, printed))
        differing = next((i for i in range(count) if printed[0][i] != printed[1][i]), None)
        if differing is None:
            return f"yes ({count} lines)", []
        return "no", ["original:  " + printed[0][differing], "rewritten: " + printed[1][differing]]


def numbers(text, ignore):
    """The lines that have a number, without what the list says to ignore (times, rates)."""
    lines = [re.sub(r"0x[0-9a-f]+", "", line) for line in re.split(r"[\r\n]+", text)]
    if ignore:
        lines = [re.sub(ignore, "", line) for line in lines]
    # The last line may have been cut by the time limit.
    return [line.strip() for line in lines[:-1] if re.search(r"\d", line)]


def fashion_mnist(folder):
    """The four files of Fashion-MNIST, which has MNIST's format, under MNIST's names."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in FASHION.glob("*-ubyte.gz"):
        (folder / file.stem).write_bytes(gzip.decompress(file.read_bytes()))


def cifar10(folder):
    """CIFAR-10's binary format with random pixels: 5 + 1 files of 200 rows instead of 10,000."""
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(0)
    for name in [*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin"]:
        (folder / name).write_bytes(b"".join(bytes([source.randrange(10)]) + source.randbytes(3072) for _ in range(10000)))


def empty(folder):
    """A folder for what the program writes."""
    folder.mkdir(parents=True, exist_ok=True)


DATA = {"fashion-mnist": fashion_mnist, "cifar10": cifar10, "folder": empty}
