"""One process prints what the original prints, to the last digit; two and three train to the same parameters within 1e-6."""

import os
import unittest

from support import close, launched, output

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


if __name__ == "__main__":
    unittest.main(verbosity=2)
