"""Random edges, modes, attaching, budgets; handlers that sleep, fault or never end: against a slow model.

The model has the pins' levels from the wave file and what was attached when from the event log, and counts
edge by edge what must have arrived. Nothing of the kernel's own counting is in it. One run in every run of
the suite (some 110,000 edges on sim); with `hocket self-test --long` 40, or HOCKET_INTERRUPT_SEEDS=N, and by
deadlines a quarter as many, on virt a tenth.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.campaign import long_form, rounds
from tests.interrupts import interrupts, on, run
from tests.sketches import Report

from hocket.trace.eventlog import EventKind, EventLog, in_order, read_log

_CHANGE, _FALLING, _RISING = 2, 3, 4  # as Arduino has them; a level is its own mode
LEVEL = 10  # the pin whose handler has levels for its modes

SKETCH = """
volatile unsigned long calls[70];
template <int pin> void quick() { ++calls[pin]; }
template <int pin> void slow() { ++calls[pin]; if (random(4) == 0) delay(random(3)); }
template <int pin> void masking() { noInterrupts(); ++calls[pin]; interrupts(); }
static int some_mode() { return 2 + random(3); }
template <int pin> void changing() {
  ++calls[pin];
  int what = random(40);
  if (what == 0) detachInterrupt(pin);
  if (what == 1) attachInterrupt(digitalPinToInterrupt(pin), changing<pin>, some_mode());
  if (what == 2) attachInterruptVcpu(2, quick<2>, some_mode(), 100us, 10);
}
void faulty() { ++calls[6]; if (millis() > AT * 3 / 4) *(volatile int*)(1L << 40) = 0; }
void endless() { ++calls[7]; if (millis() > AT / 5) for (;;) { } }
void setup() {
  Serial.begin(115200);
  randomSeed(SEED);
  interruptsVcpu(400us, 5);
  attachInterruptVcpu(6, faulty, CHANGE, 200us, 5);
  attachInterruptVcpu(7, endless, RISING, 200us, 5, onCore(LAST));
  attachInterruptVcpu(9, quick<9>, CHANGE, 150us, 10);
}
void loop(1, 5, 20) {
  switch (random(19)) {
    case 0: attachInterrupt(digitalPinToInterrupt(2), quick<2>, some_mode()); break;
    case 1: attachInterruptVcpu(3, slow<3>, some_mode(), 300us, 5, onCore(LAST)); break;
    case 2: attachInterrupt(digitalPinToInterrupt(4), masking<4>, some_mode()); break;
    case 3: attachInterruptVcpu(5, changing<5>, some_mode(), 300us, 10); break;
    case 4: detachInterrupt(2 + random(4)); break;
    case 5: noInterrupts(); if (random(2)) delay(random(5)); interrupts(); break;
    case 6: interruptsVcpu(100us, 5); break;
    case 7: interruptsVcpu(0, 5); break;
    case 8: interruptsVcpu(400us, 5); break;
    case 9: attachInterruptVcpu(10, quick<10>, random(2), 100us, 10); break;
    case 10: detachInterrupt(10); break;
#ifdef OF_SIM
    case 11: attachInterruptDirect(8, quick<8>, some_mode(), 3us, 700us); break;
    case 12: detachInterrupt(8); break;
    case 13: interruptsVcpu(150us, 10, forPin(9)); break;
#endif
    default: delayMicroseconds(random(900)); break;
  }
  if (millis() < AT) return;
  for (int pin = 2; pin <= 10; ++pin) if (pin != 6) detachInterrupt(pin);
  for (int pin = 2; pin <= 10; ++pin) { Serial.print(calls[pin]); Serial.print(' '); }
  Serial.println("calls");
  for (;;) delay(10000);
}
void loop(2, 5, 50, onCore(LAST)) {
  noInterrupts(); delayMicroseconds(random(300)); interrupts(); delay(random(9));
}
"""


@dataclass(frozen=True)
class Board:
    """longest: the gap between two edges of a pin is at most so many milliseconds times its number.
    tolerance: ns from an access to its record in the log, and another core's access before it."""

    name: str
    pins: tuple[int, ...]
    seconds: float
    longest: float
    tolerance: int
    fewest: int  # edges in a run


