"""What the runtime must reach against a bare loop, two unconnected processes, Python's DDP, Accelerate and c10d::Reducer."""

import json
import os
import pathlib
import tempfile

from harness import compare, instructions, processes
from harness.goals import Goal
from harness.processes import Column

HERE = pathlib.Path(__file__).parent
TARGETS = ["bench_accel", "bench_bare", "bench_copies", "bench_reducer"]
# Losses in single precision, summed in another order by another reduction.
TOLERANCE = 1e-4
GLOO = {"ACCEL_SHARED_MEMORY": "off"}
STOCK = {"ACCEL_MALLOC": "default"}
MIB = 1024 * 1024


class Programs:
    """The columns, for one kind of work."""

    def __init__(self, lane, work):
        self.lane = lane
        self.work = work

    def built(self, program, name, **column):
        return Column(name, [str(self.lane.build / "test/bench/runtime" / f"bench_{program}"), *self.work], **column)

    def python(self, program, name):
        return Column(name, [str(self.lane.python), "-B", str(HERE / f"{program}.py"), *self.work], processes=2)


def one_process(lane, settings):
    work = Programs(lane, ["--loader", "--steps", str(settings.steps(300))])
    columns = [work.built("accel", "accel"), work.built("bare", "bare loop")]
    results = compare.rounds(columns, settings.rounds)
    compare.check_losses(results, "accel", "bare loop", 0)
    counted = Programs(lane, ["--loader", "--warmup", "3", "--steps", "6"])
    counts = [instructions.a_step(counted.built(program, program, environment=STOCK), 6) for program in ("accel", "bare")]
    return [
        Goal("one process, instructions a step, against the bare loop", counts[0] / counts[1], 1.005, at_most=True,
             details={"accel": counts[0], "bare loop": counts[1]}),
        Goal("one process, small CNN, steps/s, against the bare loop", compare.ratio(results["accel"], results["bare loop"]), 1.25,
             details=rates(results)),
    ]


def rates(results):
    return {f"{name} (steps/s)": compare.rate(one) for name, one in results.items()}


def two_processes(lane, settings):
    """The small CNN: everything."""
    work = Programs(lane, ["--steps", str(settings.steps(200))])
    columns = [
        work.built("accel", "accel", processes=2),
        work.python("ddp", "Python DDP"),
        work.python("hf", "Accelerate"),
        work.built("bare", "two unconnected", processes=2, connected=False),
        work.built("accel", "accel over Gloo", processes=2, environment=GLOO),
        work.built("reducer", "c10d::Reducer", processes=2),
    ]
    results = compare.rounds(columns, settings.rounds)
    for other in ("Python DDP", "Accelerate", "accel over Gloo", "c10d::Reducer"):
        compare.check_losses(results, "accel", other, TOLERANCE)
    ours = results["accel"]
    return [
        Goal("two processes, small CNN, against Python DDP", compare.ratio(ours, results["Python DDP"]), 1.5, details=rates(results)),
        Goal("two processes, small CNN, against Accelerate", compare.ratio(ours, results["Accelerate"]), 1.5),
        Goal("two processes, small CNN, against two unconnected processes", compare.ratio(ours, results["two unconnected"]), 0.95),
        Goal("two processes, small CNN, over Gloo, against c10d::Reducer",
             compare.ratio(results["accel over Gloo"], results["c10d::Reducer"]), 1.0),
    ]


def large(lane, settings):
    """The MLP with 20 million parameters: speed and memory."""
    work = Programs(lane, ["--model", "mlp", "--warmup", "3", "--steps", str(settings.steps(25))])
    columns = [
        work.built("accel", "accel", processes=2),
        work.python("ddp", "Python DDP"),
        work.built("accel", "accel over Gloo", processes=2, environment=GLOO),
        work.built("reducer", "c10d::Reducer", processes=2),
        work.built("bare", "two unconnected", processes=2, connected=False),
    ]
    results = compare.rounds(columns, settings.rounds)
    for other in ("Python DDP", "accel over Gloo", "c10d::Reducer"):
        compare.check_losses(results, "accel", other, TOLERANCE)
    return [
        Goal("two processes, MLP, against Python DDP", compare.ratio(results["accel"], results["Python DDP"]), 1.5,
             details=rates(results)),
        Goal("two processes, MLP, over Gloo, against c10d::Reducer",
             compare.ratio(results["accel over Gloo"], results["c10d::Reducer"]), 1.0),
    ]


