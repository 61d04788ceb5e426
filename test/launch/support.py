"""What the launcher's tests share: start `accel`, look at processes, wait for a condition."""

import os
import subprocess
import sys
import time
import unittest

ACCEL = os.environ.get("ACCEL", "accel")
PYTHON = sys.executable


def launch(*arguments, **options):
    """Runs `accel launch ARGUMENTS` to its end, with output as text."""
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([ACCEL, "launch", *arguments], capture_output=True, text=True,
                          timeout=60, **options)


def start(*arguments, **options):
    """Starts `accel launch ARGUMENTS`; the caller ends it."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen([ACCEL, "launch", *arguments], text=True, **options)


def wait_until(condition, seconds=10):
    """True as soon as the condition holds, False when it did not in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return condition()


def is_running(pid):
    """A zombie that nobody has reaped yet is not running."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def processes_with(mark):
    """Running processes that have MARK in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as environ:
                if mark.encode() in environ.read() and is_running(pid):
                    found.append(int(pid))
        except OSError:
            continue
    return found


class LaunchTest(unittest.TestCase):
    """Gives every test a mark of its own; at its end no process may have it in its environment."""

    def setUp(self):
        self.mark = f"LAUNCH_TEST={os.getpid()}-{self.id()}"
        name, value = self.mark.split("=", 1)
        os.environ[name] = value

    def tearDown(self):
        mine = {os.getpid()}
        gone = wait_until(lambda: set(processes_with(self.mark)) <= mine, 5)
        self.assertTrue(gone, f"left running: {processes_with(self.mark)}")
        del os.environ[self.mark.split("=")[0]]
