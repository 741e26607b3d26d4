"""The reference model, and the kernel where it is built in, against SimSo on periodic tasks.

By rate-monotonic priorities SimSo's schedule and ours must be the same, tick by tick, overloaded or
not (sets.py says of what).
"""

import subprocess
from collections.abc import Callable

import pytest
from tests.campaign import every_so_often, long_form
from tests.simso.sets import (
    PeriodicSet,
    PeriodicTask,
    engines,
    from_our_generator,
    from_simso_generator,
    run,
    schedule,
    schedule_set,
    simulate,
)

SETS_IN_A_CASE = 50


@long_form
@pytest.mark.parametrize("first_seed", every_so_often(range(0, 100, SETS_IN_A_CASE), 2))
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
