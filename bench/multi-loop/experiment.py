"""E3: a computation and 2,000 pin writes, in one loop and in two (Qduino, «Multithreaded Sketch»).

The paper's digitalWrite() waits for a pin expander on an I²C bus. Two loops are faster because one computes
while the other waits. A write of the simulated board does not wait, so each case is measured without a wait
and with waits of whole milliseconds, for which the sketch sleeps after each write.

Times come from probes on two pins, which are high during the writes and during the computation.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from typing import Any

from hocket.bench import Context, Result, Run, primes_below
from hocket.errors import HocketError

# The paper's gains: the time of one loop relative to that of two, in percent.
PAPER_GAIN = 31
PAPER_GAIN_LINUX = 28
# The approximate wait of a write on the paper's board, which the paper does not give. A second board that
# wrote to a pin without a pause caused 220 interrupts per second (section "Temporal Isolation"). If each is a
# rising edge, that is 440 writes. If each is any edge, the wait would be twice as long.
PAPER_INTERRUPTS_A_SECOND = 220
PAPER_WAIT_MS = 1000 / (2 * PAPER_INTERRUPTS_A_SECOND)

WRITING, COMPUTING = "writing", "computing"


@dataclass(frozen=True)
class Size:
    """The work: primes below `below`, `writes` writes, and one measurement for each wait in ms. duration:
    board time that is enough for the slowest case."""

    below: int = 80_000
    writes: int = 2_000
    waits_ms: tuple[int, ...] = (0, 1, 2, 3, 4)
    duration: str = "30s"


@dataclass(frozen=True)
class Row:
    """Milliseconds for each case with one length of wait. On Linux a loop is a thread."""

    system: str
    wait_ms: int
    writes_alone: float
    primes_alone: float
    one_loop: float
    two_loops: float

    def gain(self) -> float:
        return 100 * (self.one_loop / self.two_loops - 1)


# With one ns for each instruction the primes take an eighth of the time that they take with 20 ns for each
# block. An eighth of the writes keeps the proportion.
SIZES = {"sim": Size(), "virt": Size(writes=250, duration="4s")}
QUICK = {board: replace(size, waits_ms=(0, 2, 4)) for board, size in SIZES.items()}


def run(context: Context) -> Result:
    return measure(context, SIZES[context.board])


def measure(context: Context, size: Size) -> Result:
    primes = _case(context, "find-prime", size, 0)
    primes_alone = _took_ms(primes, COMPUTING)
    rows = []
    for wait in size.waits_ms:
        writes = _took_ms(_case(context, "digital-write", size, wait), WRITING)
        one = _took_ms(_case(context, "one-loop", size, wait), WRITING, COMPUTING)
        two = _took_ms(_case(context, "two-loops", size, wait), WRITING, COMPUTING)
        rows.append(Row("Hocket", wait, writes, primes_alone, one, two))
    linux = context.on_linux()
    if linux:
        count = primes_below(size.below)
        measured = linux.measure(size.below, size.writes, size.waits_ms, count)
        rows += [Row(system, *astuple(times)) for system, own in measured.items() for times in own]
    return Result(
        f"E3 multi-loop: primes below {size.below:,} and {size.writes:,} pin writes ({context.place()})",
        (
            *(("system",) if linux else ()),
            *(
                "a write waits",
                "writes alone",
                "primes alone",
                "one loop",
                "two loops",
                "gain",
                "paper",
            ),
        ),
        [[*((row.system,) if linux else ()), *_cells(row)] for row in rows],
        [*_notes(primes, size), *(_notes_on_linux(linux.CONDITIONS) if linux else ())],
        lambda figure: _plot(figure, rows, context),
        {
            "paper": {"gain_percent": PAPER_GAIN, "gain_linux_percent": PAPER_GAIN_LINUX},
            "ms": [{**row.__dict__, "gain_percent": row.gain()} for row in rows],
        },
    )


def _case(context: Context, sketch: str, size: Size, wait_ms: int) -> Run:
    """Runs one case. The sketch requests its parameters, and the scenario sends them."""
    asked = {
        "digital-write": {"writes": size.writes, "wait": wait_ms},
        "find-prime": {"below": size.below},
    }.get(sketch, {"below": size.below, "writes": size.writes, "wait": wait_ms})
    answers = "".join(
        f'      - {{after: "{name}?", wait: 1 ms, text: "{number}\\n"}}\n'
        for name, number in asked.items()
    )
    scenario = (
        "parts:\n"
        f"  {WRITING}: {{type: probe, pin: 11}}\n"
        f"  {COMPUTING}: {{type: probe, pin: 12}}\n"
        "  output: {type: probe, pin: 13}\n"
        f"  size:\n    type: serial\n    port: 0\n    send:\n{answers}"
    )
    done = context.run_sketch(sketch, duration=size.duration, scenario_text=scenario)
    _check(done, sketch, size, asked)
    return done


def _check(done: Run, sketch: str, size: Size, asked: dict[str, int]) -> None:
    """Checks that all the work was done: every write on the pin, every prime found."""
    if "writes" in asked:
        edges = done.report["parts"]["output"]["edges"]
        if edges != size.writes:
            raise HocketError(f"{sketch} made {edges} of {size.writes} writes")
    if "below" in asked:
        expected = f"{primes_below(size.below)} primes"
        if expected not in done.serial:
            raise HocketError(f"{sketch} did not report {expected}", "its time was too short")


def _took_ms(done: Run, *pins: str) -> float:
    """Returns the time from the first rising edge of the pins to the last falling one."""
    probes = [done.report["parts"][pin] for pin in pins]
    if any(probe["rising"] != 1 or probe["falling"] != 1 for probe in probes):
        raise HocketError(f"{done.report['sketch']} did not end in its time", "--for is too short")
    first = min(probe["first_edge_us"] for probe in probes)
    last = max(probe["last_edge_us"] for probe in probes)
    return float(last - first) / 1000


def _cells(row: Row) -> list[str]:
    wait = f"{row.wait_ms} ms" if row.wait_ms else "not at all"
    times = (row.writes_alone, row.primes_alone, row.one_loop, row.two_loops)
    # The paper has one figure, for its board's wait. It is shown with the nearest wait.
    near = abs(row.wait_ms - PAPER_WAIT_MS) <= 0.5
    of_paper = (
        f"{PAPER_GAIN} % (Linux {PAPER_GAIN_LINUX} %)"
        if row.system == "Hocket"
        else f"{PAPER_GAIN_LINUX} %"
    )
    paper = of_paper if near else "–"
    return [wait, *(f"{time:,.1f} ms" for time in times), f"{row.gain():.1f} %", paper]


def _notes(done: Run, size: Size) -> list[str]:
    writes = Size().writes
    fewer = (
        f"{size.writes:,} writes where the paper has {writes:,}: on this clock the primes take that much "
        "less time, and waits do not, so that the works keep their proportion"
    )
    return [
        done.conditions(),
        *([fewer] if size.writes < writes else []),
        "gain: how much longer one loop takes than two. The paper's gains are those of another machine "
        "(Intel Galileo, 400 MHz): look at the shape, not at the number",
        "where a write does not wait, two loops cannot win: there is no time to use. They take longer "
        "by what their budget is smaller (495 ms instead of 498 ms in every 500 ms)",
        "with waits, the two loops take as long as the longer of the two works alone, the one loop as "
        "long as both together",
        "the wait is a sleep that the sketch adds to each write. The paper does not give its board's: a "
        f"second board that wrote without a pause made {PAPER_INTERRUPTS_A_SECOND} interrupts a second, "
        f"so a write took about {PAPER_WAIT_MS:.2f} ms if every second write made one",
        "the gain also depends on how long the primes take: 31 % says that the paper's board computed "
        "about three times as long as it waited",
        "the paper runs the writes on an I/O virtual CPU of 3/500; here a loop of 3/500 makes them",
        "one measurement a case: a run repeats exactly",
    ]


def _notes_on_linux(conditions: str) -> list[str]:
    return [
        conditions,
        "on Linux a loop is a thread of the usual class, as in the paper; a write is one to the mapped "
        "register of the pin, where the paper's goes through a file; a wait is clock_nanosleep(). Times are "
        "from the pins",
    ]


def _plot(figure: Any, rows: list[Row], context: Context) -> None:
    figure.suptitle(f"E3: primes and pin writes, in one loop and in two ({context.place()})")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    own = [row for row in rows if row.system == "Hocket"]
    waits = [row.wait_ms for row in own]
    one, two, grey = "#d55e00", "#0072b2", "#777777"
    left.plot(waits, [row.one_loop / 1000 for row in own], "o-", color=one, label="one loop")
    left.plot(waits, [row.two_loops / 1000 for row in own], "s-", color=two, label="two loops")
    alone = {
        "primes alone": [r.primes_alone for r in own],
        "writes alone": [r.writes_alone for r in own],
    }
    for (label, times), style in zip(alone.items(), ("--", ":"), strict=True):
        left.plot(waits, [time / 1000 for time in times], style, color=grey, label=label)
    left.set(xlabel="wait after each write (ms)", ylabel="time to finish (s)", ylim=(0, None))
    left.set_title("time to finish", fontsize="medium")

    right.plot(
        waits, [row.gain() for row in own], "s-", color=two, label=f"Hocket on {context.board}"
    )
    systems = dict.fromkeys(row.system for row in rows if row.system != "Hocket")
    for system, mark in zip(systems, "x+", strict=False):
        theirs = [row for row in rows if row.system == system]
        like: dict[str, Any] = {
            "marker": mark,
            "linestyle": "none",
            "color": "black",
            "label": system,
        }
        left.plot(waits, [row.two_loops / 1000 for row in theirs], **like)
        right.plot(waits, [row.gain() for row in theirs], **like)
    left.legend(frameon=False)
    right.plot(
        [PAPER_WAIT_MS], [PAPER_GAIN], "D", color=grey, label="paper: Qduino (Galileo, 400 MHz)"
    )
    right.plot(
        [PAPER_WAIT_MS], [PAPER_GAIN_LINUX], "^", color=grey, label="paper: Linux, same board"
    )
    right.set(xlabel="wait after each write (ms)", ylabel="gain of two loops over one (%)")
    right.set_ylim(-10, 1.45 * max(PAPER_GAIN, *(row.gain() for row in rows)))
    right.axhline(0, color="#cccccc", linewidth=0.8, zorder=0)
    right.set_title("gain", fontsize="medium")
    right.legend(frameon=False, loc="upper left", fontsize="small")
    for axes in (left, right):
        axes.set_xticks(waits)
        axes.spines[["top", "right"]].set_visible(False)
