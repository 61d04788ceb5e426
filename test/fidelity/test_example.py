"""The example on a small data set in MNIST's format: the same losses on one process; its rewritten form stays when it is rewritten again."""

import os
import pathlib
import random
import shutil
import struct
import subprocess
import tempfile
import unittest

from support import launched, output


def write_idx(path, shape, data):
    path.write_bytes(struct.pack(f">I{len(shape)}I", 0x800 + len(shape), *shape) + bytes(data))


def make_data(folder):
    """60,000 and 10,000 images, as torch's MNIST class demands: noise with a bar whose row is the label."""
    generator = random.Random(7)
    noise = bytes(generator.randrange(64) for _ in range(784))
    for prefix, count in (("train", 60000), ("t10k", 10000)):
        labels = bytes(generator.randrange(10) for _ in range(count))
        images = b"".join(noise[: 56 * label] + b"\xff" * 56 + noise[56 * label + 56 :] for label in labels)
        write_idx(folder / f"{prefix}-labels-idx1-ubyte", [count], labels)
        write_idx(folder / f"{prefix}-images-idx3-ubyte", [count, 28, 28], images)


class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        make_data(cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_one_process_prints_the_same_losses_and_saves_the_same_model(self):
        printed, saved = {}, {}
        for form in ("ORIGINAL", "REWRITTEN"):
            folder = self.folder / form
            folder.mkdir()
            text = output([os.environ[form], self.folder, "1"], cwd=folder)
            printed[form] = [line for line in text.splitlines() if not line.startswith("Training on CPU")]
            saved[form] = (folder / "mnist.pt").read_bytes()
        self.assertEqual(len(printed["ORIGINAL"]), 11)
        self.assertEqual(printed["ORIGINAL"], printed["REWRITTEN"])
        self.assertEqual(saved["ORIGINAL"], saved["REWRITTEN"])

    def test_two_processes_learn(self):
        folder = self.folder / "two"
        folder.mkdir()
        os.chdir(folder)
        text = launched(2, os.environ["REWRITTEN"], self.folder, "1", split=False)
        self.assertEqual(text.count("Test set:"), 1)
        self.assertGreater(float(text.rsplit("accuracy ", 1)[1]), 0.95)

    def test_the_rewritten_example_is_left_as_it_is(self):
        rewritten = pathlib.Path(os.environ["BUILD"]) / "examples/rewritten/mnist.cpp"
        before = rewritten.read_bytes()
        done = subprocess.run([os.environ["REWRITE"], "-i", "--quiet", "-p", os.environ["BUILD"], rewritten],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(before, rewritten.read_bytes())


if __name__ == "__main__":
    unittest.main(verbosity=2)
