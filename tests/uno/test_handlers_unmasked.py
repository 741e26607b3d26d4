"""Handlers of devices while the kernel is at work: none waits for it, and nothing that they do to it is
lost or comes in between (docs/decisions/small-processors.md)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.uno.conftest import Built, Measure, Report, Run
from tests.uno.waves import pulses

Broken = Callable[..., list[str]]

# Cycles from pin 2 through a handler of attachInterrupt() to pin 3, beside anything.
MOST = 250
ANSWER = """
void answer() {
  digitalWrite(3, HIGH);
  delayMicroseconds(5);
  digitalWrite(3, LOW);
}

void setup() {
  pinMode(2, INPUT);
  pinMode(3, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), answer, RISING);
}
"""
BESIDE = {
    "busy": """
        volatile unsigned long sum;
        void loop(1, 20, 50) { sum += 1; }
        void loop(2, 5, 20) { sum += 2; }
    """,
    "napping": """
        void loop(1, 20, 50) { delay(1); }
        void loop(2, 5, 20) { delay(2); }
        void loop(3, 5, 40) { delayMicroseconds(300); delay(1); }
    """,
    "waking each other": """
        #include "hocket/Semaphore.h"
        Semaphore there(0), back(0);
        void loop(1, 20, 50) { there.v(); back.p(); }
        void loop(2, 5, 20) { there.p(); back.v(); }
    """,
    "printing": """
        void loop(1, 20, 50) { Serial.begin(9600); Serial.print("0123456789"); }
        void loop(2, 5, 20) { delay(1); }
    """,
}


def sketch(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    return folder


@one_in(3)
@pytest.mark.parametrize("beside", BESIDE)
def test_pin_to_pin(built: Built, measure: Measure, tmp_path: Path, beside: str) -> None:
    found = measure(built(sketch(tmp_path / "answers", ANSWER + BESIDE[beside])), 4000, 1)
    assert found.count == 4000
    assert (
        30 <= found.least <= found.median <= 76
    )  # 8 of them: the clock is read before the handler
    assert found.most <= MOST


COUNTS = """
#include "hocket/Semaphore.h"

Semaphore edges(0);
volatile unsigned given, taken;

void give() {
  ++given;
  edges.v();
}

void setup() {
  Serial.begin(9600);
  pinMode(2, INPUT);
  interruptsVcpu(5, 10);
  attachInterrupt(digitalPinToInterrupt(2), give, RISING);
}

void loop(1, 14, 50) {
  edges.p();
  ++taken;
}

void loop(2, 1, 50) { delay(1); }

void loop(3, 1, 100) {
  delay(DURATION);
  Serial.print("given ");
  Serial.print(given);
  Serial.print(" taken ");
  Serial.println(taken);
}
"""


@long_form
def test_no_wake_up_is_lost_at_18_khz(uno: Run, tmp_path: Path) -> None:
    """Edges that come while the kernel works on the one before: each is counted, and each p() returns."""
    counts = sketch(tmp_path / "counts", COUNTS.replace("DURATION", "1900"))
    scenario = tmp_path / "edges.yaml"
    scenario.write_text(  # (up and down count)
        "parts:\n  edges: {type: generator, pin: 2, frequency: 18 kHz, start: 100 ms, count: 36000}\n"
    )
    done = uno(counts, "2s", "--scenario", scenario)
    assert done.status == 0, done.said
    assert "given 18000 taken 18000" in done.serial


PHASED = """
#include "hocket/Semaphore.h"

Semaphore edges(0);
volatile unsigned late, given, taken;
volatile unsigned long sum;

void give() {
  if (given != taken) ++late;
  ++given;
  edges.v();
}

void setup() {
  Serial.begin(9600);
  pinMode(2, INPUT);
  pinMode(4, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(2), give, RISING);
}

void loop(1, 1800us, 8) {
  edges.p();
  ++taken;
}

void periodic(2, 1, 8) {
  digitalWrite(4, HIGH);
  digitalWrite(4, LOW);
}

void loop(3, 1, 100) {
  delay(25800);
  Serial.print(late);
  Serial.print(" late, given ");
  Serial.print(given);
  Serial.print(" taken ");
  Serial.println(taken);
}

void loop(4, 1, 20) { sum += 1; }
"""
PHASES = 3_200
CYCLE = 62.5  # ns
PERIOD = 8_000_000
BEFORE = 150_000  # of the 200 us that are gone through, before a loop is seen to have been woken


@long_form
def test_an_edge_at_every_cycle_of_the_kernels_work(
    uno: Run, broken: Broken, tmp_path: Path
) -> None:
    """Every 8 ms the kernel leaves a loop that computes for another one; the edge comes a cycle later
    each time. Each is answered before the next one, and every loop gets what it was promised."""
    folder = sketch(tmp_path / "phases", PHASED)
    waves = tmp_path / "calm.vcd"
    assert uno(folder, "200ms", "--vcd", waves).status == 0
    woken = next(begin for begin, _ in pulses(waves, "D4") if begin > 100_000_000)
    rises = [round(woken - BEFORE + k * (PERIOD + CYCLE)) for k in range(PHASES)]
    times = ", ".join(f"{t}ns, {t + 1_000_000}ns" for t in rises)
    scenario = tmp_path / "edges.yaml"
    scenario.write_text(f"parts:\n  edges: {{type: generator, pin: 2, edges: [{times}]}}\n")
    done = uno(folder, "26s", "--scenario", scenario)
    assert done.status == 0, done.said
    assert f"0 late, given {PHASES} taken {PHASES}" in done.serial
    report: Report = done.report
    assert not broken(report, {4}, resumed=20)


SWEPT = """
volatile unsigned long first = 0;
void seen() {
  if (first == 0) first = micros();
}
void setup() {
  Serial.begin(115200);
  pinMode(2, INPUT);
  attachInterrupt(digitalPinToInterrupt(2), seen, RISING);
}
void loop(1, 5, 100) {
  delay(100);
  if (first != 0) { Serial.println(first); first = 0xffffffff; }
}
void loop(2, 60, 100) {}
"""


@long_form
def test_a_handler_may_end_as_the_counter_comes_round(uno: Run, tmp_path: Path) -> None:
    """Edges two cycles further each time, so that some handler ends at each cycle about the overflow of the
    clock's timer, once in 32.768 ms. None of them took as long as a turn."""
    swept = sketch(tmp_path / "swept", SWEPT)
    scenario = tmp_path / "edges.yaml"

    def run(instants: list[int]) -> tuple[str, dict[str, Any]]:
        """Edges at these instants (ns)."""
        times = ", ".join(f"{up} ns, {up + 5_000} ns" for up in instants)
        scenario.write_text(f"parts:\n  edges: {{type: generator, pin: 2, edges: [{times}]}}\n")
        last = f"{instants[-1] // 1_000_000 + 250}ms"
        done = uno(swept, last, "--scenario", scenario)
        assert done.status == 0, done.said
        (line,) = done.report["interrupts"]
        return done.serial, line

    at = 50_000_000
    said, _ = run([at])
    seen = int(
        said.split()[0]
    )  # by micros(), some microseconds later, which is 0 as the counter is
    turn = 32_768
    overflow = at + (turn - seen % turn) * 1_000
    instants = [overflow + n * turn * 1_000 - 40_000 + n * 125 for n in range(2, 340)]
    _, line = run(instants)
    assert (line["delivered"], line["lost"]) == (len(instants), 0)
    assert line["max_delay_us"] < 60
