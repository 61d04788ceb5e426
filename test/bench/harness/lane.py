"""The build that everything is measured with: Release, the torch wheel as the one libtorch of all columns."""

import pathlib
import subprocess
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]
TORCH = "2.15.0"
ACCELERATE = "accelerate==1.15.0"


@dataclass
class Lane:
    build: pathlib.Path
    python: pathlib.Path


def prepare(targets):
    install = [str(ROOT / "scripts/install-torch")]
    prefix = subprocess.check_output([*install, TORCH], text=True).strip()
    python = subprocess.check_output([*install, "--python", TORCH, ACCELERATE], text=True).strip()
    build = ROOT / "build-bench"
    build.mkdir(exist_ok=True)
    log = build / "build.log"
    jobs = subprocess.check_output([str(ROOT / "scripts/jobs")], text=True).strip()
    with open(log, "w", encoding="utf-8") as out:
        for command in (["cmake", "--preset", "bench", f"-DCMAKE_PREFIX_PATH={prefix}"],
                        ["cmake", "--build", "--preset", "bench", "--parallel", jobs, "--target", *targets]):
            if subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, check=False).returncode != 0:
                raise SystemExit(f"bench: the build failed; see {log}")
    return Lane(build, pathlib.Path(python))
