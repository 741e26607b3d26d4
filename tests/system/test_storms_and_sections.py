"""Random storms at pins beside random sections, with I/O virtual CPUs of random budgets, on sim and virt.

What is checked comes from the sketch's own account, the generators' counts and the event log: no handler
begins within a section, no correct section is revoked, each edge is in the account, each delay is within its
bound, an always busy loop gets its C, and no window of the log has more edges received than the I/O budget
pays for.
"""

from __future__ import annotations

import random
import re
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
from tests.campaign import LONG, every_so_often, rounds
from tests.interrupts import interrupts, on, run
from tests.sketches import Report

from hocket.trace.eventlog import EventKind, in_order, read_log

# Each loop marks its sections, and each handler looks for the marks of others when it begins. `held` and
# `calls` belong to one loop each, so no change of one is lost.
HEAD = """
volatile bool held[300];
volatile unsigned long calls[10], within[10], units[2], since[2];
__attribute__((noinline)) void works(int own) {
  for (int i = 0; i < 100; ++i) asm volatile("" ::: "memory");
  ++units[own];
}
void begins(int pin) {
  ++calls[pin];
  for (int i = 0; i < 20; ++i) if (held[i] && i != 10 + pin) ++within[pin];
}
void section(int mark, unsigned us, bool sleeps) {
  noInterrupts();
  held[mark] = true;
  if (sleeps) delay(us / 1000 + 1); else delayMicroseconds(us);
  held[mark] = false;
  interrupts();
}
unsigned long measured() {
  unsigned long begin = micros();
  for (int i = 0; i < ROUNDS; ++i) works(1);
  return micros() - begin;
}
"""
TELLER = """
void loop(9, 500us, 50ms) {
  if (millis() < TOLD) return delay(5);
  unsigned long at = micros(), seen = units[0];
  Serial.print("victim "); Serial.print(seen); Serial.print(' '); Serial.println(at - since[0]);
  Serial.print("calls");
  for (int pin = 2; pin < 6; ++pin) { Serial.print(' '); Serial.print(calls[pin]); }
  Serial.print(" within");
  for (int pin = 2; pin < 6; ++pin) { Serial.print(' '); Serial.print(within[pin]); }
  Serial.println();
  delay(100000);
}
"""


@dataclass(frozen=True)
class Board:
    name: str
    cores: int
    milliseconds: int
    rates: tuple[str, ...]  # of edges in one direction
    rounds: int  # of the victim's measured work
    turn: int  # ns, less than any turn of a bottom half takes


SIM = Board("sim", 2, 500, ("20 Hz", "1 kHz", "10 kHz", "60 kHz", "300 kHz"), 200, 1_000)
VIRT = Board("virt", 1, 250, ("20 Hz", "1 kHz", "10 kHz", "60 kHz"), 2_000, 150)
VICTIM = (1000, 10_000)  # C and T, in us


@dataclass
class Drawn:
    text: str = ""
    scenario: str = "parts:\n"
    modes: dict[int, str] = field(default_factory=dict)
    lone: tuple[int, int] | None = (
        None  # a pin that has an I/O virtual CPU alone, and C in 10 ms (us)
    )


def attach(dice: random.Random, pin: int, mode: str, cores: int) -> str:
    if dice.random() < 0.3:
        return f"  attachInterrupt({pin}, h{pin}, {mode});\n"
    budget, period = dice.choice(((300, 5), (1000, 10), (2000, 40)))
    core = dice.randrange(cores)
    return (
        f"  attachInterruptVcpu({pin}, h{pin}, {mode}, {budget}us, {period}ms, onCore({core}));\n"
    )


