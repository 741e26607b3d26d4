"""Random edges, modes, attaching; handlers that sleep, fault or never end: against a slow model.

The model has the pins' levels from the wave file and what was attached when from the event log, and counts
edge by edge what must have arrived. Nothing of the kernel's own counting is in it.
"""

from __future__ import annotations

import bisect
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_hocket
from tests.sketches import kept

from hocket.trace.eventlog import EventKind, EventLog, in_order, read_log

PINS = range(2, 10)
_CHANGE, _FALLING, _RISING = 2, 3, 4  # as Arduino has them

SKETCH = """
volatile unsigned long calls[70];
template <int pin> void quick() { ++calls[pin]; }
template <int pin> void slow() { ++calls[pin]; if (random(4) == 0) delay(random(3)); }
template <int pin> void masking() { noInterrupts(); ++calls[pin]; interrupts(); }
void faulty() { ++calls[6]; if (millis() > 2300) *(volatile int*)16 = 0; }
void endless() { ++calls[7]; if (millis() > 1000) for (;;) { } }
static int some_mode() { return 2 + random(3); }
void setup() {
  Serial.begin(115200);
  interruptsVcpu(400us, 5);
  attachInterruptVcpu(6, faulty, CHANGE, 200us, 5);
  attachInterruptVcpu(7, endless, RISING, 200us, 5, onCore(LAST));
  attachInterruptVcpu(9, quick<9>, CHANGE, 150us, 10);
}
void loop(1, 5, 20) {
  switch (random(16)) {
    case 0: attachInterrupt(digitalPinToInterrupt(2), quick<2>, some_mode()); break;
    case 1: attachInterruptVcpu(3, slow<3>, some_mode(), 300us, 5, onCore(LAST)); break;
    case 2: attachInterrupt(digitalPinToInterrupt(4), masking<4>, some_mode()); break;
    case 3: attachInterruptVcpu(5, masking<5>, some_mode(), 300us, 10); break;
    case 4: detachInterrupt(2 + random(4)); break;
    case 6: attachInterruptDirect(8, quick<8>, some_mode(), 3us, 700us); break;
    case 7: detachInterrupt(8); break;
    case 8: interruptsVcpu(100us, 5); break;
    case 9: interruptsVcpu(0, 5); break;
    case 10: interruptsVcpu(400us, 5); break;
    case 11: interruptsVcpu(150us, 10, forPin(9)); break;
    case 5: noInterrupts(); if (random(2)) delay(random(5)); interrupts(); break;
    default: delayMicroseconds(random(900)); break;
  }
  if (millis() < 2950) return;
  for (int pin = 2; pin < 6; ++pin) detachInterrupt(pin);
  for (int pin = 7; pin < 10; ++pin) detachInterrupt(pin);
  for (int pin = 2; pin < 10; ++pin) { Serial.print(calls[pin]); Serial.print(' '); }
  Serial.println("calls");
  for (;;) delay(10000);
}
void loop(2, 5, 50, onCore(LAST)) {
  noInterrupts(); delayMicroseconds(random(300)); interrupts(); delay(random(9));
}
"""


def levels(vcd: str) -> dict[int, list[tuple[int, int]]]:
    """By pin: the instants (ns) at which its level changed, and to what; floating is low."""
    names = {code: int(pin) for code, pin in re.findall(r"\$var wire 1 (\S+) D(\d+) \$end", vcd)}
    found: dict[int, list[tuple[int, int]]] = {pin: [] for pin in names.values()}
    now, started = 0, False
    for line in vcd.splitlines():
        if line.startswith("#"):
            now, started = int(line[1:]), True
        elif started and line[:1] in "01xz" and line[1:] in names:
            changes, level = found[names[line[1:]]], int(line[0] == "1")
            if level != (changes[-1][1] if changes else 0):
                changes.append((now, level))
    return found


def arrived(log: EventLog, changes: list[tuple[int, int]], pin: int, end: int) -> tuple[int, int]:
    """How many edges, at least and at most: one within a watch's own access may be either."""
    watched = [e for e in in_order(log) if e.kind == EventKind.PIN_WATCHED and e.arg == pin]
    instants = [at for at, _ in changes]
    least = most = 0
    for event, after in zip(watched, [*watched[1:], None], strict=True):
        if event.value == 0:
            continue
        mode, until = event.value - 1, end if after is None else after.time_ns
        wanted = {_CHANGE: (0, 1), _FALLING: (0,), _RISING: (1,)}[mode]
        sure = range(
            bisect.bisect_right(instants, event.time_ns),
            bisect.bisect_left(instants, until - ACCESS),
        )
        possible = range(
            bisect.bisect_left(instants, event.time_ns - ACCESS),
            bisect.bisect_right(instants, until),
        )
        least += sum(changes[i][1] in wanted for i in sure)
        most += sum(changes[i][1] in wanted for i in possible)
    return least, most


