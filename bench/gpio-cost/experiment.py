"""E1: what pin accesses cost, and how many interrupts a second come without a loss (Qduino, Figures 5 to 7).

4,000 digitalWrite() and as many digitalRead() in a row, timed by the sketch. Then a square wave at a pin
with a handler: the highest frequency at which each of its rising edges has had its call by a period of the
handler's budget after the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hocket.bench import Context, Result, Run
from hocket.errors import HocketError

ACCESSES = 4_000  # as in the paper; the sketch has the same number
# Frequencies that are tried: 1 kHz to 1 MHz, 12 % apart.
FREQUENCIES = tuple(round(1_000 * 10 ** (step / 20)) for step in range(61))
START_MS, PERIOD_MS = 5, 10  # when the wave begins; the handlers' periods

PLAIN, OWN = "attachInterrupt()", "attachInterruptVcpu(), 40 % for each half"
ALONE = "attachInterrupt() in a sketch with a plain loop()"
_HIGHEST = "highest frequency without a loss: {}"
_SKETCHES = {PLAIN: "plain-handler", OWN: "own-handler", ALONE: "plain-sketch"}


@dataclass(frozen=True)
class Size:
    """How long the wave lasts, and the handlers that there are."""

    wave_ms: int = 200
    handlers: tuple[str, ...] = (PLAIN, OWN)


# On the Uno handlers run in the interrupt: on one budget beside declared loops, else without a limit. On sim
# and virt a plain loop() changes nothing.
SIZES = {"sim": Size(), "virt": Size(), "uno": Size(handlers=(PLAIN, ALONE))}
QUICK = {board: Size(20, size.handlers) for board, size in SIZES.items()}


@dataclass(frozen=True)
class Try:
    """A wave at one frequency (Hz). `rises`: rising edges that were made."""

    frequency: int
    rises: int
    delivered: int
    merged: int | None = None  # None: nobody counts them
    lost: int | None = None

    def complete(self) -> bool:
        return self.delivered == self.rises


def run(context: Context) -> Result:
    return measure(context, SIZES[context.board])


def measure(context: Context, size: Size) -> Result:
    done = context.run_sketch("accesses", duration="2s")
    costs = _costs(done)
    tries = {
        handler: _search(lambda f, handler=handler: _try(context, handler, f, size))
        for handler in size.handlers
    }
    rows: list[list[str | int | float | None]] = [
        [f"{call}, each of {ACCESSES:,}", f"{ns:,.0f} ns"] for call, ns in costs.items()
    ]
    rows += [[_HIGHEST.format(handler), _highest(found)] for handler, found in tries.items()]
    notes = [
        done.conditions(),
        "an access: with the loop around it, in setup(), where nothing else runs",
        f"a frequency: rising edges for {size.wave_ms} ms; each has had its call {PERIOD_MS} ms after "
        "the last one, and none has merged with another; tried by halving, in steps of 12 %",
        "attachInterrupt(): 1 ms in every 10 ms (on the Uno 10.1 ms) for all such handlers, beside declared "
        "loops; in a sketch with a plain loop() nothing limits them on the Uno; "
        "attachInterruptVcpu(): 4 ms in every 10 ms for the I/O virtual CPU, and for the handler",
        "more edges than that are no danger to anybody: they wait, or are counted as lost or merged",
        "the paper shows plots only: a write is cheaper than Linux's, the frequency is higher",
    ]
    data: dict[str, Any] = {
        "access_ns": costs,
        "tries": {handler: [t.__dict__ for t in found] for handler, found in tries.items()},
    }
    linux = context.on_linux()
    if linux:
        rows = [["Hocket", *row] for row in rows]
        rows += _rows_on_linux(linux, size, data)
        notes += [linux.CONDITIONS, *_NOTES_ON_LINUX]
    return Result(
        f"E1 gpio-cost: pin accesses, and interrupts without a loss ({context.place()})",
        (*(("system",) if linux else ()), "what", "measured"),
        rows,
        notes,
        lambda figure: _plot(figure, data, context.place()),
        data,
    )


def _plot(figure: Any, data: dict[str, Any], place: str) -> None:
    """What an access takes, and up to which frequency no edge is lost: of all systems, on one scale each."""
    costs = {f"{call}": ns for call, ns in data["access_ns"].items()}
    highest = {handler: _best(tries) for handler, tries in data["tries"].items()}
    for system, found in data.items():
        if system in ("access_ns", "tries"):
            continue
        for cost in found["access_ns"]:
            costs[f"{system}: write by {cost['way']}"] = cost["write_ns"]
            costs[f"{system}: read by {cost['way']}"] = cost["read_ns"]
        highest[f"{system}: character device"] = _best(found["tries"])
    figure.set_size_inches(9, 2.5 + 0.35 * (len(costs) + len(highest)))
    figure.suptitle(f"E1: pins ({place})")
    above, below = figure.subplots(2, 1, height_ratios=(len(costs) + 1, len(highest) + 1))
    for axes, values, unit in (
        (above, costs, "ns for an access (logarithmic)"),
        (below, highest, "edges per second without a loss (logarithmic)"),
    ):
        # Marks, not bars: a logarithmic axis has no zero from which a bar could begin.
        axes.plot(list(values.values()), range(len(values)), "o", color="#0072b2")
        for row, value in enumerate(values.values()):
            axes.annotate(
                f"{value:,.0f}", (value, row), (8, 0), textcoords="offset points",
                va="center", fontsize="small",
            )  # fmt: skip
        axes.grid(axis="x", color="#dddddd", linewidth=0.6)
        axes.set_yticks(range(len(values)), list(values), fontsize="small")
        axes.set_ylim(len(values) - 0.4, -0.6)
        axes.set(xscale="log", xlabel=unit)
        axes.set_xlim(min(values.values()) / 2, max(values.values()) * 3)
        axes.spines[["top", "right"]].set_visible(False)


def _best(tries: list[dict[str, Any]]) -> float:
    """The highest frequency of which all came; less than 1 kHz is drawn as that."""
    complete = [each["frequency"] for each in tries if Try(**each).complete()]
    return float(max(complete, default=1_000))


def _rows_on_linux(
    linux: Any, size: Size, data: dict[str, Any]
) -> list[list[str | int | float | None]]:
    """What was measured there is added to the data."""

    def search(received: Callable[[int], int]) -> Sequence[Try]:
        def try_at(frequency: int) -> Try:
            return Try(frequency, frequency * size.wave_ms // 1_000, received(frequency))

        return _search(try_at)

    rows: list[list[str | int | float | None]] = []
    measured = linux.measure(ACCESSES, size.wave_ms, START_MS, PERIOD_MS, search)
    for system, (costs, found) in measured.items():
        for what, attribute in (("write", "write_ns"), ("read", "read_ns")):
            for cost in costs:
                ns = getattr(cost, attribute)
                rows.append(
                    [system, f"{what} by {cost.way}, each of {ACCESSES:,}", f"{ns:,.0f} ns"]
                )
        rows.append([system, _HIGHEST.format("character device"), _highest(found)])
        data[system] = {
            "access_ns": [cost.__dict__ for cost in costs],
            "tries": [t.__dict__ for t in found],
        }
    return rows


_NOTES_ON_LINUX = [
    "on Linux an access by mapped registers is a load or a store of the program; the character device is "
    "Linux's way today, sysfs the paper's. Mapped registers are for root alone, and protect nobody",
    "edges on Linux: a thread of priority 49 (SCHED_FIFO) reads them at the character device and answers "
    "at a pin; it has all of the core",
]


def _costs(done: Run) -> dict[str, float]:
    found = {}
    for line in done.serial.splitlines():
        call, _, took_us = line.partition("|")
        if took_us:
            found[call] = 1_000 * int(took_us) / ACCESSES
    if len(found) != 2:
        raise HocketError("the sketch did not time both accesses", f"it sent: {done.serial[-200:]}")
    return found


def _search(try_at: Callable[[int], Try]) -> list[Try]:
    """Halves the frequencies between one that is complete and one that is not."""
    tries = []
    low, high = -1, len(FREQUENCIES)
    while high - low > 1:
        middle = (low + high) // 2
        tries.append(try_at(FREQUENCIES[middle]))
        low, high = (middle, high) if tries[-1].complete() else (low, middle)
    return tries


def _highest(tries: Sequence[Try]) -> str:
    best = max((t.frequency for t in tries if t.complete()), default=None)
    return "less than 1 kHz" if best is None else f"{best:,} Hz"


def _try(context: Context, handler: str, frequency: int, size: Size) -> Try:
    rises = frequency * size.wave_ms // 1_000
    wave = f"frequency: {frequency} Hz, start: {START_MS} ms, count: {2 * rises}"
    done = context.run_sketch(
        _SKETCHES[handler],
        duration=f"{START_MS + size.wave_ms + PERIOD_MS}ms",
        scenario_text=f"parts:\n  wave: {{type: generator, pin: 2, {wave}}}\n",
    )
    entry: dict[str, Any] = next(e for e in done.report["interrupts"] if e["pin"] == 2)
    if entry["edges"] != entry["delivered"] + entry["pending"] + entry["lost"]:
        raise HocketError(f"the account does not balance: {entry}")
    merged = entry["may_have_merged"]
    return Try(frequency, rises, entry["delivered"], merged, entry["lost"])
