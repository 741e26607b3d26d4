"""Instructions per scheduling operation against the number of virtual CPUs on a core.

Then the kernel on AArch64 beside its peers (aarch64/measure.py), and how large it is there.

Counted, not timed: the kernel runs on a port with nothing behind it (counted_port.h), on a mixed load
(workload.h), and callgrind counts every instruction of every operation.
"""

from __future__ import annotations

import importlib.util
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from hocket.bench import Context, Result, build_programs
from hocket.callgrind import count
from hocket.errors import HocketError

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
QUEUES = ("tournament", "bitmap_heap")
# Each policy's program. (Where no budget ends it, nobody spins: workload.h.)
POLICIES = {
    "vcpu": "tournament",
    "edf": "edf",
    "hybrid-edf": "hybrid_edf",
    "mlq": "mlq",
    "bitmap": "bitmap",
    "lottery": "lottery",
}
OPERATIONS = 3000  # of all kinds together, per program run
# What each operation is called in the program, and here.
KINDS = {
    "timer, preemption": "decision (timer, preemption)",
    "budget timer": "budget timer",
    "wake": "wake",
    "sleep": "sleep",
    "wait": "wait",
    "yield": "yield within a virtual CPU",
}


@dataclass(frozen=True)
class Counted:
    """One run of the program: instructions of each operation, and what the workload did."""

    queue: str
    level: str
    size: int
    instructions: dict[str, list[int]]
    timer_interrupts: int
    schedule: str

    def worst(self, kind: str) -> int:
        return max(self.instructions[kind])

    def decision(self) -> float:
        """The mean of all operations that decide who runs: all but a yield within a virtual CPU."""
        return statistics.mean(
            one for kind, counts in self.instructions.items() if kind != "yield" for one in counts
        )

    def figures(self, kind: str) -> tuple[int, int, int]:
        """Least, median and most."""
        all_of_them = self.instructions[kind]
        return min(all_of_them), statistics.median_low(all_of_them), max(all_of_them)


def measure(folder: Path, queue: str, level: str, size: int) -> Counted:
    """Counts with `size` virtual CPUs; level: call, policy or burst (see count_operations.cpp)."""
    command: list[str | Path] = [folder / f"count_{queue}", str(size), level, str(OPERATIONS)]
    counts, printed = count(command, pieces=True)
    asked = [c for c in counts if "|" in c.label]
    markers = next(c.instructions for c in asked if c.label.startswith("empty|"))
    instructions: dict[str, list[int]] = defaultdict(list)
    for one in asked:
        kind, _, pieces = one.label.partition("|")
        instructions[kind].append(one.instructions - markers * int(pieces))
    said: dict[str, Any] = json.loads(printed or "{}")
    return Counted(
        queue,
        level,
        size,
        dict(instructions),
        said.get("timer_interrupts", 0),
        said.get("schedule", ""),
    )


def measure_all(wanted: Sequence[tuple[str, str, int]]) -> list[Counted]:
    """Several (queue, level, size), in their order, two at a time."""
    folder = build_programs(Path(__file__).parent)
    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(lambda one: measure(folder, *one), wanted))


def by_policy(
    sizes: Sequence[int] = SIZES, policies: Sequence[str] = tuple(POLICIES)
) -> dict[str, dict[int, Counted]]:
    """The same load under each policy."""
    wanted = [(POLICIES[policy], "call", n) for policy in policies for n in sizes]
    counted = iter(measure_all(wanted))
    return {policy: {n: next(counted) for n in sizes} for policy in policies}


def policies_table() -> Result:
    found = by_policy()
    return Result(
        "Instructions of a scheduling decision under each policy against the number of virtual CPUs",
        ["policy", *(f"n={n}" for n in SIZES)],
        [[policy, *(f"{runs[n].decision():.0f}" for n in SIZES)] for policy, runs in found.items()],
        [
            "means of whole calls and interrupts that decide who runs, as above: timer, budget timer, wake, "
            "sleep, wait. mlq, bitmap and lottery have no budgets: who spins under the others sleeps there",
            "edf and hybrid-edf have a heap by deadlines beside the tree of instants; a lottery counts all "
            "tickets of those who wait, so it grows with their number",
        ],
    )


