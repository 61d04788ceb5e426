"""A project outside this tree builds against an installed prefix, also after the prefix moved, and its tool parses there."""

import os
import pathlib
import shutil
import tempfile
import unittest

from support import output

CONSUMER = pathlib.Path(os.environ["CONSUMER"])
CMAKE = os.environ["CMAKE"]


class Consumer(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_an_installed_and_moved_prefix_is_all_that_a_project_needs(self):
        output([CMAKE, "--install", os.environ["BUILD"], "--prefix", self.folder / "staged"])
        prefix = (self.folder / "staged").rename(self.folder / "prefix")
        project = self.folder / "project"
        shutil.copytree(CONSUMER, project)
        build = project / "build"

        output([CMAKE, "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
                f"-DTorch_DIR={os.environ['TORCH_DIR']}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
        plain = (project / "train.cpp").read_text()
        output([prefix / "bin/accel-rewrite", "-i", "-p", build, project / "train.cpp"])
        self.assertIn("accelerator.backward(loss)", (project / "train.cpp").read_text())
        self.assertNotIn("accelerator", plain)

        output([CMAKE, "--build", build])
        text = output([prefix / "bin/accel", "launch", "--num_processes", "2", "--cpu", build / "train"])
        self.assertEqual(text.count("done"), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
