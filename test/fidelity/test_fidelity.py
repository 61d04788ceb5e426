"""One process prints what the original prints, to the last digit; two and three train to the same parameters within 1e-6."""

import os
import signal
import subprocess
import time
import unittest

from support import ENVIRONMENT, close, launched, output

BIN = os.environ["BIN"]
OPTIMIZERS = ["sgd", "adam", "adamw", "rmsprop", "adagrad"]


def program(name):
    return os.path.join(BIN, f"fidelity_{name}")


class Fidelity(unittest.TestCase):
    def test_one_process_prints_the_same_bytes(self):
        for optimizer in OPTIMIZERS:
            with self.subTest(optimizer=optimizer):
                self.assertEqual(output([program("original"), optimizer]), output([program("rewritten"), optimizer]))

    def test_split_batches_train_to_the_same_numbers(self):
        for optimizer in OPTIMIZERS:
            original = output([program("original"), optimizer])
            for processes in (2, 3):
                with self.subTest(optimizer=optimizer, processes=processes):
                    largest = close(original, launched(processes, program("rewritten"), optimizer), 1e-6)
                    print(f"{optimizer} on {processes} processes: largest difference {largest:.1e}")

    def test_a_forgotten_backward_is_still_synchronised(self):
        # step() finds the gradients unsynchronised and averages them without the weight of a ragged batch: right up to the last
        # batch of the first epoch, where that weight is needed.
        def full_batches(text):
            return "\n".join(line for line in text.splitlines() if line.startswith("batch ")).split("\nbatch 6 ")[0]

        original = full_batches(output([program("original"), "sgd", "1"]))
        forgotten = full_batches(launched(2, program("forgotten"), "sgd", "1"))
        self.assertEqual(original.count("\n"), 5)
        close(original, forgotten, 1e-6)

    def test_processes_without_rows_do_no_harm(self):
        # Seven rows over eight processes in the last batch, sixteen in the others.
        close(output([program("original"), "sgd", "1"]), launched(8, program("rewritten"), "sgd", "1"), 1e-6)

    def test_a_killed_rank_ends_the_job_at_once_and_is_named(self):
        command = [os.environ["ACCEL"], "launch", "--num_processes", "2", "--cpu", program("rewritten"), "sgd", "100000"]
        job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        try:
            while not job.stdout.readline().startswith("batch "):
                pass
            ranks = {rank_of(pid): pid for pid in children_of(job.pid)}
            os.kill(ranks[1], signal.SIGKILL)
            killed = time.monotonic()
            _, errors = job.communicate(timeout=60)
            seconds = time.monotonic() - killed
        finally:
            job.kill()
        print(f"the job ended {seconds:.2f} s after the kill")
        self.assertLess(seconds, 5)
        self.assertEqual(job.returncode, 128 + signal.SIGKILL)
        self.assertIn("rank 1 was killed by SIGKILL", errors)
        self.assertFalse([pid for pid in ranks.values() if os.path.exists(f"/proc/{pid}")])


def children_of(pid):
    """All processes below one, of any depth."""
    below = [int(child) for child in open(f"/proc/{pid}/task/{pid}/children").read().split()]
    return below + [each for child in below for each in children_of(child)]


def rank_of(pid):
    variables = dict(item.split("=", 1) for item in open(f"/proc/{pid}/environ").read().split("\0") if "=" in item)
    return int(variables.get("RANK", -1))


if __name__ == "__main__":
    unittest.main(verbosity=2)