def run(context: Context) -> Result:
    wanted = [(q, level, n) for q in QUEUES for level in ("call", "policy") for n in SIZES]
    counted = {(c.queue, c.level, c.size): c for c in measure_all(wanted)}
    burst_of = [("tournament", "burst", n) for n in SIZES]
    bursts = {c.size: c.worst("burst") for c in measure_all(burst_of)}
    for n in SIZES:
        if len({counted[queue, "call", n].schedule for queue in QUEUES}) != 1:
            raise HocketError(f"the two queues schedule {n} virtual CPUs differently")
    rows: list[list[str | int | float | None]] = []
    for kind, name in KINDS.items():
        for n in SIZES:
            call = counted["tournament", "call", n].figures(kind)
            policy = counted["tournament", "policy", n].figures(kind)
            other = counted["bitmap_heap", "call", n].figures(kind)
            rows.append([name, n, *call, _three(policy), _three(other)])
    interrupts = {q: [counted[q, "call", n].timer_interrupts for n in SIZES] for q in QUEUES}
    first, last = SIZES[0], SIZES[-1]
    notes = [
        "instructions of x86-64, clang 19, -O2; a whole call or interrupt of the kernel, without the "
        "port's saving of registers; the same numbers on every run",
        "load: virtual CPUs that spin, sleep, wait and yield, together 90 % of the core "
        "(bench/kernel/workload.h)",
        "schedules with both queues are equal; timer interrupts in 2 s, tournament against heap: "
        + ", ".join(f"n={n} {a}/{b}" for n, a, b in zip(SIZES, *interrupts.values(), strict=True)),
        "one decision when the sleeps of all n end together: "
        f"{bursts[first]} instructions at {first}, {bursts[last]} at {last}",
    ]
    return Result(
        "Instructions per scheduling operation against the number of virtual CPUs on a core",
        ["operation", "n", "least", "median", "most", "policy's part", "bitmap and heap"],
        rows,
        notes,
        lambda figure: _plot(figure, counted),
        {
            "sizes": list(SIZES),
            "timer_interrupts": interrupts,
            "burst": [bursts[n] for n in SIZES],
            "counts": [
                {
                    "queue": c.queue,
                    "level": c.level,
                    "n": c.size,
                    "least_median_most": {kind: c.figures(kind) for kind in KINDS},
                }
                for c in counted.values()
            ],
        },
        [policies_table(), *on_aarch64()],
    )


def aarch64() -> ModuleType:
    """The module beside the AArch64 image's sources."""
    file = Path(__file__).parent / "aarch64" / "measure.py"
    spec = importlib.util.spec_from_file_location("bench_kernel_aarch64", file)
    if spec is None or spec.loader is None:
        raise HocketError("the measurements on AArch64 cannot be loaded", file=file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def on_aarch64() -> list[Result]:
    measuring = aarch64()
    images = measuring.build()
    figures = {cores: measuring.measure(image) for cores, image in images.items()}
    compared = Result(
        "Paths of the kernel and thread_metric on AArch64, in instructions",
        ["path", "ours", "ours, 8 cores' code", "Zephyr 3.4", "FreeRTOS 11.1", "ThreadX 6.4"],
        measuring.rows_of(figures),
        [
            "ours: median, most; board virt, one core, a clock that counts instructions; clang 19, -O2; "
            "the same numbers on every run",
            "ours enforce budgets and account for each thread while they are measured, the peers do not "
            "(GCC 12 -O2, no assertions, same emulator)",
        ],
    )
    size = Result(
        "Size of that image by the folder of the source, in bytes (built for one core)",
        ["folder", *measuring.KINDS],
        measuring.size_rows(images[1]),
        [
            "functions and variables, by where the function is written whose code it is; "
            "what is in line counts where it is used",
        ],
    )
    few, many = measuring.growth()
    grown = Result(
        "A semaphore's ping-pong round on AArch64 by the number of virtual CPUs, in instructions",
        ["path", "8 virtual CPUs", "64", "growth"],
        [[measuring.CROWD, few, many, f"{100 * (many - few) / few:+.1f} %"]],
        ["the two that play come last; all the others sleep"],
    )
    return [compared, grown, size]


def _three(figures: tuple[int, int, int]) -> str:
    return " / ".join(map(str, figures))


def _plot(figure: Any, counted: dict[tuple[str, str, int], Counted]) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, queue, title in (
        (left, "tournament", "tournament tree (the kernel's)"),
        (right, "bitmap_heap", "bitmap and heap (compared)"),
    ):
        for kind, name in KINDS.items():
            runs = [counted[queue, "call", n].figures(kind) for n in SIZES]
            (line,) = axes.plot(SIZES, [f[1] for f in runs], marker="o", label=name)
            axes.plot(
                SIZES, [f[2] for f in runs], linestyle=":", color=line.get_color(), label="_most"
            )
        axes.set_xscale("log", base=2)
        axes.set_xticks(SIZES, [str(n) for n in SIZES])
        axes.set_xlabel("virtual CPUs on the core")
        axes.set_title(title)
        axes.grid(alpha=0.3)
    left.set_ylim(bottom=0)
    left.set_ylabel("instructions (line: median, dotted: most)")
    for axes in (left, right):
        axes.legend()