SIM = Board("sim", tuple(range(2, 11)), 3, 0.05, 2_000, 5_000)
# Eight pins have a line at once, and none is for direct handlers.
VIRT = Board("virt", (2, 3, 4, 5, 6, 7, 9, 10), 2, 0.2, 2_000, 500)


@dataclass(frozen=True)
class Watch:
    """Of a pin, from the log: looked for `mode` from `begin` to `end`."""

    mode: int
    begin: int
    end: int


def watches(log: EventLog, pin: int, end: int) -> list[Watch]:
    found = [e for e in in_order(log) if e.kind == EventKind.PIN_WATCHED and e.arg == pin]
    return [
        Watch(event.value - 1, event.time_ns, end if after is None else after.time_ns)
        for event, after in zip(found, [*found[1:], None], strict=True)
        if event.value > 0
    ]


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


def arrived(
    watched: list[Watch], changes: list[tuple[int, int]], tolerance: int
) -> tuple[int, int]:
    """How many edges, at least and at most: one within a watch's own access may be either."""
    instants = [at for at, _ in changes]
    least = most = 0
    for watch in watched:
        wanted = {_CHANGE: (0, 1), _FALLING: (0,), _RISING: (1,)}[watch.mode]
        sure = range(
            bisect.bisect_right(instants, watch.begin),
            bisect.bisect_left(instants, watch.end - tolerance),
        )
        possible = range(
            bisect.bisect_left(instants, watch.begin - tolerance),
            bisect.bisect_right(instants, watch.end),
        )
        least += sum(changes[i][1] in wanted for i in sure)
        most += sum(changes[i][1] in wanted for i in possible)
    return least, most


def stood(changes: list[tuple[int, int]], level: int, begin: int, end: int) -> bool:
    """The pin was at this level at some instant in between."""
    first = bisect.bisect_right([at for at, _ in changes], begin)
    before = changes[first - 1][1] if first > 0 else 0
    return before == level or any(at < end and now == level for at, now in changes[first:])


def judge_level(
    log: EventLog, watched: list[Watch], changes: list[tuple[int, int]], entry: Report, board: Board
) -> None:
    """A level counts once as it is watched, or begins, and once more as its handler has returned."""
    standing = sum(
        stood(changes, watch.mode, watch.begin, watch.end - board.tolerance) for watch in watched
    )
    assert standing <= entry["edges"] <= entry["delivered"] + 2 * len(watched), entry
    taken = [e for e in in_order(log) if e.kind == EventKind.EDGES_TAKEN and e.arg == LEVEL]
    before = 0
    for event in taken:
        watch = next((w for w in watched if w.begin <= event.time_ns < w.end), None)
        if watch is None:
            continue  # the bottom half had it already
        since = max(before, watch.begin) - board.tolerance
        assert stood(changes, watch.mode, since, event.time_ns), event
        before = event.time_ns


