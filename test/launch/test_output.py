"""What ranks print and read."""

import os
import pty
import re
import subprocess
import time
import unittest

from support import ACCEL, PYTHON, LaunchTest, launch, start

PIECES = """
import os, sys
rank = os.environ["RANK"]
for line in range(300):
    for piece in (rank * 20, str(line), rank * 20, "\\n"):
        os.write(1, piece.encode())
"""


class Output(LaunchTest):
    def test_one_process_takes_the_launchers_place(self):
        job = start("sh", "-c", "echo $$; read line; echo got $line; exit 3",
                    stdin=subprocess.PIPE)
        self.assertEqual(int(job.stdout.readline()), job.pid)
        stdout, stderr = job.communicate("some text\n", timeout=20)
        self.assertEqual((job.returncode, stdout, stderr), (3, "got some text\n", ""))

    def test_rank_0_reads_the_input(self):
        job = start("--num_processes", "2", "sh", "-c", "read line; echo $RANK: $line",
                    stdin=subprocess.PIPE)
        stdout, _ = job.communicate("some text\n", timeout=20)
        self.assertEqual(sorted(stdout.splitlines()), ["0: some text", "1:"])

    def test_lines_stay_whole(self):
        result = launch("--num_processes", "3", PYTHON, "-c", PIECES)
        lines = result.stdout.splitlines()
        expected = [f"{str(rank) * 20}{line}{str(rank) * 20}"
                    for rank in range(3) for line in range(300)]
        self.assertEqual(sorted(lines), sorted(expected))
        for rank in "012":  # and each rank's in their order
            mine = [line for line in lines if line.startswith(rank * 20)]
            self.assertEqual(mine, [line for line in expected if line.startswith(rank * 20)])

    def test_prefix(self):
        result = launch("--prefix", "--num_processes", "2", "sh", "-c",
                        "echo out; echo err >&2; printf 'no newline'")
        self.assertEqual(sorted(result.stdout.replace("newline[", "newline\n[").splitlines()),
                         ["[0]: no newline", "[0]: out", "[1]: no newline", "[1]: out"])
        self.assertEqual(sorted(result.stderr.splitlines()), ["[0]: err", "[1]: err"])
        self.assertEqual(launch("--prefix", "echo", "one").stdout, "[0]: one\n")

    def test_streams_stay_apart_or_in_order(self):
        program = ("sh", "-c", "for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done")
        result = launch("--num_processes", "2", *program)
        self.assertEqual(set(re.findall(r"[a-z]+", result.stdout)), {"out"})
        joined = subprocess.run([ACCEL, "launch", "--prefix", "--num_processes", "2", *program],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                timeout=20)
        for rank in range(2):
            mine = re.findall(rf"\[{rank}\]: (.*)", joined.stdout)
            self.assertEqual(mine, [f"{stream} {i}" for i in range(1, 6)
                                    for stream in ("out", "err")])

    def test_unfinished_line_comes_through(self):
        job = start("--num_processes", "2", "sh", "-c", "printf 'name? '; sleep 2")
        begin = time.monotonic()
        self.assertEqual(job.stdout.read(12), "name? name? ")
        self.assertLess(time.monotonic() - begin, 1.5)
        job.communicate(timeout=20)

    def test_bytes_pass_as_they_are(self):
        result = subprocess.run(
            [ACCEL, "launch", "--num_processes", "2", PYTHON, "-c",
             "import os, sys; os.write(1, bytes(range(256)) * 40 if os.environ['RANK'] == '1' else b'')"],
            capture_output=True, timeout=20)
        self.assertEqual(result.stdout, bytes(range(256)) * 40)

    def test_terminal(self):
        """A rank has a terminal exactly where the launcher has one."""
        program = ("import os, sys; sys.stdout.write('%s %s\\n' % (os.isatty(1), os.isatty(2)))")
        self.assertEqual(launch("--num_processes", "2", PYTHON, "-c", program).stdout,
                         "False False\n" * 2)
        master, slave = pty.openpty()
        job = start("--num_processes", "2", PYTHON, "-c", program, stdout=slave)
        job.wait(20)
        os.close(slave)
        self.assertEqual(os.read(master, 1000), b"True False\r\n" * 2)
        os.close(master)
        job.communicate()

    def test_lines_come_at_once_on_a_terminal(self):
        master, slave = pty.openpty()
        job = start("--num_processes", "2", PYTHON, "-c",
                    "import time; print('first'); time.sleep(5)", stdout=slave)
        os.close(slave)
        begin = time.monotonic()
        read = b""
        while read.count(b"first") < 2:
            read += os.read(master, 100)
        self.assertLess(time.monotonic() - begin, 4)
        job.terminate()
        job.communicate(timeout=20)
        os.close(master)


if __name__ == "__main__":
    unittest.main()
