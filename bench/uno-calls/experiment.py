"""The commonest calls of Arduino sketches on the Uno beside the stock Arduino core, in cycles and in bytes.

Both systems get the same source and the same simulator: pin 3 is high from before a call until after it, and
the pulses are measured from outside. Bytes are those of the whole sketch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hocket.bench import Context, Result
from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.builder.board import prepare_avr_program
from hocket.sketch.folder import find_sketch
from hocket.stock_core import build_stock, version
from hocket.uno_images import flash_and_ram, pulses, responses

Cell = str | int | float | None
HOCKET = "Hocket"
STOCK = "stock core"
WHO = (HOCKET, STOCK)


@dataclass(frozen=True)
class Call:
    """A call as a sketch has it.

    setup    what must be done before it, in setup()
    after    what undoes it, outside of the pulse
    asked    cycles that the call is requested to wait: only the excess is counted
    head     declarations of the sketch for it
    """

    name: str
    code: str
    setup: str = ""
    after: str = ""
    asked: int = 0
    head: str = ""


# Arguments that the compiler cannot know, except where a call has literals.
HEAD = """\
volatile uint8_t plain_pin = 8, pwm_pin = 6;
volatile int level = 515;
volatile unsigned long instant;
volatile float number = 3.1416;
const char *volatile text = "text";
void seen() { level++; }
"""
STRINGS = 'String left = "left", right = "right", both;\n'
CALLS = (
    Call("pinMode(8, OUTPUT)", "pinMode(8, OUTPUT)"),
    Call("pinMode(pin, OUTPUT)", "pinMode(plain_pin, OUTPUT)"),
    Call("digitalWrite(8, HIGH)", "digitalWrite(8, HIGH)"),
    Call("digitalWrite(pin, HIGH)", "digitalWrite(plain_pin, HIGH)"),
    Call("digitalWrite(6, HIGH), PWM pin", "digitalWrite(6, HIGH)"),
    Call("digitalWrite(pin, HIGH), PWM pin", "digitalWrite(pwm_pin, HIGH)"),
    Call("digitalRead(8)", "level = digitalRead(8)"),
    Call("digitalRead(pin)", "level = digitalRead(plain_pin)"),
    Call("analogRead(A0)", "level = analogRead(A0)"),
    Call("analogWrite(5, level)", "analogWrite(5, level & 127)"),
    Call("millis()", "instant = millis()"),
    Call("micros()", "instant = micros()"),
    Call("delay(1)", "delay(1)", asked=16_000),
    Call("delayMicroseconds(10)", "delayMicroseconds(10)", asked=160),
    Call("Serial.begin(115200)", "Serial.begin(115200)"),
    Call("Serial.print(text)", "Serial.print(text)", "Serial.begin(115200);", "Serial.flush();"),
    Call("Serial.print(int)", "Serial.print(level)", "Serial.begin(115200);", "Serial.flush();"),
    Call(
        "Serial.println(float)",
        "Serial.println(number)",
        "Serial.begin(115200);",
        "Serial.flush();",
    ),
    Call("Serial.available()", "level = Serial.available()", "Serial.begin(115200);"),
    Call("Serial.read()", "level = Serial.read()", "Serial.begin(115200);"),
    Call("map(level, 0, 1023, 0, 255)", "level = map(level, 0, 1023, 0, 255)", "", "level = 515;"),
    Call("random(100)", "level = random(100)"),
    Call("shiftOut(8, 9, MSBFIRST, level)", "shiftOut(8, 9, MSBFIRST, level)"),
    Call("attachInterrupt(…, RISING)", "attachInterrupt(digitalPinToInterrupt(2), seen, RISING)"),
    Call("both = left + right, Strings", "both = left + right", head=STRINGS),
    Call("tone(8, 440)", "tone(8, 440)", "", "noTone(8);"),
)
ENTRY = "pin 2 to the handler's pin 3"
POLLS = "a round of a loop that polls millis()"


@dataclass(frozen=True)
class Size:
    """The number of pulses for each call, of edges at pin 2, and of rounds of a polling loop."""

    pulses: int = 60
    edges: int = 300
    rounds: int = 20_000


@dataclass(frozen=True)
class Cost:
    cycles: float  # the median of the pulses
    flash: int  # of the whole sketch
    ram: int
    grows: int = 0  # bytes of flash beyond the sketch without the call


Found = dict[str, dict[str, Cost]]  # by call and system


def run(context: Context) -> Result:
    return measure(context, Size())


def measure(context: Context, size: Size, calls: Sequence[Call] = CALLS) -> Result:
    prepare_avr_program("avr_measure")
    empty: dict[tuple[str, str], Cost] = {}
    found: Found = {}
    for call in calls:
        found[call.name] = {}
        for who in WHO:
            nothing = (call.head + call.setup + call.after, who)
            if nothing not in empty:
                empty[nothing] = _cost(context, replace(call, code=""), who, size)
            before, with_it = empty[nothing], _cost(context, call, who, size)
            cycles = with_it.cycles - before.cycles - call.asked
            grows = with_it.flash - before.flash
            found[call.name][who] = Cost(cycles, with_it.flash, with_it.ram, grows)
    whole = _whole(context, size)
    rows = [_row(name, costs) for name, costs in found.items()]
    return Result(
        "Calls on the Uno beside the stock core: cycles, and bytes of a whole sketch with the call",
        ["call", "cycles", STOCK, "flash", STOCK, "RAM", STOCK, "stock is better in"],
        rows,
        [
            f"Hocket and the stock core (Debian's arduino-core-avr {version()}, -Os -flto, its own "
            f"compiler): the same sketches in simavr, the median of {size.pulses} calls, interrupts on",
            "pin, level, text: known when the sketch runs only; a value that is assigned is stored, "
            "which counts",
            "delay(1), delayMicroseconds(10): what comes on top of the time that was asked for",
            "flash and RAM: the sketch that was measured, a setup() and a loop() with the one call; "
            "Serial.print() and its like beside a Serial.begin()",
            "the stock core is linked with optimisation over all files: a function that is called at one "
            "place is made for its arguments there, millis() and others are put in line",
        ],
        lambda figure: _plot(figure, found),
        {
            "calls": {
                name: {who: vars(cost) for who, cost in costs.items()}
                for name, costs in found.items()
            },
            "whole": whole,
        },
        [_whole_table(whole, size)],
    )


def _row(name: str, costs: dict[str, Cost]) -> list[Cell]:
    ours, stock = costs[HOCKET], costs[STOCK]
    figures = (
        ("cycles", ours.cycles, stock.cycles),
        ("flash", ours.flash, stock.flash),
        ("RAM", ours.ram, stock.ram),
    )
    lost = [what for what, mine, theirs in figures if abs(mine) > abs(theirs)]
    cells: list[Cell] = [figure for _, *both in figures for figure in both]
    return [name, *cells, ", ".join(lost) or "–"]


def _cost(context: Context, call: Call, who: str, size: Size) -> Cost:
    text = (
        f"{HEAD}{call.head}void setup() {{\n  pinMode(3, OUTPUT);\n  {call.setup}\n}}\n"
        "void loop() {\n"
        f"  PORTD |= 1 << 3;\n  {call.code};\n  PORTD &= ~(1 << 3);\n  {call.after}\n"
        "}\n"
    )
    image = _image(context, "call", text, who)
    flash, ram = flash_and_ram(image)
    return Cost(pulses(image, size.pulses).median, flash, ram)


def _image(context: Context, name: str, text: str, who: str) -> Path:
    folder = context.write_sketch(name, text)
    if who == STOCK:
        return build_stock(folder).file
    return build_sketch(find_sketch(str(folder)), find_board("uno")).program


# --- Whole sketches, with everything that runs besides ---

_POLLING = """\
volatile unsigned long last;
void setup() { pinMode(3, OUTPUT); }
void loop() {
  PORTD |= 1 << 3;
  for (unsigned int i = 0; i < %d; i++) {
    if (millis() - last >= 1000) last += 1000;
  }
  PORTD &= ~(1 << 3);
}
"""
_ENTRY = """\
void seen() {
  PORTD |= 1 << 3;
  PORTD &= ~(1 << 3);
}
void setup() {
  pinMode(3, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), seen, RISING);
}
void loop() { %s }
"""


def _whole(context: Context, size: Size) -> dict[str, dict[str, list[float]]]:
    """Returns mean and most by measurement and system."""
    names = (POLLS, ENTRY, f"{ENTRY}, while millis() is polled")
    found: dict[str, dict[str, list[float]]] = {name: {} for name in names}
    for who in WHO:
        rounds = pulses(_image(context, "polling", _POLLING % size.rounds, who), 4)
        found[POLLS][who] = [rounds.mean / size.rounds, rounds.most / size.rounds]
        for name, body in zip(names[1:], ("", "millis();"), strict=True):
            image = _image(context, "entry", _ENTRY % body, who)
            edges = responses(image, size.edges, context.seed)
            found[name][who] = [edges.mean, edges.most]
    return found


def _whole_table(whole: dict[str, dict[str, list[float]]], size: Size) -> Result:
    rows: list[list[Cell]] = []
    for name, by in whole.items():
        figures = [round(figure, 1) for who in WHO for figure in by[who]]
        lost = by[HOCKET][0] > by[STOCK][0]
        rows.append([name, *figures, "mean" if lost else "–"])
    return Result(
        "With all that goes on besides, in cycles",
        ["what", "mean", "most", f"mean, {STOCK}", f"most, {STOCK}", "stock is better in"],
        rows,
        [
            f"{size.rounds} rounds of `if (millis() - last >= 1000)`, with what is worked out once in a "
            "millisecond, and the stock core's interrupt each 1.024 ms",
            f"{size.edges} edges at random cycles",
        ],
    )


def _plot(figure: Any, found: Found) -> None:
    """Plots the ratio of Hocket to the stock core. Left of 1 Hocket needs less."""
    left, right = figure.subplots(1, 2, sharey=True)
    names = list(reversed(found))
    for axes, what in ((left, "cycles"), (right, "flash")):
        ratios = [
            max(getattr(found[name][HOCKET], what), 1) / max(getattr(found[name][STOCK], what), 1)
            for name in names
        ]
        colours = ["tab:green" if ratio <= 1 else "tab:red" for ratio in ratios]
        axes.barh(names, [ratio - 1 for ratio in ratios], left=1, color=colours)
        axes.set_xscale("log")
        axes.axvline(1, color="black", linewidth=0.8)
        axes.set_xlabel(f"{what}: Hocket / stock core")
        axes.grid(axis="x", alpha=0.3)
    left.tick_params(axis="y", labelsize="x-small")
