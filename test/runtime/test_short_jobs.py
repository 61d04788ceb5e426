"""Many short jobs of two processes: none aborts, none hangs, none leaves a process or a file behind.

ACCEL_SHORT_JOBS says how many (60 by default), JOB is the program.
"""

import concurrent.futures
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import unittest

JOBS = int(os.environ.get("ACCEL_SHORT_JOBS", "60"))
SHARED_MEMORY = pathlib.Path("/dev/shm")
LIMIT = 120  # seconds for one job, on a machine that does other things too


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def segments():
    return {path.name for path in SHARED_MEMORY.iterdir() if "accel" in path.name} if SHARED_MEMORY.is_dir() else set()


def remaining(names):
    """Those of the names that stay: other programs' come and go."""
    for _ in range(50):
        names &= segments()
        if not names:
            break
        time.sleep(0.2)
    return names


def start(rank, port, folder, gloo):
    environment = os.environ | {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2",
                                "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1",
                                "ACCELERATE_USE_CPU": "true", "TMPDIR": folder}
    if gloo:
        environment["ACCEL_SHARED_MEMORY"] = "off"
    return subprocess.Popen([os.environ["JOB"]], env=environment, cwd=folder, start_new_session=True, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def run(number, folder):
    """What went wrong; nothing is the empty string."""
    port = free_port()
    both = [start(rank, port, folder, number % 2 == 1) for rank in range(2)]
    wrong = []
    end = time.monotonic() + LIMIT
    for rank, process in enumerate(both):
        try:
            output, _ = process.communicate(timeout=max(1.0, end - time.monotonic()))
            if process.returncode != 0 or output:
                wrong.append(f"process {rank} ended with {process.returncode}: {output[-1500:]}")
        except subprocess.TimeoutExpired:
            wrong.append(f"process {rank} was still there after {LIMIT} s")
    for process in both:
        try:
            os.killpg(process.pid, signal.SIGKILL)
            if not wrong:
                wrong.append("a process of the job outlived it")
        except ProcessLookupError:
            pass
        process.wait()
        process.stdout.close()
    if any("EADDRINUSE" in text or "already in use" in text for text in wrong):
        return run(number, folder)  # another program took the port
    return f"job {number}: " + "; ".join(wrong) if wrong else ""


class ShortJobs(unittest.TestCase):
    def test_leave_nothing_behind(self):
        before = segments()
        with tempfile.TemporaryDirectory() as folder:
            with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
                wrong = [text for text in pool.map(lambda number: run(number, folder), range(JOBS)) if text]
            self.assertEqual(wrong, [], f"{len(wrong)} of {JOBS} jobs")
            self.assertEqual(os.listdir(folder), [])
        self.assertEqual(remaining(segments() - before), set())


if __name__ == "__main__":
    unittest.main()