SEEDS = rounds(1, 40, "HOCKET_INTERRUPT_SEEDS")
RUNS = [(SIM, seed, 1 + (seed - 1) % 3, "vcpu") for seed in range(1, SEEDS + 1)]
RUNS += [(SIM, seed, 1 + seed % 3, "edf") for seed in range(1, 1 + SEEDS // 4)]
RUNS += [(VIRT, seed, 1, "vcpu") for seed in range(1, 1 + SEEDS // 10)]


@pytest.mark.parametrize(
    ("board", "seed", "cores", "policy"),
    RUNS,
    ids=[f"{board.name}-{seed}-{cores}-{policy}" for board, seed, cores, policy in RUNS],
)
def test_every_edge_is_accounted_for(
    tmp_path: Path, board: Board, seed: int, cores: int, policy: str
) -> None:
    vcd, trace = tmp_path / "w.vcd", tmp_path / "t.hklog"
    scenario = "parts:\n" + "".join(
        f"  g{pin}: {{type: generator, pin: {pin}, "
        f"gaps: {{shortest: 0 ms, longest: {board.longest * pin:.2f} ms}}}}\n"
        for pin in board.pins
    )
    text = f"#define LAST {cores - 1}\n#define SEED {seed}\n#define AT {950 * board.seconds:.0f}\n"
    text += ("#define OF_SIM\n" if board is SIM else "") + SKETCH
    options: tuple[str | Path, ...] = (
        *on(board.name, cores),
        *("--policy", policy),
        *("--seed", str(seed)),
        "--vcd",
        vcd,
        "--trace",
        trace,
    )
    status, said, report = run(
        tmp_path, "random", text, scenario, f"{1000 * board.seconds:.0f}ms", *options
    )
    assert status == 1, said  # one handler faults, nobody else
    entries = interrupts(report)
    assert len(report["faults"]) == 1
    assert report["faults"][0]["loop"] == entries[6]["loop"]

    line = next(line for line in said.splitlines() if line.endswith("calls"))
    calls = dict(zip(range(2, 11), map(int, line.split()[:9]), strict=True))
    log, waves = read_log(trace), levels(vcd.read_text())
    end = round(report["duration_us"] * 1000)
    given: dict[int, list[int]] = {pin: [] for pin in board.pins}
    for event in in_order(log):
        if event.kind == EventKind.EDGE_DELIVERED:
            given[event.arg].append(event.time_ns)
    for pin, entry in entries.items():
        watched = watches(log, pin, end)
        if pin == LEVEL:
            judge_level(log, watched, waves[pin], entry, board)
        else:
            judge_edges(watched, waves[pin], given[pin], entry, board)
        assert len(given[pin]) == entry["delivered"]
        # The sketch's own count: one call for each, but what was in the middle as it printed.
        assert entry["delivered"] - 1 <= calls[pin] <= entry["delivered"], (pin, calls, entry)
    assert sum(entry["edges"] for entry in entries.values()) > board.fewest
    assert any(entry["lost_because"]["detached"] for entry in entries.values())
    # The endless one. (Others are in the middle as well when that one has lasted a second.)
    assert report["no_interrupts"]["handlers_given_up"] == 1
    assert any("waited for a handler that did not end" in each for each in report["notices"])
    judge_loops(report, entries)


def judge_edges(
    watched: list[Watch],
    changes: list[tuple[int, int]],
    given: list[int],
    entry: Report,
    board: Board,
) -> None:
    least, most = arrived(watched, changes, board.tolerance)
    seen = entry["edges"] + entry["may_have_merged"]
    assert least <= seen <= most, (least, most, entry)
    assert most - least <= 0.01 * most + 12, (least, most, entry)
    instants = [at for at, _ in changes]
    for number, at in enumerate(given):  # no call before its edge
        assert bisect.bisect_right(instants, at) > number, (number, at, entry)


def judge_loops(report: Report, entries: dict[int, Report]) -> None:
    """Loops 1 and 2 and all handlers keep what they were promised."""
    endless = next(loop for loop in report["loops"] if loop["id"] == entries[7]["loop"])
    assert endless["max_cpu_per_period_us"] <= 200 + 60
    for loop in report["loops"]:
        if loop["id"] not in (entries[6]["loop"], entries[7]["loop"]):
            assert loop["deadline_misses"] == 0, loop
            assert loop["max_response_us"] <= loop["response_bound_us"], loop


@long_form
def test_a_million_edges_without_a_miscount(tmp_path: Path) -> None:
    text = "volatile unsigned long n;\nvoid f() { ++n; }\nvoid setup() { Serial.begin(115200);\n"
    text += "attachInterruptVcpu(2, f, CHANGE, 8, 10); }\n"
    text += "void loop(1, 1, 20) {\n  if (millis() < 5900) return delay(5);\n"
    text += '  Serial.print(n); Serial.println(" counted"); delay(9999);\n}\n'
    scenario = (
        "parts:\n  g: {type: generator, pin: 2, start: 2 ms, count: 1000000, "
        "gaps: {shortest: 0.003 ms, longest: 0.008 ms}}\n"
    )
    status, said, report = run(tmp_path, "million", text, scenario, "6s")
    assert status == 0, said
    (entry,) = interrupts(report).values()
    assert entry["edges"] == entry["delivered"] == 1_000_000
    assert entry["lost"] == entry["pending"] == 0
    assert "1000000 counted" in said