def memory(lane, settings):
    """What a step's tensors take at most beyond those that live between steps: parameters, gradients, the optimizer's state, data. The
    bare loop keeps its gradients here too, so that both do. What malloc keeps of what was freed is in the resident size, also shown."""
    flags = ["--model", "mlp", "--memory", "--warmup", "3", "--steps", "5"]
    work = Programs(lane, flags)
    columns = [
        Programs(lane, [*flags, "--keep-gradients"]).built("bare", "bare loop", processes=2, connected=False),
        work.built("accel", "accel", processes=2),
        work.built("accel", "accel over Gloo", processes=2, environment=GLOO),
        work.built("reducer", "c10d::Reducer", processes=2),
    ]
    measured = {column.name: processes.run(column) for column in columns}
    tensors = {name: max(process["tensors_kib"] for process in one) / 1024 for name, one in measured.items()}
    resident = {name: max(process["peak_kib"] for process in one) / 1024 for name, one in measured.items()}
    details = {f"{name} (MiB, resident)": f"{tensors[name]:.1f} ({resident[name]:.0f})" for name in measured}
    # A bucket of the MLP: the gradients of one layer, since two don't fit in 25 MiB.
    bucket = (2144 * 2144 + 2144) * 4 / MIB
    return [Goal(f"MLP, memory of a step beyond the bare loop's, {name}", tensors[name] - tensors["bare loop"], bucket, at_most=True,
                 unit=" MiB", details=details) for name in ("accel", "accel over Gloo")]


def copies(lane, settings):
    """What a gradient costs on its way into the bucket, by how the program clears gradients."""
    measured = processes.output_of([str(lane.build / "test/bench/runtime/bench_copies")], environment={"OMP_NUM_THREADS": "1"})
    faster = measured["copy_ms"] <= measured["accumulate_ms"]
    return [Goal("gradient bytes copied a step beyond the all-reduce", measured["gradient_bytes"] / MIB, 0, at_most=True, unit=" MiB",
                 shown="a copy is faster than to clear and add" if faster else "",
                 details={"copy (ms)": measured["copy_ms"], "copy moves (MiB)": measured["copy_moved"] / MIB,
                          "clear and add (ms)": measured["accumulate_ms"],
                          "clear and add move (MiB)": measured["accumulate_moved"] / MIB})]


def overlap(lane, settings):
    """Whether the first all-reduce starts before the last gradient is ready, in the trace of the last step."""
    file = pathlib.Path(settings.trace or os.path.join(tempfile.gettempdir(), f"accel-bench-{os.getpid()}.json"))
    work = Programs(lane, ["--model", "mlp", "--warmup", "2", "--steps", "1", "--trace", str(file)])
    column = work.built("accel", "accel over Gloo", processes=2, environment=GLOO)
    processes.run(column)
    events = json.loads(file.read_text())["traceEvents"]
    if not settings.trace:
        file.unlink()
    reductions = sorted(e["ts"] for e in events if "all_reduce" in e["name"])
    gradients = sorted(e["ts"] + e["dur"] for e in events if "AccumulateGrad" in e["name"])
    # The parameters of the last backward: the last twelve.
    last_step = gradients[-12]
    first = next(time for time in reductions if time >= last_step - 1000)
    return [Goal("over Gloo, first all-reduce starts before the last gradient is ready", (gradients[-1] - first) / 1000, 0.0, unit=" ms",
                 details={"gradients ready by then": sum(time <= first for time in gradients[-12:]), "of": 12})]


def goals(lane, settings):
    for measure in (one_process, two_processes, large, memory, copies, overlap):
        yield from measure(lane, settings)
