"""Signals to the launcher, and its death."""

import os
import signal
import subprocess
import time
import unittest

from support import ACCEL, LaunchTest, is_running, processes_with, start, wait_until

READY_THEN_SLEEP = "echo ready $$; sleep 100 & echo child $!; wait"


def pids(job, lines):
    return [int(job.stdout.readline().split()[1]) for _ in range(lines)]


class Signals(LaunchTest):
    def finish(self, job, seconds=10):
        stdout, stderr = job.communicate(timeout=seconds)
        return stdout, stderr

    def test_signals_reach_ranks(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            name = number.name[3:]
            job = start("--num_processes", "2", "sh", "-c",
                        f"trap 'echo got {name}; exit 0' {name}; echo ready; sleep 100 & wait")
            for _ in range(2):
                self.assertEqual(job.stdout.readline(), "ready\n")
            job.send_signal(number)
            stdout, stderr = self.finish(job)
            self.assertEqual(stdout, f"got {name}\n" * 2)
            self.assertEqual(stderr, f"accel launch: SIG{name} received; ending the job\n")
            self.assertEqual(job.returncode, 0)

    def test_ranks_that_do_not_handle_it(self):
        job = start("--num_processes", "2", "sh", "-c", READY_THEN_SLEEP)
        everyone = pids(job, 4)
        job.send_signal(signal.SIGTERM)
        self.finish(job)
        self.assertEqual(job.returncode, -signal.SIGTERM)
        self.assertFalse(any(is_running(pid) for pid in everyone))

    def test_ranks_that_ignore_it_are_killed(self):
        job = start("--num_processes", "2", "sh", "-c",
                    "trap '' TERM; echo ready; while :; do sleep 0.1; done")
        for _ in range(2):
            job.stdout.readline()
        begin = time.monotonic()
        job.send_signal(signal.SIGTERM)
        self.finish(job)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(job.returncode, -signal.SIGTERM)

    def test_second_interrupt_ends_at_once(self):
        job = start("--grace", "60", "--num_processes", "2", "sh", "-c",
                    "trap '' INT; echo ready; while :; do sleep 0.1; done")
        for _ in range(2):
            job.stdout.readline()
        job.send_signal(signal.SIGINT)
        time.sleep(0.7)
        begin = time.monotonic()
        job.send_signal(signal.SIGINT)
        self.finish(job)
        self.assertLess(time.monotonic() - begin, 3)

    def test_nohup(self):
        job = start("--num_processes", "2", "sh", "-c", "echo ready; sleep 1; echo survived",
                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        for _ in range(2):
            job.stdout.readline()
        job.send_signal(signal.SIGHUP)
        self.assertEqual(self.finish(job)[0], "survived\n" * 2)
        self.assertEqual(job.returncode, 0)

    def test_killed_launcher_leaves_nothing(self):
        job = start("--num_processes", "2", "sh", "-c", READY_THEN_SLEEP)
        everyone = pids(job, 4)
        job.kill()
        job.wait()
        self.assertTrue(wait_until(lambda: not any(is_running(pid) for pid in everyone), 5))
        mine = {os.getpid()}
        self.assertTrue(wait_until(lambda: set(processes_with(self.mark)) <= mine, 5))
        self.finish(job)

    def test_stop_and_continue(self):
        def state(pid):
            with open(f"/proc/{pid}/stat") as stat:
                return stat.read().rsplit(")", 1)[1].split()[0]

        job = start("--num_processes", "2", "sh", "-c", "echo ready $$; sleep 1; echo done")
        ranks = pids(job, 2)
        job.send_signal(signal.SIGTSTP)
        for pid in [job.pid, *ranks]:
            # D: in the middle of vfork, with the child stopped.
            self.assertTrue(wait_until(lambda: state(pid) in "TD"), pid)
        job.send_signal(signal.SIGCONT)
        self.assertEqual(self.finish(job)[0], "done\n" * 2)
        self.assertEqual(job.returncode, 0)

    def test_signal_while_nobody_reads_the_output(self):
        reader, writer = os.pipe()
        job = start("--num_processes", "2", "sh", "-c", "yes", stdout=writer)
        os.close(writer)
        os.read(reader, 1)
        time.sleep(0.3)  # both pipes fill up, the launcher is held up in a write
        begin = time.monotonic()
        job.send_signal(signal.SIGTERM)
        job.wait(10)
        self.assertLess(time.monotonic() - begin, 5)
        os.close(reader)
        job.communicate()

    def test_reader_that_goes_away(self):
        pipeline = subprocess.run(
            ["bash", "-c", f'set -o pipefail; "{ACCEL}" launch --num_processes 2 yes | head -n 3'],
            capture_output=True, text=True, timeout=20)
        self.assertEqual(pipeline.stdout, "y\n" * 3)
        self.assertIn("was killed by SIGPIPE", pipeline.stderr)
        self.assertEqual(pipeline.returncode, 128 + 13)


if __name__ == "__main__":
    unittest.main()
