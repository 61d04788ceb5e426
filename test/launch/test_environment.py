"""The environment that each rank gets."""

import json
import os
import unittest

from support import PYTHON, LaunchTest, launch

PRINT_ENVIRONMENT = "import json, os; print(json.dumps(dict(os.environ)))"


def environments(*options, **run_options):
    """The environments of all ranks, in the order of their ranks."""
    result = launch(*options, PYTHON, "-c", PRINT_ENVIRONMENT, **run_options)
    assert result.returncode == 0, result
    found = [json.loads(line) for line in result.stdout.splitlines()]
    return sorted(found, key=lambda environment: int(environment["RANK"]))


def without(*names):
    return {name: value for name, value in os.environ.items() if name not in names}


class Environment(LaunchTest):
    def test_ranks(self):
        ranks = environments("--num_processes", "3")
        self.assertEqual(len(ranks), 3)
        for rank, environment in enumerate(ranks):
            expected = {
                "RANK": str(rank), "LOCAL_RANK": str(rank), "ROLE_RANK": str(rank),
                "WORLD_SIZE": "3", "LOCAL_WORLD_SIZE": "3", "ROLE_WORLD_SIZE": "3",
                "GROUP_RANK": "0", "GROUP_WORLD_SIZE": "1", "ROLE_NAME": "default",
                "MASTER_ADDR": "127.0.0.1", "TORCHELASTIC_RESTART_COUNT": "0",
                "TORCHELASTIC_MAX_RESTARTS": "0", "TORCHELASTIC_USE_AGENT_STORE": "False",
            }
            self.assertEqual({name: environment.get(name) for name in expected}, expected)
        for shared in ("MASTER_PORT", "TORCHELASTIC_RUN_ID"):
            self.assertEqual(len({environment[shared] for environment in ranks}), 1)
        self.assertGreater(int(ranks[0]["MASTER_PORT"]), 0)

    def test_one_process(self):
        (environment,) = environments(env=without("OMP_NUM_THREADS"))
        self.assertEqual((environment["RANK"], environment["WORLD_SIZE"]), ("0", "1"))
        self.assertNotIn("OMP_NUM_THREADS", environment)

    def test_outer_ranks_are_replaced(self):
        outer = dict(os.environ, RANK="5", WORLD_SIZE="8", LOCAL_RANK="5", MASTER_PORT="1",
                     TORCHELASTIC_USE_AGENT_STORE="True", KEPT="yes")
        ranks = environments("--num_processes", "2", env=outer)
        self.assertEqual([rank["RANK"] for rank in ranks], ["0", "1"])
        for rank in ranks:
            self.assertEqual(rank["WORLD_SIZE"], "2")
            self.assertNotEqual(rank["MASTER_PORT"], "1")
            self.assertEqual(rank["TORCHELASTIC_USE_AGENT_STORE"], "False")
            self.assertEqual(rank["KEPT"], "yes")

    def test_threads(self):
        cores = len(os.sched_getaffinity(0))
        clean = without("OMP_NUM_THREADS")
        for processes in (2, cores + 1):
            ranks = environments("--num_processes", str(processes), env=clean)
            self.assertEqual({rank["OMP_NUM_THREADS"] for rank in ranks},
                             {str(max(1, cores // processes))})
        ranks = environments("--num_processes", "2", env=dict(clean, OMP_NUM_THREADS="7"))
        self.assertEqual(ranks[0]["OMP_NUM_THREADS"], "7")
        ranks = environments("--num_processes", "2", "--num_cpu_threads_per_process", "3",
                             env=clean)
        self.assertEqual(ranks[0]["OMP_NUM_THREADS"], "3")

    def test_flags(self):
        clean = without("ACCELERATE_USE_CPU", "ACCEL_SPLIT_BATCHES")
        (plain,) = environments(env=clean)
        self.assertNotIn("ACCELERATE_USE_CPU", plain)
        self.assertNotIn("ACCEL_SPLIT_BATCHES", plain)
        (flagged,) = environments("--cpu", "--split_batches", env=clean)
        self.assertEqual(flagged["ACCELERATE_USE_CPU"], "true")
        self.assertEqual(flagged["ACCEL_SPLIT_BATCHES"], "true")


if __name__ == "__main__":
    unittest.main()