def draw(seed: str, board: Board, cores: int) -> Drawn:
    dice = random.Random(seed)
    drawn = Drawn(f"#define ROUNDS {board.rounds}\n#define TOLD {board.milliseconds - 45}\n{HEAD}")
    pins = dice.sample(range(2, 6), dice.randrange(1, 5))
    set_up = ""
    direct = pins[-1] if dice.random() < 0.3 else None
    for pin in pins:
        mode = drawn.modes[pin] = dice.choice(("RISING", "FALLING", "CHANGE"))
        body = dice.choice(
            ("", "", "delayMicroseconds(40);", f"section({10 + pin}, 20, false);", "delay(1);")
        )
        if pin == direct:
            body, distance = "", dice.choice((200, 1000, 5000))
            set_up += f"  attachInterruptDirect({pin}, h{pin}, {mode}, 20us, {distance}us);\n"
        else:
            set_up += attach(dice, pin, mode, cores)
        drawn.text += f"void h{pin}() {{ begins({pin}); {body} }}\n"
        drawn.scenario += (
            f"  g{pin}: {{type: generator, pin: {pin}, frequency: {dice.choice(board.rates)}, "
            f"start: {dice.randrange(15, 60)} ms}}\n"
        )
    budget = dice.choice((60, 150, 400, 1000))
    set_up = f"  interruptsVcpu({budget}us, 10ms);\n{set_up}"
    if len(pins) > 2 and dice.random() < 0.5:
        drawn.lone = pins[0], dice.choice((80, 200))
        set_up = "  interruptsVcpu({1}us, 10ms, forPin({0}));\n".format(*drawn.lone) + set_up
    drawn.text += (
        "void setup() {\n  Serial.begin(115200);\n"
        '  Serial.print("took "); Serial.println(measured());\n' + set_up + "}\n"
        f"void loop(8, {VICTIM[0]}us, {VICTIM[1]}us) {{\n"
        "  if (!since[0]) since[0] = micros();\n  for (;;) works(0);\n}\n"
    )
    for number in range(1, dice.randrange(2, 5)):
        period = dice.choice((10, 20, 50))
        longest = dice.choice((20, 200, period * 25))
        pause = dice.choice(("", "delay(1);", f"delay({period});"))
        us, sleeps = 1 + dice.randrange(longest), dice.random() < 0.3
        change = ""
        if dice.random() < 0.3:
            change = f"interruptsVcpu({dice.choice((budget, max(60, budget // 2)))}us, 10ms); "
        drawn.text += (
            f"void loop({number}, {period * 60}us, {period}ms) {{ "
            f"{change}section({number}, {us}, {int(sleeps)}); {pause} }}\n"
        )
    drawn.text += TELLER
    return drawn


def receives_too_much(drawn: Drawn, log: Path, report: Report, turn: int) -> list[str]:
    """Windows of an I/O virtual CPU's period with more edges received than its budget pays for. What it can
    use is I(T + R - C') of docs/decisions/interrupts-on-a-budget.md, where R is its response; each edge takes
    a turn."""
    found = []
    tick = 1e9 / report["bounds"]["ticks_per_second"]
    costs = report["bounds"]["costs"]
    taken = [e for e in in_order(read_log(log)) if e.kind == EventKind.EDGES_TAKEN]
    ranks = [rank for core in report["bounds"]["cores"] for rank in core["ranks"] if rank["io"]]
    for rank in ranks:
        alone = drawn.lone is not None and 10_000 * rank["budget"] == drawn.lone[1] * rank["period"]
        own = [e for e in taken if (drawn.lone is not None and e.arg == drawn.lone[0]) == alone]
        gaps = [b.time_ns - a.time_ns for a, b in pairwise(own)]
        if gaps and min(gaps) < turn:
            found.append(f"two turns are {min(gaps)} ns apart")
        enforced, period = rank["enforced"] * tick, rank["period"] * tick
        overrun = (costs["timer_lateness"] + costs["longest_masked"]) * tick
        delayed = rank["bound"] * tick - enforced  # a whole budget begins so much later at most
        usable = enforced + enforced / period * (period + delayed - enforced) + overrun
        window: deque[tuple[int, int]] = deque()
        edges = most = 0
        for event in own:
            window.append((event.time_ns, event.value))
            edges += event.value
            while event.time_ns - window[0][0] >= period:
                edges -= window.popleft()[1]
            most = max(most, edges)
        if (most - 1) * turn > usable:
            found.append(
                f"I/O {rank['loop']}: {most} edges in {period} ns, of which it has {usable}"
            )
    return found


