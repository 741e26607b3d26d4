"""The reference model, and the kernel where it is built in, against SimSo on periodic tasks.

SimSo (Chéramy, Hladik, Déplanche, WATERS 2014) models no servers. A server of budget C and period
T for which work of exactly C arrives in every T is a periodic task, so SimSo's rate-monotonic
schedule and ours must be the same, tick by tick, overloaded or not. A tick is a processor cycle of
SimSo's; nothing is charged for scheduler, context switches or caches.

Needs the program `schedule_set` of the property tests' build: HOCKET_SCHEDULE_SET names it, else
the newest one below build/ is taken.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy
import pytest

# SimSo 0.8.5 imports `imp`, gone from Python 3.12 on, for a feature that is not used here:
# schedulers loaded from a file. While it is imported an empty module stands in, with every Python.
sys.modules["imp"] = ModuleType("imp")

from simso.configuration import Configuration  # noqa: E402
from simso.core import Model  # noqa: E402
from simso.core.ProcEvent import ProcRunEvent  # noqa: E402
from simso.generator.task_generator import (  # noqa: E402
    StaffordRandFixedSum,
    gen_periods_loguniform,
)

del sys.modules["imp"]

ROOT = Path(__file__).resolve().parents[2]
SETS_IN_A_CASE = 50


@dataclass(frozen=True)
class PeriodicTask:
    """Work of `budget` ticks arrives at `phase`, and again every `period` ticks."""

    name: str
    budget: int
    period: int
    phase: int


@dataclass(frozen=True)
class PeriodicSet:
    """Tasks with periods that all differ, so that rate-monotonic ranks have no ties."""

    horizon: int
    tasks: tuple[PeriodicTask, ...]

    def text(self) -> str:
        """The set in the text format of `schedule_set`."""
        lines = [f"horizon {self.horizon}"]
        lines += [f"server {task.name} {task.budget} {task.period}" for task in self.tasks]
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
    found = [Path(named)] if named else list((ROOT / "build").glob("**/schedule_set"))
    programs = [path for path in found if path.is_file()]
    if not programs:
        raise FileNotFoundError(
            "schedule_set is not there, and SimSo is compared with its output; build it with "
            "'cmake -S tests/property -B build/property -G Ninja && ninja -C build/property', "
            "or name it in HOCKET_SCHEDULE_SET"
        )
    return max(programs, key=lambda path: path.stat().st_mtime)


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


def simulate(periodic: PeriodicSet) -> Model:
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
            deadline=task.period,
            abort_on_miss=False,
        )
    configuration.add_processor(name="core", identifier=1)
    configuration.scheduler_info.clas = "simso.schedulers.RM"
    configuration.check_all()
    model = Model(configuration)
    model.run_model()
    return model


def run_lines(model: Model, horizon: int) -> Iterator[str]:
    """`run` lines as `schedule_set` prints them, from the events of the one processor."""
    joined: list[tuple[str, int, int]] = []
    running: str | None = None
    since = 0
    events = [(int(time), event) for time, event in model.processors[0].monitor]
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


def schedule(periodic: PeriodicSet) -> str:
    """The whole schedule by SimSo, in the output format of `schedule_set`."""
    model = simulate(periodic)
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


@pytest.mark.parametrize("first_seed", range(0, 200, SETS_IN_A_CASE))
@pytest.mark.parametrize("generator", [from_our_generator, from_simso_generator])
def test_same_schedule(generator: Callable[[int], PeriodicSet], first_seed: int) -> None:
    for seed in range(first_seed, first_seed + SETS_IN_A_CASE):
        periodic = generator(seed)
        expected = schedule(periodic)
        for engine in engines():
            actual = run("--engine", engine, text=periodic.text())
            assert actual == expected, f"{engine} is not SimSo, seed {seed}:\n{periodic.text()}"


def test_responses_reach_the_bound_and_no_further() -> None:
    """SimSo's longest responses after a release of all at once are the bounds of our analysis."""
    periodic = PeriodicSet(
        horizon=301,
        tasks=(
            PeriodicTask("a", 25, 50, 0),
            PeriodicTask("b", 25, 75, 0),
            PeriodicTask("c", 10, 150, 0),
        ),
    )
    longest = {
        task.name: max(int(job.response_time) for job in task.jobs if job.response_time is not None)
        for task in simulate(periodic).results.tasks.values()
    }
    bounds = dict(line.split()[1:] for line in run("--bounds", text=periodic.text()).splitlines())
    assert {name: str(ticks) for name, ticks in longest.items()} == bounds


def test_the_comparison_sees_a_difference() -> None:
    """One tick more of work must not go unnoticed, or equality above would mean nothing."""
    periodic = PeriodicSet(60, (PeriodicTask("a", 2, 10, 0), PeriodicTask("b", 5, 15, 3)))
    assert run("--engine", "slow", text=periodic.text()) == schedule(periodic)
    slower = PeriodicSet(60, (PeriodicTask("a", 3, 10, 0), PeriodicTask("b", 5, 15, 3)))
    assert run("--engine", "slow", text=slower.text()) != schedule(periodic)


def test_preemption_by_hand() -> None:
    periodic = PeriodicSet(25, (PeriodicTask("a", 2, 10, 1), PeriodicTask("b", 4, 20, 0)))
    by_hand = (
        "run b 0 1\nrun a 1 3\nrun b 3 6\nrun a 11 13\nrun b 20 21\nrun a 21 23\nrun b 23 25\n"
        "response a 1 3\nresponse b 0 6\nresponse a 11 13\nresponse a 21 23\n"
    )
    assert schedule(periodic) == by_hand
    for engine in engines():
        assert run("--engine", engine, text=periodic.text()) == by_hand


def test_schedule_set_says_what_is_wrong() -> None:
    def failure(*arguments: str, text: str = "") -> tuple[int, str]:
        done = subprocess.run(
            [schedule_set(), *arguments], input=text, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stderr

    assert failure("--engine", "fast") == (
        2,
        "schedule_set: --engine 'fast' is unknown; choose slow or kernel\n",
    )
    assert failure(text="horizon 5\nserver a 3 2\n") == (
        2,
        "standard input:2: server 'a': its budget is above its deadline "
        "(budget 3, deadline 2, period 2); change the numbers\n",
    )
    code, message = failure("no/such/file")
    assert code == 2
    assert "no/such/file: cannot be opened" in message
