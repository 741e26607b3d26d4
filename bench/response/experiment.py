"""E12: from a rising edge on a pin to the answer on another, on the Uno, beside the stock Arduino core.

Both run in the same simulator, in the same run; the published samples of a real Uno stand beside them.
The samples are simulated cycles: the same seed gives the same ones.
"""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.bench import Context, Result
from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.builder.board import prepare_avr_program
from hocket.plots import DASHES, Range, draw_ranges
from hocket.sketch.folder import find_sketch
from hocket.stock_core import build_stock, version
from hocket.uno_images import (
    CYCLES_PER_US,
    Measured,
    place,
    pulses,
    responses,
    responses_during,
)

Cell = str | int | float | None
HERE = Path(__file__).parent
HOCKET = "Hocket"
STOCK = "stock core"
# The longest instruction takes 4 cycles: an edge in its first one waits 3 for its end.
INSTRUCTION = 3
# Cases of the main table: its sketch, who runs it, the published series of the same thing.
CASES = (
    ("interrupt", "interrupt", (HOCKET, STOCK), "02_arduino_irq"),
    ("interrupt, no timer 0", "no-tick", (STOCK,), "02_arduino_irq_notim"),
    ("interrupt, beside delay()", "beside-delay", (HOCKET, STOCK), ""),
    ("interrupt, beside two loops", "beside-loops", (HOCKET,), ""),
    ("polling", "polling", (HOCKET, STOCK), "01_arduino_polling"),
)
# The experiment on the tails: what goes on besides, sketch, who runs it.
TAILS = (
    ("nothing", "interrupt", HOCKET),
    ("the clock counts its overflows", "clock-counts", HOCKET),
    ("the clock is read, overflows off", "clock-is-read", HOCKET),
    ("both: delay() without a pause", "beside-delay", HOCKET),
    ("millis() without a pause", "milliseconds", HOCKET),
    ("two loops with budgets", "beside-loops", HOCKET),
    ("timer 0 counts milliseconds", "interrupt", STOCK),
    ("nothing: timer 0 interrupt off", "no-tick", STOCK),
)
# Edges aimed at the interrupt of the clock: what it is, sketch, who, its vector (data sheet, 12.1).
AIMED = (
    ("edges aimed at timer 0's overflow", "clock-counts", HOCKET, 16),
    ("… of a sketch with millis()", "milliseconds", HOCKET, 16),
    ("… of the stock core", "interrupt", STOCK, 16),
)
# The pulses of the sketch calls, in their order.
CALLS = (
    *("nothing", "digitalWrite(8)", "digitalWrite(pin)"),
    *("digitalWrite(6), PWM pin", "digitalWrite(pin), PWM pin"),
    *("digitalRead(8)", "digitalRead(pin)", "digitalRead(6), PWM pin", "digitalRead(pin), PWM pin"),
    *("micros()", "millis(), once in a millisecond", "millis()"),
)


@dataclass(frozen=True)
class Size:
    """How many edges for each sketch, and aimed at an interrupt."""

    edges: int = 20_000
    aimed: int = 300


SIZE = Size()
QUICK = Size(edges=1_000, aimed=30)

Ran = dict[tuple[str, str], tuple[Path, Measured]]  # by sketch and who


def run(context: Context) -> Result:
    return measure(context, SIZE)


def measure(context: Context, size: Size) -> Result:
    ran = measure_all(context.seed, size)
    aimed = measure_aimed(context.seed, size)
    published = read_published()
    return Result(
        "E12: a rising edge on pin 2 to the rising edge on pin 3, ATmega328P at 16 MHz",
        ["case", "with", "edges", "least", "median", "mean", "most", "mean us", "most us"],
        main_rows(ran, published),
        [
            f"Hocket and the stock core (Debian's arduino-core-avr {version()}, -Os -flto, its own "
            "compiler): the same sketches in simavr, cycles of 16 MHz, edges at random cycles, "
            f"seed {context.seed}; 2 cycles of a real pin's synchroniser are added",
            "published: Šolc's oscilloscope on a real Uno with core 1.0.5, another sketch for the same task",
            "no timer 0: Hocket has nothing to switch off there. Timer 0's interrupt counts for its clock, "
            "too, but only in sketches that use time: else nothing runs beside the handler (first row); "
            "beside delay() the clock runs and is read without a pause",
            "beside two loops: with the kernel, its budgets, and its masked sections",
        ],
        lambda figure: _plot(figure, ran, aimed, published),
        data_of(ran, published),
        [tail_table(ran, aimed), call_table(calls_of())],
    )


def hocket_image(sketch: str) -> Path:
    return build_sketch(find_sketch(str(HERE / sketch)), find_board("uno")).program