def judge(drawn: Drawn, board: Board, said: str, report: Report, log: Path) -> list[str]:
    found = list(report["notices"])
    found += [str(cost) for cost in report["overheads"].get("exceeded", ())]
    sections = report["no_interrupts"]
    if sections["revoked"] or sections["longest_us"] > sections["bound_us"]:
        found.append(f"sections: {sections}")
    told = re.search(r"calls ([\d ]+) within ([\d ]+)", said)
    assert told, said
    calls = dict(zip(range(2, 6), map(int, told[1].split()), strict=True))
    if any(map(int, told[2].split())):
        found.append(f"handlers began within sections: {told[0]}")
    for pin, entry in interrupts(report).items():
        made = report["parts"][f"g{pin}"]["edges"]
        of_mode = {"CHANGE": made, "RISING": (made + 1) // 2, "FALLING": made // 2}[
            drawn.modes[pin]
        ]
        arrived = entry["edges"] + (entry["may_have_merged"] or 0)
        # (Edges at the very end of a run may be in one count alone.)
        if not of_mode - 1 <= arrived <= of_mode + 1:
            found.append(f"pin {pin}: {of_mode} edges were made: {entry}")
        if entry["max_delay_us"] > entry["delay_bound_us"]:
            found.append(f"pin {pin}: {entry['max_delay_us']} of {entry['delay_bound_us']} us")
        if calls[pin] > entry["delivered"] or (entry["edges"] > 1 and not entry["delivered"]):
            found.append(f"pin {pin}: {calls[pin]} calls by the sketch: {entry}")
    for loop in report["loops"]:
        if loop["max_response_us"] > loop["response_bound_us"] or loop["deadline_misses"]:
            found.append(f"loop {loop['id']} is late: {loop}")
    took, victim = re.search(r"took (\d+)", said), re.search(r"victim (\d+) (\d+)", said)
    assert took and victim, said
    had = int(victim[1]) / board.rounds * (int(took[1]) + 2)
    if had < (int(victim[2]) // VICTIM[1] - 1) * VICTIM[0]:
        found.append(f"the victim had {had:.0f} us of its own work: {victim[0]}")
    return found + receives_too_much(drawn, log, report, board.turn)


def check(tmp_path: Path, seed: str, board: Board, cores: int, policy: str = "vcpu") -> Report:
    drawn = draw(seed, board, cores)
    log = tmp_path / "t.hklog"
    options: tuple[str | Path, ...] = (*on(board.name, cores), "--policy", policy, "--trace", log)
    status, said, report = run(
        tmp_path, "storms", drawn.text, drawn.scenario, f"{board.milliseconds}ms", *options
    )
    assert status == 0, (seed, said)
    assert not (found := judge(drawn, board, said, report, log)), (seed, found)
    return report


@pytest.mark.parametrize("policy", every_so_often(["vcpu", "edf", "hybrid-edf"], 3))
def test_storms_beside_sections(tmp_path: Path, policy: str) -> None:
    sections = 0
    for number in range(rounds(2, 60, "HOCKET_STORMS")):
        cores = 1 + number % SIM.cores
        report = check(tmp_path, f"{policy}-{number}", SIM, cores, policy)
        sections += report["no_interrupts"]["sections"]
    assert sections > 20


@pytest.mark.skipif(not LONG, reason="virt is in the long form")
def test_storms_beside_sections_on_virt(tmp_path: Path) -> None:
    for number in range(rounds(1, 12, "HOCKET_STORMS_ON_VIRT")):
        check(tmp_path, f"virt-{number}", VIRT, 1)
