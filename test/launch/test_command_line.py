"""What `accel` makes of its command line."""

import os
import subprocess
import tempfile
import unittest

from support import ACCEL, LaunchTest, launch

SHOW_ARGUMENTS = 'for argument in "$@"; do echo "<$argument>"; done'


class CommandLine(LaunchTest):
    def accel(self, *arguments):
        return subprocess.run([ACCEL, *arguments], capture_output=True, text=True, timeout=60)

    def usage_error(self, result, words):
        self.assertEqual(result.returncode, 2, result)
        self.assertIn(words, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_version_and_help(self):
        self.assertRegex(self.accel("--version").stdout, r"^accel \d+\.\d+\.\d+\n$")
        self.assertIn("accel launch", self.accel("--help").stdout)
        self.assertIn("--num_processes", launch("--help").stdout)

    def test_no_or_unknown_command(self):
        self.usage_error(self.accel(), "a command is missing")
        self.usage_error(self.accel("lunch"), "unknown command 'lunch'")

    def test_wrong_options(self):
        self.usage_error(launch("--num_processes", "0", "true"), "must be at least 1, not 0")
        self.usage_error(launch("--num_processes", "-2", "true"), "must be at least 1, not -2")
        self.usage_error(launch("--num_processes", "two", "true"), "--num_processes = two")
        self.usage_error(launch("--num_processes"), "--num_processes")
        self.usage_error(launch("--unknown", "true"), "--unknown")
        self.usage_error(launch("--main_process_port", "70000", "true"), "65535")
        self.usage_error(launch("--num_processes", "2"), "no program to launch")

    def test_everything_after_the_program_is_the_programs(self):
        given = ["--cpu", "a b", "", "--num_processes", "9", "--", "-x", "*", "it's", "--help"]
        for own in ([], ["--num_processes", "1"], ["--num_processes=2"], ["--"]):
            result = launch(*own, "sh", "-c", SHOW_ARGUMENTS, "sh", *given)
            ranks = 2 if own == ["--num_processes=2"] else 1
            self.assertEqual(result.returncode, 0, result)
            self.assertEqual(sorted(result.stdout.splitlines()),
                             sorted([f"<{word}>" for word in given] * ranks))

    def test_options_with_hyphens(self):
        result = launch("--num-processes", "2", "--split-batches", "sh", "-c",
                        "echo $WORLD_SIZE $ACCEL_SPLIT_BATCHES")
        self.assertEqual(result.stdout, "2 true\n" * 2)

    def test_program_not_found(self):
        for processes in ("1", "2"):
            result = launch("--num_processes", processes, "./no-such-program")
            self.assertEqual(result.returncode, 127)
            self.assertEqual(result.stderr, "accel launch: program not found: ./no-such-program\n")
        self.assertEqual(launch("no-such-program").returncode, 127)

    def test_program_in_this_folder_but_not_in_path(self):
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "train"), "w").close()
            result = launch("train", cwd=folder)
        self.assertEqual(result.returncode, 127)
        self.assertIn("did you mean ./train?", result.stderr)

    def test_program_not_executable(self):
        with tempfile.TemporaryDirectory() as folder:
            text = os.path.join(folder, "text")
            open(text, "w").close()
            self.assertEqual(launch(text).returncode, 126)
            self.assertEqual(launch(folder).returncode, 126)
            interpreter_missing = os.path.join(folder, "script")
            with open(interpreter_missing, "w") as script:
                script.write("#!/no/such/interpreter\n")
            os.chmod(interpreter_missing, 0o755)
            for processes in ("1", "2"):
                result = launch("--num_processes", processes, interpreter_missing)
                self.assertEqual(result.returncode, 127)
                self.assertIn("cannot execute", result.stderr)


if __name__ == "__main__":
    unittest.main()