def measure_all(seed: int, size: Size) -> Ran:
    """Every sketch of the tables, once, two at a time."""
    wanted = {(sketch, who) for _, sketch, by, _ in CASES for who in by}
    wanted |= {(sketch, who) for _, sketch, who in TAILS}
    images = {
        (sketch, who): build_stock(HERE / sketch).file if who == STOCK else hocket_image(sketch)
        for sketch, who in sorted(wanted)
    }
    prepare_avr_program("avr_measure")
    with ThreadPoolExecutor(max_workers=2) as pool:
        measured = pool.map(lambda image: responses(image, size.edges, seed), images.values())
        return {
            key: (image, one) for (key, image), one in zip(images.items(), measured, strict=True)
        }


def measure_aimed(seed: int, size: Size) -> Ran:
    """The sketches of AIMED with edges aimed at the interrupt."""
    images = {
        (sketch, who): build_stock(HERE / sketch).file if who == STOCK else hocket_image(sketch)
        for _, sketch, who, _ in AIMED
    }
    with ThreadPoolExecutor(max_workers=2) as pool:
        measured = pool.map(
            lambda case: responses_during(images[case[1], case[2]], case[3], size.aimed, seed),
            AIMED,
        )
        return {
            key: (image, one) for (key, image), one in zip(images.items(), measured, strict=True)
        }


def read_published() -> dict[str, Any]:
    """The published series by name."""
    text = (HERE / "published" / "samples.json").read_text(encoding="utf-8")
    series: dict[str, Any] = json.loads(text)["series"]
    return series


