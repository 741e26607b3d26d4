"""The commonest calls beside the stock core: which are cheaper, to the cycle and the byte."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from tests.campaign import long_form

from hocket import stock_core
from hocket.bench import Context, Result

Load = Callable[..., tuple[ModuleType, Context]]

pytestmark = [
    long_form,
    pytest.mark.skipif(
        not stock_core.CORE.is_dir() or shutil.which("avr-gcc") is None,
        reason="the stock core is not installed",
    ),
]


@pytest.fixture(scope="module")
def result(load: Load) -> Result:
    module, context = load("uno-calls")
    found: Result = module.measure(context, module.Size(pulses=20, edges=1_500, rounds=2_000))
    return found


# Cycles, ours over the stock core's, at most. Where it is above 1 the core is better, and the documents say
# so: its functions are put in line where they are called once, for the arguments that they have there.
RATIOS = {
    "pinMode(8, OUTPUT)": 0.05, "pinMode(pin, OUTPUT)": 1.0, "digitalWrite(8, HIGH)": 0.06,
    "digitalWrite(pin, HIGH)": 1.35, "digitalWrite(6, HIGH), PWM pin": 0.2,
    "digitalWrite(pin, HIGH), PWM pin": 1.35, "digitalRead(8)": 0.2, "digitalRead(pin)": 0.9,
    "analogRead(A0)": 1.05, "analogWrite(5, level)": 2.5, "millis()": 1.95, "micros()": 1.0, "delay(1)": 1.25,
    "Serial.begin(115200)": 1.3, "Serial.print(text)": 0.7, "Serial.print(int)": 0.8,
    "Serial.println(float)": 1.0, "Serial.available()": 1.6, "Serial.read()": 1.9,
    "map(level, 0, 1023, 0, 255)": 1.3, "random(100)": 1.25, "shiftOut(8, 9, MSBFIRST, level)": 1.2,
    "both = left + right, Strings": 0.9,
}  # fmt: skip
# Sketches that the stock core makes smaller, and by how much at most.
LARGER = {"both = left + right, Strings": 1.25, "tone(8, 440)": 1.3}


def test_cycles(result: Result) -> None:
    calls = result.data["calls"]
    found = {
        name: round(calls[name]["Hocket"]["cycles"] / calls[name]["stock core"]["cycles"], 2)
        for name in RATIOS
    }
    assert {name: ratio for name, ratio in found.items() if ratio > RATIOS[name]} == {}


def test_whole_sketches_are_smaller(result: Result) -> None:
    for name, by in result.data["calls"].items():
        ours, stock = by["Hocket"], by["stock core"]
        assert ours["flash"] <= stock["flash"] * LARGER.get(name, 1), name
        # millis() keeps what it has worked out in 7 bytes more.
        assert ours["ram"] <= stock["ram"] + (7 if name == "millis()" else 0), name


def test_what_is_lost_is_shown(result: Result) -> None:
    for name, *figures, lost in result.rows:
        pairs = zip(figures[::2], figures[1::2], strict=True)
        worse = [abs(float(str(ours))) > abs(float(str(stock))) for ours, stock in pairs]
        named = [
            what
            for what, is_worse in zip(("cycles", "flash", "RAM"), worse, strict=True)
            if is_worse
        ]
        assert lost == (", ".join(named) or "–"), name
    assert any(row[-1] != "–" for row in result.rows)


def test_no_interrupt_that_is_not_asked_for(result: Result) -> None:
    """The worst edge waits for the stock core's interrupt of milliseconds, not for ours."""
    for name, by in result.data["whole"].items():
        if name.startswith("pin 2"):
            assert by["Hocket"][1] < by["stock core"][1]


def test_the_plot(result: Result, tmp_path: Path) -> None:
    from matplotlib.figure import Figure

    assert result.plot is not None
    figure = Figure()
    result.plot(figure)
    figure.savefig(tmp_path / "calls.png")
    assert (tmp_path / "calls.png").stat().st_size > 10_000
