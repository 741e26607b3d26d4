"""The plot of every experiment, drawn from made-up figures that spread as real ones do, or worse.

An experiment that comes has to come with an entry here. `python -m tests.unit.tools.test_bench_plots FOLDER`
writes the pictures, to be looked at.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.campaign import one_in

from hocket import bench
from hocket.plots import make, wrong_with
from hocket.uno_images import Measured, Sample

Draw = Callable[[Any], None]
Make = Callable[[ModuleType, bench.Context], Draw]


def acceptance(m: ModuleType, _: bench.Context) -> Draw:
    rows = [m.Row(load, 100, (100 - load, 150 - load, 100, 99), 1) for load in (50, 80, 100)]
    return lambda figure: m.plot(figure, rows)


def analog_write(m: ModuleType, _: bench.Context) -> Draw:
    figures = [
        m.Figure(pin, v, 490, 490.2, v / 2.55, 2000.0, 2050.0) for pin in (5, 9) for v in (1, 254)
    ]
    return lambda figure: m._plot(figure, figures, "board sim")


def calls(m: ModuleType, _: bench.Context) -> Draw:
    figures = {name: (14 + 30 * n, 20 + 40 * n, 900 + n) for n, name in enumerate(m.PEERS)}
    return lambda figure: m._plot(figure, figures | {"a call without a peer": (1, 2, 30_000)})


def distribution_path(m: ModuleType, _: bench.Context) -> Draw:
    paths = [
        m.Path16(f"{who} to a handler", (n, 2 * n, 9 * n), 3, 8)
        for n, who in ((90, "a"), (700, "b"))
    ]
    return lambda figure: m._plot(figure, paths)


def edf_switches(m: ModuleType, context: bench.Context) -> Draw:
    size = m.Size()
    counts = {
        case: {
            str(way): {
                n: {"thread_switches": n * (3 + p) * (1 + k), "sleeps": 3 * n} for n in size.items
            }
            for p, way in enumerate(m.WAYS)
        }
        for k, case in enumerate(m.CASES)
    }
    return lambda figure: m._plot(figure, counts, size, context)


def event_delivery(m: ModuleType, context: bench.Context) -> Draw:
    figures = [
        m.Figure(
            f"case {n}, more words", (10_000, 20_000), (1_000, 5_000), 9, 9, 0, 900.0 * n, 2e4, 1e4
        )
        for n in range(1, 7)
    ]
    return lambda figure: m._plot(figure, figures, {}, context)


def fifos(m: ModuleType, _: bench.Context) -> Draw:
    return lambda figure: m._plot(figure, {"put": (90, 95, 400), "get": (80, 82, 9_000)})


def flight(m: ModuleType, context: bench.Context) -> Draw:
    def fly(late: int) -> Any:
        upset = 3.0 if late > 40 else None
        return m.Flight(1, 1, (1.0, 2.0), (1.0, 2.0), late / 3, late * 1.9, 0, upset, 1)

    return lambda figure: m._plot(
        figure, {late: fly(late) for late in m.Size().lates_ms}, m.Size(), context
    )


def footprint(m: ModuleType, _: bench.Context) -> Draw:
    rows = [[what, who, 900 * n, 60 * n] for n, (what, who, *_) in enumerate(m.PEERS * 3, 1)]
    return lambda figure: m._plot(figure, rows)


def gpio_cost(m: ModuleType, _: bench.Context) -> Draw:
    tries = [m.Try(1_000, 200, 200).__dict__, m.Try(90_000, 200, 150).__dict__]
    system = {"access_ns": [{"way": "sysfs", "write_ns": 9e5, "read_ns": 5e3}], "tries": tries}
    data = {
        "access_ns": {"digitalWrite()": 90.0},
        "tries": {"attachInterrupt()": tries},
        "Linux, rt": system,
    }
    return lambda figure: m._plot(figure, data, "board virt")


def interrupt_isolation(m: ModuleType, context: bench.Context) -> Draw:
    def one(rate: int, budget: int | None, budgeted: bool, loop_ms: int = m.LOOP_MS) -> Any:
        rest = (rate, 100, rate // 2, 0, 0, 0, None, 1.0, 0)
        tested = 900_000 // (1 + rate // 9_000)
        return m.Figure(rate, loop_ms, budget, budgeted, True, tested, *rest)

    kinds: list[tuple[Any, ...]] = [(budget, True) for budget in m.BUDGETS] + [(None, False)]
    kinds += [(8_000, True, m.EQUAL_COST_LOOP_MS)]
    figures = [one(rate, *kind) for kind in kinds for rate in m.RATES]
    quiet = {
        (rate, budgeted): one(1, None, budgeted) for rate in m.RATES for budgeted in (True, False)
    }
    theirs = [
        m.OnLinux(system, rate, True, 5, 10, rate, rate // 2)
        for system in ("Linux, SCHED_OTHER", "Linux rt, SCHED_FIFO")
        for rate in m.RATES
    ]
    return lambda figure: m._plot(figure, figures, quiet, theirs, context)


def kernel(m: ModuleType, _: bench.Context) -> Draw:
    def one(queue: str, n: int) -> Any:
        kinds = {
            kind: [90 + 20 * k, 100 + n // 9 + 20 * k, 400 + n] for k, kind in enumerate(m.KINDS)
        }
        return m.Counted(queue, "call", n, kinds, 1, "")

    counted = {(queue, "call", n): one(queue, n) for queue in m.QUEUES for n in m.SIZES}
    return lambda figure: m._plot(figure, counted)


def led_jitter(m: ModuleType, _: bench.Context) -> Draw:
    turns = tuple(6_000 + (n % 97 == 0) * 400 for n in range(4_000))
    tick = tuple(turn + 150 for turn in turns)
    return lambda figure: m._plot(
        figure, [m.Measured("one-shot", turns, turns), m.Measured("1 kHz tick", tick, tick)]
    )


def loop_isolation(m: ModuleType, context: bench.Context) -> Draw:
    figures = [
        m.Figure(loop, beside, 9_000.0 * loop + 7 * n, 9_000.0 * loop, 1.0, 1.0, 2.0, system)
        for system, beyond in (("Hocket", 1), ("Linux, stock", 900), ("Linux, rt", 400))
        for loop in m.BUDGETS_MS
        for n, beside in (
            (beyond * k, each) for k, each in enumerate(("nobody", *m.COMPANY.values()))
        )
    ]
    return lambda figure: m._plot(figure, figures, context)


def loop_predictability(m: ModuleType, context: bench.Context) -> Draw:
    counts = [
        tuple(1_000 * b + (n * 7919 + k) % 9 for n in range(100))
        for k, b in enumerate((10, 30, 50))
    ]
    cases = [
        m.Case(budget, beside, each, 1.0)
        for budget, each in zip(m.BUDGETS_MS, counts, strict=True)
        for beside in ("nothing", "2 loops", "4 loops")
    ]
    cases.append(m.Case(m.RESTLESS[1], m.RESTLESS[2], counts[1], 1.0))
    cases += [
        m.Case(None, beside, tuple(9_000 + 4_000 * (n % 3) for n in range(100)), None, system)
        for system in ("Linux, stock", "Linux, rt")
        for beside in ("4 threads", "4 restless")
    ]
    return lambda figure: m._plot(figure, cases, context)


def multi_loop(m: ModuleType, context: bench.Context) -> Draw:
    rows = [
        m.Row(system, wait, 500.0 * wait, 4_000.0, 4_000.0 + 900 * wait, 4_200.0 + 50 * wait)
        for system in ("Hocket", "Linux, stock", "Linux, rt")
        for wait in range(5)
    ]
    return lambda figure: m._plot(figure, rows, context)


def measured(least: int, most: int) -> Measured:
    cycles = [least + (n * n) % (most - least) for n in range(400)] + [most]
    samples = tuple(Sample(c, c, False) for c in cycles)
    middle = sorted(cycles)[len(cycles) // 2]
    return Measured(
        len(cycles), min(cycles), middle, sum(cycles) / len(cycles), max(cycles), samples
    )


def response(m: ModuleType, _: bench.Context) -> Draw:
    wanted = {(sketch, who) for _, sketch, by, _ in m.CASES for who in by}
    wanted |= {(sketch, who) for _, sketch, who in m.TAILS}
    ran = {key: (Path(), measured(40 + 9 * n, 90 + 30 * n)) for n, key in enumerate(sorted(wanted))}
    aimed = {(sketch, who): (Path(), measured(60, 1_675)) for _, sketch, who, _ in m.AIMED}
    return lambda figure: m._plot(figure, ran, aimed, m.read_published())


def response_linux(m: ModuleType, _: bench.Context) -> Draw:
    cases = [
        m.Case(system, way.label, load, (900, 4_000, 90_000 * (1 + n)), n % 3)
        for n, way in enumerate(m.WAYS)
        for system in m.COLOURS
        for load in ("idle", "loaded")
    ]
    return lambda figure: m.draw(figure, cases, m.read_published())


def rover(m: ModuleType, context: bench.Context) -> Draw:
    found = {
        "two loops": m.Rover((99.0, 100.0, 101.0), (1.0, 50.0, 101.0), 9.0, 9.5),
        "one loop": m.Rover((210.0, 230.0, 260.0), (1.0, 150.0, 262.0), 3.8, 4.0),
        m.BY_INTERRUPT: m.Rover((105.0, 120.0, 130.0), (1.0, 60.0, 135.0), 7.6, 7.7),
    }
    return lambda figure: m._plot(figure, found, context)


def speed(m: ModuleType, _: bench.Context) -> Draw:
    return lambda figure: m._plot(figure, {1: 5.2, 4: 7.9}, 12.25)


def timer_period(m: ModuleType, _: bench.Context) -> Draw:
    found = []
    for case in m.ALL:
        step = round(case.period_us * 8) + 3
        found.append(m.Measured(case, tuple(n * step for n in range(12))))
    return lambda figure: m._plot(figure, found)


def two_level(m: ModuleType, _: bench.Context) -> Draw:
    cases = [
        m.Case(system, load.label, Counter({200 + 7 * n: 900, 300 + 90 * n: 3, 5_000 + 900 * n: 1}))
        for n, system in enumerate(("Hocket, alarm", "Hocket, pin", "Linux, stock", "Linux, rt"))
        for load in m.LOADS
    ]
    return lambda figure: m.draw(figure, cases)


def uno_calls(m: ModuleType, _: bench.Context) -> Draw:
    found = {
        call.name: {
            m.HOCKET: m.Cost(20 + 60 * n, 400 + 80 * n, 10 + n, 30 * n),
            m.STOCK: m.Cost(1_900 - 70 * n, 600 + 60 * n, 12, 25 * n),
        }
        for n, call in enumerate(m.CALLS)
    }
    return lambda figure: m._plot(figure, found)


def uno_kernel(m: ModuleType, _: bench.Context) -> Draw:
    data = [
        {"path": path, "policy": policy, "least": 300 + n, "median": 320 + n, "most": 900 * (1 + n)}
        for n, (path, *_) in enumerate(m.PATHS)
        for policy, _ in m.POLICIES
    ]
    return lambda figure: m._plot(figure, data)


def uno_storm(m: ModuleType, _: bench.Context) -> Draw:
    def one(handler: str, rate: int) -> Any:
        worst = 1_000 // (1 + rate // 20_000) if handler == m.UNLIMITED else 900
        return m.Figure(handler, rate, [1_000, 950, worst], 1, 1, 0, 0, None, 0, [])

    figures = [m.Figure(m.OFF, 0, [1_000] * 3, None, None, None, None, None, 0, [])]
    figures += [one(handler, rate) for handler in (m.LIMITED, m.UNLIMITED) for rate in m.RATES]
    return lambda figure: m._plot(figure, figures)


DRAWN: dict[str, Make] = {
    maker.__name__.replace("_", "-"): maker
    for maker in (
        *(
            acceptance,
            analog_write,
            calls,
            distribution_path,
            edf_switches,
            event_delivery,
            fifos,
            flight,
        ),
        *(footprint, gpio_cost, interrupt_isolation, kernel, led_jitter, loop_isolation),
        *(loop_predictability, multi_loop, response, response_linux, rover, speed, timer_period),
        *(two_level, uno_calls, uno_kernel, uno_storm),
    )
}


def figure_of(name: str, cache: Path) -> Any:
    module = bench.load_experiment(name)
    draw = DRAWN[name](module, bench.Context(name, 1, bench.board_meant(name)))
    return make(draw, name, cache)


def test_every_experiment_is_drawn_here() -> None:
    assert set(DRAWN) == set(bench.experiments())


@one_in(9)
@pytest.mark.parametrize("name", DRAWN)
def test_nothing_is_wrong_with_the_plot_of(name: str, tmp_path: Path) -> None:
    assert wrong_with(figure_of(name, tmp_path)) == []


if __name__ == "__main__":
    for each in DRAWN:
        try:
            drawn = figure_of(each, Path(sys.argv[1]))
        except Exception as problem:
            print(f"{each}: {type(problem).__name__} {problem}")
            continue
        drawn.savefig(Path(sys.argv[1]) / f"{each}.png")
        print(each, wrong_with(drawn))
