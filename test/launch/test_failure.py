"""A rank that dies ends the job: quickly, by name, leaving nothing."""

import os
import re
import time
import unittest

from support import PYTHON, LaunchTest, is_running, launch, start


def on_rank(rank, action, others="sleep 100"):
    return ["sh", "-c", f"if [ $RANK = {rank} ]; then {action}; else {others}; fi"]


class Failure(LaunchTest):
    def timed_launch(self, *arguments):
        begin = time.monotonic()
        result = launch(*arguments)
        return result, time.monotonic() - begin

    def test_exit_code_of_the_failing_rank(self):
        result, seconds = self.timed_launch("--num_processes", "3", *on_rank(1, "exit 7"))
        self.assertEqual(result.returncode, 7)
        self.assertRegex(result.stderr, r"^accel launch: rank 1 exited with code 7 "
                                        r"\(process \d+\); ending the job\n$")
        self.assertLess(seconds, 5)

    def test_killed_rank(self):
        result, seconds = self.timed_launch("--num_processes", "2", *on_rank(1, "kill -KILL $$"))
        self.assertEqual(result.returncode, 128 + 9)
        self.assertRegex(result.stderr, r"^accel launch: rank 1 was killed by SIGKILL "
                                        r"\(process \d+\); ending the job\n$")
        self.assertLess(seconds, 5)

    def test_the_first_failure_is_named(self):
        result, _ = self.timed_launch(
            "--num_processes", "3",
            *on_rank(2, "sleep 0.3; exit 3", others='trap "exit 9" TERM; sleep 100 & wait'))
        self.assertEqual(result.returncode, 3)
        self.assertEqual(re.findall(r"rank (\d)", result.stderr), ["2"])

    def test_rank_that_ignores_sigterm_is_killed_after_the_grace_time(self):
        ignore = "trap '' TERM; while :; do sleep 0.1; done"
        result, seconds = self.timed_launch("--num_processes", "2", *on_rank(0, "sleep 0.3; exit 4", ignore))
        self.assertEqual(result.returncode, 4)
        self.assertGreater(seconds, 3)
        self.assertLess(seconds, 5)
        result, seconds = self.timed_launch("--grace", "0.2", "--num_processes", "2",
                                            *on_rank(0, "sleep 0.3; exit 4", ignore))
        self.assertEqual(result.returncode, 4)
        self.assertLess(seconds, 2)

    def test_rank_may_end_itself_in_the_grace_time(self):
        save = "trap 'sleep 0.5; echo saved; exit 0' TERM; sleep 100 & wait"
        result, _ = self.timed_launch("--num_processes", "2",
                                      *on_rank(1, "sleep 0.5; exit 1", others=save))
        self.assertEqual((result.returncode, result.stdout), (1, "saved\n"))

    def test_stopped_rank_ends_too(self):
        result, seconds = self.timed_launch(
            "--num_processes", "2", *on_rank(0, "sleep 0.3; exit 5", others="kill -STOP $$"))
        self.assertEqual(result.returncode, 5)
        self.assertLess(seconds, 5)

    def test_a_rank_that_ends_well_ends_nothing(self):
        result = launch("--num_processes", "2",
                        *on_rank(0, "exit 0", others="sleep 0.5; echo late"))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "late\n", ""))

    def test_what_ranks_started_ends_with_the_job(self):
        for action, code in (("exit 6", 6), ("exit 0", 0)):
            result = launch("--num_processes", "2", "sh", "-c",
                            f"sleep 100 & echo $!; sleep 0.2; {action}")
            self.assertEqual(result.returncode, code)
            children = [int(line) for line in result.stdout.split()]
            self.assertEqual(len(children), 2)
            self.assertFalse(any(is_running(child) for child in children))

    def test_output_before_the_failure_is_not_lost(self):
        result = launch("--num_processes", "2", *on_rank(
            1, "seq 20000; echo last words >&2; exit 1"))
        self.assertEqual(result.stdout.splitlines(), [str(i) for i in range(1, 20001)])
        self.assertIn("last words\n", result.stderr)

    def test_no_descriptor_of_the_launcher_reaches_a_rank(self):
        show = "import os; print(sorted(os.listdir('/proc/self/fd')))"
        result = launch("--num_processes", "2", PYTHON, "-c", show)
        # 0, 1, 2 and the one that reads the folder.
        self.assertEqual(set(result.stdout.splitlines()), {"['0', '1', '2', '3']"})

    def test_launcher_without_standard_streams(self):
        job = start("--num_processes", "2", "sh", "-c", "exit $RANK",
                    stdout=None, stderr=None, preexec_fn=close_standard_streams)
        self.assertEqual(job.wait(20), 1)


def close_standard_streams():
    for fd in (0, 1, 2):
        os.close(fd)


if __name__ == "__main__":
    unittest.main()