def main_rows(ran: Ran, published: dict[str, Any]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for case, sketch, by, series in CASES:
        for who in by:
            m = ran[sketch, who][1]
            cycles: list[Cell] = [m.count, m.least, m.median, round(m.mean, 1), m.most]
            rows.append([case, who, *cycles, us(m.mean), us(m.most)])
        if series:
            p = published[series]
            least, mean, most = (
                round(p[f"{fact}_us"] * CYCLES_PER_US, 1) for fact in ("least", "mean", "most")
            )
            told: list[Cell] = [p["count"], least, None, mean, most]
            rows.append([case, "published", *told, us(mean), us(most)])
    return rows


def us(cycles: float) -> str:
    return f"{cycles / CYCLES_PER_US:.2f}"


@dataclass(frozen=True)
class Tail:
    """The edges that waited for more than the instruction in progress: how many, the most that any of
    them waited beyond the least, and where the processor was: function, how many, the most."""

    late: int
    most: int
    places: tuple[tuple[str, int, int], ...]


def tail_of(image: Path, measured: Measured) -> Tail:
    name = place(image)
    late = [s for s in measured.samples if s.cycles > measured.least + INSTRUCTION]
    found = Counter(short(name(s.pc)) for s in late)
    most = {
        where: max(s.cycles for s in late if short(name(s.pc)) == where) - measured.least
        for where in found
    }
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    places = tuple((where, count, most[where]) for where, count in ordered)
    return Tail(len(late), measured.most - measured.least, places)


# Interrupts by their vectors' numbers (data sheet, 12.1).
_VECTORS = {
    "__vector_13": "timer 1 overflow interrupt",
    "__vector_16": "timer 0 overflow interrupt",
    "__vector_11": "alarm interrupt",
    "__vector_12": "reschedule interrupt",
    "TIMER1_OVF_vect": "timer 1 overflow interrupt",
    "__vectors": "interrupt vector",
}


def short(name: str) -> str:
    """A C++ function without its templates' arguments and its parameters."""
    if name in _VECTORS:
        return _VECTORS[name]
    depth, kept = 0, ""
    for letter in name:
        depth += letter in "<("
        kept += letter if depth == 0 else ""
        depth -= letter in ">)"
    return kept.removesuffix(" const").replace("hocket::", "")


def tail_table(ran: Ran, aimed: Ran) -> Result:
    shown = [(beside, who, *ran[sketch, who]) for beside, sketch, who in TAILS]
    shown += [(beside, who, *aimed[sketch, who]) for beside, sketch, who, _ in AIMED]
    rows: list[list[Cell]] = []
    data = []
    for beside, who, image, measured in shown:
        tail = tail_of(image, measured)
        told = [f"{where}: {count}, +{most}" for where, count, most in tail.places[:3]]
        more = len(tail.places) - 3
        told += [f"{more} more"] if more > 0 else []
        share = f"{100 * tail.late / measured.count:.2f} %"
        rows.append([beside, who, f"+{tail.most}", share, "; ".join(told) or "–"])
        entry = {"beside": beside, "with": who, "edges": measured.count, "late": tail.late}
        data.append(entry | {"most": tail.most, "places": [list(p) for p in tail.places]})
    return Result(
        "Where the tails come from: one thing at a time switched on",
        ["beside the interrupt", "with", "most", "late", "what was in the way: edges, most cycles"],
        rows,
        [
            f"most: beyond the least; late: more than {INSTRUCTION} cycles beyond the least, so more than "
            "the instruction in progress; in the way: the function in which the processor was when the "
            "edge came",
            "aimed: edges from 20 cycles before the interrupt until 140 after, so that none of its cycles "
            "is missed; timer 0 overflows every 16,384 cycles",
        ],
        None,
        {"tails": data},
    )


def calls_of() -> dict[str, list[int]]:
    """Cycles of each call, for each of the two; what is measured without a call is taken off."""
    found = {}
    for who, image in ((HOCKET, hocket_image("calls")), (STOCK, build_stock(HERE / "calls").file)):
        cycles = [s.cycles for s in pulses(image, len(CALLS)).samples]
        found[who] = [each - cycles[0] for each in cycles]
    return found


def call_table(found: dict[str, list[int]]) -> Result:
    columns = [found[who] for who in (HOCKET, STOCK)]
    rows: list[list[Cell]] = [
        [call, *values]
        for call, *values in list(zip(CALLS, *columns, strict=True))[1:]  # the first is empty
    ]
    return Result(
        "What calls cost, in cycles",
        ["call", HOCKET, STOCK],
        rows,
        ["pin: a number that is known only when the sketch runs; interrupts off"],
        None,
        {"calls": found},
    )


def data_of(ran: Ran, published: dict[str, Any]) -> dict[str, Any]:
    ours = [
        {
            "sketch": sketch,
            "with": who,
            "least": m.least,
            "median": m.median,
            "mean": m.mean,
            "most": m.most,
            "histogram": [list(bin_) for bin_ in m.histogram().items()],
        }
        for (sketch, who), (_, m) in sorted(ran.items())
    ]
    return {"measured": ours, "published": {s: published[s] for *_, s in CASES if s}}


def _plot(figure: Any, ran: Ran, aimed: Ran, published: dict[str, Any]) -> None:
    """Above the histograms, on one scale; below each case from its least to its most, with the edges that are
    aimed at an interrupt: the worst is among these."""
    figure.set_size_inches(9, 10)
    above, below = figure.subfigures(2, 1, height_ratios=(4, 5))
    left, right = above.subplots(1, 2, sharey=True, sharex=True)
    _draw(left, ran, published, ["interrupt", "no-tick", "beside-delay"], "interrupt")
    _draw(right, ran, published, ["polling"], "polling")
    left.set_ylabel("share of the edges")
    for axes in (left, right):
        axes.set_yscale("log")
        axes.set_xlabel("pin 2 to pin 3, us")
        axes.grid(alpha=0.3)
        axes.legend()
    rows: dict[str, dict[str, Range]] = {}
    for case, sketch, by, _ in CASES:
        for who in by:
            rows.setdefault(case, {})[who] = _range(ran[sketch, who][1])
    for case, sketch, who in TAILS:
        rows.setdefault(f"tails: {case}", {})[who] = _range(ran[sketch, who][1])
    for case, sketch, who, _ in AIMED:
        rows.setdefault(case, {})[who] = _range(aimed[sketch, who][1])
    draw_ranges(below.subplots(), rows, "us", log=True)


def _range(m: Measured) -> Range:
    return m.least / CYCLES_PER_US, m.median / CYCLES_PER_US, m.most / CYCLES_PER_US


def _draw(axes: Any, ran: Ran, published: dict[str, Any], sketches: list[str], title: str) -> None:
    """Histograms as steps, one cycle (1/16 us) wide."""
    for case, sketch, by, series in CASES:
        if sketch not in sketches:
            continue
        for who in by:
            m = ran[sketch, who][1]
            bins = m.histogram()
            shares = [bins.get(c, 0) / m.count for c in range(m.least, m.most + 1)]
            edges = [c / CYCLES_PER_US for c in range(m.least, m.most + 2)]
            axes.stairs(
                shares, edges, label=f"{case}: {who}", linestyle=DASHES[len(axes.patches) % 3]
            )
        if series:
            p = published[series]
            shares = [n / p["count"] for n in p["counts"]]
            edges = [(p["first"] + i) * p["bin_us"] for i in range(len(shares) + 1)]
            axes.stairs(shares, edges, label=f"{case}: published", linestyle=":", linewidth=2)
    axes.set_title(title)
