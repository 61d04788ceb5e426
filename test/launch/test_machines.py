"""Jobs over several machines, here two launchers on one; and the port where ranks meet."""

import socket
import unittest

from support import PYTHON, LaunchTest, launch, start

SERVE = """
import os, socket
server = socket.socket({family})
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("{address}", int(os.environ["MASTER_PORT"])))
server.listen()
print("listening")
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Machines(LaunchTest):
    def test_ranks_over_machines(self):
        port = str(free_port())
        show = ["sh", "-c", "echo $RANK $LOCAL_RANK $WORLD_SIZE $LOCAL_WORLD_SIZE "
                            "$GROUP_RANK $GROUP_WORLD_SIZE $MASTER_ADDR $MASTER_PORT"]
        options = ["--num_machines", "2", "--num_processes", "4", "--main_process_ip",
                   "localhost", "--main_process_port", port]
        for machine in range(2):
            result = launch(*options, "--machine_rank", str(machine), *show)
            self.assertEqual(sorted(result.stdout.splitlines()), [
                f"{2 * machine + local} {local} 4 2 {machine} 2 localhost {port}"
                for local in range(2)])

    def test_what_does_not_add_up(self):
        for options, words in (
                (["--num_machines", "2"], "--main_process_ip"),
                (["--num_machines", "2", "--main_process_ip", "a", "--machine_rank", "2"],
                 "--machine_rank must be from 0 to 1"),
                (["--num_machines", "2", "--main_process_ip", "a", "--num_processes", "3"],
                 "cannot be divided"),
                (["--machine_rank", "1"], "--machine_rank")):
            result = launch(*options, "true")
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)

    def test_rank_0_can_listen_on_the_port(self):
        cases = [("socket.AF_INET", "127.0.0.1"), ("socket.AF_INET", "0.0.0.0")]
        if socket.has_ipv6:
            cases.append(("socket.AF_INET6", "::"))
        for family, address in cases:
            serve = SERVE.format(family=family, address=address)
            result = launch("--num_processes", "2", PYTHON, "-c",
                            "import os\nif os.environ['RANK'] == '0':\n" +
                            "\n".join("  " + line for line in serve.splitlines()))
            self.assertEqual(result.stdout, "listening\n", result)

    def test_busy_port(self):
        with socket.socket() as busy:
            busy.bind(("127.0.0.1", 0))
            busy.listen()
            port = str(busy.getsockname()[1])
            result = launch("--num_processes", "2", "--main_process_port", port, "true")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"port {port} is in use", result.stderr)

    def test_two_jobs_on_one_port(self):
        port = str(free_port())
        first = start("--num_processes", "2", "--main_process_port", port,
                      "sh", "-c", "echo ready; sleep 100")
        first.stdout.readline()
        second = launch("--num_processes", "2", "--main_process_port", port, "true")
        self.assertEqual(second.returncode, 1)
        self.assertIn(f"port {port} is in use", second.stderr)
        first.terminate()
        first.communicate(timeout=20)
        self.assertEqual(launch("--num_processes", "2", "--main_process_port", port,
                                "true").returncode, 0)

    def test_jobs_side_by_side_get_ports_of_their_own(self):
        jobs = [start("--num_processes", "2", "sh", "-c", "echo $MASTER_PORT; sleep 1")
                for _ in range(10)]
        ports = {job.communicate(timeout=30)[0] for job in jobs}
        self.assertEqual(len(ports), 10)


if __name__ == "__main__":
    unittest.main()
