"""Periodic sets of tasks, run by SimSo and by `schedule_set`, in one output format.

SimSo (Chéramy, Hladik, Déplanche, WATERS 2014) models no servers. A server of budget C and period
T for which work of exactly C arrives in every T is a periodic task. A tick is a processor cycle of
SimSo's; nothing is charged for scheduler, context switches or caches.

Needs the program `schedule_set` of the property tests: HOCKET_SCHEDULE_SET names it, else the preset
`host` builds it.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy
from tests.targets import build_target

# SimSo 0.8.5 imports `imp`, gone from Python 3.12 on, for a feature that is not used here:
# schedulers loaded from a file. While it is imported an empty module stands in, with every Python.
sys.modules["imp"] = ModuleType("imp")

from simso.configuration import Configuration  # noqa: E402
from simso.core import JobEvent as JobEvent  # noqa: E402
from simso.core import Model as Model  # noqa: E402
from simso.core.ProcEvent import ProcRunEvent  # noqa: E402
from simso.generator.task_generator import (  # noqa: E402
    StaffordRandFixedSum,
    gen_periods_loguniform,
)

del sys.modules["imp"]

RATE_MONOTONIC = "simso.schedulers.RM"
DEADLINES = "simso.schedulers.EDF_mono"
PARTITIONED_DEADLINES = "simso.schedulers.P_EDF"


@dataclass(frozen=True)
class PeriodicTask:
    """Work of `budget` ticks arrives at `phase`, and again every `period` ticks; each is due `deadline`
    after it came, the period if that is 0."""

    name: str
    budget: int
    period: int
    phase: int
    deadline: int = 0

    @property
    def due_after(self) -> int:
        return self.deadline or self.period


@dataclass(frozen=True)
class PeriodicSet:
    """Tasks with periods that all differ, so that rate-monotonic ranks have no ties."""

    horizon: int
    tasks: tuple[PeriodicTask, ...]

    def text(self) -> str:
        """The set in the text format of `schedule_set`."""
        lines = [f"horizon {self.horizon}"]
        lines += [
            f"server {task.name} {task.budget} {task.period}"
            + (f" deadline={task.deadline}" if task.deadline else "")
            for task in self.tasks
        ]
        for task in self.tasks:
            for at in range(task.phase, self.horizon, task.period):
                lines.append(f"work {task.name} {at} {task.budget}")
        return "\n".join(lines) + "\n"


def read_periodic(text: str) -> PeriodicSet:
    """The set that `schedule_set --generate periodic` printed; refuses what is not periodic."""
    horizon = 0
    servers: dict[str, tuple[int, int]] = {}
    arrivals: dict[str, list[int]] = {}
    for line in text.splitlines():
        match line.split():
            case ["horizon", ticks]:
                horizon = int(ticks)
            case ["server", name, budget, period]:
                servers[name] = (int(budget), int(period))
                arrivals[name] = []
            case ["work", name, at, amount] if int(amount) == servers[name][0]:
                arrivals[name].append(int(at))
            case _:
                raise ValueError(f"not a line of a periodic set: {line}")
    tasks = []
    for server, (share, interval) in servers.items():
        phase = arrivals[server][0]
        if arrivals[server] != list(range(phase, horizon, interval)):
            raise ValueError(f"the work of {server} is not periodic")
        tasks.append(PeriodicTask(server, share, interval, phase))
    return PeriodicSet(horizon, tuple(tasks))


@cache
def schedule_set() -> Path:
    """The program under test."""
    named = os.environ.get("HOCKET_SCHEDULE_SET")
    if named:
        return Path(named)
    return build_target("host", "schedule_set") / "tests/property/simso/schedule_set"


def run(*arguments: str, text: str = "") -> str:
    """What `schedule_set` prints."""
    done = subprocess.run(
        [schedule_set(), *arguments], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def engines() -> list[str]:
    """The engines in this build: `slow` always, `kernel` when the kernel's adapter is there."""
    return run("--engines").split()


def simulate(periodic: PeriodicSet, scheduler: str = RATE_MONOTONIC, cores: int = 1) -> Model:
    """SimSo's run of the set."""
    configuration = Configuration()
    configuration.cycles_per_ms = 1
    configuration.duration = periodic.horizon
    for number, task in enumerate(periodic.tasks, start=1):
        configuration.add_task(
            name=task.name,
            identifier=number,
            period=task.period,
            activation_date=task.phase,
            wcet=task.budget,
            deadline=task.due_after,
            abort_on_miss=False,
        )
    for core in range(cores):
        configuration.add_processor(name=f"core {core}", identifier=core + 1)
    configuration.scheduler_info.clas = scheduler
    configuration.check_all()
    model = Model(configuration)
    model.run_model()
    return model


def run_lines(model: Model, horizon: int, core: int = 0) -> Iterator[str]:
    """`run` lines as `schedule_set` prints them, from the events of a processor."""
    joined: list[tuple[str, int, int]] = []
    running: str | None = None
    since = 0
    events = [(int(time), event) for time, event in model.processors[core].monitor]
    for time, event in [*events, (horizon, None)]:
        end = min(time, horizon)
        if running is not None and end > since:
            if joined and joined[-1][0] == running and joined[-1][2] == since:
                since = joined.pop()[1]
            joined.append((running, since, end))
        running = event.args.task.name if isinstance(event, ProcRunEvent) else None
        since = time
    return (f"run {name} {start} {end}" for name, start, end in joined)


def response_lines(model: Model, horizon: int) -> list[str]:
    """`response` lines as `schedule_set` prints them, of the jobs that end before the horizon."""
    responses = []
    for number, task in enumerate(model.results.tasks):
        for job in model.results.tasks[task].jobs:
            if job.end_date is not None and job.end_date < horizon:
                responses.append((int(job.end_date), number, int(job.activation_date), task.name))
    return [f"response {name} {release} {end}" for end, _, release, name in sorted(responses)]


def schedule(periodic: PeriodicSet, model: Model | None = None) -> str:
    """The whole schedule by SimSo on one processor, in the output format of `schedule_set`; by
    rate-monotonic priorities if no run of it is given."""
    model = simulate(periodic) if model is None else model
    lines = [*run_lines(model, periodic.horizon), *response_lines(model, periodic.horizon)]
    return "\n".join(lines) + "\n"


def from_our_generator(seed: int) -> PeriodicSet:
    return read_periodic(run("--generate", "periodic", str(seed)))


def from_simso_generator(seed: int) -> PeriodicSet:
    """Utilisations by RandFixedSum, periods log-uniform: SimSo's own generators."""
    numpy.random.seed(seed)
    draw = random.Random(seed)
    count = draw.randint(2, 8)
    shares = StaffordRandFixedSum(count, draw.uniform(0.4, 1.0), 1)[0]
    periods: list[int] = []
    while len(periods) < count:
        period = round(gen_periods_loguniform(1, 1, 5, 120)[0][0])
        if period not in periods:
            periods.append(period)
    tasks = tuple(
        PeriodicTask(
            name=f"t{number}",
            budget=min(period, max(1, round(share * period))),
            period=period,
            phase=draw.choice([0, draw.randrange(period)]),
        )
        for number, (share, period) in enumerate(zip(shares, periods, strict=True))
    )
    return PeriodicSet(horizon=6 * max(periods), tasks=tasks)
