"""E2: analogWrite(pin, 120): frequency and duty, read back from the pin (Qduino, Figure 8).

A probe measures the pin while another loop computes without end. The board's timer generates the pulses, so
the computation must not affect them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hocket.bench import Context, Result
from hocket.errors import HocketError
from hocket.plots import bars

PINS = (3, 5)  # one for each of an Arduino's two frequencies
VALUES = (1, 120, 254)  # the paper uses 120


@dataclass(frozen=True)
class Size:
    """Board time for each value, in ms."""

    time: int = 1_000


SIZES = {"sim": Size(), "virt": Size(), "uno": Size()}
QUICK = {board: Size(100) for board in SIZES}


@dataclass(frozen=True)
class Figure:
    """One pin with one value, from its first rising edge to its last."""

    pin: int
    value: int
    pulses: int
    frequency: float
    duty: float
    shortest_us: float  # from one rising edge to the next
    longest_us: float

    def asked(self) -> float:
        return 100 * self.value / 255


def run(context: Context) -> Result:
    figures = measure(context, SIZES[context.board])
    return Result(
        f"E2 analog-write: analogWrite(pin, value), read back from the pin ({context.place()})",
        (
            "pin",
            "value",
            "pulses",
            "frequency",
            "duty",
            "value / 255",
            "period, shortest",
            "longest",
        ),
        [
            [
                *(figure.pin, figure.value, figure.pulses),
                f"{figure.frequency:.2f} Hz",
                *(f"{figure.duty:.2f} %", f"{figure.asked():.2f} %"),
                *(f"{figure.shortest_us:,.2f} us", f"{figure.longest_us:,.2f} us"),
            ]
            for figure in figures
        ],
        [
            f"board {context.board}, seed {context.seed}; pins {PINS[0]} and {PINS[1]} at once, for 1 s, "
            "beside a loop that computes without end",
            "the paper shows a plot for value 120, the same as Linux's",
        ],
        lambda figure: _plot(figure, figures, context.place()),
        {"pins": [figure.__dict__ for figure in figures]},
    )


def _plot(drawn: Any, figures: list[Figure], place: str) -> None:
    labels = [f"pin {figure.pin}, value {figure.value}" for figure in figures]
    shares = {
        "measured": [float(figure.duty) for figure in figures],
        "value / 255": [float(figure.asked()) for figure in figures],
    }
    bars(drawn, f"E2: the duty of analogWrite() ({place})", labels, shares, "% of the period")


def measure(context: Context, size: Size) -> list[Figure]:
    parts = "".join(f"  p{pin}: {{type: probe, pin: {pin}}}\n" for pin in PINS)
    figures = []
    for value in VALUES:
        answer = f'{{after: "value?", wait: 1 ms, text: "{value}\\n"}}'
        asked = f"  v: {{type: serial, port: 0, send: [{answer}]}}\n"
        done = context.run_sketch(
            "pulses", duration=f"{size.time}ms", scenario_text=f"parts:\n{parts}{asked}"
        )
        for pin in PINS:
            seen = done.report["parts"][f"p{pin}"]
            if not seen["rising"]:
                raise HocketError(f"pin {pin} has no pulses")
            figures.append(
                Figure(
                    *(pin, value, seen["rising"], seen["frequency_hz"], seen["duty_percent"]),
                    *(seen["min_period_us"], seen["max_period_us"]),
                )
            )
    return figures
