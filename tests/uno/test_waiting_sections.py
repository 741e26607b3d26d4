"""Sections of noInterrupts() in which a loop waits: handlers of attachInterrupt() are held back while others
run, and no longer than is bounded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_hocket

SKETCH = """
volatile uint32_t calls;
void seen() { ++calls; }
void setup() {
  Serial.begin(115200);
  pinMode(PIN, INPUT);
  attachInterrupt(digitalPinToInterrupt(PIN), seen, RISING);
}
void loop(1, BUDGET, 100) {
  noInterrupts();
  uint32_t before = calls;
  WAIT
  uint32_t inside = calls - before;
  interrupts();
  delay(5);
  Serial.print(inside); Serial.print(" then "); Serial.println(calls - before - inside);
  delay(20);
}
volatile uint32_t turns;
void loop(2, 20, 100) { ++turns; }
"""


def run(tmp_path: Path, text: str, pin: int = 2) -> tuple[list[str], dict[str, Any]]:
    folder = tmp_path / "waits"
    folder.mkdir()
    # A loop pays for each of its wake-ups: 30 of them take 16 ms.
    budget = "40" if "++i" in text else "20"
    (folder / "waits.ino").write_text(text.replace("BUDGET", budget))
    (folder / "scenario.yaml").write_text(
        f"parts:\n  g: {{type: generator, pin: {pin}, frequency: 500 Hz, start: 10 ms}}\n"
    )
    facts = tmp_path / "report.json"
    done = run_hocket("run", folder, "--board", "uno", "--for", "1s", "--json", facts)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines(), json.loads(facts.read_text())


@pytest.mark.parametrize("pin", [2, 8])
@pytest.mark.parametrize("wait", ["delay(50);", "for (int i = 0; i < 30; ++i) delay(1);"])
def test_no_handler_runs_while_a_loop_waits_in_its_section(
    tmp_path: Path, pin: int, wait: str
) -> None:
    said, report = run(tmp_path, SKETCH.replace("PIN", str(pin)).replace("WAIT", wait), pin)
    lines = [line.split(" then ") for line in said if " then " in line]
    assert len(lines) > 8
    for inside, behind in lines:
        assert (
            int(inside) == 0
        )  # the edges are kept: one of them is handled behind it, and new ones
        assert 1 <= int(behind) <= 4
    (entry,) = report["interrupts"]
    assert entry["max_delay_us"] <= entry["delay_bound_us"]
    assert report["overheads"]["exceeded"] == []
    assert not [n for n in report["notices"] if "noInterrupts()" in n]


def test_a_loop_that_waits_for_too_long_stops_no_handler_for_ever(tmp_path: Path) -> None:
    text = SKETCH.replace("PIN", "2").replace("WAIT", "if (millis() > 300) for (;;) delay(1000);")
    _, report = run(tmp_path, text)
    (entry,) = report["interrupts"]
    # From 300 ms on they are held for two periods, and then go on.
    assert entry["delivered"] > 350
    assert entry["max_delay_us"] <= entry["delay_bound_us"]
    (told,) = [n for n in report["notices"] if "noInterrupts()" in n]
    assert told.startswith("loop 1 (waits/waits.ino:9) waited between")


def test_the_match_that_ends_a_section_is_in_the_bound(tmp_path: Path) -> None:
    """With 550 us in 10 ms a handler of the longest length is paid for by one period's budget, and together
    with the end of a section only by two."""
    text = SKETCH.replace("PIN", "2").replace(
        "  pinMode", "  interruptsVcpu(550us, 10ms);\n  pinMode"
    )
    bounds = []
    for wait in ("", "delay(50);"):
        (tmp_path / f"w{len(wait)}").mkdir()
        _, report = run(tmp_path / f"w{len(wait)}", text.replace("WAIT", wait))
        (entry,) = report["interrupts"]
        bounds.append(entry["delay_bound_us"])
    section = 2 * 100_000  # two periods of the loop
    assert section + 10_000 <= bounds[1] - bounds[0] <= section + 10_000 + 3 * 1_024


def test_a_section_of_many_short_waits_stops_no_handler_for_ever(tmp_path: Path) -> None:
    """Each edge waits as long as one section may take, and is handled then: interrupts have not been on."""
    text = SKETCH.replace("PIN", "2").replace("WAIT", "if (millis() > 300) for (;;) delay(1);")
    text = text.replace("loop(1, 20, 100)", "loop(1, 5, 20)")
    _, report = run(tmp_path, text)
    (entry,) = report["interrupts"]
    # Those of the first 300 ms, and some behind each time that is over, which is 203 ms: three of them.
    assert entry["delivered"] > 145 + 3
    assert entry["max_delay_us"] <= entry["delay_bound_us"]
    (told,) = [n for n in report["notices"] if "noInterrupts()" in n]
    assert told.startswith("loop 1 (waits/waits.ino:9) waited between")


def test_sections_with_interrupts_on_between_them_are_counted_apart(tmp_path: Path) -> None:
    """No edge comes too late for its own section, and none is let in early."""
    text = SKETCH.replace("PIN", "2").replace(
        "WAIT",
        "for (int i = 0; i < 60; ++i) { delay(1); interrupts(); noInterrupts(); } before = calls; delay(15);",
    )
    text = text.replace("loop(1, 20, 100)", "loop(1, 5, 20)")
    said, report = run(tmp_path, text)
    lines = [line.split(" then ") for line in said if " then " in line]
    assert len(lines) > 4
    assert all(int(inside) == 0 for inside, _ in lines)
    assert not [n for n in report["notices"] if "noInterrupts()" in n]


def test_sections_of_two_loops_hold_until_the_last_one_ends(tmp_path: Path) -> None:
    text = (
        SKETCH.replace("PIN", "2")
        .replace("WAIT", "delay(40);")
        .replace("{ ++turns; }", "{ noInterrupts(); delay(7); interrupts(); delay(3); }")
    )
    said, report = run(tmp_path, text)
    lines = [line.split(" then ") for line in said if " then " in line]
    assert len(lines) > 5
    assert all(int(inside) == 0 for inside, _ in lines)
    assert report["interrupts"][0]["delivered"] > 20