ACCESS = 2_000  # ns: from the access to its record in the log, and another core's access before it


@pytest.mark.parametrize(("seed", "cores"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_every_edge_is_accounted_for(tmp_path: Path, seed: int, cores: int) -> None:
    facts, vcd, trace = tmp_path / "r.json", tmp_path / "w.vcd", tmp_path / "t.hklog"
    scenario = tmp_path / "s.yaml"
    scenario.write_text(
        "parts:\n"
        + "".join(
            f"  g{pin}: {{type: generator, pin: {pin}, "
            f"gaps: {{shortest: 0 ms, longest: {0.05 * pin:.2f} ms}}}}\n"
            for pin in PINS
        )
    )
    sketch = kept("random", f"#define LAST {cores - 1}\n{SKETCH}")
    words: list[str | Path] = [
        "--scenario",
        scenario,
        "--for",
        "3s",
        "--json",
        facts,
        "--vcd",
        vcd,
        "--trace",
        trace,
    ]
    done = run_hocket("run", sketch, *words, "--seed", str(seed), "--cores", str(cores))
    assert done.returncode == 1, done.stderr  # one handler faults, nobody else
    report: dict[str, Any] = json.loads(facts.read_text())
    entries = {e["pin"]: e for e in report["interrupts"] if e["edges"] is not None}
    assert len(report["faults"]) == 1
    assert report["faults"][0]["loop"] == entries[6]["loop"]

    said = next(line for line in done.stdout.splitlines() if line.endswith("calls"))
    calls = dict(zip(PINS, map(int, said.split()[:8]), strict=True))
    log, waves = read_log(trace), levels(vcd.read_text())
    end = round(report["duration_us"] * 1000)
    given: dict[int, list[int]] = {pin: [] for pin in PINS}
    for event in in_order(log):
        if event.kind == EventKind.EDGE_DELIVERED:
            given[event.arg].append(event.time_ns)
    for pin, entry in entries.items():
        assert entry["edges"] == entry["delivered"] + entry["pending"] + entry["lost"], entry
        least, most = arrived(log, waves[pin], pin, end)
        assert least <= entry["edges"] <= most, (pin, least, entry["edges"], most)
        assert most - least <= 0.01 * most + 12, (pin, least, most)
        assert len(given[pin]) == entry["delivered"]
        # The sketch's own count: one call for each, but what was in the middle as it printed.
        assert entry["delivered"] - 1 <= calls[pin] <= entry["delivered"], (pin, calls, entry)
        # No call before its edge.
        instants = [at for at, _ in waves[pin]]
        for number, at in enumerate(given[pin]):
            assert bisect.bisect_right(instants, at) > number, (pin, number, at)
    assert sum(entry["edges"] for entry in entries.values()) > 5_000
    assert any(entry["lost_because"]["detached"] for entry in entries.values())
    assert report["no_interrupts"]["handlers_given_up"] == 1
    assert any("waited for a handler that did not end" in each for each in report["notices"])
    endless = next(loop for loop in report["loops"] if loop["id"] == entries[7]["loop"])
    assert endless["max_cpu_per_period_us"] <= 200 + 60
    # Loops 1 and 2 and all handlers keep what they were promised.
    for loop in report["loops"]:
        if loop["id"] not in (entries[6]["loop"], entries[7]["loop"]):
            assert loop["deadline_misses"] == 0, loop
            assert loop["max_response_us"] <= loop["response_bound_us"], loop


def test_a_million_edges_without_a_miscount(tmp_path: Path) -> None:
    facts, scenario = tmp_path / "r.json", tmp_path / "s.yaml"
    text = "volatile unsigned long n;\nvoid f() { ++n; }\nvoid setup() { Serial.begin(115200);\n"
    text += "attachInterruptVcpu(2, f, CHANGE, 8, 10); }\n"
    text += "void loop(1, 1, 20) {\n  if (millis() < 5900) return delay(5);\n"
    text += '  Serial.print(n); Serial.println(" counted"); delay(9999);\n}\n'
    scenario.write_text(
        "parts:\n  g: {type: generator, pin: 2, start: 2 ms, count: 1000000, "
        "gaps: {shortest: 0.003 ms, longest: 0.008 ms}}\n"
    )
    done = run_hocket(
        "run", kept("million", text), "--scenario", scenario, "--for", "6s", "--json", facts
    )
    assert done.returncode == 0, done.stderr
    (entry,) = json.loads(facts.read_text())["interrupts"]
    assert entry["edges"] == entry["delivered"] == 1_000_000
    assert entry["lost"] == entry["pending"] == 0
    assert "1000000 counted" in done.stdout
