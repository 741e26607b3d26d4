"""E7 on the Uno: three loops that find primes while a pin storms with 10,000 to 100,000 edges a second.

There handlers run in the interrupt itself and share one budget. For comparison, the same storm hits a handler
of the sketch's own, ISR(INT0_vect), which nothing limits. The loops count their useful work: the numbers that
they have tested.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hocket.bench import Context, Result, Run
from hocket.errors import HocketError

RATES = (10_000, 40_000, 60_000, 100_000)  # rising edges per second
LIMITED = "attachInterrupt()"
UNLIMITED = "ISR(INT0_vect)"
OFF = "off"
_ATTACHED = {
    OFF: ("", ""),
    LIMITED: ("", "attachInterrupt(digitalPinToInterrupt(2), edge, RISING);"),
    UNLIMITED: ("ISR(INT0_vect) { edge(); }", "EICRA = 3; EIMSK = 1;"),
}

_SKETCH = """// Made by bench/uno-storm/experiment.py.
volatile unsigned long received;
void edge() {{ ++received; delayMicroseconds(5); }}
{handler}
static bool prime(unsigned n) {{
  for (unsigned d = 3; d * d <= n; d += 2) if (n % d == 0) return false;
  return true;
}}
void setup() {{
  pinMode(2, INPUT);
  {attach}
}}
void loop(1, 40, 100) {{ static unsigned n = 3; prime(n); n = n < 60000 ? n + 2 : 3; }}
void loop(2, 20, 100) {{ static unsigned n = 3; prime(n); n = n < 60000 ? n + 2 : 3; }}
void loop(3, 10, 100) {{ static unsigned n = 3; prime(n); n = n < 60000 ? n + 2 : 3; }}
"""


@dataclass(frozen=True)
class Size:
    """Board time of each run, in whole periods. The loops begin 4 ms after setup()."""

    periods: int = 20


SIZE = Size()
QUICK = Size(periods=3)


@dataclass(frozen=True)
class Figure:
    """One run. tested: the numbers that each loop has tested. Times in us."""

    handler: str
    rate: int
    tested: list[int]
    edges: int | None  # None: the report does not cover the sketch's own handlers
    delivered: int | None
    pending: int | None
    lost: int | None
    longest_delay: float | None
    misses: int
    notices: list[str]


def run(context: Context) -> Result:
    return measure(context, SIZE)


def measure(context: Context, size: Size) -> Result:
    context.board = "uno"
    figures = [_figure(OFF, 0, _run(context, OFF, 0, size))]
    for handler in (LIMITED, UNLIMITED):
        figures += [_figure(handler, rate, _run(context, handler, rate, size)) for rate in RATES]
    quiet = figures[0]
    return Result(
        "E7 uno-storm: three loops of 40, 20 and 10 ms in every 100 ms while pin 2 storms (simavr)",
        (
            "edges/s",
            "handler",
            "numbers tested, of interrupts off",
            "edges",
            "delivered",
            "pending",
            "lost",
            "longest wait",
            "misses",
        ),
        [_cells(figure, quiet) for figure in figures],
        [
            "attachInterrupt(): 1 ms in every 10.1 ms for all handlers, counted in admission; used up, the "
            "pin's enable bit is off until the refill, and the hardware keeps one edge",
            "ISR(INT0_vect): the sketch's own, which nothing limits and no account has; what it takes is in "
            "the report as time of handlers",
            "the handler takes 5 us and what an interrupt costs; edges = delivered + pending + lost",
        ],
        lambda figure: _plot(figure, figures),
        {"runs": [figure.__dict__ for figure in figures]},
    )


def _plot(drawn: Any, figures: list[Figure]) -> None:
    """Plots the loop that suffers most, for each kind of handler, on one scale."""
    quiet = figures[0]
    drawn.suptitle("E7: three loops on the Uno while pin 2 storms")
    axes = drawn.subplots()
    for handler in dict.fromkeys(figure.handler for figure in figures[1:]):
        own = [figure for figure in figures if figure.handler == handler]
        worst = [
            min(100 * n / full for n, full in zip(f.tested, quiet.tested, strict=True)) for f in own
        ]
        axes.plot([f.rate for f in own], worst, "o-", label=handler)
    axes.set(
        xscale="log",
        xlabel="edges per second",
        ylabel="numbers tested by the loop\nthat suffers most, % of interrupts off",
        ylim=(-2, 105),
    )
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend()


def _run(context: Context, handler: str, rate: int, size: Size) -> Run:
    own, attach = _ATTACHED[handler]
    scenario = f"parts:\n  storm: {{type: generator, pin: 2, frequency: {rate} Hz, start: 4 ms}}\n"
    return context.run_sketch(
        context.write_sketch("storm", _SKETCH.format(handler=own, attach=attach)),
        duration=f"{100 * size.periods + 5}ms",
        scenario_text=scenario if rate else None,
    )


def _figure(handler: str, rate: int, done: Run) -> Figure:
    report: dict[str, Any] = done.report
    entry = next(iter(report["interrupts"]), None) or {}
    if entry and entry["edges"] != entry["delivered"] + entry["pending"] + entry["lost"]:
        raise HocketError(f"the account does not balance: {entry}")
    return Figure(
        handler,
        rate,
        [loop["iterations"] for loop in report["loops"]],
        *(entry.get(name) for name in ("edges", "delivered", "pending", "lost", "max_delay_us")),
        misses=sum(loop["deadline_misses"] for loop in report["loops"]),
        notices=list(report["notices"]),
    )


def _cells(figure: Figure, quiet: Figure) -> list[str]:
    shares = [100 * own / full for own, full in zip(figure.tested, quiet.tested, strict=True)]
    delay = figure.longest_delay
    return [
        f"{figure.rate:,}" if figure.rate else "none",
        figure.handler,
        " ".join(f"{share:.1f} %" for share in shares),
        *(
            "–" if count is None else f"{count:,}"
            for count in (figure.edges, figure.delivered, figure.pending, figure.lost)
        ),
        "–" if delay is None else f"{delay / 1000:.1f} ms",
        str(figure.misses),
    ]
