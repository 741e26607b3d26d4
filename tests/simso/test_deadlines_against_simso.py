"""Earliest deadline first, on one core and partitioned, against SimSo: schedules and preemptions.

Both model the same thing where no two jobs of a core are due at one instant: then every line of the
schedule is the same, overloaded or not, and so is the number of preemptions.

Where jobs are due together the two differ, and may: SimSo goes on with the job that came first, the
kernel takes the higher rank, and both are earliest deadline first. What is left is compared then: when
the core is busy, and by when everything that is due at an instant is done. An order among jobs that are due
together changes neither.

A few sets of each kind; all with HOCKET_LONG (`hocket self-test --long`).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from tests.campaign import one_in
from tests.simso.sets import (
    DEADLINES,
    PARTITIONED_DEADLINES,
    RATE_MONOTONIC,
    JobEvent,
    Model,
    PeriodicSet,
    PeriodicTask,
    engines,
    from_simso_generator,
    response_lines,
    run,
    run_lines,
    schedule,
    simulate,
)

SETS = 250 if os.environ.get("HOCKET_LONG") else 8
RESIDUES = 8  # no set has more tasks


def spread(seed: int, constrained: bool, least: float = 0.4, most: float = 1.1) -> PeriodicSet:
    """No two jobs are due together: what is due is i modulo RESIDUES for the i-th task. Without
    constrained deadlines no two are released together, either; with them some are."""
    drawn = from_simso_generator(seed)
    draw = random.Random(seed)
    load = draw.uniform(least, most) / sum(t.budget / t.period for t in drawn.tasks)
    tasks = []
    for i, task in enumerate(drawn.tasks):
        period = task.period * RESIDUES
        budget = max(1, min(period - RESIDUES, round(task.budget * RESIDUES * load)))
        phase = task.phase * RESIDUES
        if constrained:
            room = (period - budget) // RESIDUES
            deadline = period - RESIDUES * draw.randrange(max(1, room)) - (RESIDUES - i)
            deadline = max(deadline, budget + (i - budget) % RESIDUES)
            tasks.append(PeriodicTask(task.name, budget, period, phase, deadline))
        else:
            tasks.append(PeriodicTask(task.name, budget, period, phase + i))
    return PeriodicSet(horizon=drawn.horizon * RESIDUES, tasks=tuple(tasks))


def preemptions(printed: str) -> dict[str, int]:
    """How often each server went on with a job after others had run, of a printed schedule."""
    lines = [line.split() for line in printed.splitlines()]
    done = {(name, end) for kind, name, _, end in lines if kind == "response"}
    counts: dict[str, int] = {}
    last: dict[str, str] = {}
    for kind, name, _, end in lines:
        if kind != "run":
            continue
        counts.setdefault(name, 0)
        if name in last and (name, last[name]) not in done:
            counts[name] += 1
        last[name] = end
    return counts


def preemptions_of(model: Model) -> dict[str, int]:
    """The same by SimSo's own count, of those in which another job ran meanwhile: where it looks at a
    job and goes on with the same one, it counts a preemption, too, and the kernel does not. Neither does
    that go on with a job for no time at all, as SimSo does where one job ends at the instant at which
    another is released, or at the end of the run. Tasks that never ran are left out."""
    return {
        task.name: found.preemption_inter_count - goings_on_for_no_time(task, model.duration)
        for task, found in model.results.tasks.items()
        if any(job.computation_time > 0 for job in found.jobs)
    }


def goings_on_for_no_time(task: Any, horizon: int) -> int:
    count = 0
    begun = set()  # jobs
    events = [(int(time), event) for time, event in task.monitor]
    before = 0
    for (since, event), (until, _) in pairwise([*events, (horizon, None)]):
        if event.event == JobEvent.EXECUTE and until > since:
            begun.add(event.job)
        elif event.event == JobEvent.EXECUTE and event.job in begun:
            count += since > before
        before = since
    return count


def without_ties(seed: int) -> PeriodicSet:
    return spread(seed, constrained=False)


def with_early_deadlines(seed: int) -> PeriodicSet:
    return spread(seed, constrained=True)


@one_in(3)
@pytest.mark.parametrize("engine", engines())
@pytest.mark.parametrize("generator", [without_ties, with_early_deadlines])
def test_same_schedule_and_preemptions_by_deadlines(
    generator: Callable[[int], PeriodicSet], engine: str
) -> None:
    preempted = 0
    for seed in range(SETS):
        periodic = generator(seed)
        model = simulate(periodic, DEADLINES)
        actual = run("--order", "deadlines", "--engine", engine, text=periodic.text())
        assert actual == schedule(periodic, model), f"seed {seed}:\n{periodic.text()}"
        assert preemptions(actual) == preemptions_of(model), f"seed {seed}:\n{periodic.text()}"
        preempted += sum(preemptions(actual).values())
    assert preempted > 2 * SETS


@one_in(2)
@pytest.mark.parametrize("engine", engines())
def test_same_preemptions_by_rate_monotonic_priorities(engine: str) -> None:
    for seed in range(SETS):
        periodic = from_simso_generator(seed)
        model = simulate(periodic, RATE_MONOTONIC)
        actual = run("--engine", engine, text=periodic.text())
        assert actual == schedule(periodic, model), f"seed {seed}:\n{periodic.text()}"
        assert preemptions(actual) == preemptions_of(model), f"seed {seed}:\n{periodic.text()}"


def placed_by_us(periodic: PeriodicSet, cores: int) -> dict[str, int] | None:
    lines = run("--place", str(cores), text=periodic.text()).splitlines()
    placed = dict(line.split()[1:] for line in lines)
    return None if "none" in placed.values() else {name: int(core) for name, core in placed.items()}


def simulate_partitioned(periodic: PeriodicSet, cores: int) -> Model | None:
    """None: SimSo's partitioning has found no place for some task, and says so by an assertion or by
    running out of processors."""
    try:
        return simulate(periodic, PARTITIONED_DEADLINES, cores)
    except (AssertionError, IndexError):
        return None


def drawn_for(seed: int, cores: int) -> PeriodicSet:
    """Tasks that load several cores, no two with the same share (the order of first fit)."""
    periodic = spread(seed, constrained=False, least=0.6 * cores, most=0.99 * cores)
    shares = [task.budget * 1_000_000 // task.period for task in periodic.tasks]
    return periodic if len(set(shares)) == len(shares) else drawn_for(seed + 1_000_000, cores)


@one_in(3)
@pytest.mark.parametrize("engine", engines())
@pytest.mark.parametrize("cores", [2, 3])
@pytest.mark.skipif("kernel" not in engines(), reason="admission is the kernel's")
def test_same_places_and_schedules_partitioned(cores: int, engine: str) -> None:
    """Both place by first fit, the largest share first, while a core's shares are 1 at most: exact by
    deadlines at the ends of periods."""
    compared = 0
    for seed in range(SETS):
        periodic = drawn_for(seed, cores)
        model = simulate_partitioned(periodic, cores)
        ours = placed_by_us(periodic, cores)
        assert (ours is None) == (model is None), f"seed {seed}:\n{periodic.text()}"
        if model is None or ours is None:
            continue
        compared += 1
        theirs = {task.name: task.cpu.identifier - 1 for task in model.task_list}
        assert ours == theirs, f"seed {seed}:\n{periodic.text()}"
        counted: dict[str, int] = {}
        for core in range(cores):
            here = replace(periodic, tasks=tuple(t for t in periodic.tasks if ours[t.name] == core))
            if not here.tasks:
                continue
            actual = run("--order", "deadlines", "--engine", engine, text=here.text())
            names = {task.name for task in here.tasks}
            responses = [
                line for line in response_lines(model, here.horizon) if line.split()[1] in names
            ]
            expected = [*run_lines(model, here.horizon, core), *responses]
            assert actual.splitlines() == expected, f"seed {seed}:\n{periodic.text()}"
            counted |= preemptions(actual)
        assert counted == preemptions_of(model), f"seed {seed}:\n{periodic.text()}"
    assert compared > SETS // 2


# --- Jobs that are due together ---

Spans = list[tuple[int, int]]


def busy(printed: str) -> Spans:
    """When the core is busy, whoever runs."""
    spans: Spans = []
    for line in printed.splitlines():
        kind, _, start, end = line.split()
        if kind != "run":
            continue
        if spans and spans[-1][1] == int(start):
            start = str(spans.pop()[0])
        spans.append((int(start), int(end)))
    return spans


def done_by(printed: str, periodic: PeriodicSet) -> dict[int, tuple[int, int]]:
    """For each instant at which something is due: how many jobs, and when the last one is done."""
    after = {task.name: task.due_after for task in periodic.tasks}
    found: dict[int, tuple[int, int]] = {}
    for line in printed.splitlines():
        kind, name, release, end = line.split()
        if kind != "response":
            continue
        due = int(release) + after[name]
        count, last = found.get(due, (0, 0))
        found[due] = (count + 1, max(last, int(end)))
    return found


@one_in(2)
@pytest.mark.parametrize("engine", engines())
def test_jobs_that_are_due_together_change_places_and_nothing_else(engine: str) -> None:
    different = 0
    for seed in range(SETS):
        periodic = from_simso_generator(seed)
        # Multiples of one number are due together often.
        tasks = [replace(t, period=10 * (1 + t.period // 12), phase=0) for t in periodic.tasks]
        tasks = [replace(t, budget=max(1, min(t.budget, t.period // len(tasks)))) for t in tasks]
        periodic = PeriodicSet(horizon=600, tasks=tuple(tasks))
        expected = schedule(periodic, simulate(periodic, DEADLINES))
        actual = run("--order", "deadlines", "--engine", engine, text=periodic.text())
        different += actual != expected
        assert busy(actual) == busy(expected), f"seed {seed}:\n{periodic.text()}"
        # What is cut off by the horizon may be another one of those that are due together.
        ours, theirs = done_by(actual, periodic), done_by(expected, periodic)
        whole = {due for due in ours if ours[due][0] == jobs_due(periodic, due)}
        assert whole == {due for due in theirs if theirs[due][0] == jobs_due(periodic, due)}
        assert {due: ours[due] for due in whole} == {due: theirs[due] for due in whole}
    assert different > 0


def jobs_due(periodic: PeriodicSet, due: int) -> int:
    return sum(
        due >= task.phase + task.due_after
        and (due - task.phase - task.due_after) % task.period == 0
        for task in periodic.tasks
    )
